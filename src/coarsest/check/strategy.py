"""What is tried for a property: two tables, read from the top.

`AROUND` says on which system a property is decided: the model itself, or another one that an engine made of engines asks about.
`AUTO` says what is tried there where the user names no engine. Each attempt applies to some machines and has a budget; the first
that settles the property ends the list. To change what `coarsest check` does, change a row. `coarsest check MODEL --plan` prints
the rows that apply.

Budgets are units of work, of about a microsecond each (`run.py`): nodes made, literals set by a solver, states looked at. They do
not depend on the load of the machine, so the same command makes the same attempts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from msgspec import Struct
from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.decide.classify import home, searched_as_invariant
from coarsest.check.questions.finding import Computed, Finding
from coarsest.encode.layout import bits_of
from coarsest.logic.expr import Apply, Constant, subexpressions
from coarsest.model.assertion_graph import AssertionGraphClaim
from coarsest.model.kinds import function
from coarsest.model.machine import Machine, Property
from coarsest.model.types import WordType
from coarsest.model.unbounded import unbounded_variables
from coarsest.options.engines import BRANCHING, FIRST_OF, INVARIANTS, LINEAR

if TYPE_CHECKING:
    from coarsest.check.setting.session import Decision, Session

MILLION: Final = 1_000_000.0


class Attempt(Struct, frozen=True):
    """One row of the table."""

    way: str
    """An engine, or one of `WAYS`."""
    why: str
    over_bits: int = -1
    """It applies to machines with more bits than this."""
    only: str = ""
    """It applies to machines, or to formulas about paths, with this feature."""
    work: float = inf
    """Its budget. Ways of formulas about paths have none: the first that applies decides."""
    beside: bool = False
    """Does the companion start in a second process when the attempt has taken some work?"""

    @property
    def condition(self) -> str:
        """The feature in words, with the numbers of the table of thresholds."""
        return self.only.format_map(vars(tuning))


WAYS: Mapping[str, str] = MappingProxyType(
    {
        "sat-probe": "bounded search of a few steps, and short inductions, for all invariants on one unrolling",
        "all-states": "fixpoints on all states, reachable or not",
        "reachable-states": "the reachable states first, then fixpoints on these",
        "as-ctl": "the formula of CTL that means the same",
    }
)
"""Attempts that are not engines by themselves."""

COMPANION = ("bmc", "ic3")
"""The engines in the second process."""

CTL_TWIN = "a formula of CTL means the same"
UNBUILT = "in LTL, its automaton takes too much work, or more than {STATES_OF_A_SMALL_AUTOMATON} states"
LARGE = "its automaton has more than {STATES_OF_A_SMALL_AUTOMATON} states"
"""Features of formulas about paths."""

AUTO: Mapping[str, Sequence[Attempt]] = MappingProxyType(
    {
        INVARIANTS: (
            Attempt("sat-probe", "a shallow violation of a wide machine needs no diagrams", over_bits=300, work=5 * MILLION),
            Attempt("sat-probe", "the middle bits of products have no small diagrams", 64, "products", work=5 * MILLION),
            Attempt("sat-probe", "arithmetic on words is easier for a solver", 64, "words", work=0.3 * MILLION),
            Attempt("forward", "most machines have small diagrams", 64, work=0.3 * MILLION, beside=True),
            Attempt("sat-probe", "diagrams are no longer cheap, and violations are often near", 64, work=0.3 * MILLION),
            Attempt("forward", "what diagrams do not decide, clauses may", 30, beside=True),
            Attempt("forward", "machines of few bits are searched at once"),
        ),
        LINEAR: (
            Attempt("as-ctl", "deterministic formulas need no automaton", only=CTL_TWIN),
            Attempt("tableau", "a tableau never explodes", only=UNBUILT),
            Attempt("smc", "a large automaton goes into variables", only=LARGE),
            Attempt("partitioned", "sets split by the automaton stay small"),
        ),
        BRANCHING: (
            Attempt("all-states", "on wide machines a few preimages often settle it", over_bits=100, work=MILLION),
            Attempt("reachable-states", "where few states are reachable", work=MILLION),
            Attempt("all-states", "where fixpoints are near", work=0.5 * MILLION),
            Attempt("reachable-states", "twice as much again", work=2 * MILLION),
            Attempt("all-states", "twice as much again", work=MILLION),
            Attempt("reachable-states", "twice as much again", work=4 * MILLION),
            Attempt("all-states", "twice as much again", work=2 * MILLION),
            Attempt("reachable-states", "twice as much again", work=8 * MILLION),
            Attempt("all-states", "twice as much again", work=4 * MILLION),
            Attempt("reachable-states", "to the end"),
        ),
    }
)

BESIDE_PATHS = Attempt("diagrams", "what diagrams do not decide, clauses may", over_bits=30, beside=True)
"""It applies to formulas about paths, whichever attempt of the table is made with diagrams."""

FIRST_OF_INVARIANTS, FIRST_OF_PATHS = ("bmc", "forward", "ic3", "k-induction"), ("partitioned", "ic3", "bmc", "smc")
"""The engines that compete where the user says `--engine first-of`."""


def contenders(session: Session, claim: Property) -> Sequence[str]:
    """The engines that compete for a property; none where there is no choice."""
    if searched_as_invariant(claim, session.machine, session.options) is not None:
        return FIRST_OF_INVARIANTS
    return FIRST_OF_PATHS if (claim.kind.is_ltl or claim.kind.is_psl) and session.options.ltl == "auto" else ()


def _competes(session: Session, claim: Property) -> bool:
    return session.options.engine == FIRST_OF and len(contenders(session, claim)) > 1


def _needs_all_states(session: Session, claim: Property) -> bool:
    return claim.kind.of_whole_machine


def _lists_orbits(session: Session, claim: Property) -> bool:
    return session.options.reduce == "symmetry" and home(session, claim).spaces.carrier == "explicit"


def _by_symmetry(session: Session, claim: Property) -> bool:
    return session.options.reduce == "symmetry"


def _is_direct(session: Session, claim: Property) -> bool:
    """Fixpoints of formulas may have no end; what is searched for, and assertion graphs, need none."""
    if session.options.reduce != "none":
        return False
    own = home(session, claim)
    searched = searched_as_invariant(claim, own.machine, own.options) is not None or isinstance(claim, AssertionGraphClaim)
    return searched or not own.by_formulas


class Around(Struct, frozen=True):
    """One row of the table: where a property is decided."""

    name: str
    why: str
    applies: Callable[[Session, Property], bool]
    decide: str
    """The function `decide(session, claim)`."""


_COMPOSED = "coarsest.check.composed."
ITSELF = "coarsest.check.decide.classify:decide_at_home"
AROUND = (
    Around("first-of", "several engines, each in a process of its own", _competes, _COMPOSED + "first_of:decide"),
    Around("model", "whether each state has a successor is not seen on a quotient", _needs_all_states, ITSELF),
    Around("on-orbits", "representatives of symmetric states, listed", _lists_orbits, _COMPOSED + "on_orbits:decide"),
    Around("by-symmetry", "representatives of symmetric states, as BDDs", _by_symmetry, _COMPOSED + "by_symmetry:decide"),
    Around("model", "nothing is to be reduced", _is_direct, ITSELF),
    Around("on-quotient", "classes of states that behave alike", lambda *_: True, _COMPOSED + "on_quotient:decide"),
)
"""Engines made of engines. The first row that applies decides."""


def around(session: Session, claim: Property) -> Around:
    return next(row for row in AROUND if row.applies(session, claim))


def decide_around(session: Session, claim: Property) -> Decision:
    """The decision on a property, wherever it is decided."""
    return cast("Decision", function(around(session, claim).decide)(session, claim))


def advice(session: Session, claim: Property) -> str:
    """What may be tried next for a property that was not decided."""
    options = session.options
    if options.engine not in ("auto", FIRST_OF):
        return "no --engine: several are tried then"
    ways = [f"--engine {FIRST_OF}"] if options.engine == "auto" and len(contenders(session, claim)) > 1 else []
    if options.reduce == "none" and not claim.kind.of_whole_machine and not isinstance(claim, AssertionGraphClaim):
        ways.append("--reduce bisimulation")
    elif options.reduce != "none":
        ways.append("no --reduce")
    limited = session.run.limits.seconds is not None
    return ", or ".join([*ways, "a longer --timeout"] if limited else ways)


def bits(machine: Machine) -> int:
    return sum(bits_of(variable.type) for variable in machine.variables.values())


def attempts(kind: str, machine: Machine) -> Iterator[Attempt]:
    """The rows that apply to a machine, up to the first without a budget."""
    width = bits(machine)
    for attempt in AUTO[kind]:
        if width > attempt.over_bits and (attempt.only not in FEATURES or FEATURES[attempt.only](machine)):
            yield attempt
            if attempt.work == inf and not attempt.only:
                return


def way_of_paths(*features: str) -> str:
    """The way of formulas about paths with these features."""
    return next(attempt.way for attempt in AUTO[LINEAR] if not attempt.only or attempt.only in features)


def with_attempt(finding: Finding, number: int, attempt: Attempt) -> Finding:
    """The finding, with the attempt that made it among its facts."""
    if isinstance(finding, Computed):
        return finding
    return replace(finding, facts={"attempt": f"{number}: {attempt.way}", **finding.facts})


def has_companion(machine: Machine) -> bool:
    """Do formulas about paths of this machine have a companion?"""
    return not unbounded_variables(machine) and bits(machine) > BESIDE_PATHS.over_bits


def _multiplies(machine: Machine) -> bool:
    """Is a next value a product of values that are not given?"""
    parts = (part for expr in machine.next_values.values() for part in subexpressions(expr))
    return any(
        isinstance(part, Apply) and part.op == "*" and not any(isinstance(factor, Constant) for factor in part.args)
        for part in parts
    )


def _has_words(machine: Machine) -> bool:
    return any(isinstance(variable.type, WordType) for variable in machine.variables.values())


FEATURES = MappingProxyType({"products": _multiplies, "words": _has_words})
"""The features of machines that an attempt may require."""
