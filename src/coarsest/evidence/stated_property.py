"""The property that a piece of evidence is about: the statement in its file is compared with the model, and not believed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec.structs import replace

from coarsest.errors import EvidenceRejected, InputError
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.logic.psl.show_psl import show_psl
from coarsest.logic.show import show
from coarsest.model.machine import Machine, Property
from coarsest.model.query.assumed import under_assumptions

ReadFormula: TypeAlias = Callable[[str], Property]
"""Reads a formula over the variables of the model."""


def text_of(claim: Property) -> str:
    """The formula of a property as text that reads back, with all names in full."""
    return show_psl(psl_from_expr(claim.formula)) if claim.kind.is_psl else show(claim.formula)


def stated_properties(
    machine: Machine, read: ReadFormula, *, name: str, kind: str, formula: str, instance: str = "", in_full: bool
) -> list[Property]:
    """The properties that have this name, kind (any if empty) and formula, of this instance (any if empty).

    There is at most one if names are `in_full`; otherwise, the formula may use the names inside an instance. Without a name, the
    formula need not be one of the model; its operators then say its kind. Raises EvidenceRejected if the model contradicts, and
    InputError if the text is not a formula.
    """
    if not formula.strip():
        raise EvidenceRejected("it does not say which formula it is about")
    own = [claim for claim in machine.properties if claim.name == name and instance in ("", claim.module)]
    if name and not own:
        raise EvidenceRejected(f"the model has no property named {name}")
    words = " ".join(formula.split())  # as in the model, where names may be those of an instance
    quoted = [] if in_full else [c for c in own if words in (" ".join(c.text.split()), show(c.formula))]
    alike = list(quoted)
    try:
        understood = read(formula)
    except InputError:
        if not quoted:
            raise
    else:
        meant = [(claim, under_assumptions(claim, machine)) for claim in own if claim not in quoted]
        alike += [claim for claim, counted in meant if _says_the_same(counted, understood)]
        if not name and not any(claim.kind == understood.kind and _says_the_same(claim, understood) for claim in alike):
            alike.append(understood)
    fitting = [claim for claim in alike if kind in ("", str(claim.kind))]
    if not fitting:
        claim = (alike or own)[0]
        subject = f"in the model, {name} is" if name else "it is read as"
        raise EvidenceRejected(f"{subject} {text_of(claim)} ({claim.kind}), which is not what it is said to be")
    return fitting


def _says_the_same(claim: Property, understood: Property) -> bool:
    try:
        return text_of(claim) == text_of(replace(claim, formula=understood.formula))
    except InputError:  # it is not a formula of that logic
        return False
