"""Boolean programs run statement by statement, from the meaning of the statements; shares nothing with the symbolic execution."""

from collections.abc import Iterator
from typing import Any

from coarsest.formats.program.syntax import Assign, IfStatement, ProgramClaim, ProgramText, Read, Statement, Write
from coarsest.logic.expr import Constant, Expr, Name
from coarsest.model.types import Type
from oracles.operators import operate

Memory = dict[str, Any]


def value(expr: Expr, memory: Memory) -> Any:
    if isinstance(expr, Constant):
        return expr.value
    if isinstance(expr, Name):
        return memory.get(expr.name, expr.name)  # a name that no variable has is a symbol
    if expr.op == "case":
        return value(expr.args[1] if value(expr.args[0], memory) else expr.args[3], memory)
    return operate(expr.op, [value(arg, memory) for arg in expr.args])


def runs(block: tuple[Statement, ...], memory: Memory, types: dict[str, Type]) -> Iterator[tuple[Memory, list[Any]]]:
    """All ways to execute a block: the memory after it, and what was written."""
    if not block:
        yield memory, []
        return
    first, rest = block[0], block[1:]
    for after, written in _step(first, memory, types):
        for end, more in runs(rest, after, types):
            yield end, written + more


def _step(statement: Statement, memory: Memory, types: dict[str, Type]) -> Iterator[tuple[Memory, list[Any]]]:
    match statement:
        case Assign(target, source):
            yield {**memory, target.name: value(source, memory)}, []
        case Read(targets):
            memories = [memory]
            for target in targets:
                memories = [{**one, target.name: read} for one in memories for read in types[target.name].values()]
            yield from ((one, []) for one in memories)
        case Write(values):
            yield memory, [value(one, memory) for one in values]
        case ProgramClaim(condition, assumed):
            if not assumed or value(condition, memory):
                yield memory, []
        case IfStatement(branches, otherwise):
            for condition, block in branches:
                if value(condition, memory):
                    yield from runs(block, memory, types)
                    return
            yield from runs(otherwise, memory, types)


def graph(program: ProgramText, types: dict[str, Type]) -> tuple[set[Any], dict[Any, set[Any]]]:
    """The initial states and the successors of each reachable one; a state is the tuple of values in the order of `types`."""

    def state(memory: Memory) -> tuple[Any, ...]:
        return tuple(memory[name] for name in types)

    unknown: list[Memory] = [{}]
    for name, kind in types.items():
        unknown = [{**memory, name: held} for memory in unknown for held in kind.values()]
    initial = {state(end) for memory in unknown for end, _ in runs(program.prelude, memory, types)}
    steps: dict[Any, set[Any]] = {}
    waiting = list(initial)
    while waiting:
        here = waiting.pop()
        if here not in steps:
            steps[here] = {state(end) for end, _ in runs(program.body, dict(zip(types, here)), types)}
            waiting.extend(steps[here])
    return initial, steps
