"""BTOR2 by its definition: a reader of correct files, a simulator on Python's numbers, and all states one by one."""

from itertools import product
from typing import NamedTuple

Value = int | tuple[int, ...]
State = tuple[Value, ...]


class Line(NamedTuple):
    number: int
    tag: str
    sort: tuple[int, int]  # bits of an element, bits of the index of an array
    args: list[int]
    digits: str
    symbol: str


CLAIMS = ("bad", "constraint", "fair", "output", "justice")


class Model:
    """The lines of a file without mistakes."""

    def __init__(self, text: str) -> None:
        sorts: dict[int, tuple[int, int]] = {}
        self.lines: dict[int, Line] = {}
        for row in text.split("\n"):
            words = row.split(";")[0].split()
            if not words:
                continue
            number, tag, rest = int(words[0]), words[1], words[2:]
            if tag == "sort":
                sorts[number] = (int(rest[1]), 0) if rest[0] == "bitvec" else (sorts[int(rest[2])][0], sorts[int(rest[1])][0])
                continue
            sort, digits = (1, 0), ""
            if tag == "justice":
                rest = rest[1:]
            elif tag not in CLAIMS:
                sort, rest = sorts[int(rest[0])], rest[1:]
            if tag.startswith("const") and tag != "constraint":
                digits, rest = rest[0], rest[1:]
            args = [int(word) for word in rest if word.lstrip("-").isdigit()]
            symbol = next((word for word in rest if not word.lstrip("-").isdigit()), "")
            self.lines[number] = Line(number, tag, sort, args, digits, symbol)
        self.inputs, self.states = self.tagged("input"), self.tagged("state")
        self.init = {line.args[0]: line.args[1] for line in self.tagged("init")}
        self.next = {line.args[0]: line.args[1] for line in self.tagged("next")}
        self.bad = [line.args[0] for line in self.tagged("bad")]
        self.constraints = [line.args[0] for line in self.tagged("constraint")]
        self.fairness = [line.args[0] for line in self.tagged("fair")]
        self.justice = [line.args for line in self.tagged("justice")]

    def tagged(self, tag: str) -> list[Line]:
        return [line for line in self.lines.values() if line.tag == tag]


def values_of(sort: tuple[int, int]) -> list[Value]:
    numbers = range(1 << sort[0])
    return list(numbers) if not sort[1] else list(product(numbers, repeat=1 << sort[1]))


class Now:
    """The values of all lines at one time."""

    def __init__(self, model: Model, given: dict[int, Value]) -> None:
        self.model = model
        self.values = dict(given)

    def of(self, argument: int) -> Value:
        number = abs(argument)
        if number not in self.values:
            self.values[number] = self.compute(self.model.lines[number])
        value = self.values[number]
        if argument < 0:
            assert isinstance(value, int)
            return (1 << self.model.lines[number].sort[0]) - 1 - value
        return value

    def compute(self, line: Line) -> Value:
        tag, (n, _) = line.tag, line.sort
        if tag in ("zero", "one", "ones"):
            return {"zero": 0, "one": 1, "ones": 2**n - 1}[tag]
        if line.digits:
            return int(line.digits, {"const": 2, "constd": 10, "consth": 16}[tag]) % 2**n
        if tag == "slice":
            return int(self.of(line.args[0])) // 2 ** line.args[2] % 2**n  # type: ignore[arg-type]
        if tag in ("sext", "uext"):
            old = self.model.lines[abs(line.args[0])].sort[0]
            return (signed if tag == "sext" else unsigned)(int(self.of(line.args[0])), old) % 2**n  # type: ignore[arg-type]
        operands = [self.of(argument) for argument in line.args]
        if tag == "ite":
            return operands[1] if operands[0] else operands[2]
        if tag in ("eq", "neq"):
            return int((operands[0] == operands[1]) == (tag == "eq"))
        if tag in ("read", "write"):
            array, index = operands[:2]
            assert isinstance(array, tuple)
            if tag == "read":
                return array[int(index)]  # type: ignore[arg-type]
            return tuple(operands[2] if place == index else old for place, old in enumerate(array))  # type: ignore[misc]
        widths = [self.model.lines[abs(argument)].sort[0] for argument in line.args]
        return bits(tag, [int(value) for value in operands], widths) % 2**n  # type: ignore[arg-type]


def signed(a: int, width: int) -> int:
    return a - 2**width if a >= 2 ** (width - 1) else a


def unsigned(a: int, width: int) -> int:
    return a


def towards_zero(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def bits(tag: str, operands: list[int], widths: list[int]) -> int:
    """The value of an operator on bit vectors, not yet cut to the width of the result."""
    w = widths[0]
    a = operands[0]
    if len(operands) == 1:
        ones = bin(a).count("1")
        return {
            "not": ~a, "inc": a + 1, "dec": a - 1, "neg": -a,
            "redand": int(ones == w), "redor": int(ones > 0), "redxor": ones % 2,
        }[tag]  # fmt: skip
    b = operands[1]
    s, t = signed(a, w), signed(b, widths[1])
    low, high = -(2 ** (w - 1)), 2 ** (w - 1) - 1
    text = format(a, f"0{w}b")
    turn = b % w
    match tag:
        case "concat":
            return a * 2 ** widths[1] + b
        case "and" | "nand":
            return a & b if tag == "and" else ~(a & b)
        case "or" | "nor":
            return a | b if tag == "or" else ~(a | b)
        case "xor" | "xnor" | "iff":
            return a ^ b if tag == "xor" else ~(a ^ b)
        case "implies":
            return int(not a or b != 0)
        case "ugt" | "ugte" | "ult" | "ulte":
            return int({"ugt": a > b, "ugte": a >= b, "ult": a < b, "ulte": a <= b}[tag])
        case "sgt" | "sgte" | "slt" | "slte":
            return int({"sgt": s > t, "sgte": s >= t, "slt": s < t, "slte": s <= t}[tag])
        case "rol":
            return int(text[turn:] + text[:turn], 2)
        case "ror":
            return int(text[w - turn :] + text[: w - turn], 2)
        case "sll":
            return a * 2**b
        case "srl":
            return a // 2**b
        case "sra":
            return s // 2**b
        case "add" | "sub" | "mul":
            return {"add": a + b, "sub": a - b, "mul": a * b}[tag]
        case "udiv":
            return a // b if b else 2**w - 1
        case "urem":
            return a % b if b else a
        case "sdiv":
            return towards_zero(s, t) if t else (1 if s < 0 else -1)
        case "srem":
            return s - t * towards_zero(s, t) if t else s
        case "smod":
            return s % t if t else s  # Python's remainder has the sign of the divisor
        case "uaddo" | "usubo" | "umulo":
            return int(not 0 <= {"uaddo": a + b, "usubo": a - b, "umulo": a * b}[tag] < 2**w)
        case "saddo" | "ssubo" | "smulo":
            return int(not low <= {"saddo": s + t, "ssubo": s - t, "smulo": s * t}[tag] <= high)
        case "sdivo":
            return int(t != 0 and not low <= towards_zero(s, t) <= high)
    raise AssertionError(tag)


# All states


def initial(model: Model) -> list[tuple[State, State]]:
    """What states and inputs can be at the first moment."""
    moments = []
    for inputs in product(*(values_of(line.sort) for line in model.inputs)):
        for state in product(*(values_of(line.sort) for line in model.states)):
            now = at(model, state, inputs)
            if all(_begins_with(now, line) for line in model.states):
                moments.append((state, inputs))
    return moments


def _begins_with(now: Now, line: Line) -> bool:
    if line.number not in now.model.init:
        return True
    value = now.of(now.model.init[line.number])
    if line.sort[1] and isinstance(value, int):
        value = (value,) * (1 << line.sort[1])
    return now.values[line.number] == value


def at(model: Model, state: State, inputs: State) -> Now:
    lines = [*model.states, *model.inputs]
    return Now(model, {line.number: value for line, value in zip(lines, (*state, *inputs))})


def is_allowed(now: Now) -> bool:
    return all(now.of(argument) for argument in now.model.constraints)


def successors(now: Now) -> list[State]:
    model = now.model
    return list(
        product(
            *([now.of(model.next[line.number])] if line.number in model.next else values_of(line.sort) for line in model.states)
        )
    )


def moments(model: Model) -> dict[tuple[State, State], tuple[Now, list[State]]]:
    """What can be at one time while the constraints have always held, and the states that can follow."""
    reached: dict[tuple[State, State], tuple[Now, list[State]]] = {}
    all_inputs = list(product(*(values_of(line.sort) for line in model.inputs)))
    waiting = initial(model)
    visited = set(waiting)
    for state, inputs in waiting:
        now = at(model, state, inputs)
        if not is_allowed(now):
            continue
        reached[state, inputs] = now, successors(now)
        for after in reached[state, inputs][1]:
            for given in all_inputs:
                if (after, given) not in visited:
                    visited.add((after, given))
                    waiting.append((after, given))
    return reached


def is_bad(model: Model, number: int) -> bool:
    return any(now.of(model.bad[number]) for now, _ in moments(model).values())


def can_recur(model: Model, number: int) -> bool:
    """Is there a path on which all conditions of a justice property, and all fairness, are true again and again?"""
    inside = moments(model)
    sets = [*model.justice[number], *model.fairness]
    while True:
        before = len(inside)
        for argument in sets or [None]:
            goal = {key for key, (now, _) in inside.items() if argument is None or now.of(argument)}
            strictly: set[tuple[State, State]] = set()
            while True:
                states = {state for state, _ in goal | strictly}
                more = {key for key, (_, after) in inside.items() if not states.isdisjoint(after)} - strictly
                if not more:
                    break
                strictly |= more
            inside = {key: value for key, value in inside.items() if key in strictly}
        if len(inside) == before:
            return bool(inside)


# Witnesses


def replay(model: Model, witness: str) -> None:
    """Complain unless the witness shows that its property fails."""
    rows = witness.split("\n")
    assert rows[0] == "sat"
    assert rows[-2:] == [".", ""]
    kind, number = rows[1][0], int(rows[1][1:])
    frames: dict[tuple[str, int], dict[int, Value]] = {}
    current: dict[int, Value] = {}
    for row in rows[2:-2]:
        if row[0] in "#@":
            current = frames[row[0], int(row[1:])] = {}
            continue
        words = row.split()
        lines = model.states if list(frames)[-1][0] == "#" else model.inputs
        line = lines[int(words[0])]
        if words[1].startswith("["):
            array = current.setdefault(int(words[0]), (0,) * (1 << line.sort[1]))
            assert isinstance(array, tuple)
            place = int(words[1].strip("[]"), 2)
            current[int(words[0])] = (*array[:place], int(words[2], 2), *array[place + 1 :])
        else:
            assert len(words[1]) == line.sort[0]
            current[int(words[0])] = int(words[1], 2)
    in_order = [(time, "#@".index(sign)) for sign, time in frames]
    assert in_order == sorted(in_order)
    path: list[tuple[State, Now]] = []
    last = max(time for _, time in frames)
    for time in range(last + 1):
        told = frames.get(("#", time), {})
        if time == 0:
            state: State = tuple(told.get(n, zero(line)) for n, line in enumerate(model.states))
        else:
            now = path[-1][1]
            state = tuple(
                now.of(model.next[line.number]) if line.number in model.next else told.get(n, zero(line))
                for n, line in enumerate(model.states)
            )
            assert all(state[n] == value for n, value in told.items())
        given = frames[("@", time)] if model.inputs else {}
        now = at(model, state, tuple(given.get(n, zero(line)) for n, line in enumerate(model.inputs)))
        if time == 0:
            assert all(_begins_with(now, line) for line in model.states)
        if kind == "b" or time < last:
            assert is_allowed(now)
        path.append((state, now))
    if kind == "b":
        assert path[-1][1].of(model.bad[number])
        return
    loops = [place for place, (before, _) in enumerate(path[:-1]) if before == path[-1][0]]
    sets = [*model.justice[number], *model.fairness]
    assert any(all(any(now.of(one) for _, now in path[start:-1]) for one in sets) for start in loops)


def zero(line: Line) -> Value:
    return (0,) * (1 << line.sort[1]) if line.sort[1] else 0
