"""Equations of variables, from the assignments of all instances.

With processes, exactly one of them moves at a time, chosen by the input `_process_selector_`; `main` is one of them.
An assignment of a process to next(x) counts in its turn; in the turns of processes that do not assign x, x keeps its value.
"""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.errors import ModelProblem, TypeProblem
from coarsest.formats.smv.lower import ModuleLowering
from coarsest.formats.smv.scope import Entity, InstanceScope
from coarsest.formats.smv.syntax import Definition, SmvAssignment
from coarsest.logic.expr import TRUE, Apply, Constant, Expr, Name
from coarsest.logic.show import show
from coarsest.model.machine import Kind
from coarsest.model.query.meanings import Array, Meaning, Scalar, may_be_compound, value_of
from coarsest.model.query.places import STATE, STEP, Place
from coarsest.model.types import Enumeration
from coarsest.text import Span

SELECTOR = "_process_selector_"


def declare_processes(lowering: ModuleLowering) -> None:
    """Declare the selector and the definitions of `running`, if there are processes."""
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


class AssignmentTable:
    """The assignments of all instances, by variable."""

    def __init__(self, lowering: ModuleLowering) -> None:
        self.lowering = lowering
        self.initial: dict[str, Expr] = {}
        self.current: dict[str, Expr] = {}
        self.next: dict[str, Expr] = {}
        self._turns: dict[str, dict[str, Expr]] = {}  # variable → process → next value
        self._spans: dict[tuple[str, str], Span] = {}

    def add(self, assignment: SmvAssignment, scope: InstanceScope) -> None:
        """Add an assignment of a scope. An assignment to an array is one for each of its elements."""
        place = STEP if assignment.when == "next" else STATE
        target = self.lowering.meaning_of(assignment.target, scope)
        if isinstance(target, Array):
            for element, value in _pairs(target, self._array(assignment.value, scope, place), assignment):
                table, key = self._entry(self._name(element, assignment), assignment, scope)
                table[key] = value
        else:
            table, key = self._entry(self._name(target, assignment), assignment, scope)
            table[key] = self.lowering.lower_in(place, assignment.value, scope)

    def _entry(self, name: str, assignment: SmvAssignment, scope: InstanceScope) -> tuple[dict[str, Expr], str]:
        """The table for the value of an assignment, and its key there. Raises an error if the assignment is illegal."""
        process = (scope.process or "main") if self.lowering.tree.processes and assignment.when == "next" else ""
        self._check(name, assignment, process)
        if process:
            return self._turns.setdefault(name, {}), process
        return {"init": self.initial, "next": self.next, "": self.current}[assignment.when], name

    def _array(self, value: Expr, scope: InstanceScope, place: Place) -> Meaning:
        """The value assigned to an array: another array, now or after the step."""
        if isinstance(value, Apply) and value.op == "set" and len(value.args) == 1:
            return self._array(value.args[0], scope, place)
        if isinstance(value, Apply) and value.op == "next" and may_be_compound(value.args[0]):
            if value.op in place.forbidden:
                raise place.problem(value)
            return _after_step(self.lowering.meaning_of(value.args[0], scope), value.span)
        return self.lowering.meaning_of(value, scope) if may_be_compound(value) else Scalar(value)

    def _name(self, meaning: Meaning, assignment: SmvAssignment) -> str:
        target = assignment.target
        shown = show(target)
        if not isinstance(meaning, Scalar):
            raise TypeProblem(f"`{shown}` is not a variable: it cannot be assigned as a whole", target.span)
        if not isinstance(meaning.expr, Name) or meaning.expr.name not in self.lowering.variables:
            actual = " ".join(meaning.expr.span.text.split()) if meaning.expr.span else "an expression"
            hint = f"it means {actual}"
            if isinstance(meaning.expr, Name):
                hint = "its definition already gives it a value"
            elif "[" in shown and actual in shown:
                hint = "the index has to be a constant: write `next(a[0]) := i = 0 ? e : a[0];`, and so on for each element"
            raise ModelProblem(f"`{shown}` is not a variable: it cannot be assigned", target.span, hint=hint)
        return meaning.expr.name

    def _check(self, name: str, assignment: SmvAssignment, process: str) -> None:
        variable, when, span = self.lowering.variables[name], assignment.when, assignment.span
        if variable.kind is Kind.INPUT:
            hint = "declare it in VAR, or constrain it in TRANS"
            raise ModelProblem(f"`{name}` is an input: its value cannot be assigned", span, hint=hint)
        if variable.kind is Kind.FROZEN and when != "init":
            raise ModelProblem(f"`{name}` is frozen: only init({name}) can be assigned", span)
        conflicts = {"init": ("init", ""), "next": ("next" + process, ""), "": ("init", "next", "")}[when]
        for key in conflicts:
            earlier = self._spans.get((name, key))
            if earlier is not None:
                hint = f"the other assignment is in line {earlier.line_number}: {earlier.text}"
                raise ModelProblem(f"`{name}` is assigned twice", span, hint=hint)
        self._spans[name, when + process] = span
        self._spans.setdefault((name, when), span)

    def finish(self) -> None:
        """Make one equation for each variable that processes assign; it is unchanged in all other turns."""
        for name, by_process in self._turns.items():
            span = self._spans[name, "next"]
            branches: list[Expr] = []
            for process, value in by_process.items():
                branches += (Apply("=", (Name(SELECTOR, span), Constant(process, span)), span), value)
            if len(by_process) <= len(self.lowering.tree.processes):
                branches += (TRUE, Name(name, span))
            self.next[name] = Apply("case", tuple(branches), span)


def _after_step(meaning: Meaning, span: Span | None) -> Meaning:
    if isinstance(meaning, Array):
        return Array(meaning.low, tuple(_after_step(element, span) for element in meaning.elements))
    return Scalar(Apply("next", (meaning.expr,), span)) if isinstance(meaning, Scalar) else meaning


def _pairs(target: Array, value: Meaning, assignment: SmvAssignment) -> Iterator[tuple[Meaning, Expr]]:
    """The elements of an array, each with the value that is assigned to it."""
    shown = show(assignment.target)
    if not isinstance(value, Array):
        hint = f"name another array, or assign its elements one by one: `{shown}[{target.low}]`"
        raise TypeProblem(f"`{shown}` is an array: only an array can be assigned to it", assignment.value.span, hint=hint)
    if (target.low, target.high) != (value.low, value.high):
        message = f"`{shown}` has the bounds {target.low}..{target.high}, this array {value.low}..{value.high}"
        raise TypeProblem(message, assignment.value.span, hint="assign the elements one by one")
    for element, given in zip(target.elements, value.elements):
        if isinstance(element, Array):
            yield from _pairs(element, given, assignment)
        else:
            yield element, value_of(given, assignment.value)
