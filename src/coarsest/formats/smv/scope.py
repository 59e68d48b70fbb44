"""Instances of modules, and the names in them."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from coarsest.formats.smv.syntax import Definition, SmvDeclaration, SmvModule
from coarsest.logic.expr import Expr
from coarsest.model.query.meanings import Meaning, Owner
from coarsest.text import Span


class InstanceScope(Owner, eq=False):
    """One instance of a module. `path` is its full name ("" for main); it moves in the turn of `process`."""

    path: str
    modules: tuple[SmvModule, ...]  # the module, and the modules that it extends by ISA
    process: str
    span: Span
    is_process: bool = False
    entities: dict[str, Entity] = field(default_factory=dict)

    def full(self, name: str) -> str:
        """The full name of a name that is declared here."""
        return f"{self.path}.{name}" if self.path else name

    @property
    def title(self) -> str:
        return f"instance {self.path} of module {self.modules[0].name}" if self.path else "module main"


class Entity(Struct, eq=False):
    """A declared name. Its meaning is computed when it is first used, since it may depend on names declared later.

    `what` is a declaration, a definition, an instance's scope or an actual parameter, which is read in `scope`. If a module
    defines a name of another instance (`left.ack := …`), `scope` is not the scope that has the name.
    """

    full: str
    what: What
    scope: InstanceScope
    span: Span
    meaning: Meaning | None = None
    in_progress: bool = False


class Actual(NamedTuple):
    """The argument for a parameter, which is read in the scope of the caller."""

    expr: Expr
    caller: InstanceScope


What: TypeAlias = SmvDeclaration | Definition | InstanceScope | Actual
