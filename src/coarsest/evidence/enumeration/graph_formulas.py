"""Confirms verdicts on formulas about explicit graphs, state by state: no engine takes part.

Paths are replayed on the graph, and linear formulas are evaluated along them from the definition. Verdicts that no single path
shows are decided again on small graphs, with sets of numbers.
"""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property
from itertools import pairwise

from coarsest import tuning
from coarsest.errors import EvidenceRejected
from coarsest.evidence.confirmation import Confirmation, Enumerated, Replayed, Unconfirmed
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.enumeration.fair_graph import FairPaths
from coarsest.evidence.replay.lasso import truth_on_word
from coarsest.evidence.verdict import Fails, Holds, Verdict
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Apply, Constant, Expr, Name, names, subexpressions
from coarsest.lts.labelled import Graph
from coarsest.model.trace import Trace
from coarsest.run import Run


def confirm_on_graph(
    graph: Graph, formula: Expr, verdict: Verdict, *, linear: bool, patient: bool
) -> Confirmation:
    """The confirmation of a verdict, or why there is none; raises EvidenceRejected if it is wrong."""
    nodes, most = _Nodes(graph), tuning.JUDGED_STEPS_IF_ASKED if patient else tuning.JUDGED_STEPS
    if isinstance(verdict, Fails) and verdict.trace is not None:
        nodes.replay(verdict.trace)
        if linear:
            _confirm_false_along(nodes, formula, verdict.trace)
            return Replayed()
        if _Refuted(nodes, verdict.trace).at(formula, 0):
            return Replayed()
    if graph.transitions > most or (linear and nodes.mentions_steps(formula) and nodes.successions > most):
        return Unconfirmed(f"there are more than {most:,} transitions to examine")
    try:
        holds = nodes.holds_on_all_paths(formula) if linear else nodes.initial <= nodes.satisfying(formula)
    except NotConfirmed:
        return Unconfirmed("operators with bounds are not enumerated")
    if holds != isinstance(verdict, Holds):
        raise EvidenceRejected(f"the verdict is {verdict.word}, but enumerating all states gives another one")
    return Enumerated(graph.states, reachable=False)


def _confirm_false_along(nodes: _Nodes, formula: Expr, trace: Trace) -> None:
    if trace.loop is None:
        raise EvidenceRejected("a finite path shows nothing about a linear formula")
    numbers = [_number(state["state"]) for state in trace.states]

    def atom(condition: Expr) -> list[bool]:
        return [nodes.at_step(condition, number, str(step.get("action", ""))) for number, step in zip(numbers, trace.inputs)]

    if truth_on_word(formula, len(trace), trace.loop, atom)[0]:
        raise EvidenceRejected("the formula is true along the path")


class _Refuted:
    """The formulas that one path alone shows to be false."""

    def __init__(self, nodes: _Nodes, trace: Trace) -> None:
        self.nodes = nodes
        self.trace = trace
        self.numbers = [_number(state["state"]) for state in trace.states]
        self._results: dict[tuple[int, int], bool] = {}

    def at(self, formula: Expr, position: int) -> bool:
        """Is the formula false at a position of the path, as the rest of the path shows?"""
        if (id(formula), position) not in self._results:
            self._results[id(formula), position] = self._at(formula, position)
        return self._results[id(formula), position]

    def _at(self, formula: Expr, position: int) -> bool:
        has_modality = any(isinstance(part, Apply) and part.op in ("diamond", "box") for part in subexpressions(formula))
        if not is_temporal(formula) and not has_modality:
            return not self.nodes.at_step(formula, self.numbers[position], "")
        match formula:
            case Apply("and", args):
                return any(self.at(arg, position) for arg in args)
            case Apply("or", args):
                return all(self.at(arg, position) for arg in args)
            case Apply("implies", (premise, conclusion)) if not is_temporal(premise):
                return self.nodes.at_step(premise, self.numbers[position], "") and self.at(conclusion, position)
            case Apply("AG", (inner,)):
                return any(self.at(inner, later) for later in reversed(self._later(position)))
            case Apply("AF", (inner,)):
                return self.trace.loop is not None and all(self.at(inner, later) for later in self._later(position))
            case Apply("AX" | "box", (*taken, inner)) if position < len(self.trace.inputs):
                fits = not taken or taken == [Constant(self.trace.inputs[position].get("action", ""))]
                after = position + 1 if position + 1 < len(self.numbers) else self.trace.loop or 0
                if fits and self.at(inner, after):
                    return True
        return not is_temporal(formula) and not self.nodes.at_step(formula, self.numbers[position], "")

    def _later(self, position: int) -> range:
        """The position and all positions that come after it; on a loop, all positions of the loop."""
        return range(position if self.trace.loop is None else min(position, self.trace.loop), len(self.numbers))


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise EvidenceRejected("a state is a number")
    return value


class _Nodes:
    """A graph as lists of actions and states."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @cached_property
    def after(self) -> list[list[tuple[str, int]]]:
        graph = self.graph
        offsets, actions, targets = graph.offsets.tolist(), graph.actions.tolist(), graph.targets.tolist()
        rows = pairwise(offsets)
        return [[(graph.action_names[actions[i]], targets[i]) for i in range(low, high)] for low, high in rows]

    @cached_property
    def initial(self) -> frozenset[int]:
        return frozenset(self.graph.initial.tolist())

    @cached_property
    def actions(self) -> frozenset[str]:
        return frozenset(self.graph.action_names)

    def mentions_steps(self, formula: Expr) -> bool:
        """Does the formula mention the action of the next step?"""
        by_word = any(isinstance(part, Apply) and part.op == "action" for part in subexpressions(formula))
        return by_word or not self.actions.isdisjoint(names(formula))

    @property
    def successions(self) -> int:
        """The number of pairs of consecutive transitions."""
        return sum(len(self.after[target]) or 1 for row in self.after for _, target in row)

    def _row(self, state: int) -> list[tuple[str, int]]:
        """The transitions of one state, without a look at all the others."""
        graph = self.graph
        if not 0 <= state < graph.states:
            raise EvidenceRejected(f"the graph has no state {state}")
        row = range(int(graph.offsets[state]), int(graph.offsets[state + 1]))
        return [(graph.action_names[int(graph.actions[i])], int(graph.targets[i])) for i in row]

    def replay(self, trace: Trace) -> None:
        """Raise EvidenceRejected unless the trace is a path of the graph from an initial state."""
        numbers = [_number(state["state"]) for state in trace.states]
        if not any(numbers[0] == int(first) for first in self.graph.initial):
            raise EvidenceRejected(f"state {numbers[0]} is not initial")
        for number, arrival, step in zip(numbers, trace.arrivals, trace.inputs):
            row, target = self._row(number), _number(arrival["state"])
            action = step.get("action", "")
            stays = not row and target == number and action == ""
            if not stays and (action, target) not in row:
                raise EvidenceRejected(f"no transition {action} leads from state {number} to state {target}")

    def at_step(self, condition: Expr, state: int, action: str) -> bool:
        """The truth of a condition without temporal operators at a state from which a step with an action follows."""
        match condition:
            case Constant(value):
                return value is True
            case Name(name) if name in self.actions and name != self._label(state):
                return name == action
            case Name(name) | Apply("label", (Constant(str(name)),)):
                return name == self._label(state)
            case Apply("action", (Constant(name),)):
                return name == action
            case Apply("diamond" | "box" as op, (Constant(taken), inner)):
                truths = [self.at_step(inner, target, "") for name, target in self._row(state) if name == taken]
                return any(truths) if op == "diamond" else all(truths)
            case Apply(op, args):
                return _connective(op, [self.at_step(arg, state, action) for arg in args])
        raise NotConfirmed("the formula has an operator that is not enumerated")

    def _label(self, state: int) -> str:
        return self.graph.label_names[int(self.graph.labels[state])]

    # All states

    @cached_property
    def paths(self) -> FairPaths:
        return FairPaths([[target for _, target in row] or [state] for state, row in enumerate(self.after)])

    def satisfying(self, formula: Expr) -> Set[int]:
        everything, paths = self.paths.everything, self.paths
        if not is_temporal(formula):
            return {state for state in everything if self.at_step(formula, state, "")}
        assert isinstance(formula, Apply)
        op, args = formula.op, formula.args
        if op in ("diamond", "box"):
            inner, taken = self.satisfying(args[1]), args[0]
            assert isinstance(taken, Constant)
            rows = ([target in inner for name, target in row if name == taken.value] for row in self.after)
            return {state for state, truths in enumerate(rows) if (any(truths) if op == "diamond" else all(truths))}
        sets = [self.satisfying(arg) for arg in args]
        match op, sets:
            case "EX", [p]:
                return paths.predecessors(p)
            case "AX", [p]:
                return everything - paths.predecessors(everything - p)
            case "EF", [p]:
                return paths.reaching(everything, p)
            case "AG", [p]:
                return everything - paths.reaching(everything, everything - p)
            case "EG", [p]:
                return paths.with_fair_path(p)
            case "AF", [p]:
                return everything - paths.with_fair_path(everything - p)
            case "EU", [p, q]:
                return paths.reaching(p, q)
            case "AU", [p, q]:
                never = everything - q
                return everything - (paths.reaching(never, never - p) | paths.with_fair_path(never))
        return {state for state in everything if _connective(op, [state in members for members in sets])}

    def holds_on_all_paths(self, formula: Expr) -> bool:
        """Does a linear formula hold? Then the automaton of its negation accepts no path from an initial state."""
        from coarsest.evidence.enumeration.ltl_by_enumeration import automaton_of_ltl, beginnings

        positions = [(state, action, target) for state, row in enumerate(self.after) for action, target in row or [("", state)]]
        of_state: list[list[int]] = [[] for _ in self.after]
        for position, (state, _, _) in enumerate(positions):
            of_state[state].append(position)
        paths = FairPaths([of_state[target] for _, _, target in positions])
        violating = automaton_of_ltl(formula, Run(), negated=True)
        truths = [
            {position for position, (state, action, _) in enumerate(positions) if self.at_step(atom, state, action)}
            for atom in violating.alphabet.atoms
        ]
        start = {position for state in self.initial for position in of_state[state]}
        most = 5 * tuning.JUDGED_STEPS_IF_ASKED
        return not beginnings(paths, violating, truths, start, Run(), most_steps=most)


def _connective(op: str, truths: list[bool]) -> bool:
    match op, truths:
        case "not", [p]:
            return not p
        case "and", _:
            return all(truths)
        case "or", _:
            return any(truths)
        case "implies", [p, q]:
            return q or not p
        case "xor", [p, q]:
            return p != q
        case "iff" | "xnor", [p, q]:
            return p == q
    raise NotConfirmed("the formula has an operator that is not enumerated")
