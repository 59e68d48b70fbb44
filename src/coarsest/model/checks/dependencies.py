"""Dependencies of definitions on names, and of equations on variables. Circles are refused.

Symbols:   a node is (time, name): time `now` is the current state, `after` the next one, `first` an initial state, `step` a
           definition evaluated on a step, where only its dependencies on the next state can close a circle.
Invariant: a name is finished when everything it depends on is.
Deviates:  no recursion, so that chains of definitions may be long.
Cost:      linear in the size of the expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias, TypeVar

from coarsest.errors import ModelProblem
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.model.machine import Machine
from coarsest.text import Span

Node = TypeVar("Node")


class Mentions(NamedTuple):
    """The names that an expression mentions, outside next() and inside it."""

    now: dict[str, Name]
    after: dict[str, Name]
    next: Apply | None  # any next() in it


def mentions(expr: Expr) -> Mentions:
    """The names that an expression mentions directly; definitions are not expanded."""
    now: dict[str, Name] = {}
    after: dict[str, Name] = {}
    some_next: Apply | None = None
    visited: set[int] = set()
    waiting: list[Expr] = [expr]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Name):
            now[part.name] = part
        elif isinstance(part, Apply) and id(part) not in visited:
            visited.add(id(part))
            if part.op == "next":
                some_next = part
                inner = mentions(part.args[0])
                if inner.next is not None:
                    raise ModelProblem("next() is inside another next()", inner.next.span or part.span)
                after.update(inner.now)
            else:
                waiting.extend(part.args)
    return Mentions(now, after, some_next)


def circle(starts: Iterable[Node], successors: Callable[[Node], Iterable[Node]], done: dict[Node, bool]) -> list[Node] | None:
    """A circle in a graph, if one can be reached. `done` collects finished nodes (True), each after its successors."""
    for start in starts:
        if start in done:
            continue
        path: list[Node] = [start]
        iterators: list[Iterator[Node]] = [iter(successors(start))]
        done[start] = False
        while path:
            for node in iterators[-1]:
                state = done.get(node)
                if state is None:
                    done[node] = False
                    path.append(node)
                    iterators.append(iter(successors(node)))
                    break
                if state is False:
                    return path[path.index(node) :]
            else:
                iterators.pop()
                finished = path.pop()
                del done[finished]
                done[finished] = True  # dictionaries keep their order, so nodes come in the order of finishing
    return None


def ordered_definitions(definitions: Mapping[str, Expr], mentioned: Mapping[str, Mentions] | None = None) -> list[str]:
    """The definitions, each after those it uses. Raises ModelProblem if there is a circle. Callers may pass their `mentioned`."""
    mentioned = dict(_all_mentions(definitions)) if mentioned is None else mentioned

    def used(name: str) -> list[str]:
        now, after, _ = mentioned[name]
        return [other for other in (*now, *after) if other in definitions]

    done: dict[str, bool] = {}
    names = circle(definitions, used, done)
    if names is not None:
        raise _circular(names, definitions[names[0]].span, "definition")
    return list(done)


def _all_mentions(exprs: Mapping[str, Expr]) -> Iterator[tuple[str, Mentions]]:
    return ((name, mentions(expr)) for name, expr in exprs.items())


def _circular(names: list[str], span: Span | None, what: str) -> ModelProblem:
    shown = " → ".join([*names, names[0]]) if len(names) < 8 else f"{' → '.join(names[:6])} → … → {names[0]}"
    return ModelProblem(f"the {what} of `{names[0]}` depends on itself", span, hint=f"the cycle is {shown}")


_Moment: TypeAlias = tuple[str, str]


class EquationDependencies:
    """The dependencies between the equations of a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.definitions = dict(_all_mentions(machine.definitions))
        self.initial = dict(_all_mentions(machine.initial_values))
        self.current = dict(_all_mentions(machine.current_values))
        self.next = dict(_all_mentions(machine.next_values))

    def check(self) -> None:
        """Raise ModelProblem if the value of a variable depends on itself."""
        machine = self.machine
        groups = (
            ("now", machine.current_values, "value"),
            ("first", machine.initial_values, "initial value"),
            ("after", machine.next_values, "next value"),
        )
        done: dict[_Moment, bool] = {}
        for time, values, what in groups:
            around = circle([(time, name) for name in values], self._successors, done)
            if around is not None:
                names = [name for _, name in around]
                equation = next((values[name] for name in names if name in values), None)
                raise _circular(names, equation.span if equation else None, what)

    def _successors(self, moment: _Moment) -> list[_Moment]:
        time, name = moment
        body = self.definitions.get(name)
        if body is not None:
            used = [(time, other) for other in body.now if time != "step" or other in self.definitions]
            return used + [("after", other) for other in body.after]
        current = self.current.get(name)
        if current is not None:
            return [(time, other) for other in current.now]
        if time == "first" and name in self.initial:
            return [(time, other) for other in self.initial[name].now]
        if time == "after" and name in self.next:
            step = self.next[name]
            now = [("step", other) for other in step.now if other in self.definitions]
            return now + [("after", other) for other in step.after]
        return []
