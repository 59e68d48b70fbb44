"""The structures of Bustan 2002 as models: the family of chapter 2, and the examples of figures 3.4, 3.6 and 4.5.

The figures' arrows are not in the text of the thesis; ours are such that all that the text says of the examples is true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations


def layer_sizes(n: int) -> list[int]:
    """How many states the layers 1 to n have: two, and then one for each set of states of the layer below, but the empty one.

    >>> layer_sizes(4)
    [2, 3, 7, 127]
    """
    sizes = [2]
    while len(sizes) < n:
        sizes.append(2 ** sizes[-1] - 1)
    return sizes


def states_of(n: int) -> int:
    """How many states M_n has: all layers, and the initial state above them."""
    return sum(layer_sizes(n)) + 1


def classes_of(n: int) -> int:
    """How many of them are not bisimilar: the relation is total, so that the lowest states have steps to themselves; and a state
    whose only successor is the lower one without label is bisimilar to it, one in each layer above the first."""
    return states_of(n) - (n - 1)


def family(n: int) -> str:
    """M_n as SMV text. A state of the highest layer is the set of its successors, in as many bits; the others are numbers."""
    if n == 1:
        return _structure({"0": (2,), "a": (0,)}, {0: (0,), 1: (1,), 2: (0, 1)}, initial=2)
    edges: dict[int, tuple[int, ...]] = {0: (0,), 1: (1,)}
    lowest = 0
    for size in layer_sizes(n - 1)[:-1]:
        below = range(lowest, lowest + size)
        lowest += size
        for number, targets in enumerate(_sets(below), start=lowest):
            edges[number] = targets
    below = range(lowest, len(edges))
    above, first = len(edges), len(edges) + 1
    bits = [f"b{number}" for number in below]
    cases = [f"at = {source} : {{{', '.join(map(str, targets))}}};" for source, targets in edges.items()]
    cases += [f"at = {above} : {below[0]}..{below[-1]};", f"at = {first} : {above};"]
    return "\n".join([
        "MODULE main", "VAR", f"  at : 0..{first};", *(f"  {bit} : boolean;" for bit in bits),
        "DEFINE", "  a := at = 0;",
        "ASSIGN", f"  init(at) := {first};", "  next(at) := case", *(f"    {line}" for line in cases), "  esac;",
        f"INVAR at = {above} -> {' | '.join(bits)}", *(f"INVAR {bit} -> at = {above}" for bit in bits),
        *(f"TRANS at = {above} & next(at) = {number} -> {bit}" for number, bit in zip(below, bits)),
        "",
    ])  # fmt: skip


def _sets(states: Sequence[int]) -> list[tuple[int, ...]]:
    """All sets of states but the empty one."""
    return [some for size in range(1, len(states) + 1) for some in combinations(states, size)]


def _structure(labels: Mapping[str, Sequence[int]], edges: Mapping[int, Sequence[int]], initial: int) -> str:
    """A structure of a few numbered states; each has one of the labels."""
    cases = [f"    at = {source} : {{{', '.join(map(str, targets))}}};" for source, targets in edges.items()]
    names = [name for name in labels if name.isidentifier()]
    return "\n".join([
        "MODULE main", "VAR", f"  at : {min(edges)}..{max(edges)};",
        "DEFINE", *(f"  {name} := at in {{{', '.join(map(str, labels[name]))}}};" for name in names),
        "ASSIGN", f"  init(at) := {initial};", "  next(at) := case", *cases, "  esac;", "",
    ])  # fmt: skip


def chain(n: int) -> str:
    """M_n of figure 4.5: n fair states with an a lead to one with a b; beside each of them but the first there is one that is not
    fair, where the adversary may wait."""
    moves = " ".join(f"at = {i} & !waits : {i + 1};" for i in range(n))
    return f"""MODULE main
VAR at : 0..{n}; waits : boolean;
DEFINE a := at < {n}; b := at = {n};
ASSIGN init(at) := 0; next(at) := case {moves} TRUE : at; esac;
init(waits) := FALSE; next(waits) := at >= {n - 1} ? FALSE : {{FALSE, TRUE}};
FAIRNESS !waits;
"""


FIGURE_3_4 = _structure(
    {"a": (1,), "b": (2, 3, 11), "c": (4, 5, 6), "d": (7, 8), "e": (9, 10)},
    {1: (2, 3, 11), 2: (4, 5), 3: (5, 6), 11: (4,), 4: (7,), 5: (8, 9), 6: (10,), 7: (8,), 8: (7,), 9: (10,), 10: (9,)},
    initial=1,
)
FIGURE_3_6 = _structure(
    {"a": (0, 1, 2), "b": (3, 4, 5), "c": (6, 7), "d": (8, 9)},
    {0: (1, 2), 1: (4,), 2: (3, 4), 3: (6,), 4: (7, 8), 5: (9,), 6: (3,), 7: (4,), 8: (9,), 9: (8,)},
    initial=0,
)
