"""Random circuits in BLIF-MV, small enough to look at all values of all signals."""

from random import Random

NAMES = (["red", "green", "blue"], ["0", "1", "2"], ["on", "off"])


def random_blif_mv(seed: int) -> str:
    """One model: inputs, latches, tables that are functions or relations, first values that may depend on inputs."""
    random = Random(seed)
    values: dict[str, list[str]] = {}

    def declare(name: str) -> str:
        values[name] = random.choice(NAMES) if random.random() < 0.6 else ["0", "1"]
        return name

    inputs = [declare(f"i{n}") for n in range(random.randint(0, 2))]
    latches = [declare(f"q{n}") for n in range(random.randint(1, 2))]
    lines, readable = list[str](), [*inputs, *latches]
    for number in range(random.randint(1, 2)):
        operands = random.sample(readable, min(len(readable), random.randint(0, 2)))
        outputs = [declare(f"t{number}{letter}") for letter in "ab"[: random.choice([1, 1, 2])]]
        lines += _table(random, ".table", operands, outputs, values)
        readable += outputs
    for latch in latches:
        values[f"{latch}_next"] = values[latch]
        lines += _table(random, ".table", random.sample(readable, min(2, len(readable))), [f"{latch}_next"], values)
        lines.append(f".latch {latch}_next {latch}")
        if random.random() < 0.8:
            free = [name for name in inputs if random.random() < 0.5]
            lines += _table(random, ".reset", free, [latch], values)
    head = [".model top", f".inputs {' '.join(inputs)}"]
    for name, names in values.items():
        if names != ["0", "1"]:
            numbered = names == ["0", "1", "2"]
            head.append(f".mv {name} {len(names)} {'' if numbered else ' '.join(names)}")
    return "\n".join([*head, *lines, ".end"])


def _table(random: Random, word: str, inputs: list[str], outputs: list[str], values: dict[str, list[str]]) -> list[str]:
    lines = [f"{word} {' '.join(inputs)} -> {' '.join(outputs)}"]
    if random.random() < 0.7:
        lines.append(f".default {' '.join(_cell(random, name, inputs, values, output=True) for name in outputs)}")
    for _ in range(random.randint(1, 3) if inputs else random.randint(1, 2)):
        cells = [_cell(random, name, [one for one in inputs if one != name], values) for name in inputs]
        cells += [_cell(random, name, inputs, values, output=True) for name in outputs]
        lines.append(" ".join(cells))
    return lines


def _cell(random: Random, name: str, others: list[str], values: dict[str, list[str]], *, output: bool = False) -> str:
    same = [other for other in others if values[other] == values[name]]
    kind = random.random()
    if kind < 0.15 and same:
        return f"={random.choice(same)}"
    if kind < (0.2 if output else 0.4):
        return "-"
    if kind < (0.3 if output else 0.5):
        return f"({','.join(random.sample(values[name], 2))})"
    if kind < 0.35 and len(values[name]) > 2:
        return "{" + f"{values[name][0]}-{values[name][1]}" + "}"
    if kind < (0.4 if output else 0.6):
        return f"!{random.choice(values[name])}"
    return random.choice(values[name])
