"""automaton · read_automaton · read_assertion_graphs: formulas, automata and assertion graphs, and their translations.

>>> import coarsest
>>> never = coarsest.automaton("F G full")
>>> print(never.assertion_graph(name="gets_empty").to_text(), end="")
GRAPH gets_empty
VERTEX s0.0  INITIAL  ANT TRUE  CONS FALSE
VERTEX s0.1  INITIAL  ANT full  CONS FALSE
VERTEX s1             ANT full  CONS FALSE
EDGE s0.0 -> {s0.0, s0.1}
EDGE s0.1 -> s1
EDGE s1 -> s1
FAIR {s1}
"""

from __future__ import annotations

import os
from time import perf_counter
from typing import TYPE_CHECKING, Self

from msgspec import Struct

from coarsest import tuning
from coarsest.api import options as tasks
from coarsest.api.drawings.drawn import Drawn
from coarsest.api.results import ReductionFacts, Sizes
from coarsest.automata import automaton as automata
from coarsest.errors import EvidenceRejected, NameProblem, require_type
from coarsest.files import read_contents, read_text, write_whole
from coarsest.model import assertion_graph
from coarsest.model.assertion_graph import Semantics
from coarsest.options.methods import GsteOptions
from coarsest.options.option import Confirm
from coarsest.run import Run
from coarsest.text import Source
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords
    from coarsest.logic.linear.ltl import Ltl
    from coarsest.logic.psl.psl import Psl
    from coarsest.model.machine import Machine


class LinearFormula(Struct, frozen=True):
    """A parsed formula of LTL or PSL; nothing is declared, so its names and comparisons are atoms."""

    source: Source
    formula: Ltl | Psl

    @classmethod
    def read(cls, source: Source) -> Self:
        """Parse a formula."""
        from coarsest.automata.translate import from_text

        return cls(source, from_text.read_formula(source))

    @property
    def text(self) -> str:
        return self.source.text.strip()


def read_formulas(path: str | os.PathLike[str]) -> tuple[LinearFormula, ...]:
    """The formulas of a file, one per line; `-` is standard input, and `#` begins a comment line."""
    from coarsest.automata.translate import from_text

    return tuple(LinearFormula(source, formula) for source, formula in from_text.read_formulas(read_text(path)))


def automaton(formula: str | LinearFormula, *, run: Run | None = None, **options: Unpack[keywords.AutomatonWords]) -> Automaton:
    """An automaton for the words that satisfy an LTL or PSL formula, or (`negated`) for those that do not.

    >>> automaton("G (request -> F grant)").states
    2
    """
    from coarsest.automata.translate import from_text

    how = tasks.AUTOMATON.read(tasks.AutomatonOptions, options)
    require_type("a formula", formula, str | LinearFormula, 'a text such as "G F p"')
    read = LinearFormula.read(Source("<formula>", formula)) if isinstance(formula, str) else formula
    made = from_text.automaton_of_formula(read.formula, kind=how.kind, negated=how.negated, run=run)
    return Automaton(
        made.alphabet, made.initial, made.edges, made.sets, read.text, how.negated, how.kind, _doubts(read.source, made)
    )


def _doubts(source: Source, made: automata.Automaton) -> tuple[str, ...]:
    """Warnings about words that may have been meant otherwise: nothing is declared, so any word may be an atom."""
    from coarsest.logic.expr import names
    from coarsest.logic.linear.parse_spin_spot import glued_words

    atoms = {name for atom in made.alphabet.atoms for name in names(atom)}
    for name in ("true", "false"):
        if name in atoms:
            raise NameProblem(f"`{name}` would be an atom", hint=f"the boolean constant is written {name.upper()}")
    return tuple(f"`{word}` is taken for {'an atom' if word in atoms else f'`{meant}`'}" for word, meant in glued_words(source))


class AutomatonFacts(Struct, frozen=True):
    """The facts about an automaton, by their names in JSON."""

    formula: str
    negated: bool
    kind: str
    states: int
    edges: int
    acceptance_sets: int
    atoms: int
    deterministic: bool
    complete: bool
    strength: str


class Automaton(automata.Automaton, Drawn, frozen=True, eq=False):
    """An automaton on infinite words that can be written, drawn, and turned into an assertion graph."""

    formula: str = ""
    """The formula that it was made of, if any."""
    negated: bool = False
    kind: str = ""
    warnings: tuple[str, ...] = ()
    """Words of the formula that may have been meant otherwise."""

    @classmethod
    def of(cls, automaton: automata.Automaton) -> Self:
        """The same automaton, with the methods of this class."""
        return cls(automaton.alphabet, automaton.initial, automaton.edges, automaton.sets)

    def __repr__(self) -> str:
        return f"<Automaton: {self.states} states, {self.edge_count} edges>"

    @property
    def title(self) -> str:
        """The formula whose words it accepts."""
        return f"!({self.formula})" if self.negated else self.formula

    @property
    def facts(self) -> AutomatonFacts:
        """Sizes and kind of the automaton."""
        from coarsest.automata.strength import strength

        return AutomatonFacts(
            self.formula, self.negated, self.kind, self.states, self.edge_count, self.sets, len(self.alphabet.atoms),
            self.is_deterministic, self.is_complete, strength(self).value,
        )  # fmt: skip

    def to_hoa(self, name: str | None = None) -> str:
        """The text in the Hanoi omega-automata format; its name is the formula by default."""
        from coarsest.formats.hoa.write import write

        return write(self, name=self.title if name is None else name, tool="coarsest")

    def reduce(self, *, run: Run | None = None, **options: Unpack[keywords.AutomatonReduceWords]) -> ReducedAutomaton:
        """A smaller automaton that accepts the same words, with one set of accepting states.

        >>> read_automaton("examples/settles.hoa").reduce(by="delay").facts.states
        Sizes(before=4, after=2)
        """
        from coarsest.automata.shrink.minimise import minimise

        how = tasks.REDUCE_AUTOMATON.read(tasks.AutomatonReduceOptions, options)
        started = perf_counter()
        small = minimise(self, how.by, Run.given(run), lookahead=how.lookahead)
        facts = ReductionFacts(
            states=Sizes(self.states, small.states), transitions=Sizes(self.edge_count, small.edge_count),
            relation=how.by, algorithm="auto", preserves="the accepted words", statistics={},
            confirmed=self._confirmed(small, how.confirm, Run.given(run)),
        )  # fmt: skip
        return ReducedAutomaton(self._with_words_of(small), facts, perf_counter() - started)

    def _confirmed(self, small: automata.Automaton, when: Confirm, run: Run) -> bool | None:
        """Does a smaller automaton accept the same words? None if this is not asked, or takes too long."""
        from coarsest.automata.judge.same_words import accept_same_words

        if when is Confirm.NEVER:
            return None
        same = accept_same_words(self, small, run, most=None if when is Confirm.ALWAYS else tuning.WORD_COMPARISON_ROWS)
        if same is False:
            raise EvidenceRejected("the smaller automaton accepts other words")
        return same

    def _with_words_of(self, other: automata.Automaton) -> Automaton:
        """Another automaton for the same words, with the formula of this one."""
        return Automaton(other.alphabet, other.initial, other.edges, other.sets, self.formula, self.negated, "buchi")

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a file, completely or not at all, in the format of its suffix (.hoa, .ba)."""
        from coarsest import formats

        write_whole(path, formats.automaton_to_pieces(self, os.fspath(path), name=self.title))

    def assertion_graph(self, *, semantics: str = "auto", name: str = "never") -> AssertionGraph:
        """The assertion graph that holds for exactly the paths that the automaton does not accept: infinite paths unless
        `semantics` is "finite"."""
        from coarsest.automata.translate.assertion_graphs_and_buchi import assertion_graph_against

        return AssertionGraph.of(assertion_graph_against(self, semantics_meant(semantics) or Semantics.FAIR, name=name))


class ReducedAutomaton(Drawn, frozen=True, eq=False):
    """A smaller automaton for the same words, with the facts of the reduction."""

    automaton: Automaton
    facts: ReductionFacts
    seconds: float

    def __repr__(self) -> str:
        return f"<ReducedAutomaton by {self.facts.relation}: {self.facts.states.before} -> {self.facts.states.after} states>"

    def _drawable(self) -> Automaton:
        return self.automaton

    @property
    def confirmed(self) -> bool:
        """Has independent code confirmed that it accepts the same words?"""
        return bool(self.facts.confirmed)


class AssertionGraph(assertion_graph.AssertionGraph, Drawn, frozen=True):
    """An assertion graph that can be checked by `Model.gste`, written, drawn, and turned into an automaton."""

    @classmethod
    def of(cls, graph: assertion_graph.AssertionGraph) -> Self:
        """The same graph, with the methods of this class."""
        return cls(*(getattr(graph, name) for name in graph.__struct_fields__))

    def __repr__(self) -> str:
        return f"<AssertionGraph {self.name}: {len(self.vertices)} vertices, {self.semantics} semantics>"

    def violating(self, *, semantics: str = "auto") -> Automaton:
        """The automaton of the infinite paths that violate the graph or, in the finite semantics, have a violating prefix."""
        from coarsest.automata.translate.assertion_graphs_and_buchi import violating_paths

        return Automaton.of(violating_paths(self, semantics_meant(semantics) or self.semantics))

    def to_text(self) -> str:
        """The text of a file (.ag) with this graph."""
        from coarsest.formats.assertion_graph.write import write

        return write([self])


def semantics_meant(word: str) -> Semantics | None:
    """The semantics with this name; None for "auto", which is that of the graph."""
    chosen = tasks.GSTE.read(GsteOptions, {"semantics": word}).semantics
    return None if chosen == "auto" else Semantics(chosen)


def read_automaton(path: str | os.PathLike[str], *, format: str | None = None) -> Automaton:
    """Read an automaton from a file (.hoa, .ba); `-` is standard input."""
    from coarsest import formats

    return Automaton.of(formats.read_automaton(read_contents(path), format=format))


def read_assertion_graphs(
    path: str | os.PathLike[str], *, name: str | None = None, about: Machine | None = None
) -> tuple[AssertionGraph, ...]:
    """Read the assertion graphs of a file (.ag), or the one with a name; `-` is standard input. `Model.graphs` reads those about
    a model."""
    from coarsest import formats

    graphs = tuple(AssertionGraph.of(graph) for graph in formats.read_assertion_graphs(read_contents(path), about))
    if name is None:
        return graphs
    named = tuple(graph for graph in graphs if graph.name == name)
    if not named:
        names = [graph.name for graph in graphs]
        near = nearest(name, names)
        hint = f"did you mean '{near[0]}'?" if near else f"the graphs are {', '.join(names)}"
        raise NameProblem(f"there is no graph '{name}' in {os.fspath(path)}", hint=hint)
    return named


def assertion_graphs_about(
    machine: Machine, path: str | os.PathLike[str], *, semantics: str = "auto"
) -> tuple[AssertionGraph, ...]:
    """The assertion graphs of a file over the variables of a machine; an automaton becomes the graph against it."""
    from coarsest import formats

    contents = read_contents(path)
    is_automaton = formats.kind_of(contents.name) is formats.FileKind.AUTOMATON
    if not is_automaton and not contents.text().text.lstrip().startswith("HOA:"):
        return tuple(map(AssertionGraph.of, formats.read_assertion_graphs(contents, machine)))
    return (Automaton.of(formats.read_automaton(contents, machine)).assertion_graph(semantics=semantics),)
