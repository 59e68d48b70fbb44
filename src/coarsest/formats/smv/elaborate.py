"""From modules to the tree of instances, each with a scope of its names."""

from __future__ import annotations

from typing import Final

from coarsest.errors import ModelProblem, NameProblem
from coarsest.formats.smv.scope import Actual, Entity, InstanceScope, What
from coarsest.formats.smv.syntax import (
    ArraySyntax,
    Definition,
    EnumerationSyntax,
    InstanceSyntax,
    SmvDeclaration,
    SmvModule,
    TypeSyntax,
)
from coarsest.logic.expr import Name
from coarsest.text import Source, Span
from coarsest.text.near import nearest

DEEPEST_INSTANCE: Final = 200
MOST_INSTANCES: Final = 100_000
"""The limit for the number of instances: thirty modules, each with two instances of the next, would make a thousand million.
`--format smv:instances=N` raises the limit."""


class Tree:
    """The instances of a model, main first, each before the instances inside it."""

    def __init__(self, most_instances: int = MOST_INSTANCES) -> None:
        self.most_instances = most_instances
        self.modules: dict[str, SmvModule] = {}
        self.scopes: list[InstanceScope] = []
        self.symbols: dict[str, Span] = {}
        self.processes: list[str] = []  # paths of the process instances, without main

    @classmethod
    def of(cls, modules: list[SmvModule], source: Source, most_instances: int = MOST_INSTANCES) -> Tree:
        """The tree of instances that begins with main."""
        tree = cls(most_instances)
        main = tree._collect(modules, source)
        tree._instantiate("", InstanceSyntax("main", (), process=False, span=main.span), caller=None, chain=())
        for scope in tree.scopes:
            tree._hand_over_foreign_names(scope)
        tree.processes = [scope.path for scope in tree.scopes if scope.is_process]
        return tree

    def _collect(self, modules: list[SmvModule], source: Source) -> SmvModule:
        for module in modules:
            if module.name in self.modules:
                line = self.modules[module.name].span.line_number
                raise NameProblem(f"module `{module.name}` is defined twice", module.span, hint=f"the first is in line {line}")
            self.modules[module.name] = module
        main = self.modules.get("main")
        if main is None:
            named = ", ".join(self.modules)
            hint = f"name one of these modules `main`: {named}" if named else "a model begins with `MODULE main`"
            raise NameProblem("there is no module `main`", Span(source, 0, 0), hint=hint)
        if main.parameters:
            raise ModelProblem("module `main` cannot have parameters", main.parameters[0][1])
        return main

    def _instantiate(
        self, path: str, instance: InstanceSyntax, *, caller: InstanceScope | None, chain: tuple[str, ...]
    ) -> InstanceScope:
        name, span = instance.module, instance.span
        if name in chain or len(chain) > DEEPEST_INSTANCE:
            cycle = " → ".join((*chain[chain.index(name) if name in chain else 0 :], name))
            raise ModelProblem(f"module `{name}` contains itself", span, hint=f"the cycle is {cycle}")
        if len(self.scopes) >= self.most_instances:
            hint = f"if this is intended, raise the limit: --format smv:instances={10 * self.most_instances}"
            raise ModelProblem(f"more than {self.most_instances} instances of modules", span, hint=hint)
        process = path if instance.process else caller.process if caller else ""
        scope = InstanceScope(path, self._with_extensions(name, span, ()), process, span, instance.process)
        self.scopes.append(scope)
        if caller is not None:
            self._pass_arguments(scope, instance, caller)
        for module in scope.modules:
            for constant, where in module.constants:
                self.symbols.setdefault(constant, where)
            for definition in module.definitions:
                declare(scope, definition.name, definition, definition.span)
            for declaration in module.declarations:
                if isinstance(declaration.type, InstanceSyntax):
                    inner = scope.full(declaration.name)
                    child = self._instantiate(inner, declaration.type, caller=scope, chain=(*chain, name))
                    declare(scope, declaration.name, child, declaration.span)
                else:
                    self._collect_symbols(declaration.type)
                    declare(scope, declaration.name, declaration, declaration.span)
        return scope

    @staticmethod
    def _pass_arguments(scope: InstanceScope, instance: InstanceSyntax, caller: InstanceScope) -> None:
        module = scope.modules[0]
        parameters, given = len(module.parameters), len(instance.arguments)
        if parameters != given:
            names = ", ".join(parameter for parameter, _ in module.parameters)
            hint = f"its parameters are ({names})" if parameters else "it has no parameters"
            message = f"module `{module.name}` takes {parameters} argument{'s' * (parameters != 1)}, not {given}"
            raise ModelProblem(message, instance.span, hint=hint)
        for (parameter, where), argument in zip(module.parameters, instance.arguments):
            declare(scope, parameter, Actual(argument, caller), where)

    def _hand_over_foreign_names(self, scope: InstanceScope) -> None:
        """Move `left.ack := …` to the instance `left`; a path that does not lead to an instance is just a long name."""
        for name, entity in list(scope.entities.items()):
            if "." in name and isinstance(entity.what, Definition | SmvDeclaration):
                prefix, _, rest = name.rpartition(".")
                home = instance_at(prefix, scope)
                if home is not None:
                    del scope.entities[name]
                    declare(home, rest, entity.what, entity.span, read_in=scope)

    def _with_extensions(self, name: str, span: Span, chain: tuple[str, ...]) -> tuple[SmvModule, ...]:
        if name in chain:
            raise ModelProblem(f"module `{name}` extends itself", span, hint=f"the cycle is {' → '.join((*chain, name))}")
        module = self._module(name, span)
        modules = [module]
        for extended, where in module.extends:
            modules.extend(self._with_extensions(extended, where, (*chain, name)))
        return tuple(modules)

    def _module(self, name: str, span: Span) -> SmvModule:
        module = self.modules.get(name)
        if module is None:
            if name == "int":
                raise NameProblem("there is no type `int`", span, hint="write a range such as 0..255, or `integer`")
            close = nearest(name, ["boolean", "integer", "real", *self.modules])
            hint = f"did you mean `{close[0]}`?" if close else "modules are declared with MODULE"
            raise NameProblem(f"there is no type or module `{name}`", span, hint=hint)
        return module

    def _collect_symbols(self, kind: TypeSyntax) -> None:
        while isinstance(kind, ArraySyntax):
            kind = kind.element
        if isinstance(kind, EnumerationSyntax):
            for member in kind.members:
                if isinstance(member, str):
                    self.symbols.setdefault(member, kind.span)


def declare(scope: InstanceScope, name: str, what: What, span: Span, *, read_in: InstanceScope | None = None) -> None:
    """Add a name to a scope, which must not have it yet."""
    earlier = scope.entities.get(name)
    if earlier is not None:
        first, second = sorted((earlier.span, span), key=lambda where: where.start)
        hint = f"the first is in line {first.line_number}"
        raise NameProblem(f"`{name}` is declared twice in {scope.title}", second, hint=hint)
    scope.entities[name] = Entity(scope.full(name), what, read_in or scope, span)


def instance_at(path: str, scope: InstanceScope) -> InstanceScope | None:
    """The instance that a path of members and parameters leads to, if there is one."""
    return _instance_at(path, scope, DEEPEST_INSTANCE + 1)


def _instance_at(path: str, scope: InstanceScope, patience: int) -> InstanceScope | None:
    """The instance at a path; `patience` ends cycles of parameters."""
    instance: InstanceScope | None = scope
    for name in path.split("."):
        entity = instance.entities.get(name) if instance is not None and name != "self" else None
        actual = entity.what if entity is not None else instance if name == "self" else None
        if isinstance(actual, Actual) and isinstance(actual.expr, Name) and patience > 1:
            instance = _instance_at(actual.expr.name, actual.caller, patience - 1)
        else:
            instance = actual if isinstance(actual, InstanceScope) else None
    return instance
