"""Which formulas does a relation preserve? A formula that tells related graphs apart, too, shows nothing about graphs.

    bisimulation            all
    branching bisimulation  modalities (φ U <a>ψ); with divergence also diverges(φ)
    weak bisimulation       <<a>>φ where silent steps are free after the action, too; with divergence also diverges(φ) where φ is
                            said of what silent steps lead to
    weak simulation         the same without negation
    weak traces             the same along one path: labels stand beside modalities, nothing else does
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from coarsest.logic.modal.hennessy_milner import MODAL, Formula, Node
from coarsest.lts.labelled import INTERNAL

FORMS: Mapping[str, str] = MappingProxyType({"diamond": "<a>", "until": "U", "diverges": "diverges"})
Nodes: TypeAlias = tuple[Node, ...]
Rule: TypeAlias = Callable[[Nodes, Node], str]
"""What a relation does not preserve in a node, of all nodes of a formula: its form, or nothing."""


def _modalities(kinds: frozenset[str], nodes: Nodes, node: Node) -> str:
    return FORMS[node.kind] if node.kind in MODAL and node.kind not in kinds else ""


def free_of_silence(nodes: Nodes, place: int) -> bool:
    """Is a formula true wherever silent steps lead to a state in which it is true? By its form."""
    node = nodes[place]
    return node.kind == "true" or (node.kind == "until" and nodes[node.parts[0]].kind == "true")


def _weak(kinds: frozenset[str], nodes: Nodes, node: Node) -> str:
    if node.kind == "until" and nodes[node.parts[0]].kind != "true":
        return FORMS["until"]
    if node.kind == "until" and node.name not in INTERNAL and not free_of_silence(nodes, node.parts[1]):
        return "<<a>> without silent steps after it"
    if node.kind == "diverges" and not free_of_silence(nodes, node.parts[0]):
        return "diverges of the states on the way"
    return _modalities(kinds, nodes, node)


def _positive(rule: Rule, nodes: Nodes, node: Node) -> str:
    return "!" if node.kind == "not" else rule(nodes, node)


def _one_path(rule: Rule, nodes: Nodes, node: Node) -> str:
    """In a conjunction, one part at most goes on; the others are labels."""
    if node.kind == "and" and sum(nodes[part].kind != "label" for part in node.parts) > 1:
        return "&"
    return _positive(rule, nodes, node)


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "bisimulation": partial(_modalities, MODAL),
        "branching-bisimulation": partial(_modalities, frozenset({"until"})),
        "branching-bisimulation-divergence": partial(_modalities, frozenset({"until", "diverges"})),
        "weak-simulation": partial(_positive, partial(_weak, frozenset({"until"}))),
        "weak-traces": partial(_one_path, partial(_weak, frozenset({"until"}))),
        "weak-bisimulation": partial(_weak, frozenset({"until"})),
        "weak-bisimulation-divergence": partial(_weak, frozenset({"until", "diverges"})),
    }
)


def sees_too_much(relation: str, formula: Formula) -> str:
    """What of a formula a relation does not preserve, or nothing; of relations that have no rule, nothing."""
    rule = RULES.get(relation)
    if rule is None:
        return ""
    return next((problem for node in formula.nodes if (problem := rule(formula.nodes, node))), "")
