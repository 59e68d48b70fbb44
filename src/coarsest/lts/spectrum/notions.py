"""The notions of the spectrum, which define when two graphs are alike, from the finest to the coarsest, with implications.

Reference: van Glabbeek 1990, The linear time – branching time spectrum; 1993, part II, for internal steps. Revivals are those
of Roscoe 2009, coupled simulation that of Parrow and Sjödin 1992.

A graph is below another if the other has all observations that it has. `sees` describes the observations of a notion in words,
`lts/judge/observation_languages.py` as formulas. Labels are seen wherever an observer goes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec import Struct


class Notion(Struct, frozen=True):
    """A notion: the observations that it allows, and the coarser notions next to it."""

    name: str
    sees: str
    implies: tuple[str, ...] = ()
    weak: bool = False
    """Does the notion abstract from internal steps?"""


NOTIONS = (
    Notion("bisimulation", "everything that can be tried, refused, and tried again",
           ("2-nested-simulation", "branching-bisimulation-divergence")),
    Notion("2-nested-simulation", "trees of what can be done, and such trees that cannot",
           ("ready-simulation", "possible-futures")),
    Notion("ready-simulation", "trees of what can be done, with the actions possible at each state",
           ("finite-simulation", "ready-traces")),
    Notion("possible-futures", "a trace, and all traces that are possible after it", ("impossible-futures", "readiness")),
    Notion("ready-traces", "a trace, with the actions possible at each state", ("failure-traces", "readiness")),
    Notion("failure-traces", "a trace, with actions refused at each state", ("revivals",)),
    Notion("readiness", "a trace, and the actions possible after it", ("revivals",)),
    Notion("revivals", "a trace, actions refused after it, and one that is not", ("failures",)),
    Notion("impossible-futures", "a trace, and traces that are not possible after it", ("failures",)),
    Notion("failures", "a trace, and actions refused after it", ("traces",)),
    Notion("finite-simulation", "trees of what can be done (van Glabbeek's simulation)", ("traces", "weak-simulation")),
    Notion("traces", "sequences of what can be done", ("enabledness", "weak-traces")),
    Notion("enabledness", "a first step"),
    Notion("branching-bisimulation-divergence", "the same as branching bisimulation, and internal steps that never end",
           ("branching-bisimulation",), weak=True),
    Notion("branching-bisimulation", "what stays possible along internal steps, and what they change",
           ("eta-bisimulation", "delay-bisimulation"), weak=True),
    Notion("eta-bisimulation", "what stays possible before an action", ("weak-bisimulation",), weak=True),
    Notion("delay-bisimulation", "what is possible right after an action", ("weak-bisimulation",), weak=True),
    Notion("weak-bisimulation", "what is possible and what is not, after any internal steps", ("coupled-simulation",), weak=True),
    Notion("coupled-simulation", "what is possible; and, after internal steps, what is not", ("weak-simulation",), weak=True),
    Notion("weak-simulation", "trees of visible actions", ("weak-traces",), weak=True),
    Notion("weak-traces", "sequences of visible actions", weak=True),
)  # fmt: skip
BY_NAME = {notion.name: notion for notion in NOTIONS}


@cache
def coarser(name: str) -> frozenset[str]:
    """All notions that a notion implies.

    >>> sorted(coarser("failures"))
    ['enabledness', 'traces', 'weak-traces']
    """
    near = BY_NAME[name].implies
    return frozenset(near).union(*map(coarser, near))


@cache
def finer(name: str) -> frozenset[str]:
    """All notions that imply a notion."""
    return frozenset(notion.name for notion in NOTIONS if name in coarser(notion.name))


def in_order(names: Iterable[str]) -> list[str]:
    """The notions of these names, the finest first."""
    members = set(names)
    return [notion.name for notion in NOTIONS if notion.name in members]
