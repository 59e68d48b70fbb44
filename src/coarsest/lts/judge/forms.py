"""The formulas that relations preserve. A formula that may also distinguish related graphs shows nothing.

    bisimulation            all
    branching bisimulation  modalities (φ U <a>ψ); with divergence also diverges(φ)
    weak bisimulation       <<a>>φ where silent steps are free after the action, too; with divergence also diverges(φ) where φ is
                            about the states that silent steps lead to
    simulation              <a>φ and deadlock, without negation; finite simulation without deadlock
    coupled simulation      those of weak bisimulation, with negations only of states that silent steps lead to
    weak simulation         those of weak bisimulation without negation
    weak traces             one modality after the other, beside labels only
    failures                <a> after <a>, and refusals [a]false at the end
    weak failures           <<a>> after <<a>>, and at the end, after silent steps, refusals and [i]false; with divergence also
                            diverges(true)
    impossible futures      <<a>> after <<a>>, and at the end, after silent steps, negations of such paths
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from coarsest.logic.modal.hennessy_milner import MODAL, Formula, ModalNode
from coarsest.lts.labelled import INTERNAL

FORMS: Mapping[str, str] = MappingProxyType({"diamond": "<a>", "until": "U", "diverges": "diverges", "deadlock": "deadlock"})
Nodes: TypeAlias = tuple[ModalNode, ...]
Rule: TypeAlias = Callable[[Nodes, ModalNode], str]
"""A rule returns the form of a node that the relation does not preserve, or an empty text."""


def _modalities(kinds: frozenset[str], nodes: Nodes, node: ModalNode) -> str:
    return FORMS[node.kind] if node.kind in MODAL and node.kind not in kinds else ""


def _free_of_silence(nodes: Nodes, number: int) -> bool:
    """Does the form of a formula show that it is true wherever silent steps lead to a state in which it is true?"""
    node = nodes[number]
    return node.kind == "true" or (node.kind == "until" and nodes[node.parts[0]].kind == "true")


def _weak(kinds: frozenset[str], nodes: Nodes, node: ModalNode) -> str:
    if node.kind == "until" and nodes[node.parts[0]].kind != "true":
        return FORMS["until"]
    if node.kind == "until" and node.name not in INTERNAL and not _free_of_silence(nodes, node.parts[1]):
        return "<<a>> without silent steps after it"
    if node.kind == "diverges" and not _free_of_silence(nodes, node.parts[0]):
        return "diverges of the states on the way"
    return _modalities(kinds, nodes, node)


def _positive(rule: Rule, nodes: Nodes, node: ModalNode) -> str:
    return "!" if node.kind == "not" else rule(nodes, node)


def _denied(nodes: Nodes, number: int) -> bool:
    """Is a formula a negation, or a conjunction with one?"""
    node = nodes[number]
    return node.kind == "not" or (node.kind == "and" and any(nodes[part].kind == "not" for part in node.parts))


def _coupled(rule: Rule, nodes: Nodes, node: ModalNode) -> str:
    """Negations are allowed below <<i>>, and beside negations only."""
    silent = node.kind == "until" and node.name in INTERNAL
    denied = [part for part in node.parts if _denied(nodes, part)]
    alone = node.kind == "and" and all(nodes[part].kind == "not" for part in node.parts)
    if (denied and not silent and not alone) or (node is nodes[-1] and _denied(nodes, len(nodes) - 1)):
        return "! that is not below <<i>>"
    return rule(nodes, node)


def _everywhere(rule: Rule, nodes: Nodes) -> str:
    return next((problem for node in nodes if (problem := rule(nodes, node))), "")


End: TypeAlias = Callable[[Nodes, list[int], str], str]
"""The problem with the conjuncts at the end of a path, after a modality with some action."""


def _path(modality: str, end: End, nodes: Nodes, number: int | None = None) -> str:
    """Follow a formula while one modality follows another, with labels beside it; then check its end."""
    number, before = len(nodes) - 1 if number is None else number, ""
    while True:
        parts = nodes[number].parts if nodes[number].kind == "and" else (number,)
        rest = [part for part in parts if nodes[part].kind not in ("label", "true")]
        if len(rest) != 1 or nodes[rest[0]].kind != modality:
            return end(nodes, rest, before)
        node = nodes[rest[0]]
        problem = _weak(frozenset({"until"}), nodes, node) if modality == "until" else ""
        if problem:
            return problem
        number, before = node.parts[-1], node.name


def _nothing(nodes: Nodes, rest: list[int], before: str) -> str:
    return "&" if rest else ""


def _refusals(nodes: Nodes, rest: list[int], before: str) -> str:
    steps = [nodes[nodes[part].parts[0]] for part in rest if nodes[part].kind == "not"]
    wrong = any(step.kind != "diamond" or nodes[step.parts[0]].kind != "true" for step in steps)
    return "what is no refusal" if wrong or len(steps) < len(rest) else ""


def _stable_refusals(nodes: Nodes, rest: list[int], before: str) -> str:
    problem = _refusals(nodes, rest, before)
    if problem or not rest:
        return problem
    stable = any(nodes[nodes[part].parts[0]].name in INTERNAL for part in rest)
    return "" if stable and before in INTERNAL else "a refusal by a state that may have internal steps"


def _refusals_or_divergence(nodes: Nodes, rest: list[int], before: str) -> str:
    if len(rest) == 1 and nodes[rest[0]].kind == "diverges":
        return "" if nodes[nodes[rest[0]].parts[0]].kind == "true" else "diverges of the states on the way"
    return _stable_refusals(nodes, rest, before)


def _futures(nodes: Nodes, rest: list[int], before: str) -> str:
    if rest and before not in INTERNAL:
        return "what is impossible without silent steps before"
    if any(nodes[part].kind != "not" for part in rest):
        return "&"
    return next((problem for part in rest if (problem := _path("until", _nothing, nodes, nodes[part].parts[0]))), "")


_UNTIL = frozenset({"until"})
RULES: Mapping[str, Callable[[Nodes], str]] = MappingProxyType(
    {
        "bisimulation": partial(_everywhere, partial(_modalities, MODAL)),
        "branching-bisimulation": partial(_everywhere, partial(_modalities, _UNTIL)),
        "branching-bisimulation-divergence": partial(_everywhere, partial(_modalities, _UNTIL | {"diverges"})),
        "weak-bisimulation": partial(_everywhere, partial(_weak, _UNTIL)),
        "weak-bisimulation-divergence": partial(_everywhere, partial(_weak, _UNTIL | {"diverges"})),
        "coupled-simulation": partial(_everywhere, partial(_coupled, partial(_weak, _UNTIL))),
        "weak-simulation": partial(_everywhere, partial(_positive, partial(_weak, _UNTIL))),
        "simulation": partial(_everywhere, partial(_positive, partial(_modalities, frozenset({"diamond", "deadlock"})))),
        "finite-simulation": partial(_everywhere, partial(_positive, partial(_modalities, frozenset({"diamond"})))),
        "traces": partial(_path, "diamond", _nothing),
        "weak-traces": partial(_path, "until", _nothing),
        "failures": partial(_path, "diamond", _refusals),
        "weak-failures": partial(_path, "until", _stable_refusals),
        "failures-divergence": partial(_path, "until", _refusals_or_divergence),
        "impossible-futures": partial(_path, "until", _futures),
    }
)


def sees_too_much(relation: str, formula: Formula) -> str:
    """The form of a part of a formula that a relation does not preserve; empty if there is none, or no rule for the relation."""
    rule = RULES.get(relation)
    return "" if rule is None else rule(formula.nodes)
