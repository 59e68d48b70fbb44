"""Random machines: seeded generators and hypothesis strategies.

`random_machine` gives small well-formed machines with every construct; non-total step relations, empty and large initial sets
all occur. `random_relational_machine` gives machines of constraints alone, `random_scheduled_machine` machines of the scheduler
pattern, `random_arithmetic_machine` divisions and negative numbers, `random_deterministic_machine` longer paths,
`random_graph_machine` cycles of all kinds, `with_fairness` adds fairness constraints, and `spoil` makes a machine ill-formed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from hypothesis import strategies as st
from msgspec.structs import replace

from coarsest.logic.expr import Apply, Constant, Expr, Name, Value, Word
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType
from random_expressions import Expressions, apply, const

TYPES: tuple[Type, ...] = (
    Boolean(),
    Range(0, 3),
    Range(0, 2),
    Range(-1, 2),
    Range(2, 2),
    Enumeration(("a", "b", "c")),
    Enumeration(("idle", 0, 1, "busy")),
    Enumeration((1, 3, -2)),
    WordType(1),
    WordType(2),
    WordType(2, signed=True),
    WordType(3, signed=True),
)


def bits(kind: Type) -> int:
    return (kind.size - 1).bit_length()


def random_types(random: Random, budget: int) -> list[Type]:
    """Types of altogether at most `budget` bits; at least one."""
    types: list[Type] = []
    left = random.randint((budget + 1) // 2, budget)
    while left > 0:
        fitting = [kind for kind in TYPES if bits(kind) <= left]
        kind = random.choice(fitting)
        types.append(kind)
        left -= max(1, bits(kind))
    return types


def random_machine(random: Random, *, state_bits: int = 6, input_bits: int = 1, depth: int = 3) -> Machine:
    """A well-formed machine."""
    variables: dict[str, Variable] = {}
    for i, kind in enumerate(random_types(random, state_bits)):
        frozen = random.random() < 0.1
        variables[f"x{i}"] = Variable(f"x{i}", kind, Kind.FROZEN if frozen else Kind.STATE)
    if input_bits and random.random() < 0.6:
        for i, kind in enumerate(random_types(random, input_bits)):
            variables[f"i{i}"] = Variable(f"i{i}", kind, Kind.INPUT)
    return _Builder(random, variables, depth).machine()


class _Builder:
    def __init__(self, random: Random, variables: dict[str, Variable], depth: int) -> None:
        self.random = random
        self.variables = variables
        self.depth = depth
        self.state = {v.name: v.type for v in variables.values() if v.kind is not Kind.INPUT}
        self.definitions: dict[str, Expr] = {}
        self.defined: dict[str, Type] = {}
        self.choices: dict[str, Type] = {}

    def machine(self) -> Machine:
        self._define()
        current, initial, following = self._equations()
        return Machine(
            "random",
            self.variables,
            self.definitions,
            initial,
            current,
            following,
            self._constraints(self._over_states(self.state), 0.2),
            self._constraints(self._over_states(self.state), 0.15),
            self._constraints(self._over_steps([*self.state, *self.defined]), 0.3),
        )

    def _chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def _over_states(self, names: Mapping[str, Type]) -> Expressions:
        if names is not self.state:
            return Expressions(self.random, names)
        return Expressions(self.random, names, definitions=self.defined, choices=self.choices)

    def _over_steps(self, after: list[str]) -> Expressions:
        names = {v.name: v.type for v in self.variables.values()}
        return Expressions(self.random, names, after=after, definitions=self.defined, choices=self.choices)

    def _define(self) -> None:
        for i in range(self.random.randint(0, 2)):
            kind = self.random.choice([Boolean(), *self.state.values()])
            builder = self._over_states(self.state)
            if self._chance(0.25):
                self.definitions[f"d{i}"] = builder.choice(kind, self.depth - 1)
                self.choices[f"d{i}"] = kind
            else:
                self.definitions[f"d{i}"] = builder.of(kind, self.depth)
                self.defined[f"d{i}"] = kind

    def _equations(self) -> tuple[dict[str, Expr], dict[str, Expr], dict[str, Expr]]:
        """x := e, init(x) := e and next(x) := e; no equation depends on itself, through whatever others."""
        current: dict[str, Expr] = {}
        initial: dict[str, Expr] = {}
        following: dict[str, Expr] = {}
        earlier: dict[str, Type] = {}
        for name, kind in self.state.items():
            frozen = self.variables[name].kind is Kind.FROZEN
            if not frozen and earlier and self._chance(0.12):
                current[name] = self._over_states(dict(earlier)).choice(kind, self.depth - 1)
            else:
                if self._chance(0.6):
                    initial[name] = self._over_states(dict(earlier)).choice(kind, self.depth - 1)
                if not frozen and self._chance(0.75):
                    following[name] = self._over_steps(list(earlier)).choice(kind, self.depth)
            earlier[name] = kind
        return current, initial, following

    def _constraints(self, expressions: Expressions, probability: float) -> tuple[Expr, ...]:
        number = self.random.randint(1, 2) if self._chance(probability) else 0
        return tuple(expressions.boolean(self.depth) for _ in range(number))


def random_deterministic_machine(random: Random, *, state_bits: int = 6, depth: int = 3) -> Machine:
    """One initial state and at most one step from each state: its paths are longer than those of other random machines."""
    types = random_types(random, state_bits)
    variables = {f"x{i}": Variable(f"x{i}", kind) for i, kind in enumerate(types)}
    expressions = Expressions(random, {v.name: v.type for v in variables.values()})
    following = {}
    for name, variable in variables.items():
        following[name] = expressions.of(variable.type, depth)
        if isinstance(variable.type, Range) and random.random() < 0.7:
            low, size = variable.type.low, variable.type.size
            advanced = apply("+", apply("-", Name(name), const(low)), expressions.of(Range(0, 1), depth - 1))
            following[name] = apply("+", const(low), apply("mod", advanced, const(size)))
    initial = {name: const(next(iter(variable.type.values()))) for name, variable in variables.items()}
    return Machine("deterministic", variables, {}, initial, {}, following)


def random_relational_machine(random: Random, *, variables: int = 3, depth: int = 3) -> Machine:
    """A machine without equations: its states and steps are all that its constraints allow."""
    kinds = [random.choice([Boolean(), Boolean(), Range(0, 2), Enumeration(("a", "b"))]) for _ in range(variables)]
    state = {f"x{i}": Variable(f"x{i}", kind) for i, kind in enumerate(kinds)}
    types = {v.name: v.type for v in state.values()}
    now, step = Expressions(random, types), Expressions(random, types, after=types)
    trans = tuple(_skeleton(random, step, depth) for _ in range(random.randint(1, 2)))
    always = (_skeleton(random, now, depth),) if random.random() < 0.5 else ()
    return Machine("relational", state, {}, {}, {}, {}, (_skeleton(random, now, depth - 1),), always, trans)


def _skeleton(random: Random, expressions: Expressions, depth: int) -> Expr:
    """Boolean connectives down to small conditions."""
    if depth <= 0 or random.random() < 0.1:
        return expressions.boolean(random.randint(0, 1))
    op = random.choice(["not", "and", "or", "or", "implies", "case", "iff"])
    number = {"not": 1, "and": 2, "or": random.randint(2, 3), "implies": 2, "iff": 2, "case": 3}[op]
    parts = [_skeleton(random, expressions, depth - 1) for _ in range(number)]
    return apply("case", *parts[:2], const(True), parts[2]) if op == "case" else apply(op, *parts)


def random_scheduled_machine(random: Random, *, processes: int = 3, depth: int = 2) -> Machine:
    """Each step one process moves and the others stay; who moves is a state variable or an input."""
    count = random.randint(2, processes)
    kinds = [random.choice([Boolean(), Range(0, 2), Enumeration(("a", "b", "c"))]) for _ in range(count)]
    kind = random.choice([Kind.STATE, Kind.INPUT])
    turns: Type = random.choice([Range(0, count - 1), Enumeration(tuple(f"p{i}" for i in range(count)))])
    turn = list(turns.values())
    variables = {"run": Variable("run", turns, kind)}
    variables |= {f"x{i}": Variable(f"x{i}", kind) for i, kind in enumerate(kinds)}
    own = Expressions(random, {f"x{i}": kind for i, kind in enumerate(kinds)})
    following: dict[str, Expr] = {}
    for i, kind_of_x in enumerate(kinds):
        value = own.choice(kind_of_x, depth)
        moves = apply("=", Name("run"), const(turn[i]))
        if random.random() < 0.5:
            following[f"x{i}"] = apply("case", apply("not", moves), Name(f"x{i}"), const(True), value)
        else:
            following[f"x{i}"] = apply("case", moves, value, const(True), Name(f"x{i}"))
    initial = {f"x{i}": own.choice(k, 0) for i, k in enumerate(kinds) if random.random() < 0.8}
    initial = {name: expr for name, expr in initial.items() if not _mentions_variables(expr)}
    constraints = (own.boolean(depth),) if random.random() < 0.3 else ()
    return Machine("scheduled", variables, {}, initial, {}, following, invariant_constraints=constraints)


def random_arithmetic_machine(random: Random, *, variables: int = 2) -> Machine:
    """Numbers of both signs that are divided, by numbers of both signs; choices, and constraints on remainders."""
    sizes = {f"x{i}": random.randint(2, 4) for i in range(random.randint(1, variables))}
    declared = {name: Variable(name, Range(1 - size, size - 1)) for name, size in sizes.items()}
    if random.random() < 0.3:
        declared["i"] = Variable("i", Range(-1, 2), Kind.INPUT)

    following: dict[str, Expr] = {}
    for name, size in sizes.items():
        values = [apply("mod", _divided(random, list(declared), 3), const(size)) for _ in range(random.choice([1, 1, 2]))]
        kept: list[Expr] = [Name(name)] if random.random() < 0.4 else []
        following[name] = apply("set", *kept, *values)
    initial = (random_remainder(random, list(sizes)),) if random.random() < 0.5 else ()
    always = (random_remainder(random, list(sizes)),) if random.random() < 0.2 else ()
    return Machine("arithmetic", declared, {}, {}, {}, following, initial, always)


def random_remainder(random: Random, names: list[str]) -> Expr:
    """A condition on a number that was divided."""
    return apply(random.choice(["=", "!=", "<", ">="]), _divided(random, names, 2), const(random.randint(-2, 2)))


def _divided(random: Random, names: list[str], depth: int) -> Expr:
    if depth == 0 or random.random() < 0.15:
        return Name(random.choice(names)) if random.random() < 0.8 else const(random.randint(-3, 3))
    inner = _divided(random, names, depth - 1)
    match random.choice(["mod", "mod", "/", "neg", "+", "-", "*"]):
        case ("mod" | "/") as op:
            return apply(op, inner, const(random.choice([-3, -2, 2, 3, 4])))
        case "neg":
            return apply("neg", inner)
        case "*":
            return apply("*", inner, const(random.choice([-2, -1, 2, 3])))
        case op:
            return apply(op, inner, _divided(random, names, depth - 1))


def random_graph_machine(random: Random, *, nodes: int = 7) -> Machine:
    """A walk in a random graph, some of its edges under an input; a few nodes may be forbidden, so that others lead nowhere."""
    count = random.randint(2, nodes)
    variables = {"s": Variable("s", Range(0, count - 1))}
    if random.random() < 0.5:
        variables["i"] = Variable("i", Boolean(), Kind.INPUT)
    if random.random() < 0.3:
        variables["b"] = Variable("b", Boolean(), random.choice([Kind.STATE, Kind.FROZEN]))
    branches: list[Expr] = []
    for node in range(count):
        for condition in _ways(random, node, "i" in variables):
            targets = random.sample(range(count), min(count, random.choice([1, 1, 2, 2, 3])))
            branches += [condition, apply("set", *map(const, targets))]
    labels = {f"at{k}": apply("in", Name("s"), apply("set", *map(const, _some(random, range(count))))) for k in range(2)}
    forbidden = _some(random, range(count))[:2] if random.random() < 0.25 else []
    return Machine(
        "graph",
        variables,
        labels,
        {"s": apply("set", *map(const, _some(random, range(count))[:2]))},
        {},
        {"s": apply("case", *branches, const(True), Name("s"))},
        invariant_constraints=tuple(apply("!=", Name("s"), const(node)) for node in forbidden),
        transition_constraints=_blocked(random, variables, count) if random.random() < 0.25 else (),
    )


def _ways(random: Random, node: int, has_input: bool) -> list[Expr]:
    here = apply("=", Name("s"), const(node))
    if has_input and random.random() < 0.5:
        return [apply("and", here, Name("i")), here]
    return [here]


def _blocked(random: Random, variables: Mapping[str, Variable], count: int) -> tuple[Expr, ...]:
    """From some nodes nothing leads on, or only under some inputs."""
    there = apply("in", Name("s"), apply("set", *map(const, _some(random, range(count)))))
    ways: list[Expr] = [const(False), apply("!=", apply("next", Name("s")), const(random.randrange(count)))]
    if "i" in variables:
        ways += [Name("i"), apply("not", Name("i"))]
    return (apply("implies", there, random.choice(ways)),)


def _some(random: Random, values: Iterable[Value]) -> list[Value]:
    """At least one of them."""
    every = list(values)
    return random.sample(every, random.randint(1, max(1, len(every) // 2)))


def random_condition(random: Random, machine: Machine, *, inputs: bool) -> Expr:
    """A small condition on one variable, or a boolean definition of a machine whose definitions are all boolean."""
    if machine.name == "graph" and random.random() < 0.5:
        return Name(random.choice(list(machine.definitions)))
    choices = [v for v in machine.variables.values() if inputs or v.kind is not Kind.INPUT]
    variable = random.choice(choices)
    if isinstance(variable.type, Boolean):
        condition: Expr = Name(variable.name)
    elif isinstance(variable.type, WordType):
        condition = apply("=", Name(variable.name), const(random.choice(list(variable.type.values()))))
    else:
        condition = apply("in", Name(variable.name), apply("set", *map(const, _some(random, variable.type.values()))))
    return apply("not", condition) if random.random() < 0.4 else condition


def with_fairness(random: Random, machine: Machine) -> Machine:
    """The machine with some fairness constraints, perhaps about its inputs."""
    inputs = random.random() < 0.3

    def condition() -> Expr:
        first = random_condition(random, machine, inputs=inputs)
        if random.random() < 0.6:
            return first
        return apply("or", first, random_condition(random, machine, inputs=inputs))

    justice = tuple(condition() for _ in range(random.choice([0, 1, 1, 2])))
    compassion = tuple((condition(), condition()) for _ in range(random.choice([0, 0, 1, 2])))
    return replace(machine, justice=justice, compassion=compassion)


def _mentions_variables(expr: Expr) -> bool:
    return isinstance(expr, Name) or (isinstance(expr, Apply) and any(map(_mentions_variables, expr.args)))


def spoil(random: Random, machine: Machine) -> Machine:
    """The machine with an error in it that shows in some state or in all."""
    name, variable = random.choice([(n, v) for n, v in machine.variables.items() if v.kind is not Kind.INPUT])
    expressions = Expressions(random, {n: v.type for n, v in machine.variables.items() if v.kind is not Kind.INPUT})
    number = expressions.integer(2)
    wrong: Expr = random.choice(
        [
            Constant("nowhere"),
            Constant(77),
            apply("/", number, apply("-", number, number)),
            apply("case", expressions.boolean(2), expressions.of(variable.type, 1)),
            apply("<<", const(Word(1, 2)), number),
            apply("and", number, const(True)),
            Name("undeclared"),
            apply("+", const("a"), number),
            apply("next", apply("next", Name(name))),
            Name("circular"),
            apply("AG", const(True)),
        ]
    )
    definitions = {**machine.definitions, "circular": apply("not", Name("circular"))}
    where = random.choice(["initial_values", "next_values", "current_values", "transition_constraints", "invariant_constraints"])
    spoilt: object = (*getattr(machine, where), wrong) if "constraints" in where else {**getattr(machine, where), name: wrong}
    return replace(machine, definitions=definitions, **{where: spoilt})


# Strategies: hypothesis's own generator of randomness makes what is drawn here shrink.

machines = st.randoms(use_true_random=False).map(random_machine)
scheduled_machines = st.randoms(use_true_random=False).map(random_scheduled_machine)
relational_machines = st.randoms(use_true_random=False).map(random_relational_machine)
deterministic_machines = st.randoms(use_true_random=False).map(random_deterministic_machine)


@st.composite
def ill_formed_machines(draw: st.DrawFn) -> Machine:
    random = draw(st.randoms(use_true_random=False))
    return spoil(random, random_machine(random))


def seeded_fair_machine(seed: int) -> Machine:
    """The machine of a seed, for temporal logic: two of three walk in a random graph; most have fairness constraints."""
    random = Random(seed)
    machine = random_graph_machine(random) if seed % 3 else seeded_machine(seed // 3, state_bits=4)
    return with_fairness(random, machine)


def seeded_machine(seed: int, **sizes: int) -> Machine:
    """The machine of a seed: of five one is relational, one deterministic and one scheduled."""
    random = Random(seed)
    match seed % 5:
        case 2:
            return random_relational_machine(random)
        case 3:
            return random_deterministic_machine(random)
        case 4:
            return random_scheduled_machine(random)
    return random_machine(random, **sizes)
