"""CTL and CTL* on explicit positions, by sets of their numbers.

Reference: Clarke, Emerson, Sistla, Automatic verification of finite-state concurrent systems using temporal logic
           specifications, 1986, sections 3 and 4; Emerson, Lei, Modalities for model checking, 1987 (CTL*).
Symbols:   –
Invariant: `satisfying(f)` holds exactly the positions at which f is true over fair paths.
Deviates:  a path quantifier has the same truth for all inputs of a state; bounded operators go backwards from the end.
Cost:      linear in the steps for each operator, times the larger bound for bounded ones; a product for each E and A of CTL*.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cached_property

from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.enumeration.enumerated_states import PathPositions
from coarsest.evidence.enumeration.fair_graph import FairPaths
from coarsest.logic.branching.ctl import bounds, is_temporal
from coarsest.logic.branching.ctl_star import state_formulas
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.logic.expr import replace as replace_parts
from coarsest.logic.temporal_operators import CTL_BOUNDED, CTL_OPERATORS, PATH_QUANTIFIERS
from coarsest.run import Run


class CtlByEnumeration:
    """The positions at which formulas are true."""

    def __init__(self, positions: PathPositions, run: Run) -> None:
        machine = positions.labels.enumerated.machine
        self.positions = positions
        self.run = run
        self.graph = FairPaths(
            positions.after,
            [positions.where(p) for p in machine.justice],
            [(positions.where(p), positions.where(q)) for p, q in machine.compassion],
        )
        self.everything = self.graph.everything
        self._sets: dict[int, tuple[Expr, Set[int]]] = {}

    @cached_property
    def fair(self) -> set[int]:
        """The positions from which a fair path starts."""
        return self.graph.with_fair_path(self.everything)

    def holds(self, formula: Expr) -> bool:
        """Is the formula true at the beginning of all paths?"""
        return self.positions.initial <= self.satisfying(formula)

    def satisfying(self, formula: Expr) -> Set[int]:
        entry = self._sets.get(id(formula))
        if entry is None:
            entry = self._sets[id(formula)] = formula, self._compute(formula)
        return entry[1]

    def _compute(self, formula: Expr) -> Set[int]:
        if not is_temporal(formula):
            return self.positions.where(formula)
        assert isinstance(formula, Apply)
        op, args = formula.op, formula.args
        if op in PATH_QUANTIFIERS:
            path_formula = args[0] if op == "E" else Apply("not", args)
            return self._quantified(op, self._on_some_path(path_formula))
        if op in CTL_OPERATORS:
            sets = [self.satisfying(arg) for arg in (args[2:] if op in CTL_BOUNDED else args)]
            goals = sets if op[0] == "E" else [self.everything - members for members in sets]
            begins = self._bounded(op, goals, *bounds(formula)) if op in CTL_BOUNDED else self._some(op, goals)
            return self._quantified(op, begins)
        return self._connective(op, [self.satisfying(arg) for arg in args])

    def _connective(self, op: str, sets: Sequence[Set[int]]) -> Set[int]:
        match op, sets:
            case "not", [p]:
                return self.everything - p
            case "and", _:
                return self.everything.intersection(*sets)
            case "or", _:
                return frozenset[int]().union(*sets)
            case "implies", [p, q]:
                return (self.everything - p) | q
            case "xor", [p, q]:
                return p ^ q
            case "iff" | "xnor", [p, q]:
                return self.everything - (p ^ q)
        raise NotConfirmed(f"'{op}' occurs in the formula")

    def _quantified(self, op: str, begins: Set[int]) -> Set[int]:
        """The positions at which a formula is true, from those that begin a path that shows it (E) or refutes it (A)."""
        positions = self.positions
        if len(positions.place) > len(positions.of_state):  # some states have several positions, which differ in the inputs
            states = {positions.place[position][0] for position in begins}
            begins = {position for state in states for position in positions.of_state[state]}
        return begins if op[0] == "E" else self.everything - begins

    def _some(self, op: str, goals: Sequence[Set[int]]) -> Set[int]:
        """The beginnings of fair paths that show the formula with these arguments, or refute it with their complements."""
        graph = self.graph
        match op, goals:
            case "EX" | "AX", [p]:
                return graph.predecessors(p & self.fair)
            case "EF" | "AG", [p]:
                return graph.reaching(self.everything, p & self.fair)
            case "EU", [p, q]:
                return graph.reaching(p, q & self.fair)
            case "EG" | "AF", [p]:
                return graph.with_fair_path(p)
        not_p, not_q = goals  # p ends before q comes, or q never comes
        return graph.reaching(not_q, not_p & not_q & self.fair) | graph.with_fair_path(not_q)

    def _bounded(self, op: str, goals: Sequence[Set[int]], low: int, high: int) -> Set[int]:
        """`_some` for bounded operators: backwards, the positions that can be at each distance on such a path."""
        edges = sum(map(len, self.graph.after))
        limits = self.positions.labels.enumerated.bounds
        visits = 0
        here = self._at_bound(op, goals, inside=True, later=None)
        distance = high
        while distance > 0:
            self.run.step("confirm by enumeration")
            distance -= 1
            visits += edges
            limits.require(visits, limits.visits)
            earlier = self._at_bound(op, goals, inside=distance >= low, later=self.graph.predecessors(here))
            if earlier == here and distance >= low:
                distance = low  # nothing changes any more between the bounds
            elif earlier == here and distance < low:
                break  # nor before them
            here = earlier
        return here

    def _at_bound(self, op: str, goals: Sequence[Set[int]], *, inside: bool, later: Set[int] | None) -> Set[int]:
        """The possible positions at a distance inside the bounds or before them; `later` are their continuations, except at the
        last bound."""
        fair = self.fair
        match op, goals:
            case "EBF" | "ABG", [p]:
                return (later or set()) | (p & fair if inside else set())
            case "EBU", [p, q]:
                return ((later or set()) & p) | (q & fair if inside else set())
            case "EBG" | "ABF", [p]:
                on = fair if later is None else later
                return on & p if inside else on
        not_p, not_q = goals
        on = fair if later is None else later | (not_p & fair)
        return on & not_q if inside else on

    def _on_some_path(self, path_formula: Expr) -> Set[int]:
        """The beginnings of fair paths that satisfy a linear formula, whose atoms may be state formulas."""
        from coarsest.evidence.enumeration.ltl_by_enumeration import automaton_of_ltl, beginnings

        labels: dict[Expr, Set[int]] = {}
        name_of: dict[int, Name] = {}
        for state_formula in state_formulas(path_formula):
            name = name_of[id(state_formula)] = Name(f"label.{len(labels)}")  # no name of a model has this form
            labels[name] = self.satisfying(state_formula)
        linear = replace_parts(path_formula, lambda part: name_of.get(id(part)))
        automaton = automaton_of_ltl(linear, self.run)
        truths = [labels[atom] if atom in labels else self.positions.where(atom) for atom in automaton.alphabet.atoms]
        limits = self.positions.labels.enumerated.bounds
        return beginnings(self.graph, automaton, truths, self.everything, self.run, most_steps=5 * limits.steps)
