"""The local conditions on the sets of a certificate, decided by a SAT solver that shares nothing with the engines.

Reference: Namjoshi 2001, "Certifying model checkers" (ranks and invariants for CTL); removals as in Kesten, Pnueli, Raviv 1998.
Symbols:   –
Invariant: if the conditions of a set are met, its claim is true at all its positions. Each condition is about one step; comments
           beside the conditions argue, about finite graphs, that they suffice.
Deviates:  only the direction that the formula needs is proved; fairness with compassion; a machine that can get stuck.
Cost:      a few questions to the solver for each set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from coarsest.errors import EvidenceRejected
from coarsest.evidence.certificate import (
    AnyProof,
    CountedRounds,
    EveryPath,
    FairPath,
    Inevitable,
    NoReturn,
    PathLayer,
    Possible,
    Proof,
    Removal,
)
from coarsest.evidence.claims.branching import QUANTIFIED, is_condition
from coarsest.evidence.sat.certificate_positions import CertificatePositions
from coarsest.evidence.sat.clauses import FALSE, TRUE
from coarsest.logic.expr import Apply, Expr
from coarsest.model.parts.watch import looks_ahead


class Somewhere(Struct, frozen=True):
    """A set of positions, now and after the step."""

    now: int
    after: int


NOWHERE = Somewhere(FALSE, FALSE)
EVERYWHERE = Somewhere(TRUE, TRUE)


class CertificateConditions:
    """The conditions of one certificate."""

    def __init__(self, positions: CertificatePositions) -> None:
        self.positions = positions
        self.clauses = positions.clauses
        self.fair = EVERYWHERE
        """A set of positions from which a fair path begins."""
        self.unfair = NOWHERE
        """A set of positions from which no fair path begins."""
        self._proved: dict[Expr, Somewhere] = {}

    # Sets

    def _set(self, root: int) -> Somewhere:
        return Somewhere(self.positions.states(root), self.positions.states(root, after=True))

    def _or(self, *sets: Somewhere) -> Somewhere:
        return Somewhere(self.clauses.some(s.now for s in sets), self.clauses.some(s.after for s in sets))

    def _and(self, *sets: Somewhere) -> Somewhere:
        return Somewhere(self.clauses.every(s.now for s in sets), self.clauses.every(s.after for s in sets))

    def _where(self, condition: Expr) -> Somewhere:
        return Somewhere(self.positions.condition(condition), self.positions.condition(condition, after=True))

    def true_at(self, formula: Expr) -> Somewhere:
        """A set of positions at which a normal formula is certainly true."""
        match formula:
            case Apply("complement", (condition,)):
                where = self._where(condition)
                return Somewhere(-where.now, -where.after)
            case Apply("and", args) if not is_condition(formula):
                return self._and(*map(self.true_at, args))
            case Apply("or", args) if not is_condition(formula):
                return self._or(*map(self.true_at, args))
            case Apply(op, _) if op in QUANTIFIED:
                return self._proved[formula]
        return self._where(formula)

    # The machine

    def invariant(self, *start: int) -> None:
        """The invariant contains every position at which a path begins, and no step leaves it."""
        positions = self.positions
        positions.refute("the invariant does not contain an initial state", *start, -positions.invariant())
        positions.refute_leaving("a step leaves the invariant", positions.moves)

    def stuck(self) -> None:
        """The states that the certificate calls stuck have no step, and all others have one: this says where paths stay."""
        positions, certificate = self.positions, self.positions.certificate
        machine, encoded = positions.machine, positions.encoded
        if certificate.stuck is None:
            if machine.transition_constraints or machine.invariant_constraints:
                raise EvidenceRejected("the certificate does not say which states have no step")
            return  # another condition says that every equation gives a value in every state
        for root in (certificate.stuck.states, certificate.stuck.among):
            positions.must_not_see_inputs(root, "where there is no step")
        stuck, among = positions.states(certificate.stuck.states), positions.states(certificate.stuck.among)
        positions.refute_of_reached("a state said to have no step has one", stuck, encoded.step)
        self._inside("for a state in the invariant no step is chosen", positions.reached, among)
        # A step with any inputs is enough, which need not be those of the position.
        values = self.clauses.every(encoded.domain(machine.variables[name]) for name in positions.inputs)
        inside = self.clauses.both(among, encoded.legal_without(positions.inputs))
        chosen = positions.chosen(certificate.stuck.choice, inside, -stuck, also=positions.inputs)
        step = self.clauses.both(encoded.step, values)
        positions.refute("the step chosen for a state does not exist", inside, -stuck, chosen, -step)
        positions.stuck = stuck

    def goes_on(self, needed: Sequence[Expr]) -> None:
        """No path that meets all these conditions infinitely often reaches a state without a step.

        Equations always have values. So if constraints are only on states and inputs, there is a step if some inputs satisfy
        them, and it is enough that one of the conditions is never met when the constraints are violated.
        """
        positions, machine = self.positions, self.positions.machine
        if not machine.may_be_stuck:
            return
        if machine.invariant_constraints or any(looks_ahead(machine, rule) for rule in machine.transition_constraints):
            raise EvidenceRejected("the certificate does not say which states have no step")
        violated = -self.clauses.every(map(positions.condition, machine.transition_constraints))
        positions.conditions += 1
        if all(self.clauses.example(positions.encoded.legal, violated, positions.condition(p)) is not None for p in needed):
            raise EvidenceRejected("the certificate does not say which states have no step, and a path may stay in one")

    def well_defined(self) -> None:
        """For all values of the variables, every expression has a value, and every equation gives a value of the right type."""
        positions = self.positions
        some_problem = self.clauses.some(positions.encoded.problems)
        positions.refute("an expression has no value, or none of its type", positions.encoded.domains, some_problem)

    # Fair paths

    def fairness(self) -> None:
        certificate = self.positions.certificate
        machine = self.positions.machine
        may_end = bool(self.positions.inputs) and certificate.stuck is not None  # inputs may lead nowhere
        if machine.justice or machine.compassion or may_end:
            self.fair = NOWHERE
        if certificate.fair is not None:
            self.fair = self._fair_path(certificate.fair, EVERYWHERE)
        if certificate.unfair is not None:
            covered = self._removed(certificate.unfair.removals, NOWHERE)
            self.unfair = self._set(certificate.unfair.positions)
            self._inside("a position said to have no fair path is not removed", self.unfair.now, covered.now)

    def _inside(self, what: str, subset: int, *whole: int) -> None:
        self.positions.refute_of_reached(what, subset, *(-part for part in whole))

    def _removed(self, removals: Sequence[Removal], goal: Somewhere) -> Somewhere:
        """Positions from which every fair path reaches the goal.

        A path that does not reach it passes from one removal to an earlier one, never back, and so stays in one for ever. That is
        impossible, for the reason of this removal.
        """
        earlier = NOWHERE
        for removal in removals:
            here = self._set(removal.states)
            beyond = self._or(goal, earlier)
            stays = NOWHERE if removal.reason == "leave" else here
            allowed = self._or(beyond, stays)
            what = "a step leads from a set back to where fair paths may go"
            self.positions.refute_of_reached(what, here.now, -beyond.now, self.positions.moves, -allowed.after)
            self._reason(removal, here, beyond)
            earlier = self._or(earlier, here)
        return earlier

    def _reason(self, removal: Removal, here: Somewhere, beyond: Somewhere) -> None:
        machine = self.positions.machine
        match removal.reason:
            case "leave":
                return
            case "justice" if 0 <= removal.constraint < len(machine.justice):
                met = self._where(machine.justice[removal.constraint])
                what = f"justice constraint {removal.constraint} is met in a set that is claimed to lie outside it"
                self.positions.refute_of_reached(what, here.now, -beyond.now, met.now)
            case "compassion" if 0 <= removal.constraint < len(machine.compassion):
                p, q = map(self._where, machine.compassion[removal.constraint])
                what = f"compassion constraint {removal.constraint} is met in a set that is claimed to lie outside it"
                self.positions.refute_of_reached(what, here.now, -beyond.now, q.now)
                elsewhere = Somewhere(-here.now, -here.after)
                goal = self._or(beyond, elsewhere, p)
                covered = self._removed(removal.inside, goal)
                self._inside("a fair path may stay in a set without meeting compassion", -goal.now, covered.now)
            case _:
                raise EvidenceRejected(f"'{removal.reason}' {removal.constraint} is not a reason to remove a set")

    def _layers(self, layers: Sequence[PathLayer], goal: Somewhere, through: Somewhere) -> Somewhere:
        """Positions from which a path leads to the goal through a set: from every layer a step leads to the layer before it."""
        before: list[Somewhere] = []
        for layer in layers:
            here = self._set(layer.states)
            if not before:
                self._inside("the first layer has a position that is not a goal", here.now, goal.now)
            else:
                self._inside("a layer has a position that paths must not go through", here.now, through.now)
                self._step_into(layer, here, before[-1])
            before.append(here)
        return self._or(*before)

    def _step_into(self, layer: PathLayer, here: Somewhere, target: Somewhere) -> None:
        chosen = self.positions.chosen(layer.choice, self.positions.reached, here.now)
        arrives = self.clauses.both(self.positions.moves, target.after)
        what = "the step chosen for a position does not lead where it should"
        self.positions.refute_of_reached(what, here.now, chosen, -arrives)

    def _fair_path(self, proof: FairPath, p: Somewhere) -> Somewhere:
        """Positions from which a fair path stays in p.

        From every position of the hull, a path inside it leads to each justice constraint, and to the second part of a compassion
        constraint if the position is in its first part. So a part of the hull that paths inside the hull cannot leave has a fair
        cycle, and every path inside the hull can be continued into such a part.
        """
        machine = self.positions.machine
        hull = self._set(proof.hull)
        self._inside("the hull has a position where the formula is false", hull.now, p.now)
        self._step_into(PathLayer(proof.hull, proof.step), hull, hull)
        if len(proof.justice) != len(machine.justice) or len(proof.compassion) != len(machine.compassion):
            raise EvidenceRejected("the certificate does not have a way to every fairness constraint")
        for condition, layers in zip(machine.justice, proof.justice):
            reaching = self._layers(layers, self._and(hull, self._where(condition)), hull)
            self._inside("from a position of the hull no way leads to a justice constraint", hull.now, reaching.now)
        for (first, second), layers in zip(machine.compassion, proof.compassion):
            reaching = self._layers(layers, self._and(hull, self._where(second)), hull)
            promised = self.clauses.both(hull.now, self._where(first).now)
            self._inside("from a position of the hull no way leads to a compassion constraint", promised, reaching.now)
        begins = self._layers(proof.layers, hull, p)
        claimed = self._set(proof.positions)
        self._inside("from a position no way leads to the hull", claimed.now, begins.now)
        return claimed

    # Parts of the formula

    def prove(self, formula: Expr, proof: AnyProof) -> None:
        """Check the proof of a part of a formula; from now on, the part is true at the positions that the proof claims."""
        assert isinstance(formula, Apply)
        if isinstance(proof, CountedRounds | NoReturn):
            raise EvidenceRejected(f"a proof of another kind is needed for '{formula.op}'")
        parts = [self.true_at(arg) for arg in formula.args]
        claimed = self._set(proof.positions)
        match formula.op, parts, proof:
            case "AX", [p], EveryPath():
                what = "a step leads to a position at which the formula may be false"
                self.positions.refute_of_reached(what, claimed.now, self.positions.moves, -p.after, -self.unfair.after)
            case "AR", [p, q], EveryPath():
                self._released(claimed, p, q)
            case "AU", [p, q], Inevitable():
                goal = self._or(q, self.unfair)
                covered = self._removed(proof.removals, goal)
                self._inside("a position is not removed", claimed.now, goal.now, covered.now)
                self._inside("the formula is false in a set that was removed", covered.now, goal.now, p.now)
            case "EX", [p], Possible():
                if len(proof.layers) != 1:
                    raise EvidenceRejected("exactly one step must be chosen")
                here = self._set(proof.layers[0].states)
                self._step_into(proof.layers[0], here, self._and(p, self.fair))
                self._inside("for a position no step is chosen", claimed.now, here.now)
            case "EU", [p, q], Possible():
                reaching = self._layers(proof.layers, self._and(q, self.fair), p)
                self._inside("a position is in no layer", claimed.now, reaching.now)
            case "EG", [p], FairPath():
                self._fair_path(proof, p)
            case _:
                raise EvidenceRejected(f"a proof of another kind is needed for '{formula.op}'")
        self._proved[formula] = self._of_states(proof)

    def _of_states(self, proof: Proof) -> Somewhere:
        """The claimed states: their positions with all inputs, or with some inputs, are claimed."""
        positions = self.positions
        for root in (positions.certificate.invariant, *positions.certificate.parts):
            positions.must_not_see_inputs(root, "the invariant")  # so it contains all positions of its states
        if isinstance(proof, EveryPath | Inevitable):
            positions.must_not_see_inputs(proof.states, "a set of states for a formula about all paths")
            what = "a claimed state has a position that is not claimed"
            self._inside(what, positions.states(proof.states), positions.states(proof.positions))
        else:
            legal, frame = positions.chosen_inputs(proof.begin)
            inside = self.clauses.both(legal, positions.graph(proof.positions, frame))
            what = "with the inputs chosen for a state no path begins as it should"
            self._inside(what, positions.states(proof.states), inside)
        return self._set(proof.states)

    def _released(self, claimed: Somewhere, p: Somewhere, q: Somewhere) -> None:
        """No fair path leaves the set before p has been true, and q is true in the set."""
        self._inside("a position of the set violates the formula", claimed.now, q.now, self.unfair.now)
        going_on = (claimed.now, -p.now, -self.unfair.now, self.positions.moves)
        self.positions.refute_of_reached("a step leaves the set too early", *going_on, -claimed.after, -self.unfair.after)

    def conclude(self, formula: Expr, start: Iterable[int]) -> None:
        """The formula is true wherever a path begins."""
        self.positions.refute_of_reached("the formula may be false in an initial state", *start, -self.true_at(formula).now)

    def conclude_that_none_begins(self, proof: AnyProof, start: Iterable[int]) -> None:
        """No fair path begins in any of these positions."""
        if not isinstance(proof, Inevitable):
            raise EvidenceRejected("a proof of another kind is needed for a linear formula")
        covered = self._removed(proof.removals, NOWHERE)
        self.positions.refute_of_reached("a violating path may begin in an initial state", *start, -covered.now)
