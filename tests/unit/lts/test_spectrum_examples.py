"""Pairs of systems from the papers about the spectrum, each with the finest notions by which they are equivalent."""

from __future__ import annotations

import pytest

from coarsest.lts.compare.compare_by_spectrum import compare_by_spectrum
from coarsest.lts.spectrum.notions import NOTIONS, coarser
from terms import graph_of

STRONG = {
    # van Glabbeek 1990, The linear time – branching time spectrum
    "deadlock after a": ("a.b", "a.b + a", {"finite-simulation"}),
    "choice that refuses": ("a.b + a.(b + c)", "a.(b + c)", {"finite-simulation"}),
    "menu between two": ("a.b + a.c", "a.b + a.c + a.(b + c)", {"failure-traces", "impossible-futures"}),
    "menus exchanged": ("a.(b + c.d) + a.(f + c.e)", "a.(b + c.e) + a.(f + c.d)", {"readiness"}),
    "choice made early": ("a.b.c + a.b.d", "a.(b.c + b.d)", {"ready-traces"}),
    "one possibility less": ("a.b.c + a.(b.c + b.d)", "a.(b.c + b.d)", {"ready-simulation"}),
    "one refusal more": ("a.b.(c + d) + a.(b.(c + d) + b.c)", "a.(b.(c + d) + b.c)", {"2-nested-simulation"}),
    "the same twice": ("a.b + a.b", "a.b", {"bisimulation"}),
    "one action more": ("a", "a.b", {"enabledness"}),
    "nothing and something": ("0", "a", set()),
    # Roscoe 2009, Revivals, stuckness and the hierarchy of CSP models: what is offered where something is refused
    "a revival": ("a + a.(b + c)", "a + a.(b + c) + a.b", {"finite-simulation", "impossible-futures"}),
    "failures and readiness at once": (
        "x.(a.b + a.c) + y.(a.(b + c.d) + a.(f + c.e))",
        "x.(a.b + a.c + a.(b + c)) + y.(a.(b + c.e) + a.(f + c.d))",
        {"revivals"},
    ),
    "menus two by two": (
        "a.(b.(c + d) + b.(d + e)) + a.(b.(c + d) + b.(c + e))",
        "a.(b.(c + d) + b.(d + e)) + a.(b.(d + e) + b.(c + e))",
        {"possible-futures", "ready-traces"},
    ),
    "the same futures": ("a.c.d + a.(b + c) + a.(c + c.d)", "a.c.d + a.(b + c)", {"possible-futures", "finite-simulation"}),
}
WEAK = {
    # Milner's laws of the internal action (van Glabbeek, Weijland 1996, table 2)
    "after an action": ("a.tau.b", "a.b", {"branching-bisimulation-divergence"}),
    "second law": ("c + tau.b + b", "c + tau.b", {"delay-bisimulation"}),
    "third law": ("a.(tau.b + c) + a.b", "a.(tau.b + c)", {"eta-bisimulation"}),
    "both laws": ("a.(tau.b + c) + a.b + d + tau.e + e", "a.(tau.b + c) + d + tau.e", {"weak-bisimulation"}),
    # Parrow, Sjödin 1992: a choice in one step, or in two
    "gradual commitment": ("tau.a + tau.b + tau.c", "tau.a + tau.(tau.b + tau.c)", {"coupled-simulation"}),
    "a decision": ("a + b", "tau.a + tau.b + a + b", {"weak-simulation"}),
    "a tree": ("a.b + a.c + tau", "a.(b + c) + tau", {"weak-traces"}),
}


def equivalences(one: str, other: str, *, weak: bool) -> set[str]:
    spectrum = compare_by_spectrum(graph_of(one), graph_of(other))
    assert not weak or spectrum.silent
    return {row.notion.name for row in spectrum.rows if row.related and row.notion.weak == weak}


def with_coarser(names: set[str], *, weak: bool) -> set[str]:
    strength = {notion.name for notion in NOTIONS if notion.weak == weak}
    return names.union(*map(coarser, names)) & strength


@pytest.mark.parametrize("name", STRONG)
def test_strong(name: str) -> None:
    one, other, finest = STRONG[name]
    assert equivalences(one, other, weak=False) == with_coarser(finest, weak=False)


@pytest.mark.parametrize("name", WEAK)
def test_weak(name: str) -> None:
    one, other, finest = WEAK[name]
    assert equivalences(one, other, weak=True) == with_coarser(finest, weak=True)


def test_every_two_strong_notions_are_told_apart_by_an_example() -> None:
    strong = [notion.name for notion in NOTIONS if not notion.weak]
    related = {name: with_coarser(finest, weak=False) for name, (_, _, finest) in STRONG.items()}
    for finer in strong:
        for other in strong:
            if finer != other and other not in coarser(finer):
                assert any(finer in names and other not in names for names in related.values()), (finer, other)


FORMULAS = {
    ("a.b", "a.b + a", "failures", 1): "<a>[b]false",
    ("a.b + a.c", "a.b + a.c + a.(b + c)", "readiness", 1): "<a>(<b>true & <c>true)",
    ("a.(b + c.d) + a.(f + c.e)", "a.(b + c.e) + a.(f + c.d)", "failure-traces", 0): "<a>([f]false & <c>[e]false)",
    ("a.b.c + a.b.d", "a.(b.c + b.d)", "impossible-futures", 0): "<a>[b][d]false",
    ("a.b.c + a.(b.c + b.d)", "a.(b.c + b.d)", "2-nested-simulation", 0): "<a>[b][d]false",
    ("a.b.(c + d) + a.(b.(c + d) + b.c)", "a.(b.(c + d) + b.c)", "bisimulation", 0): "<a>[b]<d>true",
    ("tau.a + tau.b + tau.c", "tau.a + tau.(tau.b + tau.c)", "weak-bisimulation", 1):
        "<<tau>>(<<b>>true & <<c>>true & [[a]]false)",
}


@pytest.mark.parametrize("one, other, notion, way", FORMULAS)
def test_formulas(one: str, other: str, notion: str, way: int) -> None:
    verdict = compare_by_spectrum(graph_of(one), graph_of(other))[notion].ways[way]
    assert str(verdict.formula) == FORMULAS[one, other, notion, way]
    assert verdict.confirmed
