"""Formulas about weak or extended steps as formulas about the graph itself.

    a weak step        <<a>><<i>>φ, or <<i>>φ for an internal one
    an extended step   φ & <<i>>(φ & <a><<i>>ψ), where (φ U <a>ψ) stands in the formula about extended steps
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.labelled import INTERNAL

Modality: TypeAlias = Callable[[Builder, str, list[int]], int]


def reworded(formula: Formula, modality: Modality) -> Formula:
    """The formula with its modalities in other words."""
    make, places = Builder(), list[int]()
    for node in formula.nodes:
        parts = [places[part] for part in node.parts]
        match node.kind:
            case "label":
                places.append(make.label(node.name))
            case "not":
                places.append(make.negation(parts[0]))
            case "and":
                places.append(make.conjunction(parts))
            case "true":
                places.append(make.true)
            case _:
                places.append(modality(make, node.name, parts))
    return make.formula(places[-1])


def weak_step(make: Builder, action: str, parts: list[int]) -> int:
    """Internal steps, perhaps an action, and internal steps."""
    silent = make.until(make.true, INTERNAL[0], parts[0]) if _must_be_said(make, parts[0]) else parts[0]
    return silent if action in INTERNAL else make.until(make.true, action, silent)


def extended_step(make: Builder, action: str, parts: list[int]) -> int:
    """Internal steps to a state that is still like the first, an action there, and internal steps."""
    along, end = parts
    after = make.until(make.true, INTERNAL[0], end) if _must_be_said(make, end) else end
    if action not in INTERNAL and along == make.true:
        after = make.until(make.true, action, after)
    elif action not in INTERNAL:
        after = make.until(make.true, INTERNAL[0], make.conjunction([along, make.diamond(action, after)]))
    return make.conjunction([along, after])


def _must_be_said(make: Builder, part: int) -> bool:
    """Are internal steps before a part seen? Not before what begins with internal steps itself."""
    node = make.nodes[part]
    return node.kind != "true" and not (node.kind == "until" and make.nodes[node.parts[0]].kind == "true")
