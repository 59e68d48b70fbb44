"""Equations of variables: who may be assigned what, and whose turn it is.

With processes, exactly one of them moves at a time, chosen by the input `_process_selector_`; `main` is one of them.
What a process assigns to next(x) counts in its turn; in the turn of others that do not assign x, x keeps its value.
"""

from __future__ import annotations

from coarsest.errors import ModelProblem, TypeProblem
from coarsest.formats.smv.lower import Lowering
from coarsest.formats.smv.places import STATE, STEP
from coarsest.formats.smv.scope import Entity, Scalar, Scope
from coarsest.formats.smv.syntax import Assignment, Definition
from coarsest.logic.expr import TRUE, Apply, Constant, Expr, Name
from coarsest.logic.show import show
from coarsest.model.machine import Kind
from coarsest.model.types import Enumeration
from coarsest.text import Span

SELECTOR = "_process_selector_"


def declare_processes(lowering: Lowering) -> None:
    """The selector and the definitions of `running`, if there are processes at all."""
    tree = lowering.tree
    if not tree.processes:
        return
    main = tree.scopes[0]
    names = ("main", *tree.processes)
    lowering.add_variable(SELECTOR, Enumeration(names), Kind.INPUT, main.span)
    for scope in tree.scopes:
        if scope is main or scope.is_process:
            full = scope.full("running")
            body = Apply("=", (Name(SELECTOR, scope.span), Constant(scope.path or "main", scope.span)), scope.span)
            if "running" in scope.entities:
                hint = "a process has a definition `running` of its own"
                raise ModelProblem("`running` is declared in a process", scope.entities["running"].span, hint=hint)
            definition = Definition("running", body, scope.span)
            scope.entities["running"] = Entity(full, definition, scope, scope.span, Scalar(Name(full, scope.span)))
            lowering.definitions[full] = body
    declared = main.entities.get(SELECTOR)
    if declared is not None:
        raise ModelProblem(f"`{SELECTOR}` is reserved for models with processes", declared.span)


class Equations:
    """The assignments of all instances, by variable."""

    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self.initial: dict[str, Expr] = {}
        self.current: dict[str, Expr] = {}
        self.next: dict[str, Expr] = {}
        self._turns: dict[str, dict[str, Expr]] = {}  # variable → process → next value
        self._places: dict[tuple[str, str], Span] = {}

    def add(self, assignment: Assignment, scope: Scope) -> None:
        """Take one assignment of a scope."""
        name = self._target(assignment, scope)
        process = (scope.process or "main") if self.lowering.tree.processes and assignment.when == "next" else ""
        self._check(name, assignment, process)
        place = STEP if assignment.when == "next" else STATE
        value = self.lowering.lower_in(place, assignment.value, scope)
        if process:
            self._turns.setdefault(name, {})[process] = value
        else:
            {"init": self.initial, "next": self.next, "": self.current}[assignment.when][name] = value

    def _target(self, assignment: Assignment, scope: Scope) -> str:
        target = assignment.target
        thing = self.lowering.thing_of(target, scope)
        shown = show(target)
        if not isinstance(thing, Scalar):
            raise TypeProblem(f"`{shown}` is not a variable: it cannot be assigned as a whole", target.span)
        if not isinstance(thing.expr, Name) or thing.expr.name not in self.lowering.variables:
            is_definition = isinstance(thing.expr, Name)
            actual = " ".join(thing.expr.span.text.split()) if thing.expr.span else "an expression"
            hint = "a definition already says what it is" if is_definition else f"it stands for {actual}"
            raise ModelProblem(f"`{shown}` is not a variable: it cannot be assigned", target.span, hint=hint)
        return thing.expr.name

    def _check(self, name: str, assignment: Assignment, process: str) -> None:
        variable, when, span = self.lowering.variables[name], assignment.when, assignment.span
        if variable.kind is Kind.INPUT:
            hint = "declare it in VAR, or constrain it in TRANS"
            raise ModelProblem(f"`{name}` is an input: its value cannot be assigned", span, hint=hint)
        if variable.kind is Kind.FROZEN and when != "init":
            raise ModelProblem(f"`{name}` is frozen: only init({name}) can be assigned", span)
        conflicts = {"init": ("init", ""), "next": ("next" + process, ""), "": ("init", "next", "")}[when]
        for other in conflicts:
            earlier = self._places.get((name, other))
            if earlier is not None:
                line, _ = earlier.source.place(earlier.start)
                hint = f"the other assignment is in line {line}: {earlier.text}"
                raise ModelProblem(f"`{name}` is assigned twice", span, hint=hint)
        self._places[name, when + process] = span
        self._places.setdefault((name, when), span)

    def finish(self) -> None:
        """One equation per variable that processes assign: by the turn, and unchanged in all other turns."""
        for name, by_process in self._turns.items():
            span = self._places[name, "next"]
            branches: list[Expr] = []
            for process, value in by_process.items():
                turn = Apply("=", (Name(SELECTOR, span), Constant(process, span)), span)
                branches += (turn, value)
            if len(by_process) <= len(self.lowering.tree.processes):
                branches += (TRUE, Name(name, span))
            self.next[name] = Apply("case", tuple(branches), span)
