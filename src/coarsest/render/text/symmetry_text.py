"""Symmetries as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from coarsest.model.types import show_value

MOST_GENERATORS_SHOWN: Final = 30
"""The first ones are listed; the others are only counted."""


def symmetries_to_text(facts: Mapping[str, Any]) -> str:
    """The generators, with a witness against those that are not symmetries; the group; and the part that each property keeps."""
    return "".join(f"{line}\n" for line in _lines(facts))


def _lines(facts: Mapping[str, Any]) -> Iterator[str]:
    generators = facts["generators"]
    for one in generators[:MOST_GENERATORS_SHOWN]:
        unfair = "" if one["fair"] else " (it does not keep every fairness constraint)"
        yield f"{'symmetry' if one['symmetry'] else 'wrong':<9} {one['generator']}{unfair}"
        if not one["symmetry"]:
            yield f"    {one['objection']}:"
            yield from _witness(one["witness"], one["image"])
    if len(generators) > MOST_GENERATORS_SHOWN:
        yield f"          and {len(generators) - MOST_GENERATORS_SHOWN} more"
    whence = "shown by the structure of the model, and verified" if facts["detected"] else "given, and verified"
    yield f"group     of order {facts['order']}" + (f" ({whence})" if generators else ": no symmetries are known")
    if facts["orbits"] is not None:
        yield f"states    {facts['states']} in {facts['orbits']} orbits"
    for claim in facts["properties"] if facts["order"] > 1 else ():
        yield f"keeps     {_share(claim, facts['order'])}: {claim['name'] + ': ' if claim['name'] else ''}{claim['formula']}"


def _share(claim: Mapping[str, Any], order: int) -> str:
    if claim["order"] == order:
        return "all"
    if claim["order"] == 1:
        return "nothing"
    shown = ", ".join(claim["generators"][:3]) + (", …" if len(claim["generators"]) > 3 else "")
    return f"a group of order {claim['order']} by {shown}"


def _witness(witness: Mapping[str, Any], image: Mapping[str, Any]) -> Iterator[str]:
    """A state, or the two states of a step, and their image."""
    for before, after in zip(witness["states"], image["states"]):
        moved = [name for name in before if before[name] != after[name]]
        yield f"        {_state(before)}"
        yield f"        becomes {', '.join(f'{name} = {_value(after[name])}' for name in moved) or 'itself'}"


def witness_to_text(witness: Mapping[str, Any], image: Mapping[str, Any]) -> str:
    """A state or a step, and its image, which does not exist."""
    return "\n".join(_witness(witness, image))


def _state(state: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {_value(value)}" for name, value in state.items())


def _value(value: Any) -> str:
    return show_value(value) if isinstance(value, bool | int | str) else str(value)
