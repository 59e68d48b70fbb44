"""read_graph · Graph: the Python interface to explicit graphs.

>>> import coarsest
>>> graph = coarsest.Graph.from_edges(4, [0, 0, 1, 2], [0, 0, 1, 1], [1, 2, 3, 3], action_names=("a", "b"))
>>> small = graph.reduce()
>>> small.graph, small.state_of.tolist()
(<Graph: 3 states, 2 transitions, 2 actions>, [0, 1, 1, 2])
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

from coarsest.api.drawings.drawn import Drawn
from coarsest.api.graphs.texts import require_reduction
from coarsest.api.options import REDUCE_GRAPH, GraphReduceOptions
from coarsest.api.results import ReductionFacts, Sizes
from coarsest.errors import InputError, LimitExceeded, require_type
from coarsest.files import STANDARD_INPUT
from coarsest.lts import convert, labelled
from coarsest.lts.labelled import Numbers
from coarsest.lts.relations import reduction_called
from coarsest.options.option import Confirm, require_effect
from coarsest.run import Run

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords
    from coarsest.api.results import Reach, Report
    from coarsest.api.walks import RecordedWalk
    from coarsest.check.graphs.check_graph import GraphClaim
    from coarsest.evidence.verdict import Answer
    from coarsest.lts.certificates import GraphCertificate
    from coarsest.lts.minimise.minimise import Minimised
    from coarsest.model.trace import Trace


def read_graph(path: str | os.PathLike[str], *, format: str | None = None, run: Run | None = None) -> Graph:
    """Read a graph from a file (.aut, .ba, .npz, .hoa); `-` is standard input. By default the suffix determines the format."""
    from coarsest import formats

    return Graph.of(formats.read_graph(path, format=format, run=run))


def graph_unless_model(path: str | os.PathLike[str], format: str | None) -> Graph | None:
    """The graph of a file, or None if the file may hold a model. Raises InputError for what is neither."""
    from coarsest.formats import FileKind, kind_of

    require_type("a path", path, str | os.PathLike, "a text or a Path")
    kind = kind_of(path, format)
    if kind is FileKind.GRAPH:
        return read_graph(path, format=format)
    if isinstance(path, str) and ("\n" in path or path.lstrip().startswith(("MODULE ", "node "))):
        raise InputError("this is the text of a model, and not the path of its file", hint="loads(…) reads a text")
    if kind is not None and kind.value in READERS:
        raise InputError(f"'{os.fspath(path)}' is not the name of a model or a graph", hint=f"read it with {READERS[kind.value]}")
    return None


READERS = {"automaton": "read_automaton(…)", "assertion graphs": "read_assertion_graphs(…)", "table": "reduce_tables(…)"}
"""What reads other files, by what they hold."""


def claims_of(formulas: Iterable[str]) -> tuple[GraphClaim, ...]:
    """Read formulas about any graph, so that mistakes are reported before a graph is read."""
    from coarsest.check.graphs.check_graph import claim_of

    return tuple(map(claim_of, formulas))


def minimise_by(
    relation: str, graph: labelled.Graph, *, algorithm: str = "auto", engine: str = "auto", quotient: str = "smallest",
    lookahead: int = 1, keep_unreachable: bool = False, run: Run | None = None,
) -> Minimised:  # fmt: skip
    """The smallest graph that is related to a given one, or another quotient."""
    work = reduction_called(relation)
    return work.minimised(
        graph, algorithm=algorithm, engine=engine, quotient=quotient, lookahead=lookahead, keep_unreachable=keep_unreachable,
        run=run,
    )  # fmt: skip


class Graph(labelled.Graph, Drawn, frozen=True, eq=False, dict=True):
    """An explicit graph that can be checked, reduced, walked through and written."""

    @classmethod
    def of(cls, graph: labelled.Graph) -> Self:
        """The same graph, with the methods of this class; nothing is copied."""
        return cls(*(getattr(graph, name) for name in graph.__struct_fields__))

    @classmethod
    def from_scipy(cls, matrix: Any, *, initial: ArrayLike = (0,), labels: ArrayLike | None = None) -> Self:
        """A graph from a sparse square matrix: entries are transitions; their values are actions, unless all are 1."""
        return cls.of(convert.from_scipy(matrix, initial=initial, labels=labels))

    @classmethod
    def from_networkx(cls, graph: Any, *, initial: Iterable[Hashable] = (), action: str = "label", label: str = "label") -> Self:
        """A graph from a NetworkX graph, with its order of nodes; without `initial`, the first node is initial."""
        return cls.of(convert.from_networkx(graph, initial=initial, action=action, label=label)[0])

    @classmethod
    def from_table(
        cls, table: Any, *, columns: Sequence[str] = ("source", "action", "target"), initial: Sequence[Hashable] = ()
    ) -> Self:
        """A graph from a table with a row for each transition: pandas, Arrow, or a dictionary of lists."""
        return cls.of(convert.from_table(table, columns=columns, initial=initial)[0])

    def to_networkx(self) -> Any:
        """A NetworkX multigraph with the attribute `label` on edges and nodes, and `initial` on nodes."""
        return convert.to_networkx(self)

    def reduce(self, *, run: Run | None = None, **options: Unpack[keywords.GraphReduceWords]) -> ReducedGraph:
        """The smallest graph with the same behaviour; without `keep_unreachable`, it has reachable states only.

        `by` is a relation. For "bisimulation", `algorithm` is "auto", "signatures", "valmari" or "rounds", and
        `engine` is "auto", "cpu" or "gpu". For simulation, `quotient` is "smallest", "all" or "some". The result is confirmed
        where that is cheap (`auto`, or True), `always`, or `never` (False).
        """
        from coarsest.lts.compare.confirm_reduction import confirm_reduction

        how = REDUCE_GRAPH.read(GraphReduceOptions, options)
        require_reduction(how.by, how.algorithm, how.engine)
        require_effect((how,))
        found = minimise_by(
            how.by, self, algorithm=how.algorithm, engine=how.engine, quotient=how.quotient,
            lookahead=how.lookahead, keep_unreachable=how.keep_unreachable, run=run,
        )  # fmt: skip
        facts = ReductionFacts(
            states=Sizes(self.states, found.graph.states), transitions=Sizes(self.transitions, found.graph.transitions),
            relation=found.relation, algorithm=found.algorithm, preserves=reduction_called(how.by).preserved(self, found),
            confirmed=confirm_reduction(self, found, when=how.confirm), statistics={"transitions_looked_at": found.work},
            engine=found.engine,
        )  # fmt: skip
        return ReducedGraph(Graph.of(found.graph), found.state_of, facts, found.seconds, found.warnings)

    def certify(self, *, by: str = "bisimulation", minimal: bool = False, run: Run | None = None) -> GraphCertificate:
        """A certificate with the classes of all states under a relation; with `minimal`, also formulas that distinguish them."""
        from coarsest.lts.compare.compare_graphs import certify_graph

        return certify_graph(self, by=by, minimal=minimal, run=run)

    def check(
        self,
        *formulas: str,
        run: Run | None = None,
        confirm: Confirm | str | bool = Confirm.AUTO,
        on_answer: Callable[[Answer], None] | None = None,
        on_warning: Callable[[str], None] | None = None,
        timeout: float | None = None,
    ) -> Report:
        """Check formulas of CTL, LTL and Hennessy–Milner logic; `on_answer` gets each answer as soon as it is
        known, and `on_warning`, before it, the warnings that undermine it: no initial state, or a dead end.

        >>> graph = Graph.from_edges(3, [0, 1, 1], [0, 1, 2], [1, 0, 0], action_names=("coin", "coffee", "tea"))
        >>> graph.check("AG (<coin>true -> [coin]<tea>true)", "G (coin -> X tea)").answers
        (<Answer: AG (<coin>true -> [coin]<tea>true) holds, confirmed>, <Answer: G (coin -> X tea) fails, confirmed>)
        """
        from coarsest.api.checking import run_within
        from coarsest.api.results import Report
        from coarsest.check.graphs.check_graph import GraphChecker

        when = Confirm.meant(confirm)
        checker = GraphChecker(self, run_within(timeout, run), confirm=when, on_warning=on_warning or (lambda text: None))
        answers = []
        for answer in checker.answers(checker.claims(formulas)):
            answers.append(answer)
            if on_answer is not None:
                on_answer(answer)
        return Report(tuple(answers), tuple(checker.warnings))

    def reach(self, *, run: Run | None = None) -> Reach:
        """Find the reachable states, breadth-first, and count the transitions between them.

        >>> reach = Graph.from_edges(4, [0, 1, 3], [0, 0, 0], [1, 2, 0]).reach()
        >>> reach.states, reach.diameter, reach.transitions
        (3, 3, 2)
        """
        from coarsest.api.results import Reach
        from coarsest.lts.closures import reachable, without_successor

        try:
            searched = reachable(self, Run.given(run))
        except LimitExceeded as limit:
            return Reach(0, None, None, complete=False, because=str(limit))
        degrees = self.offsets[searched.reached + 1] - self.offsets[searched.reached]
        warning = without_successor(searched.reached[degrees == 0]) if len(degrees) else "there is no initial state"
        return Reach(
            len(degrees), searched.rings, None, complete=True, warnings=(warning,) * bool(warning), transitions=int(degrees.sum())
        )

    def simulate(self, *, steps: int = 10, seed: int = 0, run: Run | None = None) -> Trace:
        """A random path; it ends early in a state without successor, and is empty without initial states."""
        from random import Random

        from coarsest.evidence.walk.graph_walk import GraphWalker
        from coarsest.evidence.walk.walk import walk

        return walk(GraphWalker(self), steps, Random(seed), Run.given(run))

    def walk(self, *, seed: int = 0) -> RecordedWalk:
        """A walk that has not begun, in which the caller chooses every step."""
        from coarsest.api.walks import RecordedWalk
        from coarsest.evidence.walk.graph_walk import GraphWalker

        return RecordedWalk(GraphWalker(self), seed=seed)

    def to_text(self) -> str:
        """The graph as Aldébaran text; names that are not UTF-8 are kept by `surrogateescape`."""
        from coarsest.formats import graph_to_pieces

        return b"".join(graph_to_pieces(self, STANDARD_INPUT)).decode("utf-8", "surrogateescape")

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a file, completely or not at all; the suffix determines the format."""
        from coarsest.formats import write_graph

        write_graph(self, path)


class ReducedGraph(Drawn, frozen=True, eq=False, dict=True):
    """A smaller graph, and its state for each state of the original (-1 for unreachable ones)."""

    graph: Graph
    state_of: Numbers
    facts: ReductionFacts
    """Sizes, relation, algorithm, preserved logic, and work."""
    seconds: float
    warnings: tuple[str, ...] = ()
    """Why the request was not followed exactly."""

    def __repr__(self) -> str:
        return f"<ReducedGraph by {self.relation}: {self.facts.states.before} -> {self.facts.states.after} states>"

    def _drawable(self) -> Graph:
        return self.graph

    @property
    def relation(self) -> str:
        return self.facts.relation

    @property
    def algorithm(self) -> str:
        return self.facts.algorithm

    @property
    def confirmed(self) -> bool:
        """Has independent code confirmed that it is related to the original?"""
        return bool(self.facts.confirmed)


def certificate_to_text(certificate: GraphCertificate) -> str:
    """A certificate as the JSON that `confirm` reads."""
    from coarsest.lts.certificate_json import certificate_to_text

    return certificate_to_text(certificate)
