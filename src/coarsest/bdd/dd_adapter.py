"""The package `dd` behind the manager protocol: what its managers have in common.

`dd` names variables by strings, quantifies over sets of names, has no exclusive or as an operator, counts in floating point and
(in CUDD) reports a full manager by errors of several types. The functions of these managers are therefore `dd`'s own, wrapped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coarsest.bdd.protocol import OutOfNodes, no_meter
from coarsest.run import WORK_OF_A_NODE

if TYPE_CHECKING:
    from coarsest.bdd.sifting import Reordering


def translated(error: Exception) -> Exception:
    """OutOfNodes if this is how CUDD says that there was no room for the result, or the error itself."""
    message = str(error)
    return OutOfNodes() if any(sign in message for sign in ("NULL", "memory", "failed")) else error


class DdFunction:
    """A function of `dd` with the operators of the protocol. `_raw` is private to this package."""

    __slots__ = ("_raw",)

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    def __and__(self, other: DdFunction) -> DdFunction:
        try:
            return DdFunction(self._raw & other._raw)
        except (RuntimeError, ValueError) as error:
            raise translated(error) from None

    def __or__(self, other: DdFunction) -> DdFunction:
        try:
            return DdFunction(self._raw | other._raw)
        except (RuntimeError, ValueError) as error:
            raise translated(error) from None

    def __xor__(self, other: DdFunction) -> DdFunction:
        try:
            return DdFunction(self._raw.bdd.apply("xor", self._raw, other._raw))
        except (RuntimeError, ValueError) as error:
            raise translated(error) from None

    def __invert__(self) -> DdFunction:
        return DdFunction(~self._raw)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DdFunction) and self._raw == other._raw

    def __hash__(self) -> int:
        return hash(self._raw)


class DdManager:
    """Everything but making the manager of the package, collecting, and reordering by itself."""

    memory_error: type[BaseException] = OutOfNodes

    def __init__(self, inner: Any, *, node_limit: int | None = None, reorder: Reordering | None = None) -> None:
        self.node_limit = node_limit
        self._inner = inner
        self.true = DdFunction(inner.true)
        self.false = DdFunction(inner.false)
        self._names: list[str] = []
        self._number: dict[str, int] = {}
        self._variables: list[DdFunction] = []
        self._cubes: dict[DdFunction, list[str]] = {self.true: []}
        self._peak = 0
        self._seen = self.made_nodes = 0
        """Nodes at the last `tidy`, and all growth between two of them."""
        self.spend: Callable[[float], None] = no_meter
        self.reorder = reorder

    @property
    def reorder(self) -> Reordering | None:
        return self._reorder

    @reorder.setter
    def reorder(self, reorder: Reordering | None) -> None:
        """With any but None, the package reorders by its own rules."""
        self._reorder = reorder
        self._inner.configure(reordering=reorder is not None)

    # Variables

    def add_variables(self, names: Sequence[str]) -> range:
        first = len(self._names)
        for name in names:
            if name in self._number:
                raise ValueError(f"there is already a variable named '{name}'")
            self._number[name] = len(self._names)
            self._names.append(name)
            self._inner.declare(name)
            self._variables.append(DdFunction(self._inner.var(name)))
        return range(first, len(self._names))

    def var(self, number: int) -> DdFunction:
        return self._variables[number]

    @property
    def names(self) -> Sequence[str]:
        return self._names

    # Operations

    def ite(self, condition: DdFunction, then: DdFunction, otherwise: DdFunction) -> DdFunction:
        return self._ask("ite", condition._raw, then._raw, otherwise._raw)

    def implies(self, f: DdFunction, g: DdFunction) -> DdFunction:
        return ~f | g

    def iff(self, f: DdFunction, g: DdFunction) -> DdFunction:
        return ~(f ^ g)

    def included(self, f: DdFunction, g: DdFunction) -> bool:
        return bool(f._raw <= g._raw)

    def cube(self, variables: Iterable[int]) -> DdFunction:
        names = [self._names[number] for number in sorted(set(variables))]
        cube = self._ask("cube", dict.fromkeys(names, True)) if names else self.true
        self._cubes[cube] = names
        return cube

    def exists(self, f: DdFunction, variables: DdFunction) -> DdFunction:
        return self._ask("exist", self._in_cube(variables), f._raw)

    def forall(self, f: DdFunction, variables: DdFunction) -> DdFunction:
        return self._ask("forall", self._in_cube(variables), f._raw)

    def and_exists(self, f: DdFunction, g: DdFunction, variables: DdFunction) -> DdFunction:
        return self.exists(f & g, variables)

    def substitution(self, replacements: Mapping[int, DdFunction]) -> Any:
        return {self._names[number]: function._raw for number, function in replacements.items()}

    def substitute(self, f: DdFunction, substitution: Any) -> DdFunction:
        return self._ask("let", substitution, f._raw) if substitution else f

    def restrict(self, f: DdFunction, literals: Mapping[int, bool]) -> DdFunction:
        values = {self._names[number]: bool(value) for number, value in literals.items()}
        return self._ask("let", values, f._raw) if values else f

    def _ask(self, operation: str, *arguments: Any) -> DdFunction:
        try:
            return DdFunction(getattr(self._inner, operation)(*arguments))
        except (RuntimeError, ValueError) as error:
            raise translated(error) from None

    def _in_cube(self, variables: DdFunction) -> list[str]:
        names = self._cubes.get(variables)
        if names is None:
            names = self._cubes[variables] = sorted(self._inner.support(variables._raw))
        return names

    # Questions

    def support(self, f: DdFunction) -> set[int]:
        return {self._number[name] for name in self._inner.support(f._raw)}

    def size(self, *functions: DdFunction) -> int:
        return sum(len(function._raw) for function in functions)

    def count(self, f: DdFunction, variables: int) -> int:
        """In exact integers; a walk over the nodes."""
        counts: dict[DdFunction, int] = {self.true: 1 << variables, self.false: 0}
        waiting = [f]
        while waiting:
            top = waiting[-1]
            if top in counts:
                waiting.pop()
                continue
            _, then, otherwise = self.children(top)  # type: ignore[misc]  # constants are counted already
            missing = [child for child in (then, otherwise) if child not in counts]
            if missing:
                waiting += missing
                continue
            counts[top] = (counts[then] + counts[otherwise]) // 2
            counts[~top] = (1 << variables) - counts[top]
        return counts[f]

    def pick(self, f: DdFunction) -> dict[int, bool] | None:
        if f == self.false:
            return None
        values: dict[int, bool] = {}
        while (parts := self.children(f)) is not None:
            variable, then, otherwise = parts
            value = otherwise == self.false  # false where possible, as the other packages do
            values[variable] = value
            f = then if value else otherwise
        return values

    def evaluate(self, f: DdFunction, values: Mapping[int, bool]) -> bool:
        while (parts := self.children(f)) is not None:
            variable, then, otherwise = parts
            f = then if values[variable] else otherwise
        return f == self.true

    def children(self, f: DdFunction) -> tuple[int, DdFunction, DdFunction] | None:
        raw = f._raw
        if raw.var is None:
            return None
        then, otherwise = raw.high, raw.low
        if raw.negated:
            then, otherwise = ~then, ~otherwise
        return self._number[raw.var], DdFunction(then), DdFunction(otherwise)

    # Order and room

    @property
    def order(self) -> list[int]:
        return sorted(range(len(self._names)), key=lambda number: self._inner.level_of_var(self._names[number]))

    def set_order(self, order: Sequence[int]) -> None:
        if sorted(order) != list(range(len(self._names))):
            raise ValueError("an order must name every variable once")
        self._inner.reorder({self._names[number]: level for level, number in enumerate(order)})

    @property
    def live_nodes(self) -> int:
        return len(self._inner)

    @property
    def peak_nodes(self) -> int:
        return self._peak

    def collect(self) -> None:
        """Nothing: the package drops dead nodes when it needs the room."""

    def tidy(self) -> None:
        nodes = self.live_nodes
        self._peak = max(self._peak, nodes)
        made = max(0, nodes - self._seen)
        self.made_nodes, self._seen = self.made_nodes + made, nodes
        self.spend(WORK_OF_A_NODE * made)
        if self.node_limit is not None and nodes > self.node_limit:
            self.collect()
            nodes = self.live_nodes
            if nodes > self.node_limit:
                raise OutOfNodes(f"{nodes} nodes are in use; the limit is {self.node_limit}")
