"""What tests of temporal logic share: random machines beside their oracles, formulas about them, and how to ask for answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, repeat
from random import Random
from typing import Any

from coarsest.check.answers import Checker
from coarsest.errors import Unsupported
from coarsest.evidence.verdict import Answer
from coarsest.logic.branching.vacuity import irrelevant_parts
from coarsest.logic.expr import Apply, Expr, Name, replace
from coarsest.logic.show import show
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.model.query.inputs_in_ctl import require_inputs_apart
from coarsest.model.trace import Trace
from coarsest.options.methods import check_options
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from oracles.fair_graphs import reachable
from oracles.ltl_closure import LINEAR
from oracles.ltl_words import holds
from oracles.temporal import Pair, Temporal, TooManyStates
from random_formulas import BOUNDED, FUTURE, PAST, ctl_formula, formula
from random_machines import random_condition, seeded_fair_machine


def cases(seeds: Iterable[int]) -> Iterator[tuple[int, Machine, Temporal]]:
    """Machines with their oracles; those too large for one are left out."""
    for seed in seeds:
        machine = seeded_fair_machine(seed)
        try:
            yield seed, machine, Temporal(machine)
        except TooManyStates:
            continue


def block(number: int, *, of: int, machines: int, first: int = 0) -> range:
    """The seeds of one block, of so many blocks that share so many machines."""
    return range(first + number * machines // of, first + (number + 1) * machines // of)


def conditions(rng: Random, machine: Machine, *, inputs: float) -> Callable[[], Expr]:
    """Draws conditions for formulas; so many of them may be about inputs."""
    return lambda: random_condition(rng, machine, inputs=rng.random() < inputs)


def ctl_formulas(rng: Random, machine: Machine, count: int, *, inputs: float = 0.0) -> list[Expr]:
    """Those are left out that are refused, because they speak of the inputs of one step beside what is said of all steps."""
    draw = conditions(rng, machine, inputs=inputs)
    drawn = (ctl_formula(rng, rng.randint(1, 3), draw) for _ in repeat(None))
    return list(islice((claim for claim in drawn if has_one_meaning(machine, claim)), count))


def has_one_meaning(machine: Machine, formula: Expr) -> bool:
    try:
        require_inputs_apart(machine, formula)
    except Unsupported:
        return False
    return True


def ltl_formulas(rng: Random, machine: Machine, count: int, *, inputs: float = 0.0, past: bool = True) -> list[Expr]:
    """Half of them with past and bounded operators, if wanted."""
    found = []
    for number in range(count):
        operators = FUTURE + PAST + BOUNDED if past and number % 2 else FUTURE
        found.append(over_machine(formula(rng, rng.randint(2, 6), 3, operators), rng, machine, inputs=inputs))
    return found


def over_machine(expr: Expr, rng: Random, machine: Machine, *, inputs: float = 0.0) -> Expr:
    """The formula with its names replaced by conditions on the machine."""
    draw = conditions(rng, machine, inputs=inputs)
    chosen: dict[str, Expr] = {}
    return replace(expr, lambda part: chosen.setdefault(part.name, draw()) if isinstance(part, Name) else None)


def ask(
    machine: Machine, kind: PropertyKind, formulas: Iterable[Expr], *, build: BuildOptions | None = None, **options: Any
) -> tuple[Checker, list[Answer]]:
    """The answers, and the checker that gave them."""
    checker = Checker(machine, build or BuildOptions(), check_options(**options), Run())
    return checker, list(checker.answers([Property(kind, claim) for claim in formulas]))


def vacuity_warnings(claim: Expr, holds: Callable[[Expr], bool]) -> set[str]:
    """The warnings that are justified, given what tells whether a formula holds."""
    warnings = {f"holds vacuously: '{show(part)}' does not matter" for part in irrelevant_parts(claim, holds)}
    match claim:
        case Apply("G" | "AG" as always, (Apply("implies", (premise, _)),)) if holds(Apply(always, (Apply("not", (premise,)),))):
            warnings.add(f"holds vacuously: '{show(premise)}' is never true")
    return warnings


def members(space: Any, found: Any, oracle: Temporal) -> set[Pair]:
    """The pairs of the oracle whose states are in a set of a space, which may know fewer variables."""
    names = [v.name for v in space.machine.state_variables]
    known: dict[tuple[Any, ...], bool] = {}
    result = set()
    for pair in oracle.everything:
        values = oracle.environment(pair)
        key = tuple(values[name] for name in names)
        if key not in known:
            known[key] = bool(space.state({name: values[name] for name in names}) & found)
        if known[key]:
            result.add(pair)
    return result


def is_violating_lasso(oracle: Temporal, trace: Trace, claim: Expr) -> bool:
    """Is the trace a fair infinite path from an initial state on which the formula is false, by the definitions?"""
    if not is_fair_lasso(oracle, trace):
        return False
    assert trace.loop is not None
    letters = [frozenset(filter(place, atoms_of(claim))) for place in places_of(oracle, trace)]
    return not holds(claim, letters[: trace.loop], letters[trace.loop :])


def is_fair_lasso(oracle: Temporal, trace: Trace) -> bool:
    """Is the trace a fair infinite path from an initial state?"""
    force = oracle.force
    states = [tuple(state[name] for name in force.names) for state in trace.states]
    inputs = trace.inputs or [{}] * len(states)
    if trace.loop is None or not 0 <= trace.loop < len(states) or len(inputs) != len(states):
        return False
    after = [*trace.states[1:], trace.states[trace.loop]]
    if states[0] not in force.initial or not all(map(oracle.is_step, trace.states, inputs, after)):
        return False
    loop = places_of(oracle, trace)[trace.loop :]

    def somewhere(expr: Expr) -> bool:
        return any(place(expr) for place in loop)

    justice, compassion = force.machine.justice, force.machine.compassion
    return all(map(somewhere, justice)) and all(somewhere(q) or not somewhere(p) for p, q in compassion)


def places_of(oracle: Temporal, trace: Trace) -> list[Callable[[Expr], bool]]:
    """For each position of a lasso, what tells whether a condition is true there."""
    inputs = trace.inputs or [{}] * len(trace)
    environments = [{**state, **given} for state, given in zip(trace.states, inputs)]
    return [lambda expr, values=values: oracle.force.holds(expr, values) for values in environments]


def random_fair_lasso(rng: Random, oracle: Temporal) -> tuple[list[Pair], list[Pair]] | None:
    """A prefix and a cycle of a fair path from an initial state; None if there is none."""
    graph = oracle.graph
    reached = reachable(graph.after, oracle.initial)
    number = {pair: count for count, pair in enumerate(pair for pairs in oracle.pairs.values() for pair in pairs)}
    components = sorted(graph.fair_components(reached), key=lambda component: min(number[pair] for pair in component))
    if not components:
        return None
    component = rng.choice(components)
    inside = {pair: [after for after in graph.after[pair] if after in component] for pair in component}
    prefix = _walk(rng, graph.after, rng.choice(sorted(oracle.initial, key=number.__getitem__)), component)
    if prefix is None:
        return None
    goals = [justice & component for justice in graph.justice]
    goals += [q & component for p, q in graph.compassion if p & component]
    cycle = [prefix.pop()]
    for goal in rng.sample(goals, len(goals)):
        cycle += (_walk(rng, inside, cycle[-1], goal) or [])[1:]
    way_back = _walk(rng, inside, rng.choice(inside[cycle[-1]]), {cycle[0]}) or []
    return prefix, cycle + way_back[:-1]


def _walk(rng: Random, after: Mapping[Pair, Sequence[Pair]], start: Pair, goal: set[Pair]) -> list[Pair] | None:
    """A shortest path to the goal, of those one at random."""
    paths = {start: [start]}
    frontier = [start]
    while frontier and not goal & paths.keys():
        rng.shuffle(frontier)
        found = [(pair, next_pair) for pair in frontier for next_pair in after[pair]]
        frontier = []
        for pair, next_pair in found:
            if next_pair not in paths:
                paths[next_pair] = [*paths[pair], next_pair]
                frontier.append(next_pair)
    there = [pair for pair in paths if pair in goal]
    return paths[rng.choice(there)] if there else None


def atoms_of(expr: Expr) -> list[Expr]:
    """The largest parts of a linear formula that are not linear formulas."""
    if getattr(expr, "op", "") not in LINEAR:
        return [expr]
    return [atom for arg in expr.args for atom in atoms_of(arg)]  # type: ignore[union-attr]


def claims_about(machine: Machine, seed: int) -> list[Property]:
    """Formulas of every logic that a quotient may preserve."""
    random = Random(seed)
    linear = ltl_formulas(random, machine, 3)
    star = [Apply(random.choice("AE"), (one,)) for one in ltl_formulas(random, machine, 2, past=False)]
    invariant = [random_condition(random, machine, inputs=False) for _ in range(2)]
    kinds: list[tuple[PropertyKind, list[Expr]]] = [
        (PropertyKind.CTL, ctl_formulas(random, machine, 3)),
        (PropertyKind.LTL, linear),
        (PropertyKind.CTL_STAR, star),
        (PropertyKind.INVARIANT, invariant),
    ]
    return [Property(kind, formula) for kind, formulas in kinds for formula in formulas]
