"""The quotient of a machine as a machine, which can be written and checked again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coarsest.automata.automaton_claim import AutomatonClaim
from coarsest.evidence.quotient import MachineQuotient
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name, Value, names, replace
from coarsest.logic.show import show
from coarsest.model.machine import Machine, Property, Variable
from coarsest.model.parts.promote_inputs import inputs_mentioned
from coarsest.model.types import Range

CLASS = "class"
"""The variable of the quotient that says which class it is in."""


def quotient_machine(quotient: MachineQuotient, original: Machine, properties: Iterable[Property]) -> Machine:
    """The quotient as a machine: a variable for the class, the observed inputs, and definitions for what is seen.

    An observed name keeps its name; another expression is called `observed_1` and so on. `properties` have these names already.
    """
    called = _names(quotient.labels)
    inputs = {name: original.variables[name] for name in (quotient.actions[0] if quotient.actions else ())}
    variable = unused(CLASS, {*called.values(), *inputs})
    here = Name(variable)
    definitions = {called[label]: _by_class(here, values) for label, values in quotient.labels.items()}
    after, forbidden = _steps(quotient, here)
    renamed = renaming(quotient)
    return Machine(
        f"{original.name}, its quotient",
        {variable: Variable(variable, Range(0, max(0, quotient.size - 1))), **inputs},
        definitions,
        {variable: _choice(quotient.initial)} if quotient.initial else {},
        {},
        {variable: after},
        initial_constraints=() if quotient.initial else (FALSE,),
        transition_constraints=forbidden,
        justice=tuple(renamed[p] for p in original.justice),
        compassion=tuple((renamed[p], renamed[q]) for p, q in original.compassion),
        properties=tuple(properties),
    )


def renaming(quotient: MachineQuotient) -> dict[Expr, Name]:
    """What each observed expression is called in the machine of the quotient."""
    return {label: Name(name) for label, name in _names(quotient.labels).items()}


def _names(labels: Iterable[Expr]) -> dict[Expr, str]:
    """A name for each label: its own, if it is one."""
    taken = {label.name for label in labels if isinstance(label, Name)}
    called: dict[Expr, str] = {}
    number = 0
    for label in labels:
        if isinstance(label, Name):
            called[label] = label.name
        else:
            number += 1
            called[label] = unused(f"observed_{number}", taken)
            taken.add(called[label])
    return called


def unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _choice(numbers: Sequence[int]) -> Expr:
    members = tuple(map(Constant, numbers))
    return members[0] if len(members) == 1 else Apply("set", members)


def _is_in(here: Expr, numbers: Sequence[int]) -> Expr:
    return Apply("=", (here, Constant(numbers[0]))) if len(numbers) == 1 else Apply("in", (here, _choice(numbers)))


def _by_class(here: Expr, values: Sequence[Value]) -> Expr:
    """The value of a label, by the class."""
    having: dict[Expr, list[int]] = {}
    for number, value in enumerate(values):
        having.setdefault(Constant(value), []).append(number)
    if all(isinstance(value, bool) for value in values):
        return TRUE if FALSE not in having else _is_in(here, having[TRUE]) if TRUE in having else FALSE
    *others, (last, _) = having.items()
    branches = [part for value, numbers in others for part in (_is_in(here, numbers), value)]
    return Apply("case", (*branches, TRUE, last)) if branches else last


def _steps(quotient: MachineQuotient, here: Expr) -> tuple[Expr, tuple[Expr, ...]]:
    """The next class, and what forbids a step where a class has none."""
    targets: dict[tuple[int, int], list[int]] = {}
    for source, action, target in quotient.edges:
        targets.setdefault((source, action), []).append(target)
    branches: list[Expr] = []
    forbidden: list[Expr] = []
    for source in range(quotient.size):
        for action, inputs in enumerate(quotient.actions):
            match = [Apply("=", (Name(name), Constant(value))) for name, value in inputs.items()]
            condition: Expr = Apply("=", (here, Constant(source)))
            condition = Apply("and", (condition, *match)) if match else condition
            if (source, action) in targets:
                branches += (condition, _choice(targets[source, action]))
            else:
                forbidden.append(Apply("not", (condition,)))
    return Apply("case", (*branches, TRUE, here)), tuple(forbidden)


def carried(claim: Property, original: Machine, quotient: MachineQuotient, *, promoted: bool) -> Property | None:
    """The property, if it speaks of nothing but what is observed, by the names of the quotient.

    Where inputs are part of the states of the quotient, a path of it is one of the original, but a state is not. A class without
    successor may then be a state of the original with inputs that lead nowhere, which another choice would not; or one where
    the original is stuck, and stays while its inputs change. As the quotient cannot tell, only reachability is the same.
    """
    if inputs_mentioned(original, [claim.formula]):
        return None
    if promoted and not (claim.kind.is_invariant if quotient.has_dead_ends else claim.kind.is_universal):
        return None
    renamed = renaming(quotient)
    formula = replace(claim.formula, renamed.get)
    if not names(formula) <= {name.name for name in renamed.values()}:
        return None
    if isinstance(claim, AutomatonClaim):
        return claim.renamed(renamed.get)
    return Property(claim.kind, formula, claim.name, show(formula), claim.module)
