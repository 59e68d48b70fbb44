"""Suggestions for unknown words."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final


def nearest(word: str, words: Iterable[str]) -> list[str]:
    """The word that an unknown word most likely means: it may be another tool's word, an abbreviation, or misspelt.

    >>> nearest("stat", ["state", "input"]), nearest("x", ["state", "input"])
    (['state'], [])
    >>> nearest("weak", ["weak-traces-of-actions", "weak-traces"]), nearest("strong", ["simulation", "bisimulation"])
    (['weak-traces'], ['bisimulation'])
    """
    names = list(words)
    ours = [name for name in ELSEWHERE.get(word, "").split() if name in names]
    if ours:
        return ours[:1]
    longer = [name for name in names if len(word) >= SHORTEST and name.startswith(word)]
    if longer:
        return [min(longer, key=len)]
    from difflib import get_close_matches  # costs start-up time, and is needed only when something is wrong

    return get_close_matches(word, names, 1, LIKENESS)


ELSEWHERE = MappingProxyType(
    {
        "strong": "bisimulation", "observational": "weak-bisimulation", "divbranching": "branching-bisimulation-divergence",
        "dpbranching-bisim": "branching-bisimulation-divergence", "dpweak-bisim": "weak-bisimulation-divergence",
        "weak": "weak-bisimulation", "trace": "traces", "language": "traces", "strong-bisim": "bisimulation",
        "minimize": "reduce", "minimise": "reduce", "minimization": "reduce", "quotient": "reduce", "ltsconvert": "reduce",
        "verify": "check", "prove-all": "check", "mc": "check", "model-check": "check", "bmc": "bmc check", "pdr": "ic3 check",
        "graph": "show", "draw": "show", "plot": "show", "dot": "show", "view": "show", "picture": "show", "render": "show",
        "run": "simulate", "walk": "simulate", "sim": "simulate", "trace-of": "simulate", "play": "simulate serve",
        "diff": "compare", "equiv": "compare", "equivalence": "compare", "bisim": "bisimulation compare", "ltscompare": "compare",
        "translate": "convert", "export": "convert", "flatten": "convert", "ltl2ba": "automaton", "ltl2tgba": "automaton",
        "ltl": "automaton", "states": "reach", "reachable": "reach", "explore": "reach", "gui": "serve", "web": "serve",
        "playground": "serve", "symmetries": "symmetry", "certify": "confirm", "validate": "confirm check",
        "bdd": "forward", "bdds": "forward", "symbolic": "forward", "sat": "bmc", "bounded": "bmc", "kind": "k-induction",
        "induction": "k-induction", "explicit": "explore", "bfs": "explore", "ic3ia": "ic3", "property-directed": "ic3",
        "read": "load", "open": "load", "parse": "loads", "from_file": "load", "from_string": "loads", "from_text": "loads",
        "reachability": "reach", "reachable_states": "reach", "random_walk": "simulate", "save": "write", "to_file": "write",
        "bound": "depth", "bmc_length": "depth", "bmc-length": "depth", "k": "depth", "steps": "depth", "length": "steps",
        "n": "steps", "timelimit": "timeout", "time-limit": "timeout", "time": "timeout", "memlimit": "memory",
        "memory-limit": "memory", "j": "jobs", "parallel": "jobs", "workers": "jobs", "p": "property", "prop": "property",
        "counterexamples": "traces", "f": "format",
        "output-file": "output", "out": "output", "silent": "quiet", "relation": "by", "equivalence-relation": "by",
    }
)  # fmt: skip
"""Words of other tools, and of newcomers, that do not begin like ours: for each, the words of ours that it may stand for."""
SHORTEST: Final = 3
"""The number of letters that an abbreviation needs: with fewer, too many names begin with it."""
LIKENESS: Final = 0.65
"""The least likeness of a suggestion. With less, `reach` was suggested for `graph`, though they share only three letters."""
