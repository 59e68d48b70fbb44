"""The quotient of a machine as a machine that can be written and checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

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
    """The quotient as a machine: a variable for the class, the observed inputs, and definitions for the labels.

    An observed name keeps its name; other expressions are called `observed_1` and so on. `properties` have these names already.
    """
    renamed = renaming(quotient)
    inputs = {name: original.variables[name] for name in (quotient.actions[0] if quotient.actions else ())}
    variable = unused(CLASS, {*(name.name for name in renamed.values()), *inputs})
    here = Name(variable)
    definitions = {renamed[label].name: _by_class(here, values) for label, values in quotient.labels.items()}
    after, forbidden = _steps(quotient, here)
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
    """The name of each observed expression in the machine of the quotient."""
    taken = {label.name for label in quotient.labels if isinstance(label, Name)}
    renamed: dict[Expr, Name] = {label: label for label in quotient.labels if isinstance(label, Name)}
    for number, label in enumerate((label for label in quotient.labels if not isinstance(label, Name)), 1):
        renamed[label] = Name(unused(f"observed_{number}", taken))
        taken.add(renamed[label].name)
    return renamed


def unused(name: str, taken: Set[str]) -> str:
    """The name, with underscores until nothing else has it."""
    while name in taken:
        name += "_"
    return name


def _choice(numbers: Sequence[int]) -> Expr:
    members = tuple(map(Constant, numbers))
    return members[0] if len(members) == 1 else Apply("set", members)


def _is_in(here: Expr, numbers: Sequence[int]) -> Expr:
    return Apply("=", (here, Constant(numbers[0]))) if len(numbers) == 1 else Apply("in", (here, _choice(numbers)))


def _by_class(here: Expr, values: Sequence[Value]) -> Expr:
    """The value of a label as an expression over the class."""
    classes: dict[Expr, list[int]] = {}
    for number, value in enumerate(values):
        classes.setdefault(Constant(value), []).append(number)
    if all(isinstance(value, bool) for value in values):
        return TRUE if FALSE not in classes else _is_in(here, classes[TRUE]) if TRUE in classes else FALSE
    *others, (last, _) = classes.items()
    branches = [part for value, numbers in others for part in (_is_in(here, numbers), value)]
    return Apply("case", (*branches, TRUE, last)) if branches else last


def _steps(quotient: MachineQuotient, here: Expr) -> tuple[Expr, tuple[Expr, ...]]:
    """The next class, and constraints against steps that a class does not have."""
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
    """The property in the names of the quotient, if it mentions observed expressions only.

    Where inputs are part of the states of the quotient, its paths are paths of the original, but its states are not states of the
    original. A class without successors may stand for a state of the original that other inputs lead on from, or for one where
    the original is stuck while its inputs change. The quotient has no means to distinguish these, so only reachability is the
    same.
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
