"""The names of a program: declared variables, undeclared variables (boolean), and symbols of enumerations."""

from __future__ import annotations

from collections.abc import Collection

from coarsest.errors import NameProblem
from coarsest.formats.program.syntax import Assign, ProgramText, Read, statements
from coarsest.logic.expr import Constant, Expr, Name, replace
from coarsest.model.machine import Variable
from coarsest.model.types import Boolean, Enumeration
from coarsest.text.near import nearest


class ProgramNames:
    """The variables of a program, in the order of their declarations and then of their first use."""

    def __init__(self, program: ProgramText) -> None:
        self.variables: dict[str, Variable] = {}
        self.declared = program.declarations.keys()
        self.symbols: set[str] = set()
        for declaration in program.declarations.values():
            self.variables[declaration.name] = Variable(declaration.name, declaration.type, span=declaration.span)
            if isinstance(declaration.type, Enumeration):
                self.symbols.update(str(member) for member in declaration.type.members)
        for statement in statements(program.prelude + program.body):
            if isinstance(statement, Assign):
                self._set(statement.target)
            elif isinstance(statement, Read):
                for target in statement.targets:
                    self._set(target)
        for name in self.symbols & self.variables.keys():
            raise NameProblem(f"`{name}` is a variable and a symbol of an enumeration", self.variables[name].span)

    def _set(self, target: Name) -> None:
        if target.name in self.symbols:
            raise NameProblem(f"`{target.name}` is a symbol of an enumeration, not a variable", target.span)
        self.variables.setdefault(target.name, Variable(target.name, Boolean(), span=target.span))

    def resolve(self, expr: Expr) -> Expr:
        """The expression with symbols as constants; NameProblem at a name that is neither a variable nor a symbol."""
        return replace(expr, self._resolved)

    def _resolved(self, part: Expr) -> Expr | None:
        if not isinstance(part, Name) or part.name in self.variables:
            return None
        if part.name in self.symbols:
            return Constant(part.name, part.span)
        hint = suggestion(part.name, (*self.variables, *self.symbols)) or "it is never assigned, read or declared"
        raise NameProblem(f"`{part.name}` is not a variable of this program", part.span, hint=hint)


def suggestion(name: str, names: Collection[str]) -> str:
    """A hint if one of the names looks like this one."""
    near = nearest(name, names)
    return f"did you mean `{near[0]}`?" if near else ""
