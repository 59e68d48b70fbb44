"""Random sequential circuits of and-gates, small enough to look at all their states."""

from random import Random

from coarsest.model.circuit import Circuit, Gate, Latch


def random_circuit(seed: int, *, gates: int = 8) -> Circuit:
    random = Random(seed)
    inputs = [2 * n for n in range(1, random.randint(0, 2) + 1)]
    first = len(inputs) + 1
    latches = [2 * n for n in range(first, first + random.randint(1, 4))]
    first += len(latches)
    rows = []
    for literal in range(2 * first, 2 * (first + random.randint(1, gates)), 2):
        rows.append(Gate(literal, *(random.randrange(2 if random.random() < 0.95 else 0, literal) for _ in range(2))))
    most = rows[-1].literal + 2

    def some(least: int, greatest: int) -> list[int]:
        return [random.randrange(most) for _ in range(random.randint(least, greatest))]

    return Circuit(
        inputs,
        [Latch(literal, random.randrange(2, most), random.choice([0, 0, 1, literal])) for literal in latches],
        rows,
        some(0, 2),
        some(0, 2),
        some(0, 1) if random.random() < 0.5 else [],
        [some(0, 2) for _ in range(random.randint(0, 2))],
        some(0, 1),
        {"i0": "request"} if inputs and random.random() < 0.3 else {},
    )
