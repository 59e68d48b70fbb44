"""AIGER by its definition: a reader of both forms, a simulator, and all states one by one. It shares nothing with ours."""

from itertools import product
from typing import NamedTuple


class Model(NamedTuple):
    inputs: int
    latches: list[list[int]]  # literal, next, reset
    outputs: list[int]
    bad: list[int]
    constraints: list[int]
    justice: list[list[int]]
    fairness: list[int]
    ands: list[list[int]]
    input_literals: list[int]


State = tuple[int, ...]


def parse(data: bytes) -> Model:
    """A file without mistakes."""
    rest = data

    def line() -> list[int]:
        nonlocal rest
        head, _, rest = rest.partition(b"\n")
        return [int(word) for word in head.split()]

    header, _, rest = data.partition(b"\n")
    binary = header.startswith(b"aig ")
    _, i, l, o, a, b, c, j, f = ([int(word) for word in header.split()[1:]] + [0] * 4)[:9]  # noqa: E741
    input_literals = [2 * n + 2 for n in range(i)] if binary else [line()[0] for _ in range(i)]
    latches = [[2 * (i + n + 1), *line()] if binary else line() for n in range(l)]
    latches = [row if len(row) == 3 else [*row, 0] for row in latches]
    outputs, bad, constraints = ([line()[0] for _ in range(count)] for count in (o, b, c))
    sizes = [line()[0] for _ in range(j)]
    justice = [[line()[0] for _ in range(size)] for size in sizes]
    fairness = [line()[0] for _ in range(f)]
    ands = []
    for n in range(a):
        if not binary:
            ands.append(line())
            continue
        literal, deltas = 2 * (i + l + n + 1), []
        for _ in range(2):
            value = shift = 0
            while True:
                byte, rest = rest[0], rest[1:]
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            deltas.append(value)
        ands.append([literal, literal - deltas[0], literal - deltas[0] - deltas[1]])
    if not b and not j:
        bad = outputs
    return Model(i, latches, outputs, bad, constraints, justice, fairness, ands, input_literals)


class Now:
    """The values of all literals at one time."""

    def __init__(self, model: Model, state: State, inputs: State) -> None:
        self.model = model
        self.values = {0: 0, **dict(zip(model.input_literals, inputs))}
        self.values.update((row[0], value) for row, value in zip(model.latches, state))
        self.gates = {row[0]: row for row in model.ands}

    def of(self, literal: int) -> int:
        positive = literal - literal % 2
        if positive not in self.values:
            _, left, right = self.gates[positive]
            self.values[positive] = self.of(left) * self.of(right)
        return self.values[positive] ^ literal % 2

    @property
    def allowed(self) -> bool:
        return all(self.of(literal) for literal in self.model.constraints)

    @property
    def after(self) -> State:
        return tuple(self.of(row[1]) for row in self.model.latches)


def initial(model: Model) -> list[State]:
    return list(product(*([row[2]] if row[2] < 2 else [0, 1] for row in model.latches)))


def moments(model: Model) -> dict[tuple[State, State], Now]:
    """What can be at one time while the constraints have always held."""
    found: dict[tuple[State, State], Now] = {}
    waiting, visited = initial(model), set(initial(model))
    for state in waiting:
        for inputs in product((0, 1), repeat=model.inputs):
            now = Now(model, state, inputs)
            if now.allowed:
                found[state, inputs] = now
                if now.after not in visited:
                    visited.add(now.after)
                    waiting.append(now.after)
    return found


def reached_states(model: Model) -> set[State]:
    return {*initial(model), *(now.after for now in moments(model).values())}


def is_bad(model: Model, number: int) -> bool:
    return any(now.of(model.bad[number]) for now in moments(model).values())


def can_recur(model: Model, number: int) -> bool:
    """Is there an infinite path on which the literals of a justice property, and all fairness, are true again and again?"""
    inside = moments(model)
    sets = [*model.justice[number], *model.fairness] or [1]
    while True:
        before = len(inside)
        for literal in sets:
            reaching = {key for key, now in inside.items() if now.of(literal)}
            strictly: set[tuple[State, State]] = set()
            while True:  # those from which one or more steps inside lead to where the literal is true
                states = {key[0] for key in reaching | strictly}
                more = {key for key, now in inside.items() if now.after in states} - strictly
                if not more:
                    break
                strictly |= more
            inside = {key: now for key, now in inside.items() if key in strictly}
        if len(inside) == before:
            return bool(inside)


def replay(model: Model, witness: str) -> None:
    """Complain unless the witness shows that its property fails."""
    lines = witness.split("\n")
    assert lines[0] == "1"
    assert lines[-2:] == [".", ""]
    kind, number = lines[1][0], int(lines[1][1:])
    state = tuple(map(int, lines[2]))
    assert state in initial(model)
    path = []
    for row in lines[3:-2]:
        now = Now(model, state, tuple(map(int, row)))
        assert len(row) == model.inputs
        assert now.allowed
        path.append((state, now))
        state = now.after
    if kind == "b":
        assert path[-1][1].of(model.bad[number])
        return
    loops = [place for place, (before, _) in enumerate(path) if before == state]
    sets = [*model.justice[number], *model.fairness]
    assert any(all(any(now.of(literal) for _, now in path[start:]) for literal in sets) for start in loops)
