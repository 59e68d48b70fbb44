"""Linear temporal logic with past on graphs: is there a fair path that satisfies a formula?

From the definitions, by the closure construction: a node of the product is a node of the graph, a guess, for each future
operator, whether it will be satisfied from the next position on, and a memory, for each past operator, of the position before.
Every combination is tried. Shares nothing with the package but the syntax tree.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import product
from typing import Generic, TypeVar

from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr
from oracles.fair_graphs import FairGraph, reachable

N = TypeVar("N", bound=Hashable)
Bits = tuple[bool, ...]
Letter = frozenset[Expr]

FUTURE = ("X", "F", "G", "U", "V")
PAST = ("Y", "Z", "O", "H", "S", "T")
BOUNDED = ("BF", "BG", "BO", "BH")
CONNECTIVES = ("not", "and", "or", "xor", "xnor", "iff", "implies")
LINEAR = (*FUTURE, *PAST, *BOUNDED, *CONNECTIVES)


def unbounded(formula: Expr) -> Expr:
    """Bounded operators written out: F [1, 2] p is X p | X X p."""
    if not isinstance(formula, Apply) or formula.op not in LINEAR:
        return formula
    if formula.op not in BOUNDED:
        return Apply(formula.op, tuple(map(unbounded, formula.args)))
    low, high = (bound.value for bound in formula.args[:2])
    shift = {"BF": "X", "BG": "X", "BO": "Y", "BH": "Z"}[formula.op]
    parts = []
    for distance in range(low, high + 1):
        part = unbounded(formula.args[2])
        for _ in range(distance):
            part = Apply(shift, (part,))
        parts.append(part)
    return Apply("or" if formula.op in ("BF", "BO") else "and", tuple(parts))


class Closure:
    """The parts of a formula, and how their truth at one position hangs together with that at its neighbours."""

    def __init__(self, formula: Expr) -> None:
        self.formula = unbounded(formula)
        self.parts: list[Expr] = []
        """Every part of the formula once, arguments first."""
        self._collect(self.formula)
        self.future = [part for part in self.parts if isinstance(part, Apply) and part.op in FUTURE]
        self.past = [part for part in self.parts if isinstance(part, Apply) and part.op in PAST]
        self.atoms = [part for part in self.parts if not (isinstance(part, Apply) and part.op in LINEAR)]
        self.guesses: list[Bits] = list(product((False, True), repeat=len(self.future)))
        self.no_memory: Bits = tuple(part.op in ("Z", "H", "T") for part in self.past)
        self._known: dict[tuple[Letter, Bits, Bits], dict[Expr, bool]] = {}

    def _collect(self, part: Expr) -> None:
        if isinstance(part, Apply) and part.op in LINEAR:
            for arg in part.args:
                self._collect(arg)
        if part not in self.parts:
            self.parts.append(part)

    def truth(self, letter: Letter, guess: Bits, memory: Bits) -> dict[Expr, bool]:
        """The truth of every part, given that of the atoms, what is promised for the next position and what was before."""
        key = (letter, guess, memory)
        if key not in self._known:
            promised, remembered = dict(zip(self.future, guess)), dict(zip(self.past, memory))
            values = self._known[key] = {}
            for part in self.parts:
                values[part] = _value(part, values, letter, {**promised, **remembered}.get(part, False))
        return self._known[key]

    def promised(self, values: dict[Expr, bool]) -> Bits:
        """What the position before must have guessed, for the parts to have these values."""
        return tuple(values[part.args[0]] if part.op == "X" else values[part] for part in self.future)

    def remembered(self, values: dict[Expr, bool]) -> Bits:
        """The memory of the position after one where the parts have these values."""
        return tuple(values[part.args[0]] if part.op in ("Y", "Z") else values[part] for part in self.past)

    def fulfilled(self, part: Apply, values: dict[Expr, bool]) -> bool:
        """Must be true again and again: a promise is not put off for ever, a refusal not either."""
        match part.op:
            case "U" | "F":
                return values[part.args[-1]] or not values[part]
            case "V" | "G":
                return not values[part.args[-1]] or values[part]
        return True


def _value(part: Expr, values: dict[Expr, bool], letter: Letter, elsewhere: bool) -> bool:
    """`elsewhere`: the truth of the part at the next position, or at the one before for past operators."""
    if part in (TRUE, FALSE):
        return part == TRUE
    if not isinstance(part, Apply) or part.op not in LINEAR:
        return part in letter
    args = [values[arg] for arg in part.args]
    match part.op:
        case "X" | "Y" | "Z":
            return elsewhere
        case "F" | "O":
            return args[0] or elsewhere
        case "G" | "H":
            return args[0] and elsewhere
        case "U" | "S":
            return args[1] or (args[0] and elsewhere)
        case "V" | "T":
            return args[1] and (args[0] or elsewhere)
        case "not":
            return not args[0]
        case "and":
            return all(args)
        case "or":
            return any(args)
        case "implies":
            return args[1] or not args[0]
        case "xor":
            return args[0] != args[1]
    return args[0] == args[1]


class Product(Generic[N]):
    """A graph beside the closure of a formula; built from the given nodes on."""

    def __init__(self, graph: FairGraph[N], formula: Expr, is_true: Callable[[Expr, N], bool], start: Iterable[N]) -> None:
        self.closure = closure = Closure(formula)
        self.graph = graph
        atoms = [atom for atom in closure.atoms if not isinstance(atom, Constant)]
        self.letters = {node: frozenset(atom for atom in atoms if is_true(atom, node)) for node in graph.after}
        self.start = [(node, guess, closure.no_memory) for node in start for guess in closure.guesses]
        self._entered: dict[tuple[Letter, Bits], dict[Bits, list[Bits]]] = {}
        self.steps: dict[tuple[N, Bits, Bits], list[tuple[N, Bits, Bits]]] = {}
        waiting = list(self.start)
        while waiting:
            place = waiting.pop()
            if place not in self.steps:
                self.steps[place] = self._successors(*place)
                waiting += self.steps[place]

    def values(self, place: tuple[N, Bits, Bits]) -> dict[Expr, bool]:
        node, guess, memory = place
        return self.closure.truth(self.letters[node], guess, memory)

    def _successors(self, node: N, guess: Bits, memory: Bits) -> list[tuple[N, Bits, Bits]]:
        remembered = self.closure.remembered(self.values((node, guess, memory)))
        return [
            (after, next_guess, remembered)
            for after in self.graph.after[node]
            for next_guess in self._guesses_that_keep(guess, self.letters[after], remembered)
        ]

    def _guesses_that_keep(self, promise: Bits, letter: Letter, memory: Bits) -> list[Bits]:
        """The guesses at a position with which the promises made for it are kept."""
        if (letter, memory) not in self._entered:
            table: dict[Bits, list[Bits]] = {}
            for guess in self.closure.guesses:
                table.setdefault(self.closure.promised(self.closure.truth(letter, guess, memory)), []).append(guess)
            self._entered[letter, memory] = table
        return self._entered[letter, memory].get(promise, [])

    def satisfying(self) -> set[N]:
        """The nodes among those given from which a fair path satisfies the formula."""
        places = self.steps.keys()
        closure = self.closure
        justice = [{place for place in places if place[0] in fair} for fair in self.graph.justice]
        justice += [{p for p in places if closure.fulfilled(part, self.values(p))} for part in closure.future]
        compassion = [
            ({place for place in places if place[0] in p}, {place for place in places if place[0] in q})
            for p, q in self.graph.compassion
        ]
        whole = FairGraph(self.steps, justice, compassion)
        beginning = {place for place in self.start if self.values(place)[closure.formula]}
        fair = whole.with_fair_path(reachable(self.steps, beginning))
        return {place[0] for place in beginning & fair}


def some_fair_path(graph: FairGraph[N], formula: Expr, is_true: Callable[[Expr, N], bool], start: Iterable[N]) -> set[N]:
    """The nodes among `start` from which a fair path satisfies the formula; `is_true` tells where an atom is true."""
    return Product(graph, formula, is_true, start).satisfying()
