"""Two circuits side by side, with the same inputs: are their outputs always equal?

Reference: Coudert, Berthet, Madre 1989, "Verification of synchronous sequential machines based on symbolic execution" (the
           product machine).
Symbols:   names of the circuits begin with `first.` and `second.`; inputs have those of the first circuit.
Invariant: a state of the product is a pair of states, its steps are pairs of steps with the same inputs.
Deviates:  choices of both circuits with the same name are one choice, and a variable that may begin with any value in both begins
           with the same value. That suffices to show that outputs are equal.
Cost:      linear in the size of the circuits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import InputError, Unsupported
from coarsest.logic.expr import Apply, Expr, Name, conjunction, subexpressions
from coarsest.model.composition.rename import renamed
from coarsest.model.machine import Kind, Machine, Property, Variable, invariant

SIDES = ("first.", "second.")
DONT_CARE = "dont_care."
"""The definition of this prefix and an output's name, if it exists, is true where the output does not matter."""


class Pair(Struct, frozen=True):
    """A product with the claim that the outputs are equal, and the correspondence of outputs."""

    machine: Machine
    claim: Property
    outputs: Mapping[str, tuple[str, str]]
    """The names of both outputs in the product, by their common name."""
    free: Mapping[str, Expr]
    """Conditions under which outputs do not matter."""
    decides: bool
    """Has each circuit a single first state, and no choices? Otherwise, unequal outputs decide nothing."""
    notes: tuple[str, ...] = ()


def side_by_side(first: Machine, second: Machine) -> Pair:
    """The product of two circuits; raises InputError where their inputs or outputs do not fit together."""
    for machine in (first, second):
        if machine.transition_constraints or machine.invariant_constraints or machine.current_values:
            hint = "compare what is observed of them: --observe OUTPUT … --actions INPUT …"
            raise Unsupported(f"the circuit {machine.name} has constraints, which say what inputs there are", hint=hint)
    ones, others = ([_shown(machine, name) for name in _outputs(machine)] for machine in (first, second))
    inputs = [{v.name: v for v in machine.input_variables if not v.added} for machine in (first, second)]
    notes: list[str] = []
    of_second = {other: one for one, other in _matched([*inputs[0]], [*inputs[1]], "inputs", notes)}
    _require_same_types(inputs, of_second)
    choices = [{v.name: v.type for v in machine.input_variables if v.added} for machine in (first, second)]
    both = {f"{SIDES[1]}{name}": f"{SIDES[0]}{name}" for name, type in choices[1].items() if choices[0].get(name) == type}
    pairs = _matched(ones, others, "outputs", notes, all_of_them=True)
    left = renamed(first, lambda name: name if name in inputs[0] else SIDES[0] + name)
    right = renamed(second, lambda name: of_second.get(name, name) if name in inputs[1] else SIDES[1] + name)
    right = renamed(right, lambda name: both.get(name, name)) if both else right
    full = [dict(zip(shown, _outputs(machine))) for shown, machine in ((ones, first), (others, second))]
    outputs = {one: (SIDES[0] + full[0][one], SIDES[1] + full[1][other]) for one, other in pairs}
    machine = _product(left, right, [SIDES[0] + name for name in _outputs(first)], _begin_alike(first, second))
    free = _free(pairs, first, second)
    equal: dict[str, Expr] = {output: Apply("=", (Name(one), Name(other))) for output, (one, other) in outputs.items()}
    counting = [Apply("or", (free[output], same)) if output in free else same for output, same in equal.items()]
    claim = invariant(conjunction(counting), text="the outputs are equal")
    decides = _begins_once(first) and _begins_once(second) and not (choices[0] or choices[1])
    if free:
        notes.append(f"where they do not matter (.exdc), outputs are not compared: {', '.join(free)}")
    return Pair(machine, claim, outputs, free, decides, tuple(notes))


def _free(pairs: Sequence[tuple[str, str]], *machines: Machine) -> dict[str, Expr]:
    """Conditions of either circuit under which outputs do not matter."""
    free: dict[str, Expr] = {}
    for names in pairs:
        conditions: list[Expr] = [Name(f"{side}{DONT_CARE}{name}") for side, name, machine in zip(SIDES, names, machines)
                                  if DONT_CARE + name in machine.definitions]  # fmt: skip
        if conditions:
            free[names[0]] = conditions[0] if len(conditions) == 1 else Apply("or", tuple(conditions))
    return free


def _begin_alike(first: Machine, second: Machine) -> list[Expr]:
    """Variables that may begin with any value in both circuits begin with the same one. Each first state still has a partner."""
    if first.initial_constraints or second.initial_constraints:
        return []
    open_ones, open_others = ({v.name: v.type for v in machine.of_kind(Kind.STATE, Kind.FROZEN)
                               if v.name not in machine.initial_values} for machine in (first, second))  # fmt: skip
    alike = [name for name, type in open_ones.items() if open_others.get(name) == type]
    return [Apply("=", (Name(SIDES[0] + name), Name(SIDES[1] + name))) for name in alike]


def _product(left: Machine, right: Machine, outputs: Sequence[str], alike: Sequence[Expr]) -> Machine:
    return replace(
        left,
        variables={**left.variables, **right.variables, **{v.name: v for v in left.input_variables}},
        definitions={**left.definitions, **right.definitions},
        initial_values={**left.initial_values, **right.initial_values},
        next_values={**left.next_values, **right.next_values},
        initial_constraints=(*left.initial_constraints, *right.initial_constraints, *alike),
        outputs=tuple(outputs),
        properties=(),
        warnings=(),
        source=None,
    )


def _outputs(machine: Machine) -> tuple[str, ...]:
    """The outputs, or, of a circuit without outputs, the conditions that must never be true."""
    formulas = [claim.formula for claim in machine.properties if claim.kind.is_invariant]
    bad = [formula.args[0] for formula in formulas if isinstance(formula, Apply) and formula.op == "not"]
    outputs = machine.outputs or tuple(expr.name for expr in bad if isinstance(expr, Name))
    if not outputs:
        raise InputError(f"the circuit {machine.name} has no outputs to compare", hint="say what to compare: --observe EXPR …")
    return outputs


def _shown(machine: Machine, output: str) -> str:
    """The name of an output. If an input or a latch has the same name, the definition has a longer one."""
    match machine.definitions.get(output):
        case Name(name) if output.rstrip("_") == f"{name}_output":
            return name
    return output


def _matched(
    ones: Sequence[str], others: Sequence[str], what: str, notes: list[str], *, all_of_them: bool = False
) -> list[tuple[str, str]]:
    """Pairs of corresponding names, by name if they fit, and otherwise by position."""
    if set(ones) == set(others) or (not all_of_them and (set(ones) <= set(others) or set(others) <= set(ones))):
        return [(name, name) for name in ones if name in others]
    if len(ones) == len(others):
        notes.append(f"the {what} have other names: they are compared by position")
        return list(zip(ones, others))
    alone = next(name for names, rest in ((ones, others), (others, ones)) for name in names if name not in rest)
    message = f"the {what} do not fit: there are {len(ones)} and {len(others)}, and `{alone}` is in one circuit only"
    raise InputError(message, hint="give them the same names")


def _require_same_types(inputs: Sequence[Mapping[str, Variable]], of_second: Mapping[str, str]) -> None:
    for other, one in of_second.items():
        if inputs[0][one].type != inputs[1][other].type:
            types = inputs[0][one].type, inputs[1][other].type
            raise InputError(f"the input `{one}` is of type {types[0]} in one circuit, of {types[1]} in the other")
    for name in (*inputs[0], *inputs[1]):
        if name.startswith(SIDES):
            message = f"in a comparison, names that begin with {SIDES[0]} or {SIDES[1]} are ours"
            raise Unsupported(message, hint=f"rename `{name}`")


def _begins_once(machine: Machine) -> bool:
    def is_one(expr: Expr) -> bool:
        return not any(isinstance(part, Apply) and part.op in ("set", "union") for part in subexpressions(expr))

    names = [v.name for v in machine.of_kind(Kind.STATE, Kind.FROZEN)]
    return not machine.initial_constraints and all(
        name in machine.initial_values and is_one(machine.initial_values[name]) for name in names
    )
