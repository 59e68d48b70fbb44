"""Random BTOR2 files, small enough to look at all their states."""

from random import Random

UNARY = ("not", "inc", "dec", "neg", "redand", "redor", "redxor")
BINARY = (
    "and", "nand", "nor", "or", "xnor", "xor", "add", "mul", "sdiv", "udiv", "smod", "srem", "urem", "sub",
    "rol", "ror", "sll", "sra", "srl",
)  # fmt: skip
TO_ONE_BIT = (
    "eq", "neq", "sgt", "ugt", "sgte", "ugte", "slt", "ult", "slte", "ulte",
    "saddo", "uaddo", "sdivo", "smulo", "umulo", "ssubo", "usubo",
)  # fmt: skip
OF_BITS = ("iff", "implies")
RESHAPING = ("sext", "uext", "slice", "concat", "ite")
OPERATORS = (*UNARY, *BINARY, *TO_ONE_BIT, *OF_BITS, *RESHAPING)


class Writer:
    """A file that grows line by line."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.lines: list[str] = []
        self.sorts: dict[tuple[int, int], int] = {}
        self.values: list[tuple[int, tuple[int, int]]] = []

    def add(self, text: str) -> int:
        self.lines.append(f"{len(self.lines) + 1} {text}")
        return len(self.lines)

    def sort(self, width: int, index: int = 0) -> int:
        if (width, index) not in self.sorts:
            text = f"sort array {self.sort(index)} {self.sort(width)}" if index else f"sort bitvec {width}"
            self.sorts[width, index] = self.add(text)
        return self.sorts[width, index]

    def value(self, tag: str, sort: tuple[int, int], rest: str = "") -> int:
        number = self.sort(*sort)
        line = self.add(f"{tag} {number}{rest and ' '}{rest}")
        self.values.append((line, sort))
        return line

    def constant(self, width: int) -> int:
        bits = self.random.randrange(1 << width)
        low = bits - (1 << width) if bits >> (width - 1) and self.random.random() < 0.5 else bits
        written = [("const", f"{bits:0{width}b}"), ("constd", str(low)), ("consth", f"{bits:x}")]
        tag, rest = self.random.choice([*written, ("zero", ""), ("one", ""), ("ones", "")])
        return self.value(tag, (width, 0), rest)

    def some(self, width: int, index: int = 0) -> int:
        """A value of a sort, negated at times."""
        fitting = [line for line, sort in self.values if sort == (width, index)]
        if not fitting:
            return self.constant(width)
        line = self.random.choice(fitting[-6:] if self.random.random() < 0.6 else fitting)
        return -line if not index and self.random.random() < 0.15 else line

    def width(self) -> int:
        widths = [sort[0] for _, sort in self.values if not sort[1]]
        return self.random.choice(widths) if widths else self.random.randint(1, 5)

    def operation(self, tag: str, width: int | None = None) -> int:
        random, width = self.random, self.width() if width is None else width
        a, b = (self.some(width) for _ in range(2))
        if tag in UNARY:
            return self.value(tag, (1 if tag.startswith("red") else width, 0), f"{a}")
        if tag in BINARY:
            return self.value(tag, (width, 0), f"{a} {b}")
        if tag in TO_ONE_BIT:
            return self.value(tag, (1, 0), f"{a} {b}")
        if tag in OF_BITS:
            return self.value(tag, (1, 0), f"{self.some(1)} {self.some(1)}")
        if tag in ("sext", "uext"):
            more = random.randint(0, 2)
            return self.value(tag, (width + more, 0), f"{a} {more}")
        if tag == "slice":
            low = random.randrange(width)
            high = random.randrange(low, width)
            return self.value(tag, (high - low + 1, 0), f"{a} {high} {low}")
        if tag == "concat":
            other = self.width()
            return self.value(tag, (width + other, 0), f"{a} {self.some(other)}")
        return self.value("ite", (width, 0), f"{self.some(1)} {a} {b}")

    def resized(self, width: int) -> int:
        """A value of a width, made of any."""
        line, (old, _) = self.random.choice([(line, sort) for line, sort in self.values if not sort[1]])
        if old > width:
            return self.value("slice", (width, 0), f"{line} {width - 1} 0")
        return self.value("uext", (width, 0), f"{line} {width - old}") if old < width else line

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def one_operator(tag: str, width: int, seed: int) -> str:
    """A file with inputs of a width, and the operator on them as its output."""
    writer = Writer(seed)
    for _ in range(2):
        writer.value("input", (width, 0))
    if tag in OF_BITS or tag == "ite":
        writer.value("input", (1, 0))
    last = writer.operation(tag, width)
    writer.add(f"output {last}")
    return writer.text()


def random_btor2(seed: int, *, operations: int = 12, arrays: bool = False) -> str:
    """A file with states, inputs, and claims of all kinds."""
    writer, random = Writer(seed), Random(seed + 1)
    states: list[tuple[int, tuple[int, int]]] = []
    writer.constant(random.randint(1, 2))
    for _ in range(random.randint(0, 2)):
        writer.value("input", (random.randint(1, 2), 0))
    bits = 0
    while bits < random.randint(1, 4):
        width = random.randint(1, 3)
        bits += width
        first = writer.some(width) if random.random() < 0.7 else None
        states.append((writer.value("state", (width, 0), random.choice(["", f"s{bits}"])), (width, 0)))
        if first is not None:
            writer.add(f"init {writer.sort(width)} {states[-1][0]} {first}")
    if arrays:
        states.append(_array_state(writer, random))
    for _ in range(operations):
        writer.operation(random.choice(OPERATORS)) if not arrays or random.random() < 0.7 else _array_operation(writer, random)
    for number, sort in states:
        if random.random() < 0.85:
            value = writer.some(*sort) if sort[1] else writer.resized(sort[0])
            writer.add(f"next {writer.sort(*sort)} {number} {value}")
    _claims(writer, random)
    return writer.text()


def _array_state(writer: Writer, random: Random) -> tuple[int, tuple[int, int]]:
    sort = (1, random.randint(1, 2))
    first = writer.some(1) if random.random() < 0.7 else None
    state = writer.value("state", sort, "mem")
    if first is not None:
        writer.add(f"init {writer.sort(*sort)} {state} {first}")
    return state, sort


def _array_operation(writer: Writer, random: Random) -> None:
    sort = next(sort for _, sort in writer.values if sort[1])
    array, index = writer.some(*sort), writer.resized(sort[1])
    tag = random.choice(["read", "write", "write", "ite", "eq", "neq"])
    match tag:
        case "read":
            writer.value(tag, (1, 0), f"{array} {index}")
        case "write":
            writer.value(tag, sort, f"{array} {index} {writer.some(1)}")
        case "ite":
            writer.value(tag, sort, f"{writer.some(1)} {array} {writer.some(*sort)}")
        case _:
            writer.value(tag, (1, 0), f"{array} {writer.some(*sort)}")


def _claims(writer: Writer, random: Random) -> None:
    def condition() -> int:
        return writer.value("redor", (1, 0), f"{writer.some(writer.width())}") if random.random() < 0.5 else writer.some(1)

    for number in range(random.randint(0, 2)):
        writer.add(f"bad {condition()}{random.choice(['', f' b{number}'])}")
    if random.random() < 0.4:
        writer.add(f"constraint {condition()}")
    if random.random() < 0.4:
        writer.add(f"fair {condition()}")
    for _ in range(random.randint(0, 2)):
        conditions = [condition() for _ in range(random.randint(0, 2))]
        writer.add(f"justice {len(conditions)} {' '.join(map(str, conditions))}".rstrip())
    writer.add(f"output {writer.some(writer.width())} out")
