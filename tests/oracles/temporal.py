"""The meaning of CTL, LTL and CTL* on machines, from the definitions.

A path is a sequence of pairs (state, inputs), where the inputs lead from the state to the next one; a reachable state that no
inputs lead out of is followed by itself, whatever the inputs. Path quantifiers range over the fair paths, and what one yields
is the same for all inputs of a state. Everything is explicit; nothing is shared with the package but the syntax tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coarsest.logic.expr import Apply, Constant, Expr
from coarsest.model.machine import Machine
from oracles.brute_force import BruteForce
from oracles.fair_graphs import FairGraph
from oracles.ltl_closure import some_fair_path

State = tuple[Any, ...]
Pair = tuple[State, int]
"""A state and the number of its inputs."""

QUANTIFIERS = ("E", "A")
BRANCHING = ("EX", "AX", "EF", "AF", "EG", "AG", "EU", "AU", "EBF", "ABF", "EBG", "ABG", "EBU", "ABU")


class TooManyStates(Exception):
    """The machine is not for an oracle."""


class Temporal:
    """The pairs of a machine that paths from the initial states go through, and what is true in them."""

    def __init__(self, machine: Machine, *, most_states: int = 60) -> None:
        self.force = force = BruteForce(machine)
        self.moves: dict[State, list[list[State]]] = {}
        """The successors of each reachable state, for each choice of inputs."""
        waiting = list(force.initial)
        while waiting:
            state = waiting.pop()
            if state in self.moves:
                continue
            if len(self.moves) == most_states:
                raise TooManyStates
            self.moves[state] = [[t for t in force.states if force.is_step(state, i, t)] for i in force.inputs]
            waiting += [after for successors in self.moves[state] for after in successors]
        self.stuck = {state for state, successors in self.moves.items() if not any(successors)}
        self.pairs: dict[State, list[Pair]] = {
            state: [(state, i) for i, successors in enumerate(moves) if successors or state in self.stuck]
            for state, moves in self.moves.items()
        }
        """The inputs that lead on from a state."""
        self.everything = {pair for pairs in self.pairs.values() for pair in pairs}
        after = {
            (state, i): [pair for target in self.moves[state][i] or [state] for pair in self.pairs[target]]
            for state, i in self.everything
        }
        justice = [self.where(p) for p in machine.justice]
        self.graph = FairGraph(after, justice, [(self.where(p), self.where(q)) for p, q in machine.compassion])
        self.fair = self.graph.with_fair_path(self.everything)
        self.initial = {pair for state in force.initial for pair in self.pairs[state]}
        self._known: dict[Expr, set[Pair]] = {}
        self._verdicts: dict[Expr, bool] = {}

    def environment(self, pair: Pair) -> dict[str, Any]:
        return {**self.force.environment(pair[0]), **self.force.inputs[pair[1]]}

    def where(self, expr: Expr) -> set[Pair]:
        """The pairs in which an expression without temporal operators is true."""
        return {pair for pair in self.everything if self.force.holds(expr, self.environment(pair))}

    def matching(self, values: Mapping[str, Any]) -> set[Pair]:
        """The pairs in which variables have these values."""
        return {
            pair
            for pair in self.everything
            if all(_same(self.environment(pair)[name], value) for name, value in values.items())
        }

    def is_step(self, before: Mapping[str, Any], inputs: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        """Does the second state follow the first, under these inputs, whatever those are that are not given?"""
        first, second = (tuple(state[name] for name in self.force.names) for state in (before, after))
        choices = [i for i, choice in enumerate(self.force.inputs) if all(_same(choice[n], v) for n, v in inputs.items())]
        moves = [self.moves[first][i] or ([first] if first in self.stuck else []) for i in choices if first in self.moves]
        return bool(moves) and all(second in move for move in moves)

    # Verdicts

    def holds_branching(self, formula: Expr) -> bool:
        """Is a formula of CTL or CTL* true in all initial states?"""
        return self.initial <= self.satisfying(formula)

    def holds_linear(self, formula: Expr) -> bool:
        """Is an LTL formula true on all fair paths from the initial states?"""
        if formula not in self._verdicts:
            refuted = some_fair_path(self.graph, Apply("not", (formula,)), self._is_true, self.initial)
            self._verdicts[formula] = not refuted
        return self._verdicts[formula]

    # Quantities

    def fewest_steps(self, start: Expr, goal: Expr) -> int | str | None:
        """The length of a shortest path to a goal, where fair paths go on; None if there is nowhere to start."""
        here, goals = (self.satisfying(expr) & self.fair for expr in (start, goal))
        if not here:
            return None
        for steps in range(len(self.everything) + 1):
            if here & goals:
                return steps
            here = {after for pair in here for after in self.graph.after[pair]}
        return "infinity"

    def most_steps(self, start: Expr, goal: Expr) -> int | str | None:
        """The length of a longest path before a goal is met for the first time, where fair paths go on."""
        here, goals = (self.satisfying(expr) & self.fair for expr in (start, goal))
        if not here:
            return None
        for steps in range(len(self.everything) + 1):
            here = (here & self.fair) - goals
            if not here:
                return steps
            here = {after for pair in here for after in self.graph.after[pair]}
        return "infinity"

    # Branching time

    def satisfying(self, formula: Expr) -> set[Pair]:
        """The pairs in which a formula of CTL or CTL* is true."""
        if formula not in self._known:
            self._known[formula] = self._satisfying(formula)
        return self._known[formula]

    def _satisfying(self, formula: Expr) -> set[Pair]:
        op = formula.op if isinstance(formula, Apply) else ""
        if not _is_branching(formula):
            return self.where(formula)
        args = formula.args
        if op in QUANTIFIERS:
            return self._quantified(op, args[0])
        if op in BRANCHING:
            some = self._some(op, args)
            return self.some_inputs(some) if op[0] == "E" else self.everything - self.some_inputs(some)
        values = [self.satisfying(arg) for arg in args]
        match op:
            case "not":
                return self.everything - values[0]
            case "and":
                return self.everything.intersection(*values)
            case "or":
                return set().union(*values)
            case "implies":
                return (self.everything - values[0]) | values[1]
            case "xor":
                return values[0] ^ values[1]
            case "iff" | "xnor":
                return self.everything - (values[0] ^ values[1])
        raise AssertionError(op)

    def some_inputs(self, pairs: set[Pair]) -> set[Pair]:
        """All pairs of the states of these pairs."""
        return {pair for state, _ in pairs for pair in self.pairs[state]}

    def _some(self, op: str, args: tuple[Expr, ...]) -> set[Pair]:
        """The pairs from which a fair path shows the formula, if existential, or refutes it."""
        bounds = [arg.value for arg in args[:2]] if op[1] == "B" else []
        wanted = [self.satisfying(arg) for arg in args[len(bounds) :]]
        if op[0] == "A":
            wanted = [self.everything - states for states in wanted]
        match op:
            case "EX" | "AX":
                return self.graph.predecessors(wanted[0] & self.fair)
            case "EF" | "AG":
                return self.graph.reaching(self.everything, wanted[0] & self.fair)
            case "EU":
                return self.graph.reaching(wanted[0], wanted[1] & self.fair)
            case "EG" | "AF":
                return self.graph.with_fair_path(wanted[0])
            case "AU":
                not_p, not_q = wanted
                return self.graph.reaching(not_q, not_p & not_q & self.fair) | self.graph.with_fair_path(not_q)
        return self._some_bounded(op, *bounds, wanted)

    def _some_bounded(self, op: str, low: int, high: int, wanted: list[set[Pair]]) -> set[Pair]:
        """Backwards from position `high`: the pairs that can stand at each position of a path that shows it."""
        here: set[Pair] = set()
        for position in range(high, -1, -1):
            on = self.graph.predecessors(here) if position < high else set()
            inside = position >= low
            match op:
                case "EBF" | "ABG":
                    here = on | (wanted[0] & self.fair if inside else set())
                case "EBU":
                    here = (on & wanted[0]) | (wanted[1] & self.fair if inside else set())
                case "EBG" | "ABF":
                    on = self.fair if position == high else on
                    here = on & wanted[0] if inside else on
                case "ABU":
                    not_p, not_q = wanted
                    on = self.fair if position == high else on | (not_p & self.fair)
                    here = on & not_q if inside else on
        return here

    # Formulas of CTL*: E and A before path formulas

    def _quantified(self, quantifier: str, path: Expr) -> set[Pair]:
        if quantifier == "A":
            return self.everything - self._quantified("E", Apply("not", (path,)))
        return self.some_inputs(some_fair_path(self.graph, path, self._is_true, self.everything))

    def _is_true(self, formula: Expr, pair: Pair) -> bool:
        """The truth of an atom of a path formula, which may be a formula about states in turn."""
        return pair in self.satisfying(formula)


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def _is_branching(formula: Expr) -> bool:
    if not isinstance(formula, Apply):
        return False
    return formula.op in (*QUANTIFIERS, *BRANCHING) or any(map(_is_branching, formula.args))


def as_ctl_star(formula: Expr) -> Expr:
    """A formula of CTL with its path quantifiers and its temporal operators apart."""
    if not isinstance(formula, Apply) or not _is_branching(formula):
        return formula
    op, args = formula.op, tuple(map(as_ctl_star, formula.args))
    if op not in BRANCHING:
        return Apply(op, args)
    linear = op[1:]
    if linear == "BU":
        low, high = (bound.value for bound in args[:2] if isinstance(bound, Constant))
        return Apply(op[0], (_bounded_until(*args[2:], low, high),))
    return Apply(op[0], (Apply(linear, args),))


def _bounded_until(p: Expr, q: Expr, low: int, high: int) -> Expr:
    result: Expr = q
    for distance in range(high, 0, -1):
        later = Apply("and", (p, Apply("X", (result,))))
        result = Apply("or", (q, later)) if low < distance else later
    return result
