"""What a certificate has to satisfy: local conditions on its sets, each put to a SAT solver that shares nothing with the engines.

Reference: Namjoshi 2001, "Certifying model checkers" (ranks and invariants for CTL); removals as in Kesten, Pnueli, Raviv 1998.
Symbols:   –
Invariant: once the conditions of a set are met, the set holds only positions at which what it stands for is true. The conditions
           speak of one step each; that they suffice is an argument about finite graphs, given beside each of them.
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
        """Only positions from which a fair path begins."""
        self.unfair = NOWHERE
        """Only positions from which none begins."""
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
        """Where a normal formula is known to be true."""
        match formula:
            case Apply("complement", (condition,)):
                found = self._where(condition)
                return Somewhere(-found.now, -found.after)
            case Apply("and", args) if not is_condition(formula):
                return self._and(*map(self.true_at, args))
            case Apply("or", args) if not is_condition(formula):
                return self._or(*map(self.true_at, args))
            case Apply(op, _) if op in QUANTIFIED:
                return self._proved[formula]
        return self._where(formula)

    # The machine

    def invariant(self, *start: int) -> None:
        """It contains every position where a path begins, and no step leaves it."""
        positions = self.positions
        positions.refute("the invariant does not contain an initial state", *start, -positions.invariant())
        positions.refute_leaving("a step leaves the invariant", positions.moves)

    def stuck(self) -> None:
        """The states said to be stuck have no step, all others have one: so it is known where paths stay for ever."""
        positions, certificate = self.positions, self.positions.certificate
        machine, encoded = positions.machine, positions.encoded
        if certificate.stuck is None:
            if machine.transition_constraints or machine.invariant_constraints:
                raise EvidenceRejected("the certificate does not say which states have no step")
            return  # an equation gives a value in every state: that is one of the conditions, too
        for root in (certificate.stuck.states, certificate.stuck.among):
            positions.must_not_see_inputs(root, "where there is no step")
        stuck, among = positions.states(certificate.stuck.states), positions.states(certificate.stuck.among)
        positions.refute_of_reached("a state said to have no step has one", stuck, encoded.step)
        self._inside("for a state in the invariant no step is chosen", positions.reached, among)
        # Whatever the inputs of the position are: a step with some inputs is enough.
        values = self.clauses.every(encoded.domain(machine.variables[name]) for name in positions.inputs)
        inside = self.clauses.both(among, encoded.legal_without(positions.inputs))
        chosen = positions.chosen(certificate.stuck.choice, inside, -stuck, also=positions.inputs)
        step = self.clauses.both(encoded.step, values)
        positions.refute("the step chosen for a state does not exist", inside, -stuck, chosen, -step)
        positions.stuck = stuck

    def goes_on(self, needed: Sequence[Expr]) -> None:
        """No path that meets all these again and again comes to a state without step.

        Equations always have values. So where constraints are on states and inputs alone, there is a step if some inputs satisfy
        them, and it is enough that one of what is needed is met nowhere else.
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
        """Every expression has a value, and every equation one that its variable can hold: of all values of the variables."""
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
            found = self._set(certificate.unfair.positions)
            self._inside("a position said to have no fair path is not removed", found.now, covered.now)
            self.unfair = found

    def _inside(self, what: str, subset: int, *whole: int) -> None:
        self.positions.refute_of_reached(what, subset, *(-part for part in whole))

    def _removed(self, removals: Sequence[Removal], goal: Somewhere) -> Somewhere:
        """Positions from which every fair path comes to the goal.

        A path that does not come there passes from one removal to an earlier one, never back, and so stays in one for ever: that
        is impossible, for its reason.
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
        """Positions from which a path leads to the goal, through others: from every layer a step leads to the one before."""
        found: list[Somewhere] = []
        for layer in layers:
            here = self._set(layer.states)
            if not found:
                self._inside("the first layer has a position that is not a goal", here.now, goal.now)
            else:
                self._inside("a layer has a position that paths must not go through", here.now, through.now)
                self._step_into(layer, here, found[-1])
            found.append(here)
        return self._or(*found)

    def _step_into(self, layer: PathLayer, here: Somewhere, target: Somewhere) -> None:
        chosen = self.positions.chosen(layer.choice, self.positions.reached, here.now)
        arrives = self.clauses.both(self.positions.moves, target.after)
        what = "the step chosen for a position does not lead where it should"
        self.positions.refute_of_reached(what, here.now, chosen, -arrives)

    def _fair_path(self, proof: FairPath, p: Somewhere) -> Somewhere:
        """Positions from which a fair path stays in p.

        From every position of the hull a path inside it leads to each justice constraint, and to the second part of a compassion
        constraint if the position is in the first. So a part of the hull that paths inside it cannot leave has a fair cycle, and
        every path inside it can be led into such a part.
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
        found = self._set(proof.positions)
        self._inside("from a position no way leads to the hull", found.now, begins.now)
        return found

    # Parts of the formula

    def prove(self, formula: Expr, proof: AnyProof) -> None:
        """Insist that the proof is one of the part of a formula: where it says so, the part is true from now on."""
        assert isinstance(formula, Apply)
        if isinstance(proof, CountedRounds | NoReturn):
            raise EvidenceRejected(f"a proof of another kind is needed for '{formula.op}'")
        parts = [self.true_at(arg) for arg in formula.args]
        found = self._set(proof.positions)
        match formula.op, parts, proof:
            case "AX", [p], EveryPath():
                self._all_steps(found, p)
            case "AR", [p, q], EveryPath():
                self._released(found, p, q)
            case "AU", [p, q], Inevitable():
                self._inevitable(proof, found, p, q)
            case "EX", [p], Possible():
                self._some_step(proof, found, p)
            case "EU", [p, q], Possible():
                reaching = self._layers(proof.layers, self._and(q, self.fair), p)
                self._inside("a position is in no layer", found.now, reaching.now)
            case "EG", [p], FairPath():
                self._fair_path(proof, p)
            case _:
                raise EvidenceRejected(f"a proof of another kind is needed for '{formula.op}'")
        self._proved[formula] = self._of_states(proof)

    def _of_states(self, proof: Proof) -> Somewhere:
        """From positions to states: for all inputs, or for some."""
        positions = self.positions
        for root in (positions.certificate.invariant, *positions.certificate.parts):
            positions.must_not_see_inputs(root, "the invariant")  # all positions of its states are in it
        if isinstance(proof, EveryPath | Inevitable):
            positions.must_not_see_inputs(proof.states, "what is true on all paths")
            what = "a state is claimed that has a position which is not"
            self._inside(what, positions.states(proof.states), positions.states(proof.positions))
        else:
            legal, frame = positions.chosen_inputs(proof.begin)
            there = self.clauses.both(legal, positions.graph(proof.positions, frame))
            self._inside("with the inputs chosen for a state no path begins as it should", positions.states(proof.states), there)
        return self._set(proof.states)

    def _all_steps(self, found: Somewhere, p: Somewhere) -> None:
        what = "a step leads to where the formula may be false"
        self.positions.refute_of_reached(what, found.now, self.positions.moves, -p.after, -self.unfair.after)

    def _released(self, found: Somewhere, p: Somewhere, q: Somewhere) -> None:
        """No fair path leaves the set before p has been met, and in it q is true."""
        self._inside("a position of the set violates the formula", found.now, q.now, self.unfair.now)
        going_on = (found.now, -p.now, -self.unfair.now, self.positions.moves)
        self.positions.refute_of_reached("a step leaves the set too early", *going_on, -found.after, -self.unfair.after)

    def _inevitable(self, proof: Inevitable, found: Somewhere, p: Somewhere, q: Somewhere) -> None:
        goal = self._or(q, self.unfair)
        covered = self._removed(proof.removals, goal)
        self._inside("a position is not removed", found.now, goal.now, covered.now)
        self._inside("the formula is false in a set that was removed", covered.now, goal.now, p.now)

    def _some_step(self, proof: Possible, found: Somewhere, p: Somewhere) -> None:
        if len(proof.layers) != 1:
            raise EvidenceRejected("one step is to be chosen")
        here = self._set(proof.layers[0].states)
        self._step_into(proof.layers[0], here, self._and(p, self.fair))
        self._inside("for a position no step is chosen", found.now, here.now)

    def conclude(self, formula: Expr, start: Iterable[int]) -> None:
        """The formula is true wherever a path begins."""
        self.positions.refute_of_reached("the formula may be false in an initial state", *start, -self.true_at(formula).now)

    def conclude_that_none_begins(self, proof: AnyProof, start: Iterable[int]) -> None:
        """No fair path begins in any of these positions."""
        if not isinstance(proof, Inevitable):
            raise EvidenceRejected("a proof of another kind is needed for a linear formula")
        covered = self._removed(proof.removals, NOWHERE)
        self.positions.refute_of_reached("a violating path may begin in an initial state", *start, -covered.now)
