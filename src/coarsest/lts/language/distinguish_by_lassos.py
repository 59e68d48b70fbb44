"""A formula of ECTL* that is true in a state and false in others that are not above it by exists simulation, from lassos.

Reference: Bustan 2002, section 4.3.1 (definition 4.3.7 and lemma 4.3.6).
Symbols:   a lasso of level i + 1 from s against t is the trace of D_{i+1}(s, t), its levels are those of H_i; C(s) is C_i(s) with
           those D_i(s, t) only on which the lasso relies; cycle^j is the loop from its j-th state on.
Invariant: D(s, t) is true in s: the lasso itself satisfies the trace formula.
Deviates:  G(⋁ cycle^j) begins with the loop, and there the first cycle is asked for, or phases could be mixed up at once. Where
           the formulas C of two states of a loop are true together they still can, so that on levels above the first D(s, t) may
           be true in t: linear formulas cannot count. Whoever prints such a formula has to check it.
Cost:      a formula may be exponentially longer than its lassos, so that its length is limited.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from coarsest.lts.certificates import Lasso, LassoCertificate
from coarsest.lts.labelled import Graph
from coarsest.lts.language.fair_inclusion import relied_on

LONGEST: Final = 20_000
"""Formulas with more characters are not made: nobody would read them."""


def path_formula(both: Graph, refutation: LassoCertificate, atom: Callable[[str], str]) -> str | None:
    """The formula that there are such lassos, as a text; `atom` writes labels. None if it would be too long."""
    by_pair = {(one.state, one.against): one for one in refutation.lassos}
    texts: dict[tuple[int, int], str] = {}
    label = [atom(both.label_names[number]) if len(both.label_names) > 1 else "TRUE" for number in both.labels.tolist()]
    for lasso in sorted(refutation.lassos, key=lambda one: one.level):
        conditions: dict[int, list[str]] = defaultdict(list)
        for state, against in relied_on(both, lasso, by_pair):
            conditions[state].append(texts[state, against])
        text = _trace(lasso, lambda state, more=conditions: _all([label[state], *more[state]]))  # type: ignore[misc]
        if len(text) > LONGEST:
            return None
        texts[lasso.state, lasso.against] = text
    begins = [texts[pair] for pair in by_pair if pair[0] == refutation.begins and both.initial.tolist().count(pair[1])]
    return _all([label[refutation.begins], *dict.fromkeys(begins)])


def _trace(lasso: Lasso, condition: Callable[[int], str]) -> str:
    """E trace(s, t)."""
    states = [lasso.state, *(state for _, state in lasso.steps)]
    stem, loop = states[:-1], [states[-1], *(state for _, state in lasso.loop[:-1])]
    cycles = [_then(loop[turn:] + loop[:turn], condition) for turn in range(len(loop))]
    path = f"G {_any(cycles)}" if len(loop) == 1 else _all([cycles[0], f"G {_any(cycles)}"])
    for state in reversed(stem):
        path = _all([condition(state), f"X {path}"])
    return f"E {_bracketed(path)}"


def _then(states: Sequence[int], condition: Callable[[int], str]) -> str:
    path = condition(states[-1])
    for state in reversed(states[:-1]):
        path = _all([condition(state), f"X {path}"])
    return path


def _all(parts: Sequence[str]) -> str:
    distinct = [part for part in dict.fromkeys(parts) if part != "TRUE"] or ["TRUE"]
    return distinct[0] if len(distinct) == 1 else f"({' & '.join(distinct)})"


def _any(parts: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(parts))
    return _bracketed(distinct[0]) if len(distinct) == 1 else f"({' | '.join(distinct)})"


def _bracketed(text: str) -> str:
    return text if text.startswith("(") else f"({text})"
