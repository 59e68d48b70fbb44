"""The relations between graphs: the one table that all others take their words from.

A relation is a line here, and a file with the functions that the line names. `Graph.reduce`, `compare`, the words of `--by` with
their hints, the list of algorithms, the documentation's table and the law tests come from it. Functions are named, not imported,
so that whoever only needs the words loads nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec import Struct

from coarsest.errors import InputError, Unsupported
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.lts.certificates import GraphCertificate
    from coarsest.lts.compare.comparison import Comparison
    from coarsest.lts.fair import FairGraph
    from coarsest.lts.judge.confirm_graphs import Judge
    from coarsest.lts.labelled import Graph
    from coarsest.lts.minimise.minimise import Minimised
    from coarsest.run import Run

Work: TypeAlias = str | Callable[..., Any]
"""A function, or where it is: `module:name`, below this package."""


class Method(NamedTuple):
    """An algorithm that a relation is computed by: what for, chosen by which command, and the file with its header."""

    name: str
    task: str
    command: str
    file: str


class Relation(Struct, frozen=True, kw_only=True):
    """A relation between graphs: what it means, and what computes it. Every function also gets the `options`."""

    name: str
    related: str
    """Which graphs are related, in the words of the documentation."""
    told_apart: str
    """What is shown where they are not."""
    compare: Work
    """(two graphs side by side, states of the first, run) → Comparison; with `preorder`, if the relation has one."""
    judge: Work
    """(transitions, certificate) → Outcome. It shares nothing with the other functions."""
    evidence: str = "partition"
    """The kind of certificate that shows that graphs are related."""
    further_evidence: tuple[str, ...] = ()
    """Other kinds of certificates about it, such as those that show that graphs are not related."""
    fair: bool = False
    """Is it about fair paths? Then `compare` is (fair graph, fair graph, run) → Comparison."""
    minimise: Work | None = None
    """(graph, keep_unreachable, run) → Minimised; with `algorithm`, if there is a choice. None if no graph is reduced by it."""
    certify: Work | None = None
    """(tidied graph, run, minimal) → a certificate about the states of one graph."""
    preserves: str = ""
    """The logic whose formulas are true of both or of none of two related graphs."""
    preorder: bool = False
    """Can it be asked in one direction, too?"""
    internal: bool = False
    """Does it abstract from internal actions?"""
    implies: tuple[str, ...] = ()
    """The coarser relations next to it."""
    choices: Mapping[str, str] = {}
    """The algorithms that one can choose from, with a line about each: `auto` and others, or none."""
    methods: tuple[Method, ...] = ()
    options: Mapping[str, Any] = {}

    def compared(self, first: Graph | FairGraph, second: Graph | FairGraph, run: Run, *, preorder: bool) -> Comparison:
        """Two graphs, side by side unless it is about fair paths."""
        from coarsest.lts.fair import as_fair, as_plain
        from coarsest.lts.union import side_by_side

        direction = {"preorder": preorder} if self.preorder else {}
        work = partial(_function(self.compare), **direction, **self.options)
        comparison: Comparison
        if self.fair:
            comparison = work(as_fair(first), as_fair(second), run)
        else:
            one, other = as_plain(first), as_plain(second)
            comparison = work(side_by_side(one, other), one.states, run)
        return comparison

    def minimised(self, graph: Graph, *, algorithm: str = "auto", keep_unreachable: bool, run: Run | None) -> Minimised:
        """The smallest graph that is related to a given one."""
        if algorithm != "auto" and not self.choices:
            raise InputError(f"there is one algorithm for {self.name}, not a choice", hint="leave the algorithm out")
        if self.choices and algorithm not in self.choices:
            hint = f"algorithms are {', '.join(self.choices)}"
            raise InputError(f"there is no algorithm {algorithm!r} for graphs", hint=hint)
        assert self.minimise is not None, "a relation that graphs are reduced by"
        choice = {"algorithm": algorithm} if self.choices else {}
        work = _function(self.minimise)
        smallest: Minimised = work(graph, keep_unreachable=keep_unreachable, run=run, **choice, **self.options)
        return smallest

    def certified(self, graph: Graph, run: Run, *, minimal: bool) -> GraphCertificate:
        if self.certify is None:
            raise Unsupported(f"there are no certificates of one graph by {self.name}")
        certificate: GraphCertificate = _function(self.certify)(graph, run, minimal=minimal, **self.options)
        return certificate


def _function(work: Work) -> Callable[..., Any]:
    if not isinstance(work, str):
        return work
    from importlib import import_module

    module, _, name = work.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"coarsest.lts.{module}"), name)
    return function


BUILT_IN = (
    Relation(
        name="bisimulation", preserves="the modal mu-calculus",
        related="states that answer each other's steps, for ever", told_apart="a formula of least depth",
        minimise="minimise.minimise:minimise", compare="compare.compare_by_partition:compare_by_bisimulation",
        certify="compare.compare_by_partition:certify_bisimulation", judge="judge.partitions:confirm_partition",
        implies=("branching-bisimulation-divergence", "ready-simulation"),
        choices={
            "auto": "`signatures`; where they take long, `valmari` goes on",
            "signatures": "split all blocks at once, in rounds",
            "valmari": "split by one block after the other, the smaller ones first",
        },
        methods=(
            Method("signatures", "minimise graphs", "reduce --algorithm signatures", "_kernels/partition/signatures.py"),
            Method("valmari", "minimise graphs", "reduce --algorithm valmari", "_kernels/partition/valmari.py"),
            Method("signature-rounds", "tell graphs apart", "compare --by bisimulation", "lts/rounds/signatures_blom_orzan.py"),
            Method("cleaveland", "tell graphs apart", "compare --by bisimulation", "lts/rounds/distinguish_cleaveland.py"),
        ),
    ),
    Relation(
        name="branching-bisimulation", preserves="divergence-blind CTL* without X", internal=True,
        related="the same, where internal steps that change nothing do not count", told_apart="a formula with `U`",
        minimise="branching.branching_bisimulation:minimise_by_branching_bisimulation",
        compare="compare.compare_by_partition:compare_by_branching_bisimulation",
        certify="compare.compare_by_partition:certify_branching_bisimulation", judge="judge.partitions:confirm_partition",
        methods=(
            Method("branching-bisimulation", "shrink graphs", "reduce --by branching-bisimulation",
                   "lts/branching/branching_bisimulation.py"),
        ),
    ),
    Relation(
        name="branching-bisimulation-divergence", preserves="CTL* without X", internal=True,
        related="the same, where internal steps for ever are different from nothing",
        told_apart="a formula with `U` and `diverges`",
        minimise="branching.branching_bisimulation:minimise_by_branching_bisimulation",
        compare="compare.compare_by_partition:compare_by_branching_bisimulation",
        certify="compare.compare_by_partition:certify_branching_bisimulation", judge="judge.partitions:confirm_partition",
        options={"divergence": True}, implies=("branching-bisimulation",),
    ),
    Relation(
        name="simulation", preserves="ACTL* and ECTL*", preorder=True, evidence="simulation",
        related="graphs that simulate each other", told_apart="a formula of least depth without negation",
        minimise="simulation.smallest_bustan_grumberg:minimise_by_simulation",
        compare="compare.compare_by_preorder:compare_by_simulation", certify="compare.compare_by_preorder:certify_simulation",
        judge="judge.relations:confirm_simulation", implies=("language", "direct"),
        methods=(
            Method("ranzato-tapparo", "find the simulation preorder", "compare --by simulation",
                   "lts/simulation/preorder_ranzato_tapparo.py"),
            Method("bustan-grumberg", "shrink graphs", "reduce --by simulation", "lts/simulation/smallest_bustan_grumberg.py"),
            Method("simulation-game", "tell graphs apart", "compare --by simulation", "lts/simulation/distinguish_by_game.py"),
        ),
    ),
    Relation(
        name="ready-simulation", preorder=True, evidence="simulation",
        related="the same, with the same actions possible at each step",
        told_apart="a formula whose only negations are `[a]false`",
        compare="compare.compare_by_preorder:compare_by_simulation", judge="judge.relations:confirm_simulation",
        options={"ready": True}, implies=("simulation",),
    ),
    Relation(
        name="language", preorder=True, evidence="inclusion",
        related="graphs with the same finite traces", told_apart="a shortest trace",
        compare="compare.compare_by_preorder:compare_by_language", judge="judge.inclusions:confirm_inclusion",
        methods=(Method("antichains", "tell graphs apart", "compare --by language", "lts/language/inclusion_antichains.py"),),
    ),
    Relation(
        name="direct", preorder=True, fair=True, evidence="simulation", further_evidence=("strategy",), implies=("delay",),
        related="the same as simulation, with fair states answered by fair states", told_apart="a strategy of the spoiler",
        compare="compare.compare_fair_graphs:compare_by_direct_simulation", judge="judge.strategies:confirm_fair_simulation",
    ),
    Relation(
        name="delay", preorder=True, fair=True, evidence="strategy", implies=("game",),
        related="the same, with fair states answered at once or later", told_apart="a strategy of the spoiler",
        compare="compare.compare_fair_graphs:compare_by_fair_game", judge="judge.strategies:confirm_fair_simulation",
        options={"by": "delay"},
    ),
    Relation(
        name="game", preorder=True, fair=True, evidence="strategy", implies=("exists",),
        related="the same, with fair paths answered by fair paths", told_apart="a strategy of the spoiler",
        compare="compare.compare_fair_graphs:compare_by_fair_game", judge="judge.strategies:confirm_fair_simulation",
        options={"by": "game"},
        methods=(
            Method("fair-simulation-game", "find fair simulations", "compare --by game", "lts/games/simulation_game.py"),
            Method("zielonka", "solve parity games", "compare --by game", "lts/games/parity_zielonka.py"),
        ),
    ),
    Relation(
        name="exists", preorder=True, fair=True, evidence="answers", further_evidence=("strategy", "lassos"),
        related="the same, where answers to a path may depend on all of it", told_apart="lassos without an answer",
        compare="compare.compare_fair_graphs:compare_by_answers", judge="judge.fair_answers:confirm_answers",
        methods=(Method("fair-answers", "find fair simulations", "compare --by exists", "lts/language/fair_inclusion.py"),),
    ),
)  # fmt: skip

_RELATIONS: ContextVar[tuple[Relation, ...]] = ContextVar("relations", default=BUILT_IN)


@contextmanager
def registered(*more: Relation) -> Iterator[None]:
    """Further relations, known as long as the block lasts, where it lasts: in this thread."""
    token = _RELATIONS.set((*_RELATIONS.get(), *more))
    try:
        yield
    finally:
        _RELATIONS.reset(token)


def relations() -> Mapping[str, Relation]:
    """All relations by their names."""
    return {relation.name: relation for relation in _RELATIONS.get()}


def names(*, reducing: bool = False, preorder: bool = False) -> tuple[str, ...]:
    """The words that choose a relation: all, those that graphs are reduced by, or those that can be asked in one direction.

    >>> names(preorder=True)
    ('simulation', 'ready-simulation', 'language', 'direct', 'delay', 'game', 'exists')
    """
    return tuple(words(reducing=reducing, preorder=preorder))


def words(*, reducing: bool = False, preorder: bool = False) -> Mapping[str, str]:
    """The same, each with what it means."""
    listed = [one for one in _RELATIONS.get() if (one.preorder or not preorder) and (one.minimise or not reducing)]
    return {one.name: one.related for one in listed}


def algorithms() -> Mapping[str, str]:
    """The words that choose between algorithms for graphs, whatever the relation, each with a line about it."""
    lines: dict[str, str] = {}
    for one in _RELATIONS.get():
        lines |= {word: told for word, told in one.choices.items() if word not in lines}
    return lines


def relation_called(by: str, *, preorder: bool = False) -> Relation:
    """A relation, perhaps to be asked in one direction; complain if there is none."""
    by_name = relations()
    if by in names(preorder=preorder):
        return by_name[by]
    if by in by_name:
        raise InputError(f"'{by}' is an equivalence, not a preorder", hint=f"preorders are {', '.join(names(preorder=True))}")
    near = nearest(by, names(preorder=preorder))
    hint = f"did you mean '{near[0]}'?" if near else f"relations are {', '.join(names(preorder=preorder))}"
    raise InputError(f"there is no relation '{by}'", hint=hint)


def reduction_called(by: str) -> Relation:
    """A relation that graphs are reduced by; complain if there is none."""
    if by not in names(reducing=True):
        raise InputError(f"graphs are not reduced by {by!r}", hint=f"relations are {', '.join(names(reducing=True))}")
    return relations()[by]


def judge_of(certificate: GraphCertificate) -> Judge | None:
    """Who judges a certificate; None if it names no relation that certificates of its kind are about."""
    relation = relations().get(certificate.relation)
    if relation is None or certificate.kind not in (relation.evidence, *relation.further_evidence):
        return None
    return _function(relation.judge)
