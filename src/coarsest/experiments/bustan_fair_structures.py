"""Fair structures, and whether what is done to make them smaller is safe: quotients, and disconnecting little brothers.

Reference: Bustan 2002, section 4.2, figures 4.1, 4.2 and 4.4. The edges of figures are not in the text; those here satisfy all
           that it says of them.
Symbols:   M₁ and M₂ as in the figures; a class is fair if it contains a fair state.
Invariant: –
Deviates:  structures have one fairness set and no actions, as in the thesis.
Cost:      that of the relation.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, permutations, repeat
from random import Random
from time import process_time

import numpy as np

from coarsest.api.assume import maximal_model
from coarsest.api.comparing.compare import compare
from coarsest.api.comparing.path_formulas import as_model, checked_fixpoints, checked_path_formula
from coarsest.api.model import loads
from coarsest.experiments import bustan_maximal
from coarsest.experiments.points import Facts
from coarsest.lts.certificates import LassoCertificate, StrategyCertificate
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.fair import FairGraph
from coarsest.lts.games.simulation_game import fair_side_by_side, simulated_pairs
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


def _guesses() -> FairGraph:
    """Each state has the letter b or c, and guesses the next one; it is fair if the guess before it was right."""
    states = [(letter, guess, right) for letter in "bc" for guess in "bc" for right in (False, True)]
    edges = [f"{i}{j}" for i, (_, guess, _) in enumerate(states) for j, (letter, _, right) in enumerate(states)
             if right == (letter == guess)]  # fmt: skip
    fair = "".join(str(i) for i, (_, _, right) in enumerate(states) if right)
    return structure("".join(letter for letter, _, _ in states), " ".join(edges), fair, "04")


FIGURES = {
    "4.1, M": structure("abab", "00 03 20 23 11 12 31 32", "23", "01"),
    "4.1, 1": structure("aba", "00 01 11 12 20 21", "2", "01"),
    "4.1, 2": structure("abb", "00 02 11 10 21 20", "2", "01"),
    "4.2, 1": structure("abbca", "01 02 10 13 30 24 42", "4"),
    "4.2, 2": structure("abbca", "01 10 13 14 30 24 42", "4"),
    "4.4, 1": structure("abcd", "01 12 22 03 33", "13"),
    "4.4, 2": structure("abcd", "01 12 22 03 33", "3"),
    "by all": structure("aaaa", "02 10 13 22 31", "0", "1"),
    "HKR97, 1": structure("bc", "00 01 10 11", "01", "01"),
    "HKR97, 2": _guesses(),
    "ASS94, 1": structure("ab", "00 01 10 11", "01"),
    "ASS94, 2": structure("aabb", "01 02 11 12 23 20 33 30", "13"),
}
"""In M of figure 4.1, states 0 and 2 have the same successors, and so have 1 and 3; the fair ones are entered when the letter
changes. M_1 has 1 instead of 3, and M_2 has 0 instead of 2 (its own state 2 is that 3): steps lead to the state that is left. In
figure 4.2,
states 0, 1 and 3 are a component with an a, a b and a c that is not fair, and 2 and 4 a fair one, entered from 0 or from 1. In
figure 4.4, no fair path visits states 1 and 2; state 1 is fair in one structure and not in the other. In the last structure,
which is ours, delay simulation makes states 1 and 3 one class. Only state 1 has a step to the fair state 0, so no fair state can
be reached in the quotient by all. Game and exists simulation make all states one class.

The last four are ours, in the place of those of Henzinger, Kupferman and Rajamani and of Aziz et al., which the thesis only
cites. In the second, whoever knows all that is to come guesses right for ever, but an adversary who knows the guess proves it
wrong. In the fourth, a path is fair if again and again a letter comes twice in a row."""


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
    """Is an operation safe? A figure can show that it is not; random structures can only make it likely that it is. A maximal
    model is safe if it simulates the structures that satisfy its formula, and no others; of those with fair paths everywhere."""
    started, random, broken = process_time(), Random(run.seed), 0
    drawn = (random_structure(random) for _ in repeat(None))
    usable = filter(is_fair_everywhere, drawn) if question == "maximal model" else drawn
    subjects = [FIGURES[figure]] if figure in FIGURES else list(islice(usable, structures))
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
            case "logic":
                broken += not told_apart(relation, fair, random_structure(random), run)
            case "maximal model":
                broken += not satisfied_below(relation, fair, random.choice(FORMULAS), run)
    shown = _shown_by(figure or "random", len(subjects))
    return {"safe": broken == 0, "shown_by": shown, "broken": broken, "seconds": process_time() - started}


def _shown_by(figure: str, structures: int) -> str:
    return f"{structures} random" if figure == "random" else figure if figure[0].isalpha() else f"figure {figure}"


FORMULAS = ("A [a U b]", "AG (a -> AF b)", "AF AG a", "AX b | AG a", "AG (b -> AX AX a)")


def told_apart(relation: str, first: FairGraph, second: FairGraph, run: Run) -> bool:
    """If one structure is not below the other, is there a formula of the logic that is true of it alone?"""
    comparison = compare_graphs(first, second, by=relation, preorder=True, run=run)
    match comparison.refutation:
        case StrategyCertificate():
            return checked_fixpoints(first, second, comparison.refutation) is not None
        case LassoCertificate():
            return checked_path_formula(first, second, comparison.refutation, run) is not None
    return True


def satisfied_below(relation: str, fair: FairGraph, formula: str, run: Run) -> bool:
    """Is a structure below the maximal model of a formula exactly if it satisfies it?"""
    model = loads(as_model(fair, {"a": "a", "b": "b"}))
    largest = maximal_model(f"({formula}) & (a | !a) & (b | !b)", run=run).model
    below = compare(model, largest, by=relation, preorder=True, observe=["a", "b"], run=run)
    return below.related == model.check(formula, run=run).holds


def is_fair_everywhere(fair: FairGraph) -> bool:
    """Does a fair path start in every state that can be reached?"""
    logic, reached = _Operators(fair), _bits(fair.graph.initial.tolist())
    while (more := reached | logic.after(reached)) != reached:
        reached = more
    return not reached & ~logic.alive


def measure_chain(by: str, *, run: Run) -> Facts:
    """Lemma 4.3.14: M_9 satisfies the formula, but the maximal model, which has eight states, is not above it."""
    facts = bustan_maximal.measure(bustan_maximal.STATES + 1, by, run=run)
    return {"safe": facts["below"], "shown_by": _shown_by("4.5", 1), "seconds": facts["seconds"]}


def measure_time(relation: str, states: int, *, run: Run) -> Facts:
    """CPU seconds for the preorder of one random structure."""
    random = Random(run.seed)
    sources = [s for s in range(states) for _ in (0, 1)]
    graph = Graph.from_edges(
        states, sources, [0] * len(sources), [random.randrange(states) for _ in sources],
        labels=[random.randrange(2) for _ in range(states)], label_names=("a", "b"),
    )  # fmt: skip
    fair = FairGraph(graph, (np.array([random.random() < 0.4 for _ in range(states)], dtype=np.bool_),))
    started = process_time()
    below = np.asarray(relation_of(relation, fair, run))
    seconds = process_time() - started
    return {"seconds": seconds, "pairs": int(below.sum()), "reflexive": bool(below.diagonal().all())}


def measure_order(first: str, second: str, by: str, *, run: Run) -> Facts:
    """Is one structure below another one, by a relation, or by all formulas of ECTL?"""
    one, other = FIGURES[first], FIGURES[second]
    if by != "ECTL":
        comparison = compare_graphs(one, other, by=by, preorder=True, run=run)
        return {"below": comparison.related}
    both = fair_side_by_side(one, other)
    sets = ectl_sets(both, run)
    starts = both.graph.initial.tolist()
    left, right = (_bits(s for s in starts if (s >= one.graph.states) == side) for side in (False, True))
    return {"below": all(right & true_of for true_of in sets if left & true_of), "sets": len(sets)}


class _Operators:
    """EX, EU and EG over fair paths, on sets of states as bits."""

    def __init__(self, fair: FairGraph) -> None:
        graph = fair.graph
        self._steps = list(zip(graph.sources.tolist(), graph.targets.tolist()))
        self._fairness = [_bits(np.flatnonzero(members).tolist()) for members in fair.fairness]
        self.every = _bits(range(graph.states))
        self.alive = self.always(self.every)

    def before(self, states: int) -> int:
        return _bits(source for source, target in self._steps if states >> target & 1)

    def after(self, states: int) -> int:
        return _bits(target for source, target in self._steps if states >> source & 1)

    def until(self, along: int, end: int) -> int:
        reached = end
        while (more := reached | (along & self.before(reached))) != reached:
            reached = more
        return reached

    def always(self, states: int) -> int:
        """Where a fair path through these begins."""
        while True:
            fewer = states
            for members in self._fairness:
                fewer &= self.before(self.until(fewer, fewer & members))
            if fewer == states:
                return states
            states = fewer


def ectl_sets(fair: FairGraph, run: Run) -> set[int]:
    """Every set of states, as bits, that some formula of ECTL is true of: what is seen, closed under the logic's operators."""
    graph, logic = fair.graph, _Operators(fair)
    labels = graph.labels.tolist()
    seen = {_bits(s for s in range(graph.states) if labels[s] == name) for name in set(labels)}
    sets = seen | {logic.every - one for one in seen}
    while True:
        run.step("formulas", sets=len(sets))
        more = sets | {logic.before(one & logic.alive) for one in sets} | {logic.always(one) for one in sets}
        for one in sets:
            for other in sets:
                release = logic.always(one) | logic.until(one, one & other & logic.alive)
                more |= {one & other, one | other, logic.until(one, other & logic.alive), release}
        if more == sets:
            return sets
        sets = more


def _bits(states: Iterable[int]) -> int:
    return sum(1 << state for state in set(states))


def measure_pair(relation: str, *, run: Run, figure: str, same: str) -> Facts:
    """Two structures of a figure: are they related, are they by the coarser relation `same`, and are they isomorphic?"""
    first, second = FIGURES[f"{figure}, 1"], FIGURES[f"{figure}, 2"]
    alike = compare_graphs(first, second, by=same, run=run).related
    below = compare_graphs(first, second, by=relation, preorder=True, run=run).related
    safe = not alike or (below and isomorphic(first, second))
    return {"safe": safe, "shown_by": _shown_by(figure, 2), "below": below, "alike": alike}
