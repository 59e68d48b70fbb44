"""The relations between graphs: the one table that all other lists are made from.

A relation is a row here, and a file with the functions that the row names. `Graph.reduce`, `compare`, the words of `--by` with
their hints, the list of algorithms, the documentation's table and the law tests come from it. Functions are named, not imported,
so that code that only needs the words loads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from msgspec.structs import replace

from coarsest.errors import InputError
from coarsest.lts.relation import Method, Relation, Transformation, function_of
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.lts.certificates import GraphCertificate
    from coarsest.lts.judge.confirm_graphs import Judge

BUILT_IN = (
    Relation(
        name="bisimulation", preserves="the modal mu-calculus",
        related="states that can match each other's steps forever", told_apart="a formula of least depth",
        minimise="minimise.minimise:minimise", compare="compare.compare_by_partition:compare_by_bisimulation",
        certify="compare.compare_by_partition:certify_bisimulation", judge="judge.partitions:confirm_partition",
        implies=("branching-bisimulation-divergence", "ready-simulation"),
        choices={
            "auto": "`signatures`; where they take long, `valmari` goes on",
            "signatures": "split all blocks at once, in rounds",
            "valmari": "split by one block after the other, the smaller ones first",
            "rounds": "split all blocks at once, in rounds over whole arrays, as a GPU does",
        },
        methods=(
            Method("signatures", "minimise graphs", "reduce --algorithm signatures", "_kernels/partition/signatures.py"),
            Method("valmari", "minimise graphs", "reduce --algorithm valmari", "_kernels/partition/valmari.py"),
            Method("rounds", "minimise graphs", "reduce --algorithm rounds", "_kernels/arrays/rounds.py"),
            Method("signature-rounds", "tell graphs apart", "compare --by bisimulation", "lts/rounds/signatures_blom_orzan.py"),
            Method("cleaveland", "tell graphs apart", "compare --by bisimulation", "lts/rounds/distinguish_cleaveland.py"),
        ),
    ),
    Relation(
        name="branching-bisimulation", preserves="divergence-blind CTL* without X or actions", internal=True,
        implies=("weak-bisimulation",),
        related="the same, ignoring internal steps that change nothing", told_apart="a formula with `U`",
        minimise="branching.branching_bisimulation:minimise_by_branching_bisimulation",
        compare="compare.compare_by_partition:compare_by_branching_bisimulation",
        certify="compare.compare_by_partition:certify_branching_bisimulation", judge="judge.partitions:confirm_partition",
        methods=(
            Method("branching-bisimulation", "shrink graphs", "reduce --by branching-bisimulation",
                   "lts/branching/branching_bisimulation.py"),
            Method("bottom-states", "shrink graphs", "reduce --by branching-bisimulation", "_kernels/branching/branching.py"),
        ),
    ),
    Relation(
        name="branching-bisimulation-divergence", preserves="CTL* without X or actions", internal=True,
        related="the same, but internal steps forever (divergence) count",
        told_apart="a formula with `U` and `diverges`",
        minimise="branching.branching_bisimulation:minimise_by_branching_bisimulation",
        compare="compare.compare_by_partition:compare_by_branching_bisimulation",
        certify="compare.compare_by_partition:certify_branching_bisimulation", judge="judge.partitions:confirm_partition",
        options={"divergence": True}, implies=("branching-bisimulation", "weak-bisimulation-divergence"),
    ),
    Relation(
        name="weak-bisimulation", preserves="the modal mu-calculus of weak steps", internal=True,
        related="states that can match each other's steps forever, ignoring internal steps",
        told_apart="a formula of `<<a>>`", implies=("coupled-simulation",),
        minimise="weak.weak_bisimulation:minimise_by_weak_bisimulation",
        compare="compare.compare_by_weak_bisimulation:compare_by_weak_bisimulation",
        certify="compare.compare_by_weak_bisimulation:certify_weak_bisimulation",
        judge="judge.partitions:confirm_partition",
        methods=(
            Method("weak-signatures", "tell states apart by weak steps", "compare --by weak-bisimulation",
                   "lts/weak/rounds_of_weak_signatures.py"),
            Method("saturation", "find weak transitions", "compare --by weak-simulation", "lts/weak/saturated.py"),
            Method("essential-transitions", "shrink graphs", "reduce --by weak-bisimulation", "lts/weak/weak_bisimulation.py"),
        ),
    ),
    Relation(
        name="weak-bisimulation-divergence", preserves="the modal mu-calculus of weak steps and divergence", internal=True,
        related="the same, but internal steps forever (divergence) count",
        told_apart="a formula of `<<a>>` and `diverges`",
        minimise="weak.weak_bisimulation:minimise_by_weak_bisimulation",
        compare="compare.compare_by_weak_bisimulation:compare_by_weak_bisimulation",
        certify="compare.compare_by_weak_bisimulation:certify_weak_bisimulation",
        judge="judge.partitions:confirm_partition",
        options={"divergence": True}, implies=("weak-bisimulation", "weak-failures", "failures-divergence"),
    ),
    Relation(
        name="simulation", preserves="ACTL* and ECTL*", preserves_of_all="ACTL*", preorder=True, evidence="simulation",
        related="graphs that simulate each other; only a deadlock matches a deadlock",
        told_apart="a formula of least depth without negation, perhaps with `deadlock`",
        minimise="simulation.smallest_bustan_grumberg:minimise_by_simulation", quotients=True,
        compare="compare.compare_by_preorder:compare_by_simulation", certify="compare.compare_by_preorder:certify_simulation",
        judge="judge.relations:confirm_simulation", implies=("finite-simulation", "direct"), options={"stay": True},
        methods=(
            Method("ranzato-tapparo", "find the simulation preorder", "compare --by simulation",
                   "lts/simulation/preorder_ranzato_tapparo.py"),
            Method("listed-states", "find the simulation preorder", "compare --by simulation",
                   "lts/simulation/preorder_by_lists.py"),
            Method("bustan-grumberg", "shrink graphs", "reduce --by simulation", "lts/simulation/smallest_bustan_grumberg.py"),
            Method("simulation-game", "tell graphs apart", "compare --by simulation", "lts/simulation/distinguish_by_game.py"),
        ),
    ),
    Relation(
        name="ready-simulation", preorder=True, evidence="simulation",
        related="the same, and matching states offer the same actions",
        told_apart="a formula whose only negations are `[a]false`",
        compare="compare.compare_by_preorder:compare_by_simulation", judge="judge.relations:confirm_simulation",
        minimise="simulation.smallest_bustan_grumberg:minimise_by_simulation", quotients=True,
        preserves="formulas of <a>, & and [a]false",
        certify="compare.compare_by_preorder:certify_simulation", options={"ready": True}, implies=("simulation", "failures"),
    ),
    Relation(
        name="finite-simulation", preserves="formulas of <a> and &", preorder=True, evidence="simulation",
        related="graphs that simulate each other; any state matches a deadlock",
        told_apart="a formula of least depth of `<a>` and `&`",
        minimise="simulation.smallest_bustan_grumberg:minimise_by_simulation", quotients=True,
        compare="compare.compare_by_preorder:compare_by_simulation", certify="compare.compare_by_preorder:certify_simulation",
        judge="judge.relations:confirm_simulation", implies=("traces", "weak-simulation"),
    ),
    Relation(
        name="coupled-simulation", preorder=True, evidence="simulation", internal=True,
        related="the same, ignoring internal steps, by which the simulating state can become the simulated one",
        told_apart="a formula of `<<a>>` with negations below `<<i>>` only",
        compare="compare.compare_by_preorder:compare_by_coupled_simulation",
        judge="judge.weak_relations:confirm_weak_simulation", implies=("weak-simulation", "impossible-futures"),
        minimise="weak.transformations:minimise_by_coupled_simulation",
        preserves="formulas of <<a>>, & and negations below <<i>>",
        certify="compare.compare_by_preorder:certify_coupled_simulation",
        methods=(
            Method("bisping-nestmann", "find the coupled simulation", "compare --by coupled-simulation",
                   "lts/weak/coupled_bisping_nestmann.py"),
        ),
    ),
    Relation(
        name="weak-simulation", preorder=True, evidence="simulation", internal=True,
        related="graphs that simulate each other, ignoring internal steps",
        told_apart="a formula of `<<a>>` without negation",
        compare="compare.compare_by_preorder:compare_by_simulation", judge="judge.weak_relations:confirm_weak_simulation",
        minimise="weak.transformations:minimise_by_weak_simulation", preserves="formulas of <<a>> and &",
        certify="compare.compare_by_preorder:certify_simulation", options={"weak": True}, implies=("weak-traces",),
    ),
    Relation(
        name="traces", preorder=True, evidence="inclusion",
        related="graphs with the same finite traces", told_apart="a shortest trace",
        compare="compare.compare_by_preorder:compare_by_traces", judge="judge.inclusions:confirm_inclusion",
        minimise="language.determinise:minimise_by_traces", preserves="finite traces",
        certify="compare.compare_by_preorder:certify_traces",
        methods=(
            Method("antichains", "tell graphs apart", "compare --by traces", "lts/language/inclusion_antichains.py"),
            Method("determinise", "shrink graphs", "reduce --by traces", "lts/language/determinise.py"),
        ),
        implies=("weak-traces",),
    ),
    Relation(
        name="failures", preorder=True, evidence="inclusion",
        related="graphs that can refuse the same actions after the same traces",
        told_apart="a shortest trace, and actions that are refused after it",
        compare="compare.compare_by_failures:compare_by_failures", judge="judge.failures:confirm_failures",
        implies=("traces",),
        methods=(Method("refusals", "tell graphs apart", "compare --by failures", "lts/failures/refusals.py"),),
    ),
    Relation(
        name="weak-failures", preorder=True, evidence="inclusion", internal=True,
        related="the same, ignoring internal steps; only states without them refuse",
        told_apart="a shortest trace, and actions that are refused after it",
        compare="compare.compare_by_failures:compare_by_failures", judge="judge.failures:confirm_failures",
        options={"weak": True}, implies=("weak-traces",),
    ),
    Relation(
        name="failures-divergence", preorder=True, evidence="inclusion", internal=True,
        related="the same, and a state that can take internal steps forever may do and refuse anything",
        told_apart="a shortest trace, and actions that are refused after it, or `diverges`",
        compare="compare.compare_by_failures:compare_by_failures", judge="judge.failures:confirm_failures",
        options={"weak": True, "divergence": True},
    ),
    Relation(
        name="impossible-futures", preorder=True, evidence="inclusion", internal=True,
        related="graphs in which the same traces can become impossible after the same traces, ignoring internal steps",
        told_apart="a formula: a trace, and traces that are impossible after it",
        compare="compare.compare_by_failures:compare_by_impossible_futures",
        judge="judge.failures:confirm_impossible_futures", implies=("weak-traces",),
        methods=(
            Method("impossible-futures", "tell graphs apart", "compare --by impossible-futures",
                   "lts/failures/impossible_futures.py"),
        ),
    ),
    Relation(
        name="weak-traces", preorder=True, evidence="inclusion", internal=True,
        related="graphs with the same finite traces, ignoring internal steps", told_apart="a shortest trace",
        compare="compare.compare_by_preorder:compare_by_traces", judge="judge.inclusions:confirm_inclusion",
        minimise="language.determinise:minimise_by_traces", preserves="finite traces without internal steps",
        certify="compare.compare_by_preorder:certify_traces", options={"weak": True},
    ),
    Relation(
        name="direct", preorder=True, fair=True, evidence="simulation", further_evidence=("strategy",), implies=("delay",),
        related="the same as simulation, and only fair states match fair states", told_apart="a strategy of the spoiler",
        compare="compare.compare_fair_graphs:compare_by_direct_simulation", judge="judge.fair.strategies:confirm_fair_simulation",
        minimise="simulation.fair_quotients_bustan:minimise_by_fair_simulation",
        preserves="ACTL* and ECTL* without the label accepting", preserves_of_all="ACTL* without the label accepting",
    ),
    Relation(
        name="delay", preorder=True, fair=True, evidence="strategy", implies=("game",),
        related="the same, but a fair state may be matched later", told_apart="a strategy of the spoiler",
        compare="compare.compare_fair_graphs:compare_by_fair_game", judge="judge.fair.strategies:confirm_fair_simulation",
        minimise="simulation.fair_quotients_bustan:minimise_by_fair_simulation",
        preserves="ACTL* and ECTL* without the label accepting", preserves_of_all="ACTL* without the label accepting",
        options={"by": "delay"},
        methods=(
            Method("fair-quotients", "shrink fair structures", "reduce --by delay", "lts/simulation/fair_quotients_bustan.py"),
        ),
    ),
    Relation(
        name="game", preorder=True, fair=True, evidence="strategy", implies=("exists",),
        related="the same, but only fair paths match fair paths", told_apart="a strategy of the spoiler",
        compare="compare.compare_fair_graphs:compare_by_fair_game", judge="judge.fair.strategies:confirm_fair_simulation",
        options={"by": "game"},
        methods=(
            Method("fair-simulation-game", "find fair simulations", "compare --by game", "lts/games/simulation_game.py"),
            Method("zielonka", "solve parity games", "compare --by game", "lts/games/parity_zielonka.py"),
            Method("fair-fixpoints", "tell fair graphs apart", "compare --by game", "lts/games/distinguish_fairly.py"),
        ),
    ),
    Relation(
        name="exists", preorder=True, fair=True, evidence="answers", further_evidence=("strategy", "lassos"), implies=("words",),
        related="the same, but the matching path may depend on the whole path", told_apart="lassos without an answer",
        compare="compare.compare_fair_graphs:compare_by_answers", judge="judge.fair.fair_answers:confirm_answers",
        methods=(Method("fair-answers", "find fair simulations", "compare --by exists", "lts/language/fair_inclusion.py"),),
    ),
    Relation(
        name="words", preorder=True, fair=True, dead_ends_stay=False, evidence="words", further_evidence=("strategy", "lassos"),
        related="graphs with the same infinite words along fair paths", told_apart="a lasso whose word the other lacks",
        compare="compare.compare_fair_graphs:compare_by_words", judge="judge.fair.words:confirm_words",
        methods=(Method("word-inclusion", "compare words", "compare --by words", "lts/language/word_inclusion.py"),),
    ),
)  # fmt: skip

TRANSFORMATIONS = (
    Transformation(
        "tau-scc", "contract cycles of internal steps between states with the same label", "branching-bisimulation",
        "weak.transformations:contract_silent_components",
    ),
    Transformation(
        "tau-star", "replace internal steps by what can be done after them", "weak-simulation",
        "weak.transformations:close_silent_steps",
    ),
    Transformation(
        "little-brothers", "disconnect successors that another successor by the same action simulates", "simulation",
        "simulation.smallest_bustan_grumberg:disconnect_little_brothers",
    ),
    Transformation(
        "determinise", "make one state of all states that a trace leads to", "traces", "language.determinise:determinise"
    ),
)  # fmt: skip
"""Other things that `reduce` can do to a graph than to find the smallest related one."""

_RELATIONS: ContextVar[tuple[Relation, ...]] = ContextVar("relations", default=BUILT_IN)


@contextmanager
def registered(*more: Relation) -> Iterator[None]:
    """Add relations to the table for the duration of the block, in this thread."""
    token = _RELATIONS.set((*_RELATIONS.get(), *more))
    try:
        yield
    finally:
        _RELATIONS.reset(token)


def relations() -> Mapping[str, Relation]:
    """All relations by their names."""
    return {relation.name: relation for relation in _RELATIONS.get()}


def names(*, reducing: bool = False, preorder: bool = False) -> tuple[str, ...]:
    """The words that choose a relation: all, those that graphs are reduced by, or those with a preorder.

    >>> names(preorder=True)[:2]
    ('simulation', 'ready-simulation')
    """
    return tuple(words(reducing=reducing, preorder=preorder))


def words(*, reducing: bool = False, preorder: bool = False) -> Mapping[str, str]:
    """The same words, each with its meaning."""
    listed = (row for row in _RELATIONS.get() if (row.preorder or not preorder) and (row.minimise or not reducing))
    return {relation.name: relation.related for relation in listed}


def algorithms() -> Mapping[str, str]:
    """The words that choose between algorithms for graphs, by any relation, each with a line about it."""
    lines: dict[str, str] = {}
    for relation in _RELATIONS.get():
        lines |= {word: line for word, line in relation.choices.items() if word not in lines}
    return lines


def relation_called(by: str, *, preorder: bool = False) -> Relation:
    """The relation of a name, which must have a preorder if `preorder` is true. Raises InputError if there is none."""
    by_name = relations()
    if by in names(preorder=preorder):
        return by_name[by]
    if by in by_name:
        raise InputError(f"'{by}' is an equivalence, not a preorder", hint=f"preorders are {', '.join(names(preorder=True))}")
    near = nearest(by, names(preorder=preorder))
    hint = f"did you mean '{near[0]}'?" if near else f"relations are {', '.join(names(preorder=preorder))}"
    raise InputError(f"there is no relation '{by}'", hint=hint)


def reductions() -> dict[str, str]:
    """The words that say what graphs are reduced by, each with its meaning: relations, then transformations."""
    return {**words(reducing=True), **{row.name: f"{row.does} (keeps {row.keeps})" for row in TRANSFORMATIONS}}


def reduction_called(by: str) -> Relation:
    """The relation of a name by which graphs are reduced. Raises InputError if there is none. A transformation is the relation
    that it keeps, with its own function instead of one that finds the smallest graph."""
    if by not in reductions():
        near = nearest(by, reductions()) if isinstance(by, str) else []
        hint = f"did you mean '{near[0]}'?" if near else f"relations are {', '.join(reductions())}"
        raise InputError(f"graphs are not reduced by {by!r}", hint=hint)
    table = relations()
    for transformation in TRANSFORMATIONS:
        if transformation.name == by:
            kept = table[transformation.keeps]
            return replace(kept, name=by, minimise=transformation.work, certify=None, choices={}, quotients=False, options={})
    return table[by]


def judge_of(certificate: GraphCertificate) -> Judge | None:
    """The judge of a certificate, or None if there is no relation of its name with certificates of its kind."""
    relation = relations().get(certificate.relation)
    if relation is None or certificate.kind not in (relation.evidence, *relation.further_evidence):
        return None
    return function_of(relation.judge)
