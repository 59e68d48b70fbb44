"""The syntax of VIS Verilog. Expressions are those of `logic/expr.py`, with the operators of Verilog.

Beside the infix operators there are `u!` `u~` `u-` `u+` `u&` `u|` `u^` `u~&` `u~|` `u~^` (one operand), `?:`, `{}` (a
concatenation), `{{}}` (a count, and the repeated expression), `[]` (an element or a bit), `[:]` (a part), `call`, `$ND`, and
`pattern`: a number with digits that may be anything, as two words, its digits and a mask of the digits that count.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field

from coarsest.logic.expr import Expr
from coarsest.text import Span


class IndexRange(Struct, frozen=True):
    """`[high:low]`, or for arrays `[first:last]`."""

    left: Expr
    right: Expr


class VerilogDeclaration(Struct, frozen=True):
    """A declared name, and the words before it, such as `input` and `reg`."""

    name: str
    words: frozenset[str]
    span: Span
    type: str = ""
    bounds: IndexRange | None = None
    array: IndexRange | None = None
    value: Expr | None = None


class VerilogAssignment(Struct, frozen=True):
    target: Expr
    value: Expr
    span: Span
    blocking: bool = True


class StatementBlock(Struct, frozen=True):
    statements: tuple[Statement, ...]
    declarations: tuple[VerilogDeclaration, ...] = ()
    name: str = ""


class VerilogIf(Struct, frozen=True):
    condition: Expr
    then: Statement
    otherwise: Statement
    span: Span


class Branch(Struct, frozen=True):
    """The labels of a branch, which is the default if it has none, and its statement."""

    labels: tuple[Expr, ...]
    body: Statement


class Case(Struct, frozen=True):
    subject: Expr
    branches: tuple[Branch, ...]
    span: Span


class Loop(Struct, frozen=True):
    """`for`, `while` and `repeat`: begin, then body and step while the condition holds, or as many times as its value says."""

    begin: Statement
    condition: Expr
    step: Statement
    body: Statement
    span: Span
    counted: bool = False


class TaskCall(Struct, frozen=True):
    name: str
    arguments: tuple[Expr, ...]
    span: Span


Statement: TypeAlias = VerilogAssignment | StatementBlock | VerilogIf | Case | Loop | TaskCall

NOTHING = StatementBlock(())


class Routine(Struct, frozen=True):
    """A function or a task."""

    name: str
    declarations: tuple[VerilogDeclaration, ...]
    body: Statement
    span: Span
    result: VerilogDeclaration | None = None


class AlwaysBlock(Struct, frozen=True):
    """`clocks` are the signals with an edge; a block without clocks is combinational."""

    clocks: tuple[Expr, ...]
    body: Statement
    span: Span


class Connection(Struct, frozen=True):
    """The expression at a port, by name or by position; None if there is none."""

    port: str
    actual: Expr | None
    span: Span


class ModuleInstance(Struct, frozen=True):
    module: str
    name: str
    parameters: tuple[Connection, ...]
    connections: tuple[Connection, ...]
    span: Span


class VerilogModule(Struct):
    name: str
    span: Span
    ports: list[str] = field(default_factory=list)
    declarations: list[VerilogDeclaration] = field(default_factory=list)
    parameters: list[VerilogDeclaration] = field(default_factory=list)
    assignments: list[VerilogAssignment] = field(default_factory=list)
    blocks: list[AlwaysBlock] = field(default_factory=list)
    initial: list[Statement] = field(default_factory=list)
    instances: list[ModuleInstance] = field(default_factory=list)
    routines: dict[str, Routine] = field(default_factory=dict)
    overrides: list[VerilogAssignment] = field(default_factory=list)
    """`defparam`: the target is a path to a parameter of an instance."""


class VerilogSource(Struct):
    """All declarations of a text: modules, and types with their values."""

    modules: dict[str, VerilogModule] = field(default_factory=dict)
    types: dict[str, tuple[str, ...]] = field(default_factory=dict)
    symbols: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Every value of a type, with all values of the first type that lists it."""
