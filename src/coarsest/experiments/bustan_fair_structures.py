"""Fair structures, and whether what is done to make them smaller is safe: quotients, and disconnecting little brothers.

Reference: Bustan 2002, section 4.2, figures 4.1, 4.2 and 4.4. The edges of figures are not in the text; those here satisfy all
           that it says of them.
Symbols:   M₁ and M₂ as in the figures; a class is fair if it contains a fair state.
Invariant: –
Deviates:  structures have one fairness set and no actions, as in the thesis.
Cost:      that of the relation.
"""

from __future__ import annotations

from itertools import permutations
from random import Random
from time import process_time

import numpy as np

from coarsest.experiments.points import Facts
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.fair import FairGraph
from coarsest.lts.games.simulation_game import simulated_pairs
from coarsest.lts.labelled import Graph
from coarsest.lts.language.fair_inclusion import FairAnswers
from coarsest.lts.simulation.fair_quotients_bustan import Below, FairQuotient, disconnected, quotient, smaller
from coarsest.run import Run


def structure(labels: str, edges: str, fair: str, initial: str = "0") -> FairGraph:
    """States are digits, edges pairs of them, and labels letters, one for each state.

    >>> structure("ab", "01 10", "1")
    <FairGraph: 2 states, 2 transitions, 1 fairness set>
    """
    pairs = [(int(edge[0]), int(edge[1])) for edge in edges.split()]
    names = tuple(sorted(set(labels)))
    graph = Graph.from_edges(
        len(labels), [s for s, _ in pairs], [0] * len(pairs), [t for _, t in pairs], initial=list(map(int, initial)),
        labels=[names.index(label) for label in labels], label_names=names,
    )  # fmt: skip
    return FairGraph(graph, (np.array([str(state) in fair for state in range(len(labels))], dtype=np.bool_),))


FIGURES = {
    "4.1": structure("aba", "00 01 11 12 20 21", "2", "01"),
    "4.2, 1": structure("abbca", "01 02 10 13 30 24 42", "4"),
    "4.2, 2": structure("abbca", "01 10 13 14 30 24 42", "4"),
    "4.4, 1": structure("abcd", "01 12 22 03 33", "13"),
    "4.4, 2": structure("abcd", "01 12 22 03 33", "3"),
    "by all": structure("aaaa", "02 10 13 22 31", "0", "1"),
}
"""In figure 4.1, states 0 and 2 have the same successors, and a fair path visits 2, which is entered from 1 only. In figure 4.2,
states 0, 1 and 3 are a component with an a, a b and a c that is not fair, and 2 and 4 a fair one, entered from 0 or from 1. In
figure 4.4, no fair path visits states 1 and 2; state 1 is fair in one structure and not in the other. In the last structure,
which is ours, delay simulation makes states 1 and 3 one class. Only state 1 has a step to the fair state 0, so no fair state can
be reached in the quotient by all. Game and exists simulation make all states one class."""


def random_structure(random: Random, states: int = 6) -> FairGraph:
    """Total, with few labels, so that there is something to be merged."""
    count = random.randint(2, states)
    pairs = {(s, random.randrange(count)) for s in range(count)}
    pairs |= {(random.randrange(count), random.randrange(count)) for _ in range(random.randint(0, 2 * count))}
    graph = Graph.from_edges(
        count, [s for s, _ in pairs], [0] * len(pairs), [t for _, t in pairs], labels=[random.randrange(2) for _ in range(count)],
        label_names=("a", "b"),
    )  # fmt: skip
    return FairGraph(graph, (np.array([random.random() < 0.4 for _ in range(count)], dtype=np.bool_),))


def relation_of(by: str, fair: FairGraph, run: Run) -> Below:
    """Which states are below which."""
    if by != "exists":
        return simulated_pairs(by, fair, run)
    every = range(fair.graph.states)
    return FairAnswers(fair, every, every, run).related()[0]


def by_all(fair: FairGraph, small: FairQuotient) -> FairGraph:
    """Of a quotient, the transitions from one class to another that all states of the one have."""
    number, graph = small.fair.graph.states, fair.graph
    steps = np.zeros((graph.states, number), dtype=np.bool_)
    steps[graph.sources, small.state_of[graph.targets]] = True
    every = np.array([steps[small.state_of == one].all(axis=0) for one in range(number)])
    return FairGraph(small.fair.graph.only(every[small.fair.graph.sources, small.fair.graph.targets]), small.fair.fairness)


def isomorphic(first: FairGraph, second: FairGraph) -> bool:
    """Is there a renaming of states that makes one the other? All renamings are tried: for small structures."""
    one, other = (_edges_and_marks(fair) for fair in (first, second))
    if len(one[1]) != len(other[1]) or len(one[0]) != len(other[0]):
        return False
    return any(
        {(new[s], new[t]) for s, t in one[0]} == other[0] and all(one[1][s] == other[1][new[s]] for s in range(len(new)))
        for new in permutations(range(len(one[1])))
    )


def _edges_and_marks(fair: FairGraph) -> tuple[set[tuple[int, int]], list[tuple[str, bool, bool]]]:
    graph, first = fair.graph, set(fair.graph.initial.tolist())
    names = [graph.label_names[number] for number in graph.labels.tolist()]
    marks = [(name, bool(fair.fairness[0][state]), state in first) for state, name in enumerate(names)]
    return set(zip(graph.sources.tolist(), graph.targets.tolist())), marks


def doubled(fair: FairGraph, random: Random) -> FairGraph:
    """A structure with two copies of each state, of which a step leads to one or both."""
    graph, count = fair.graph, fair.graph.states
    pairs = [(s + count * copy, t + count * other) for s, t in zip(graph.sources.tolist(), graph.targets.tolist())
             for copy in (0, 1) for other in random.choice(((0,), (1,), (0, 1)))]  # fmt: skip
    both = Graph.from_edges(
        2 * count, [s for s, _ in pairs], [0] * len(pairs), [t for _, t in pairs],
        initial=[s + count * random.randrange(2) for s in graph.initial.tolist()], labels=np.tile(graph.labels, 2),
        label_names=graph.label_names,
    )  # fmt: skip
    return FairGraph(both, (np.tile(fair.fairness[0], 2),))


def measure(relation: str, question: str, *, run: Run, figure: str = "", structures: int = 0) -> Facts:
    """Is an operation safe? A figure can show that it is not; random structures can only make it likely that it is."""
    started, random, broken = process_time(), Random(run.seed), 0
    subjects = [FIGURES[figure]] if figure in FIGURES else [random_structure(random) for _ in range(structures)]
    for number, fair in enumerate(subjects):
        run.step("structures", looked_at=number, broken=broken)
        match question:
            case "quotient" | "quotient by all":
                united = quotient(fair, relation_of(relation, fair, run))
                small = united.fair if question == "quotient" else by_all(fair, united)
                broken += not compare_graphs(fair, small, by=relation, run=run).related
            case "little brothers":
                small = disconnected(fair, relation_of(relation, fair, run))
                broken += not compare_graphs(fair, small, by=relation, run=run).related
            case "unique smallest":
                first, second = (smaller(one, run, by="direct").fair for one in (fair, doubled(fair, random)))
                broken += not isomorphic(first, second)
    return {"safe": broken == 0, "structures": len(subjects), "broken": broken, "seconds": process_time() - started}


def measure_pair(relation: str, *, run: Run, figure: str, same: str) -> Facts:
    """Two structures of a figure: are they related, are they by the coarser relation `same`, and are they isomorphic?"""
    first, second = FIGURES[f"{figure}, 1"], FIGURES[f"{figure}, 2"]
    alike = compare_graphs(first, second, by=same, run=run).related
    below = compare_graphs(first, second, by=relation, preorder=True, run=run).related
    return {"safe": not alike or (below and isomorphic(first, second)), "structures": 2, "below": below, "alike": alike}
