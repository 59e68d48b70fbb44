"""What a relation between graphs is: a line in the table of `relations`, with the functions that compute and judge it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import InputError, Unsupported

if TYPE_CHECKING:
    from coarsest.lts.certificates import GraphCertificate
    from coarsest.lts.compare.comparison import Comparison
    from coarsest.lts.fair import FairGraph
    from coarsest.lts.labelled import Graph
    from coarsest.lts.minimise.minimise import Minimised
    from coarsest.run import Run

Work: TypeAlias = str | Callable[..., Any]
"""A function, or its location `module:name` below this package."""


class Method(NamedTuple):
    """An algorithm for a relation: its name, its task, the command that chooses it, and the file with its header."""

    name: str
    task: str
    command: str
    file: str


class Relation(Struct, frozen=True, kw_only=True):
    """A relation between graphs: its meaning, and the functions that compute it. Every function also gets the `options`."""

    name: str
    related: str
    """A description of related graphs, in the words of the documentation."""
    told_apart: str
    """The evidence that graphs are not related."""
    compare: Work
    """(two graphs side by side, states of the first, run) → Comparison; with `preorder`, if the relation has one."""
    judge: Work
    """(transitions, certificate) → Outcome. It shares nothing with the other functions."""
    evidence: str = "partition"
    """The kind of certificate that shows that graphs are related."""
    further_evidence: tuple[str, ...] = ()
    """Other kinds of certificates, such as those that show that graphs are not related."""
    fair: bool = False
    """Is the relation about fair paths? Then `compare` is (fair graph, fair graph, run) → Comparison."""
    dead_ends_stay: bool = True
    """Does a state without successors stay where it is? Otherwise paths that end do not count. Only fair relations ask this."""
    minimise: Work | None = None
    """(graph, keep_unreachable, run) → Minimised; with `algorithm` and `engine`, if there is a choice. None if graphs are not
    reduced by the relation."""
    certify: Work | None = None
    """(tidied graph, run, minimal) → a certificate about the states of one graph."""
    preserves: str = ""
    """The logic whose formulas cannot distinguish two related graphs."""
    preserves_of_all: str = ""
    """The logic that is preserved where a reduction drops an initial state because another one is above it, if it is smaller:
    formulas are about every initial state."""
    preorder: bool = False
    """Is there also a preorder, so that graphs can be compared in one direction?"""
    internal: bool = False
    """Does the relation abstract from internal actions?"""
    implies: tuple[str, ...] = ()
    """The coarser relations next to it."""
    quotients: bool = False
    """Are there quotients besides the smallest graph? Then `minimise` has the option `quotient`."""
    choices: Mapping[str, str] = {}
    """The algorithms that the user can choose from, with a line about each: `auto` and others, or none."""
    methods: tuple[Method, ...] = ()
    options: Mapping[str, Any] = {}

    def compared(self, first: Graph | FairGraph, second: Graph | FairGraph, run: Run, *, preorder: bool) -> Comparison:
        """Compare two graphs, side by side unless the relation is about fair paths."""
        from coarsest.lts.fair import as_fair, as_plain
        from coarsest.lts.staying import both_staying
        from coarsest.lts.union import side_by_side

        direction = {"preorder": preorder} if self.preorder else {}
        work = partial(function_of(self.compare), **direction, **self.options)
        comparison: Comparison
        if self.fair:
            sides = as_fair(first), as_fair(second)
            comparison = work(*(both_staying(*sides) if self.dead_ends_stay else sides), run)
        else:
            left, right = as_plain(first), as_plain(second)
            comparison = work(side_by_side(left, right), left.states, run)
        return comparison

    def minimised(
        self, graph: Graph, *, algorithm: str = "auto", engine: str = "auto", quotient: str = "smallest", lookahead: int = 1,
        keep_unreachable: bool, run: Run | None,
    ) -> Minimised:  # fmt: skip
        """The smallest graph that is related to a given one, or another quotient."""
        if algorithm != "auto" and not self.choices:
            raise InputError(f"there is one algorithm for {self.name}, not a choice", hint="leave the algorithm out")
        if self.choices and algorithm not in self.choices:
            hint = f"algorithms are {', '.join(self.choices)}"
            raise InputError(f"there is no algorithm {algorithm!r} for graphs", hint=hint)
        assert self.minimise is not None, "a relation that graphs are reduced by"
        choice = {"algorithm": algorithm} if self.choices else {}
        choice |= {"engine": engine} if engine != "auto" else {}
        choice |= {"quotient": quotient} if self.quotients else {}
        ahead = {"ahead": lookahead} if lookahead > 1 else {}
        from coarsest.run import Run

        run = run or Run()
        started, work = run.seconds, function_of(self.minimise)
        smallest: Minimised = work(graph, keep_unreachable=keep_unreachable, run=run, **choice, **ahead, **self.options)
        return replace(smallest, seconds=run.seconds - started)

    def preserved(self, graph: Graph, small: Minimised) -> str:
        """The logic whose formulas are true in all initial states of a graph exactly if they are so in the reduced graph."""
        if small.relation == "words":
            return "LTL without the label accepting"
        left_out = not set(small.state_of[graph.initial].tolist()) <= set(small.graph.initial.tolist())
        return self.preserves_of_all or self.preserves if left_out else self.preserves

    def certified(self, graph: Graph, run: Run, *, minimal: bool) -> GraphCertificate:
        if self.certify is None:
            raise Unsupported(f"there are no certificates of one graph by {self.name}")
        certificate: GraphCertificate = function_of(self.certify)(graph, run, minimal=minimal, **self.options)
        return certificate


class Transformation(NamedTuple):
    """A transformation of a graph into a related one, which need not be the smallest."""

    name: str
    does: str
    """A description in the words of the documentation."""
    keeps: str
    """The relation between the two graphs."""
    work: Work
    """(graph, keep_unreachable, run) → Minimised."""


def function_of(work: Work) -> Callable[..., Any]:
    if not isinstance(work, str):
        return work
    from importlib import import_module

    module, _, name = work.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"coarsest.lts.{module}"), name)
    return function
