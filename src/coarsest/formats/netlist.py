"""Circuits of named signals, as BENCH, BLIF and BLIF-MV describe them, on their way to machines.

Every signal is an input, a latch, or a function of other signals, and has one source; a function is a definition of the machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from coarsest.errors import ModelProblem, NameProblem, Unsupported
from coarsest.logic.expr import Apply, Expr, Name, subexpressions
from coarsest.model.checks.dependencies import ordered_definitions
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.parts.watch import OURS
from coarsest.model.types import Boolean, Type
from coarsest.text import Diagnostic, Source, Span
from coarsest.text.near import nearest

BOOLEAN = Boolean()
MOST_HINTS: Final = 10
"""Similar names are suggested for this many problems, since the search takes a while in a large circuit."""


class Netlist:
    """The signals of one circuit, in the order in which the reader declares them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.warnings: list[Diagnostic] = []
        self.types: dict[str, Type] = {}
        """The types of signals that are not boolean."""
        self.initial_constraints: list[Expr] = []
        self._variables: dict[str, Variable] = {}
        self._functions: dict[str, Expr] = {}
        self._initial: dict[str, Expr] = {}
        self._next: dict[str, Expr] = {}
        self._outputs: dict[str, Span] = {}
        self._sources: dict[str, Span] = {}

    def input(self, name: str, span: Span, *, chosen_inside: bool = False) -> None:
        """A signal from outside, or one that the circuit itself chooses and that is not part of its interface."""
        self._claim(name, span)
        self._variables[name] = Variable(name, self.types.get(name, BOOLEAN), Kind.INPUT, span, added=chosen_inside)

    def latch(self, name: str, following: Name, span: Span, *, first: Expr | None) -> None:
        """A signal that takes the value of `following` at each step; without a first value, it may begin with any value."""
        self._claim(name, span)
        self._variables[name] = Variable(name, self.types.get(name, BOOLEAN), Kind.STATE, span)
        self._next[name] = following
        if first is not None:
            self._initial[name] = first

    def function(self, name: str, value: Expr, span: Span) -> None:
        self._claim(name, span)
        self._functions[name] = value

    def output(self, name: str, span: Span) -> None:
        self._outputs.setdefault(name, span)

    def _claim(self, name: str, span: Span) -> None:
        if name in self._sources:
            hint = f"the first is in line {self._sources[name].line_number}"
            raise NameProblem(f"`{name}` has two sources", span, hint=hint)
        if name.startswith(OURS):
            message = f"names that begin with `{OURS[0]}` or `{OURS[1]}` are reserved"
            raise Unsupported(message, span, hint="rename the signal")
        self._sources[name] = span

    def machine(self, name: str) -> Machine:
        """The machine; a signal without a source may have any value at any time."""
        for expr in (*self._functions.values(), *self._next.values(), *self._initial.values()):
            for part in subexpressions(expr):
                if isinstance(part, Name) and part.name not in self._sources and part.span is not None:
                    self._leave_open(part.name, part.span)
        outputs = tuple(self._outputs_as_definitions())
        try:
            ordered_definitions(self._functions)
        except ModelProblem as problem:
            message, where, hint, _ = problem.diagnostic
            raise ModelProblem(message, where, hint=f"{hint}; put a latch into it") from None
        return Machine(
            name=name,
            variables=self._variables,
            definitions=self._functions,
            initial_values=self._initial,
            next_values=self._next,
            initial_constraints=tuple(self.initial_constraints),
            outputs=outputs,
            warnings=tuple(self.warnings),
            source=self.source,
        )

    def _outputs_as_definitions(self) -> Iterator[str]:
        """An output that is an input or a latch gets a definition of its own."""
        for name, span in self._outputs.items():
            if name not in self._sources:
                self._leave_open(name, span)
            if name not in self._variables:
                yield name
                continue
            definition = f"{name}_output"
            while definition in self._sources:
                definition += "_"
            self._sources[definition] = span
            self._functions[definition] = Name(name, span)
            yield definition

    def _leave_open(self, name: str, span: Span) -> None:
        close = nearest(name, self._sources) if len(self.warnings) < MOST_HINTS else []
        hint = f"did you mean `{close[0]}`?" if close else ""
        self.input(name, span)
        self.warnings.append(Diagnostic(f"`{name}` has no source: it is read as an input", span, hint, level="warning"))


def parity(operands: list[Expr], span: Span | None = None) -> Expr:
    """Is an odd number of the operands true? A balanced tree of exclusive disjunctions."""
    while len(operands) > 1:
        pairs = [Apply("xor", (left, right), span) for left, right in zip(operands[::2], operands[1::2])]
        operands = [*pairs, *operands[len(operands) & ~1 :]]
    return operands[0]

