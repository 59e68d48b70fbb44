"""From modules to the tree of instances: every instance gets its scope, every scope its names."""

from __future__ import annotations

from difflib import get_close_matches

from coarsest.errors import ModelProblem, NameProblem
from coarsest.formats.smv.scope import Actual, Entity, Scope
from coarsest.formats.smv.syntax import ArraySyntax, EnumerationSyntax, InstanceSyntax, Module, TypeSyntax
from coarsest.text import Source, Span

DEEPEST_INSTANCE = 200


class Tree:
    """The instances of a model, main first, each before the instances inside it."""

    def __init__(self, modules: list[Module], source: Source) -> None:
        self.modules: dict[str, Module] = {}
        self.scopes: list[Scope] = []
        self.symbols: dict[str, Span] = {}
        for module in modules:
            if module.name in self.modules:
                line, _ = source.place(self.modules[module.name].span.start)
                raise NameProblem(f"module `{module.name}` is defined twice", module.span, hint=f"the first is in line {line}")
            self.modules[module.name] = module
        main = self.modules.get("main")
        if main is None:
            named = ", ".join(self.modules) or "none"
            raise NameProblem("there is no module `main`", Span(source, 0, 0), hint=f"modules found: {named}")
        if main.parameters:
            raise ModelProblem("module `main` cannot have parameters", main.parameters[0][1])
        self._instantiate("", "main", main.span, process="", chain=())
        self.processes = [scope.path for scope in self.scopes if scope.is_process]

    def _instantiate(self, path: str, name: str, span: Span, *, process: str, chain: tuple[str, ...]) -> Scope:
        if name in chain or len(chain) > DEEPEST_INSTANCE:
            cycle = " → ".join((*chain[chain.index(name) if name in chain else 0 :], name))
            raise ModelProblem(f"module `{name}` contains itself", span, hint=f"the circle is {cycle}")
        scope = Scope(path, self._with_extensions(name, span, ()), process, span)
        self.scopes.append(scope)
        for module in scope.modules:
            for constant, where in module.constants:
                self.symbols.setdefault(constant, where)
            for definition in module.definitions:
                declare(scope, Entity(definition.name, definition, scope, definition.span))
            for declaration in module.declarations:
                if isinstance(declaration.type, InstanceSyntax):
                    child = self._child(scope, declaration.name, declaration.type, (*chain, name))
                    declare(scope, Entity(declaration.name, child, scope, declaration.span))
                else:
                    self._collect_symbols(declaration.type)
                    declare(scope, Entity(declaration.name, declaration, scope, declaration.span))
        return scope

    def _child(self, scope: Scope, name: str, instance: InstanceSyntax, chain: tuple[str, ...]) -> Scope:
        path = scope.full(name)
        module = self._module(instance.module, instance.span)
        wanted, given = len(module.parameters), len(instance.arguments)
        if wanted != given:
            names = ", ".join(parameter for parameter, _ in module.parameters)
            hint = f"its parameters are ({names})" if wanted else "it has no parameters"
            problem = f"module `{module.name}` takes {wanted} argument{'s' * (wanted != 1)}, {given} given"
            raise ModelProblem(problem, instance.span, hint=hint)
        process = path if instance.process else scope.process
        child = self._instantiate(path, instance.module, instance.span, process=process, chain=chain)
        child.is_process = instance.process
        for (parameter, where), argument in zip(module.parameters, instance.arguments):
            declare(child, Entity(parameter, Actual(argument, scope), child, where))
        return child

    def _with_extensions(self, name: str, span: Span, chain: tuple[str, ...]) -> tuple[Module, ...]:
        if name in chain:
            raise ModelProblem(f"module `{name}` extends itself", span, hint=f"the circle is {' → '.join((*chain, name))}")
        module = self._module(name, span)
        found = [module]
        for extended, where in module.extends:
            found.extend(self._with_extensions(extended, where, (*chain, name)))
        return tuple(found)

    def _module(self, name: str, span: Span) -> Module:
        module = self.modules.get(name)
        if module is None:
            close = get_close_matches(name, self.modules, 1)
            raise NameProblem(f"there is no module `{name}`", span, hint=f"did you mean `{close[0]}`?" if close else "")
        return module

    def _collect_symbols(self, kind: TypeSyntax) -> None:
        while isinstance(kind, ArraySyntax):
            kind = kind.element
        if isinstance(kind, EnumerationSyntax):
            for member in kind.members:
                if isinstance(member, str):
                    self.symbols.setdefault(member, kind.span)


def declare(scope: Scope, entity: Entity) -> None:
    """Give a scope a name, which must be new there."""
    earlier = scope.entities.get(entity.name)
    if earlier is not None:
        line, _ = earlier.span.source.place(earlier.span.start)
        raise NameProblem(f"`{entity.name}` is declared twice in {scope.title}", entity.span, hint=f"the first is in line {line}")
    scope.entities[entity.name] = entity
