"""The kinds of properties, one row each. All differences between kinds are facts of their rows, or functions that rows name.

Functions are named by module and name, and imported when they are needed: most runs need those of a single kind, and they are in
rooms above this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import Any, ClassVar

from msgspec import Struct

from coarsest.logic.branching.ctl_star import is_ctl_star
from coarsest.logic.expr import Expr
from coarsest.model.query.places import COMPUTE, CTL, CTL_STAR, LTL, PSL, STEP, Place, is_branching
from coarsest.options.engines import ALONG, BRANCHING, INVARIANTS, LINEAR, QUANTITIES


class PropertyKind(Struct, frozen=True, eq=False):
    """A kind of property. Kinds are equal if their words are; a kind also equals its word."""

    value: str
    """The word for the kind in JSON."""
    plural: str
    """The word for such properties in messages."""
    decide: str
    """The function `decide(session, claim)`, which returns a decision."""
    claim: str = ""
    """The claim that engines decide; empty if no engine of the table does."""
    place: Place | None = None
    """The rules for its formula; None if it has no formula."""
    section: str = ""
    """The section of SMV that states it; empty if SMV has none."""
    other_sections: tuple[str, ...] = ()
    """Sections that are read, but not written."""
    operators: tuple[str, ...] = ()
    """A formula in such a section begins with one of these operators, or with anything if there are none."""
    letter: str = ""
    """The letter for it in witnesses of AIGER and BTOR2; empty if they do not have it."""
    on_states: str = ""
    """The function of the enumerating judge that decides whether the formula holds; empty if that judge has none."""
    replay: str = ""
    """A function of the machine, the property, a trace and the run, which raises EvidenceRejected unless the trace shows that the
    property is false, and returns what else had to be checked. Empty if no trace can show it."""
    explain: str = ""
    """A function of the property and the truths along a lasso: the rows to show, and the reason why the property is false."""
    asked: str = ""
    """A function of the property: the property that is decided in its place."""
    answered: str = ""
    """A function of the answer to that property and of the original one: the answer to the original one."""
    has_witnesses: bool = False
    """Does a trace show that the property holds, and not that it fails?"""
    of_whole_machine: bool = False
    """Is the property about all variables, so that neither a part of the machine nor a quotient decides it?"""

    INVARIANT: ClassVar[PropertyKind]
    COVER: ClassVar[PropertyKind]
    CTL: ClassVar[PropertyKind]
    CTL_STAR: ClassVar[PropertyKind]
    LTL: ClassVar[PropertyKind]
    PSL: ClassVar[PropertyKind]
    COMPUTE: ClassVar[PropertyKind]
    AUTOMATON: ClassVar[PropertyKind]
    ASSERTION_GRAPH: ClassVar[PropertyKind]
    DEADLOCK: ClassVar[PropertyKind]

    def __str__(self) -> str:
        return self.value

    def __eq__(self, other: object) -> bool:
        return self.value == (other.value if isinstance(other, PropertyKind) else other)

    def __hash__(self) -> int:
        return hash(self.value)

    @property
    def is_invariant(self) -> bool:
        """Is the property a condition on all reachable states, or on all steps from them?"""
        return self == PropertyKind.INVARIANT

    @property
    def is_linear(self) -> bool:
        """Is the property about each fair path separately?"""
        return self.claim == LINEAR

    @property
    def is_universal(self) -> bool:
        """Does a property that holds in a system also hold in systems with fewer paths, for any formula?"""
        return self.is_invariant or self.is_linear

    @property
    def is_branching(self) -> bool:
        """Is the property the truth of a formula with quantifiers over paths?"""
        return self.claim == BRANCHING

    @property
    def is_about_paths(self) -> bool:
        """Does the property depend on fairness?"""
        return self.claim != INVARIANTS and not self.of_whole_machine

    @property
    def allows_steps(self) -> bool:
        """May its formula mention the state after a step, with next()?"""
        return self.place is None or "next" not in (self.place.operands or self.place).forbidden

    @property
    def is_ctl(self) -> bool:
        return self == PropertyKind.CTL

    @property
    def is_ctl_star(self) -> bool:
        return self == PropertyKind.CTL_STAR

    @property
    def is_ltl(self) -> bool:
        return self == PropertyKind.LTL

    @property
    def is_psl(self) -> bool:
        return self == PropertyKind.PSL


def function(name: str) -> Callable[..., Any]:
    """The function that a fact of a kind names."""
    module, _, attribute = name.partition(":")
    result: Callable[..., Any] = getattr(import_module(module), attribute)
    return result


_DECIDE = "coarsest.check.decide."
_JUDGE = "coarsest.evidence.enumeration.by_enumeration:"
_REPLAY = "coarsest.explain.replay:"
_EXPLAIN = "coarsest.explain.annotate:"

KINDS = (
    PropertyKind(
        "invariant", "invariants", _DECIDE + "invariants:decide", INVARIANTS, STEP, "INVARSPEC", letter="b",
        on_states=_JUDGE + "always", replay=_REPLAY + "replay_invariant",
    ),
    PropertyKind(
        "cover", "covers", _DECIDE + "invariants:decide", INVARIANTS, STEP, replay=_REPLAY + "replay_cover",
        asked="coarsest.check.covers:as_invariant", answered="coarsest.check.covers:about_cover", has_witnesses=True,
    ),
    PropertyKind(
        "ctl", "CTL", _DECIDE + "branching:decide", BRANCHING, CTL, "CTLSPEC", ("SPEC",),
        on_states=_JUDGE + "in_initial_states", replay=_REPLAY + "replay_branching",
    ),
    PropertyKind(
        "ctl*", "CTL*", _DECIDE + "branching:decide", BRANCHING, CTL_STAR, "CTLSPEC",
        on_states=_JUDGE + "in_initial_states", replay=_REPLAY + "replay_branching", explain=_EXPLAIN + "of_ctl_star",
    ),
    PropertyKind(
        "ltl", "LTL", _DECIDE + "linear:decide", LINEAR, LTL, "LTLSPEC", letter="j",
        on_states=_JUDGE + "on_all_paths_ltl", replay=_REPLAY + "replay_ltl", explain=_EXPLAIN + "of_ltl",
    ),
    PropertyKind(
        "psl", "PSL", _DECIDE + "psl:decide", LINEAR, PSL, "PSLSPEC",
        on_states=_JUDGE + "on_all_paths_psl", replay=_REPLAY + "replay_psl", explain=_EXPLAIN + "of_psl",
    ),
    PropertyKind(
        "compute", "COMPUTE", _DECIDE + "quantities:decide", QUANTITIES, COMPUTE, "COMPUTE", operators=("MIN", "MAX"),
        replay=_REPLAY + "replay_number",
    ),
    PropertyKind(
        "automaton", "automata", _DECIDE + "never:decide", LINEAR,
        replay=_REPLAY + "replay_automaton", explain=_EXPLAIN + "of_automaton",
    ),
    PropertyKind("assertion graph", "assertion graphs", _DECIDE + "along:decide", ALONG),
    PropertyKind(
        "deadlock", "deadlocks", _DECIDE + "dead_ends:decide", on_states=_JUDGE + "no_dead_end",
        replay=_REPLAY + "replay_dead_end", of_whole_machine=True,
    ),
)  # fmt: skip
(
    PropertyKind.INVARIANT, PropertyKind.COVER, PropertyKind.CTL, PropertyKind.CTL_STAR, PropertyKind.LTL, PropertyKind.PSL,
    PropertyKind.COMPUTE, PropertyKind.AUTOMATON, PropertyKind.ASSERTION_GRAPH, PropertyKind.DEADLOCK,
) = KINDS  # fmt: skip

_ADDED: ContextVar[tuple[PropertyKind, ...]] = ContextVar("_ADDED", default=())


def kinds() -> tuple[PropertyKind, ...]:
    """All kinds, including those that were added from outside."""
    return KINDS + _ADDED.get()


@contextmanager
def registered(kind: PropertyKind) -> Iterator[None]:
    """Add a kind for the duration of a block."""
    token = _ADDED.set((*_ADDED.get(), kind))
    try:
        yield
    finally:
        _ADDED.reset(token)


def kind_named(word: str) -> PropertyKind | None:
    """The kind with this word."""
    return next((kind for kind in kinds() if kind.value == word), None)


def kind_of_section(section: str) -> PropertyKind | None:
    """The kind that a section of SMV states, without regard to the operators of the formula."""
    return next((kind for kind in kinds() if section in (kind.section, *kind.other_sections)), None)


def kind_stated(kind: PropertyKind, formula: Expr) -> PropertyKind:
    """The kind of a formula in the section of a kind: the section for CTL also has CTL*, and that for PSL also has CTL."""
    if kind.is_ctl and is_ctl_star(formula):
        return PropertyKind.CTL_STAR
    return PropertyKind.CTL if kind.is_psl and is_branching(formula) else kind
