"""The error tree: everything coarsest raises on purpose.

    CoarsestError
    ├── InputError            wrong input or usage (exit code 2); carries a Diagnostic
    │   ├── SyntaxProblem     the text does not follow the grammar
    │   ├── NameProblem       something is used that is not declared, or declared twice
    │   ├── TypeProblem       an operator does not fit its operands
    │   ├── ModelProblem      the model is ill-formed: circular definition, value out of range, case not exhaustive
    │   ├── Unsupported       well-formed, but a construct we do not handle (yet)
    │   └── FileProblem       a file cannot be read or written
    ├── LimitExceeded         a limit was hit (exit code 3); `check` turns it into Unknown
    │   ├── TooManyStates     a set is infinite, or too large to be counted
    │   └── OutOfNodes        a manager of BDDs has no more room (`bdd/protocol.py`)
    ├── BudgetSpent           an attempt has used its budget (`Run.within`); the caller goes on with something else
    ├── EvidenceRejected      our own evidence did not confirm: a bug in coarsest (exit code 70)
    └── FaultElsewhere        a process that works for this one ended by a bug in coarsest (exit code 70)
"""

from __future__ import annotations

from types import UnionType
from typing import Any

from coarsest.text import Diagnostic, Span


class CoarsestError(Exception):
    """Base of all errors raised on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        """How an error goes from one process to another, whatever its constructor takes."""
        return _remade, (type(self), self.args, self.__dict__)


def _remade(kind: type[CoarsestError], args: tuple[Any, ...], state: dict[str, Any]) -> CoarsestError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class InputError(CoarsestError):
    """Wrong input or usage. `str(error)` is the whole message with the line and the caret."""

    def __init__(self, message: str, span: Span | None = None, *, hint: str = "") -> None:
        self.diagnostic = Diagnostic(message, span, hint)
        super().__init__(message)

    def __str__(self) -> str:
        return self.diagnostic.show()

    def _render_traceback_(self) -> list[str]:
        """What notebooks show: where the mistake is, and not the way of the call through our code."""
        return [f"{type(self).__name__}: {self}"]


def require_type(what: str, value: object, kinds: type | UnionType, expected: str, *, hint: str = "") -> None:
    """Raise InputError for an argument of the wrong type, before its use fails in the middle of something else."""
    if not isinstance(value, kinds):
        raise InputError(f"{what} is {expected}, found {value!r:.40} ({type(value).__name__})", hint=hint)


class SyntaxProblem(InputError):
    """The text does not follow the grammar."""


class NameProblem(InputError):
    """Something is used that is not declared, or declared twice."""


class TypeProblem(InputError):
    """An operator does not fit its operands."""


class ModelProblem(InputError):
    """The model is ill-formed: circular definition, value out of range, case not exhaustive."""


class Unsupported(InputError):
    """Well-formed, but a construct that is not handled (yet)."""


class FileProblem(InputError):
    """A file cannot be read or written."""


class LimitExceeded(CoarsestError):
    """A limit was hit. `limit` is 'time', 'memory', 'nodes', 'steps', 'states' or 'solver'."""

    def __init__(self, limit: str, message: str) -> None:
        self.limit = limit
        super().__init__(message)

    def _render_traceback_(self) -> list[str]:
        """What notebooks show."""
        return [f"{type(self).__name__}: {self}"]


class TooManyStates(LimitExceeded):
    """A set is infinite, or too large to be counted."""

    def __init__(self, message: str) -> None:
        super().__init__("states", message)


class BudgetSpent(CoarsestError):
    """An attempt has used its budget. It never reaches the user: `Run.within`, which set the budget, catches it."""


class EvidenceRejected(CoarsestError):
    """Our own evidence did not confirm: never the user's fault."""


class FaultElsewhere(CoarsestError):
    """A process that works for this one ended by an error that nobody raised on purpose."""

    @classmethod
    def caused_by(cls, error: Exception) -> FaultElsewhere:
        """What the process says of its error: errors of libraries may not find their way through a pipe."""
        import traceback

        fault = cls(f"{type(error).__name__}: {error}")
        fault.add_note("".join(traceback.format_exception(error)))
        return fault
