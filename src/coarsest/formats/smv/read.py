"""SMV text to a machine: parse, elaborate, lower, check."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coarsest.errors import FileProblem, InputError, NameProblem
from coarsest.formats.smv.assignments import AssignmentTable, declare_processes
from coarsest.formats.smv.elaborate import MOST_INSTANCES, Tree
from coarsest.formats.smv.lower import ModuleLowering
from coarsest.formats.smv.parse import parse_modules
from coarsest.formats.smv.scope import Actual, InstanceScope
from coarsest.formats.smv.syntax import SmvDeclaration, Specification
from coarsest.logic.expr import Expr
from coarsest.logic.parse import too_deep
from coarsest.logic.show import show
from coarsest.model.checks.typecheck import check_machine
from coarsest.model.kinds import kind_stated
from coarsest.model.machine import Machine, Property
from coarsest.model.query.places import STATE, STEP
from coarsest.text import Diagnostic, Source, Span
from coarsest.text.printable import title_of


def read(source: Source, *, most_instances: int = MOST_INSTANCES) -> Machine:
    """The machine that an SMV text describes.

    >>> machine = read(Source("toggle.smv", "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x; INVARSPEC !x"))
    >>> list(machine.variables), machine.properties[0].text
    (['x'], '!x')
    """
    try:
        return _read(source, most_instances)
    except RecursionError:
        raise too_deep(Span(source, 0, 0)) from None


def read_with(source: Source, details: str) -> Machine:
    """The machine of a text with a detail: `instances=1000000` is the limit for the number of instances of modules."""
    match = re.fullmatch(r"instances=([1-9][0-9]{0,11})", details)
    if match is None:
        hint = f"write smv:instances=1000000 to allow more than {MOST_INSTANCES} instances of modules"
        raise FileProblem(f"`{details}` is not a detail of SMV", hint=hint)
    return read(source, most_instances=int(match.group(1)))


def _read(source: Source, most_instances: int) -> Machine:
    tree = Tree.of(parse_modules(source), source, most_instances)
    lowering = ModuleLowering(tree)
    declare_processes(lowering)
    for scope in tree.scopes:
        for entity in scope.entities.values():
            if isinstance(entity.what, SmvDeclaration):
                lowering.meaning(entity)
    lowering.define_all()
    equations = AssignmentTable(lowering)
    gathered = _Gathered()
    for scope in tree.scopes:
        gathered.add(scope, lowering, equations)
    equations.finish()
    machine = Machine(
        name=title_of(source.name, ".smv"),
        variables=lowering.variables,
        definitions=lowering.definitions,
        initial_values=equations.initial,
        current_values=equations.current,
        next_values=equations.next,
        initial_constraints=tuple(gathered.initial),
        invariant_constraints=tuple(gathered.invariant),
        transition_constraints=tuple(gathered.transition),
        justice=tuple(gathered.justice),
        compassion=tuple(gathered.compassion),
        properties=tuple(sorted(gathered.properties, key=lambda claim: claim.span.start if claim.span else 0)),
        warnings=(*_wrong_unused_arguments(tree, lowering), *lowering.warnings),
        source=source,
    )
    check_machine(machine)
    return machine


def _wrong_unused_arguments(tree: Tree, lowering: ModuleLowering) -> Iterator[Diagnostic]:
    """Warnings about wrong arguments for parameters that are never used. Since NuSMV ignores them, they are not errors here."""
    for scope in tree.scopes:
        for entity in scope.entities.values():
            if isinstance(entity.what, Actual) and entity.meaning is None:
                try:
                    lowering.meaning(entity)
                except InputError as problem:
                    yield problem.diagnostic._replace(level="warning", hint="the argument is never used")


class _Gathered:
    """The constraints and properties of all instances."""

    def __init__(self) -> None:
        self.initial: list[Expr] = []
        self.invariant: list[Expr] = []
        self.transition: list[Expr] = []
        self.justice: list[Expr] = []
        self.compassion: list[tuple[Expr, Expr]] = []
        self.properties: list[Property] = []

    def add(self, scope: InstanceScope, lowering: ModuleLowering, equations: AssignmentTable) -> None:
        def state(expr: Expr) -> Expr:
            return lowering.lower_in(STATE, expr, scope)

        for module in scope.modules:
            lowering.shares = True  # but not in properties: a part that is vacuous in one position may matter in another
            for assignment in module.assignments:
                equations.add(assignment, scope)
            self.initial.extend(map(state, module.initial))
            self.invariant.extend(map(state, module.invariant))
            self.transition.extend(lowering.lower_in(STEP, expr, scope) for expr in module.transition)
            self.justice.extend(map(state, module.justice))
            self.compassion.extend((state(often), state(then_often)) for often, then_often in module.compassion)
            lowering.shares = False
            self.properties.extend(_property(specification, scope, lowering) for specification in module.specifications)


def _property(specification: Specification, scope: InstanceScope, lowering: ModuleLowering) -> Property:
    if specification.context is not None:
        context = lowering.meaning_of(specification.context, scope)
        if not isinstance(context, InstanceScope):
            raise NameProblem("IN must name an instance", specification.context.span)
        scope = context
    kind = kind_stated(specification.kind, specification.formula)
    name, span = specification.name, specification.span
    formula = lowering.lower_in(kind.place or STATE, specification.formula, scope)
    text = specification.text if kind.is_psl else show(specification.formula)
    return Property(kind, formula, scope.full(name) if name else "", text, scope.path, span)
