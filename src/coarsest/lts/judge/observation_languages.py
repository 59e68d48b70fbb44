"""Does a formula mention only what an observer sees? This is computed from the formula alone, for every notion of the spectrum.

For the strong notions, a formula has a price in six coordinates, and each notion a budget:

    1  nested modalities                             4  modalities in all other positive parts of conjunctions
    2  nested conjunctions                           5  modalities in negative parts of conjunctions
    3  modalities in the deepest positive part       6  nested negations
       of a conjunction

A negation alone is a conjunction of one part. Labels cost nothing along a path; in a part of a conjunction they cost as much as a
modality, because an observer sees nothing but refused or offered actions there.

Notions that abstract from internal steps see <<a>>φ, which is (true U <a>φ), and

    delay-bisimulation       nothing else
    weak-bisimulation        if a is visible, only where φ begins with internal steps, or is true
    weak-simulation          the same, without negations; weak-traces also without conjunctions, but with labels
    coupled-simulation       the same, with negations, but only all parts of φ at once in <<i>>φ
    eta-bisimulation         the same as weak bisimulation, and <a>ψ among the parts of φ in <<i>>φ, if ψ is as there
    branching-bisimulation   (ψ U <a>φ) for any ψ; with divergence, diverges(φ)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from coarsest.logic.modal.hennessy_milner import Formula, ModalNode
from coarsest.lts.labelled import INTERNAL

ANY: Final = 1 << 60
"""No formula costs as much."""


class Price(NamedTuple):
    """The cost of a formula: the six coordinates, and the modalities together with the labels."""

    modalities: int = 0
    conjunctions: int = 0
    deepest: int = 0
    others: int = 0
    negative: int = 0
    negations: int = 0
    looks: int = 0


BUDGETS: Mapping[str, Price] = MappingProxyType(
    {
        "enabledness": Price(1, 0, 0, 0, 0, 0),
        "traces": Price(ANY, 0, 0, 0, 0, 0),
        "failures": Price(ANY, 1, 0, 0, 1, 1),
        "revivals": Price(ANY, 1, 1, 0, 1, 1),
        "readiness": Price(ANY, 1, 1, 1, 1, 1),
        "failure-traces": Price(ANY, ANY, ANY, 0, 1, 1),
        "ready-traces": Price(ANY, ANY, ANY, 1, 1, 1),
        "impossible-futures": Price(ANY, 1, 0, 0, ANY, 1),
        "possible-futures": Price(ANY, 1, ANY, ANY, ANY, 1),
        "finite-simulation": Price(ANY, ANY, ANY, ANY, 0, 0),
        "ready-simulation": Price(ANY, ANY, ANY, ANY, 1, 1),
        "2-nested-simulation": Price(ANY, ANY, ANY, ANY, ANY, 1),
        "bisimulation": Price(ANY, ANY, ANY, ANY, ANY, ANY),
    }
)
"""The budgets of the observers of each notion (Bisping 2023, Process equivalence problems as energy games, section 2)."""


def beyond(notion: str, formula: Formula) -> str:
    """The reason why the notion does not see a formula; an empty text if it does.

    >>> from coarsest.logic.modal.parse_modal import parse
    >>> from coarsest.text import Source
    >>> beyond("failures", parse(Source("", "<coin>[tea]false")))
    ''
    >>> beyond("traces", parse(Source("", "<coin>[tea]false")))
    'its conjunctions cost 1, and traces has 0'
    """
    if notion not in BUDGETS:
        return _Weak(formula).beyond(notion)
    if any(node.kind in ("until", "diverges") for node in formula.nodes):
        return f"it abstracts from internal steps, which {notion} does not"
    price, budget = price_of(formula), BUDGETS[notion]
    for name, cost, most in zip(Price._fields[:6], price, budget):
        if cost > most:
            return f"its {name} cost {cost}, and {notion} has {most}"
    return ""


def price_of(formula: Formula) -> Price:
    """The price of a formula."""
    prices: list[Price] = []
    for node in formula.nodes:
        prices.append(_price(node, formula.nodes, prices))
    return prices[-1] if formula.nodes[-1].kind != "not" else _conjunction([(prices[-1], False)])


def _price(node: ModalNode, nodes: tuple[ModalNode, ...], prices: list[Price]) -> Price:
    """The price of a node. A negation costs one negation more than its part; its users add the conjunction around it."""
    match node.kind:
        case "label":
            return Price(looks=1)
        case "diamond":
            inner = _alone(node.parts[0], nodes, prices)
            return inner._replace(modalities=inner.modalities + 1, looks=inner.looks + 1)
        case "not":
            inner = _alone(node.parts[0], nodes, prices)
            return inner._replace(negations=inner.negations + 1)
        case "and":
            labels = sum(nodes[part].kind == "label" for part in node.parts)
            parts = [part for part in node.parts if nodes[part].kind != "label"]
            price = Price() if not parts else _alone(parts[0], nodes, prices)
            if len(parts) > 1:
                price = _conjunction([(prices[part], nodes[part].kind != "not") for part in parts])
            return price._replace(looks=max(price.looks, 1 if labels else 0))
    return Price()


def _alone(part: int, nodes: tuple[ModalNode, ...], prices: list[Price]) -> Price:
    return _conjunction([(prices[part], False)]) if nodes[part].kind == "not" else prices[part]


def _conjunction(parts: list[tuple[Price, bool]]) -> Price:
    prices = [price for price, _ in parts]
    positive = sorted((price.looks for price, is_positive in parts if is_positive), reverse=True)
    negative = [price.looks for price, is_positive in parts if not is_positive]
    own = Price(
        conjunctions=1 + max(price.conjunctions for price in prices),
        deepest=positive[0] if positive else 0,
        others=positive[1] if len(positive) > 1 else 0,
        negative=max(negative, default=0),
    )
    return Price(*(max(column) for column in zip(own, *prices)))


WEAK = frozenset({"weak-traces", "weak-simulation", "coupled-simulation", "weak-bisimulation", "eta-bisimulation"})


class _Weak:
    """Finds the nodes of a formula about graphs with internal steps that a notion does not see."""

    def __init__(self, formula: Formula) -> None:
        self._nodes = formula.nodes
        self._users: list[list[int]] = [[] for _ in formula.nodes]
        for number, node in enumerate(formula.nodes):
            for part in node.parts:
                self._users[part].append(number)

    def beyond(self, notion: str) -> str:
        for number, node in enumerate(self._nodes):
            if node.kind == "until" and not notion.startswith("branching") and self._nodes[node.parts[0]].kind != "true":
                return f"{notion} does not see what is true along internal steps"
            if notion in WEAK and not self._ends_silently(number):
                return f"{notion} does not see what is true right after an action"
            if not self._is_for(notion, number):
                return f"{notion} does not see {node.kind}"
        return ""

    def _is_for(self, notion: str, number: int) -> bool:
        node = self._nodes[number]
        match node.kind:
            case "diamond":
                return notion == "eta-bisimulation" and self._after_silence(number, {"diamond"}, all_of_them=False)
            case "diverges":
                return notion == "branching-bisimulation-divergence"
            case "not":
                coupled = notion == "coupled-simulation" and self._after_silence(number, {"not"}, all_of_them=True)
                return coupled or notion not in ("weak-traces", "weak-simulation", "coupled-simulation")
            case "and":
                parts = [part for part in node.parts if self._nodes[part].kind != "label"]
                return notion != "weak-traces" or len(parts) < 2
        return True

    def _ends_silently(self, number: int) -> bool:
        """Is the formula after a visible action `true`, or does it begin with internal steps?"""
        node = self._nodes[number]
        if node.kind not in ("until", "diamond") or (node.kind == "until" and node.name in INTERNAL):
            return True
        after = self._nodes[node.parts[-1]]
        return after.kind == "true" or (after.kind == "until" and self._nodes[after.parts[0]].kind == "true")

    def _after_silence(self, number: int, kinds: set[str], *, all_of_them: bool) -> bool:
        """Is a node used in <<i>> only, alone or in a conjunction, perhaps of its kind only?"""
        for user in self._users[number]:
            if self._nodes[user].kind == "and":
                mixed = all_of_them and any(self._nodes[part].kind not in kinds for part in self._nodes[user].parts)
                if mixed or not self._users[user] or not all(map(self._is_silence, self._users[user])):
                    return False
            elif not self._is_silence(user):
                return False
        return bool(self._users[number])

    def _is_silence(self, number: int) -> bool:
        return self._nodes[number].kind == "until" and self._nodes[number].name in INTERNAL
