"""Machines: typed variables, equations and constraints.

SMV, circuits, Lustre and programs all end here. A machine is flat: no modules, no arrays, every name in full.
A *state* is a value for each state and frozen variable; inputs belong to steps, not to states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from coarsest.logic.expr import TRUE, Expr, names
from coarsest.model.kinds import PropertyKind
from coarsest.model.types import Type
from coarsest.text import Diagnostic, Source, Span
from coarsest.text.placed import Placed


class Kind(StrEnum):
    """How a variable changes."""

    STATE = "state"
    FROZEN = "frozen"  # keeps its initial value for ever
    INPUT = "input"  # chosen anew at each step; not part of the state


class Variable(Placed, frozen=True):
    name: str
    type: Type
    kind: Kind = Kind.STATE
    span: Span | None = None
    added: bool = False
    """Was the variable added to those of the user? Then it is not counted or shown as part of a state."""


class Property(Placed, frozen=True):
    """A formula to check. `text` is the formula as its author wrote it, `module` the instance it was written in."""

    kind: PropertyKind
    formula: Expr
    name: str = ""
    text: str = ""
    module: str = ""
    span: Span | None = None

    def __repr__(self) -> str:
        return f"<Property {self.name}{': ' * bool(self.name)}{self.text or self.kind}>"

    def as_invariant(self, formula: Expr) -> Property:
        """The property that a condition always holds, by the same name."""
        return replace(self, kind=PropertyKind.INVARIANT, formula=formula)

    def as_ctl(self, formula: Expr) -> Property:
        """The property that a formula of CTL states, by the same name."""
        return replace(self, kind=PropertyKind.CTL, formula=formula)

    def as_ltl(self, formula: Expr) -> Property:
        """The property that a formula of LTL states, by the same name."""
        return replace(self, kind=PropertyKind.LTL, formula=formula)


def invariant(formula: Expr, name: str = "", text: str = "", module: str = "", span: Span | None = None) -> Property:
    """The property that a condition always holds."""
    return Property(PropertyKind.INVARIANT, formula, name, text, module, span)


def cover(formula: Expr, name: str = "", text: str = "", module: str = "", span: Span | None = None) -> Property:
    """The property that some path reaches a state, or a step, with a condition."""
    return Property(PropertyKind.COVER, formula, name, text, module, span)


def ctl(formula: Expr, name: str = "", text: str = "", module: str = "", span: Span | None = None) -> Property:
    """The property that a formula of CTL states."""
    return Property(PropertyKind.CTL, formula, name, text, module, span)


def ltl(formula: Expr, name: str = "", text: str = "", module: str = "", span: Span | None = None) -> Property:
    """The property that a formula of LTL states."""
    return Property(PropertyKind.LTL, formula, name, text, module, span)


NO_DEADLOCK = Property(PropertyKind.DEADLOCK, TRUE, "deadlock", "every reachable state has a successor")
"""The property of `--deadlock fail`."""


class Machine(Struct, frozen=True):
    """Variables, equations, constraints, fairness and properties.

    The equations may be non-deterministic: `next_values["x"]` may denote a set, and x takes any of its elements.
    """

    name: str
    variables: Mapping[str, Variable]
    definitions: Mapping[str, Expr] = field(default_factory=dict)  # may use next() only if used in transitions
    initial_values: Mapping[str, Expr] = field(default_factory=dict)  # init(x) := e
    current_values: Mapping[str, Expr] = field(default_factory=dict)  # x := e, at all times
    next_values: Mapping[str, Expr] = field(default_factory=dict)  # next(x) := e
    initial_constraints: tuple[Expr, ...] = ()  # INIT
    invariant_constraints: tuple[Expr, ...] = ()  # INVAR
    transition_constraints: tuple[Expr, ...] = ()  # TRANS
    justice: tuple[Expr, ...] = ()
    compassion: tuple[tuple[Expr, Expr], ...] = ()
    properties: tuple[Property, ...] = ()
    outputs: tuple[str, ...] = ()  # definitions that others see: what a program writes, the outputs of a node
    warnings: tuple[Diagnostic, ...] = ()
    made_up: frozenset[str] = frozenset()  # definitions that are not in the text: traces show the names that they mention
    notes: tuple[str, ...] = ()  # remarks of the reader for verbose output
    source: Source | None = None
    synchronous: bool = False  # is a step an instant of a program, at which its inputs and outputs have values?
    rounds: bool = False  # is a step one round of a loop, in which a program reads its inputs and writes its outputs?
    hints: tuple[Expr, ...] = ()  # conditions on steps that a search for states follows first, one after the other
    assumptions: tuple[Expr, ...] = ()  # constraints on steps that are not part of the design: steps that violate one are ignored

    def of_kind(self, *kinds: Kind) -> Iterator[Variable]:
        return (v for v in self.variables.values() if v.kind in kinds)

    @property
    def state_variables(self) -> list[Variable]:
        """The variables that make up a state, including frozen ones."""
        return list(self.of_kind(Kind.STATE, Kind.FROZEN))

    @property
    def input_variables(self) -> list[Variable]:
        return list(self.of_kind(Kind.INPUT))

    @property
    def may_be_stuck(self) -> bool:
        """May there be a state without successors? Equations alone never forbid a step."""
        return bool(self.transition_constraints or self.invariant_constraints)

    def variables_of(self, expr: Expr) -> set[str]:
        """The variables that an expression depends on, directly or through definitions."""
        variables: set[str] = set()
        waiting = list(names(expr))
        opened: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in self.variables:
                variables.add(name)
            elif name not in opened:
                opened.add(name)
                waiting.extend(names(self.definitions[name]))
        return variables

    def lookup(self, name: str) -> Expr | Variable:
        """A variable or the body of a definition."""
        return self.variables.get(name) or self.definitions[name]
