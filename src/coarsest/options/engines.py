"""The engines: one line each. Command-line words, `coarsest algorithms` and the law tests are made from it.

An engine is a function `decide(question, session) -> Finding` in a module of its own. An optional function
`objection(question, session) -> str` beside it explains why the engine cannot answer a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, cast

from msgspec import Struct

from coarsest.errors import InputError
from coarsest.options.option import Beside, Option, Options
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.check.questions.finding import Finding
    from coarsest.check.questions.question import Question
    from coarsest.check.setting.session import Session

FIRST_OF = "first-of"
"""The value of `--engine` that runs several engines in parallel."""

ON_BITS = ("bmc", "k-induction", "ic3")
"""Engines that have no sets of states."""

INVARIANTS, LINEAR, BRANCHING, QUANTITIES, ALONG = "invariant", "linear", "branching", "quantity", "along"
"""The kinds of claims that engines decide."""

IN_WORDS = {INVARIANTS: "invariants", LINEAR: "LTL", BRANCHING: "CTL and CTL*", QUANTITIES: "COMPUTE"}
"""What an engine decides, in the help of `--engine`. Assertion graphs have a command of their own, without this option."""


SEARCHES = MappingProxyType(
    {
        "auto": "`chaining` if a scheduler splits the transition relation and the search goes forwards, else `breadth-first`",
        "breadth-first": "in rings of equal distance",
        "chaining": "applies one part of the transition relation after the other; finds no distances",
    }
)
FAIR_ALGORITHMS = MappingProxyType(
    {
        "auto": "`one-way`",
        "one-way": "a hull of the components, from one side",
        "emerson-lei": "a hull by nested fixpoints",
        "lockstep": "strongly connected components, searched from both sides in step",
    }
)
PLACES = MappingProxyType({"auto": "wherever the order puts them", "top": "above all others", "bottom": "below all others"})
ENCODINGS = MappingProxyType({"binary": "the number of its state in binary", "one-hot": "a variable for each state"})

BY_PARTS = Beside("carrier", ("bdd",), value="chaining")
"""Listed states have no parts of the transition relation."""


class Searching(Options, frozen=True, kw_only=True):
    """The options of engines that look for the reachable states."""

    search: Annotated[
        str,
        Option(help="how to look for states", noun="search", words=SEARCHES,
               beside=(BY_PARTS, Beside("carrier", ("bdd", "explicit")))),
    ] = "auto"  # fmt: skip


class FairStates(Options, frozen=True, kw_only=True):
    """The options of engines that look for fair paths."""

    fair: Annotated[
        str,
        Option(help="how to find states with fair paths: {words}", noun="algorithm for fair states", words=FAIR_ALGORITHMS,
               metavar="NAME"),
    ] = "auto"  # fmt: skip


class BesideTheModel(Options, frozen=True, kw_only=True):
    """The options of engines that put variables of a property beside those of the model."""

    property_variables: Annotated[
        str,
        Option(
            help="where the variables of an encoded automaton or tableau go in the variable order",
            noun="position of property variables", words=PLACES,
        ),
    ] = "auto"  # fmt: skip


class Encoding(Options, frozen=True, kw_only=True):
    """The options of the engine that encodes an automaton in variables."""

    encoding: Annotated[
        str, Option(help="how the states of an automaton are encoded in variables", noun="encoding", words=ENCODINGS)
    ] = "binary"


ON_PATHS = (Searching, FairStates)
"""The options of engines for formulas about paths."""


class Entry(Struct, frozen=True):
    """One engine: its name on the command line, what it decides, its module, and half a line about what it does."""

    name: str
    decides: str
    module: str
    """The module with the function `decide`, or with the function named after a colon."""
    does: str
    options: tuple[type[Options], ...] = ()
    """The options that it has; engines that do not name them refuse them."""
    short: str = ""
    """A shorter name."""
    method: str = ""
    """Its name after `--ltl`."""
    only: tuple[str, ...] = ()
    """The kinds of properties that it decides; without any, all that become such claims."""

    def decide(self, question: Question[Any], session: Session) -> Finding:
        """The finding of the engine. Raises InputError with its objection if it cannot answer."""
        objection = self.objection(question, session)
        if objection:
            raise InputError(f"the engine '{self.name}' cannot decide this: {objection}", hint="choose another with --engine")
        module, _, function = self.module.partition(":")
        decide: Callable[[Question[Any], Session], Finding] = getattr(import_module(module), function or "decide")
        return decide(question, session)

    def objection(self, question: Question[Any], session: Session) -> str:
        """Why the engine cannot answer; empty if it can."""
        module = import_module(self.module.partition(":")[0])
        return cast("str", module.objection(question, session)) if hasattr(module, "objection") else ""


_HERE = "coarsest.check.engines."
_COUNTED = _HERE + "counted:"

ENGINES = (
    Entry("forward", INVARIANTS, _HERE + "forward", "search from the initial states, in rings of equal distance", (Searching,)),
    Entry("backward", INVARIANTS, _HERE + "backward", "search backwards from the bad states, in rings of equal distance",
          (Searching,)),
    Entry("explore", INVARIANTS, _HERE + "explore", "list states, batch after batch, up to the first violation"),
    Entry("both-ends", INVARIANTS, _HERE + "both_ends", "alternate between both searches"),
    Entry("lee-yannakakis", INVARIANTS, _COUNTED + "lee_yannakakis",
          "stabilise the initial block until a second one is reachable"),
    Entry(
        "bouajjani-fernandez-halbwachs", INVARIANTS, _COUNTED + "bouajjani_fernandez_halbwachs",
        "stabilise the initial block by all blocks, and mark those that lead to bad states", short="bfh",
    ),
    Entry(
        "paige-tarjan", INVARIANTS, _COUNTED + "paige_tarjan",
        "split by parts of compound blocks, and mark those that lead to bad states",
    ),
    Entry(
        "paige-tarjan-splitting-marked", INVARIANTS, _COUNTED + "paige_tarjan_splitting_marked",
        "the same, but marked blocks are split as well",
    ),
    Entry("bmc", INVARIANTS, _HERE + "on_bits.bmc", "bounded model checking: looks for longer and longer violations by SAT"),
    Entry("k-induction", INVARIANTS, _HERE + "on_bits.bmc:with_induction",
          "the same, with proofs by induction over as many steps"),
    Entry("ic3", INVARIANTS, _HERE + "on_bits.ic3", "finds inductive clauses from single states by SAT"),
    Entry("partitioned", LINEAR, _HERE + "partitioned", "a set of states for each state of an automaton", ON_PATHS,
          method="partitioned"),
    Entry("smc", LINEAR, _HERE + "smc", "an automaton, encoded in variables beside the model",
          (*ON_PATHS, BesideTheModel, Encoding), method="automaton"),
    Entry("tableau", LINEAR, _HERE + "tableau", "a tableau of the formula, encoded in variables beside the model",
          (*ON_PATHS, BesideTheModel), method="tableau", only=("ltl",)),
    Entry("bmc", LINEAR, _HERE + "on_bits.bmc_of_paths", "looks for longer and longer lassos by SAT"),
    Entry(
        "k-induction", LINEAR, _HERE + "on_bits.k_induction_of_paths",
        "the same, with proofs by induction that no path comes back",
    ),
    Entry("ic3", LINEAR, _HERE + "on_bits.ic3_of_paths", "proves by inductive clauses that no path comes back, or not often"),
    Entry("fixpoints", BRANCHING, _HERE + "fixpoints", "sets of states by fixpoints (CTL alone)", ON_PATHS, only=("ctl",)),
    Entry(
        "fixpoints-and-automata", BRANCHING, _HERE + "fixpoints_and_automata",
        "the same, with an automaton for each formula about paths (CTL* alone)", ON_PATHS, only=("ctl*",),
    ),
    Entry("game", BRANCHING, _HERE + "game", "does a tableau of the formula simulate the model? (ACTL alone)", ON_PATHS,
          only=("ctl",)),
    Entry("distances", QUANTITIES, _HERE + "distances", "ring by ring from one condition to another", ON_PATHS),
    Entry("gste", ALONG, _HERE + "gste", "a set of states for each vertex"),
    Entry("gste-ternary", ALONG, _HERE + "gste_ternary", "a vector for each vertex, whose bits may be unknown"),
)  # fmt: skip
"""The first engine of each kind of claim is the default: its options may be given without `--engine`."""

SHORT_NAMES = MappingProxyType({entry.short: entry.name for entry in ENGINES if entry.short})
LTL_METHODS = MappingProxyType(
    {
        "auto": "as CTL if that means the same, else chosen by the size of the automaton",
        **{entry.method: entry.does for entry in ENGINES if entry.method},
    }
)

_ADDED: ContextVar[tuple[Entry, ...]] = ContextVar("_ADDED", default=())


def engines() -> tuple[Entry, ...]:
    """All engines, with those that `registered` added."""
    return ENGINES + _ADDED.get()


@contextmanager
def registered(entry: Entry) -> Iterator[None]:
    """Add an engine for the duration of the block."""
    token = _ADDED.set((*_ADDED.get(), entry))
    try:
        yield
    finally:
        _ADDED.reset(token)


class EngineWords(Mapping[str, str]):
    """The values of `--engine` with their help; read when asked for, because engines may be added."""

    def _table(self) -> dict[str, str]:
        words = {
            "auto": "`forward` for invariants, after a short search by SAT in wide models; for LTL, as `--ltl` says; `bmc` and "
            "`ic3` join in if that takes long",
            FIRST_OF: "several engines in parallel, two at a time; the first answer counts, and the properties share the time",
        }
        for entry in engines():
            if entry.decides not in IN_WORDS:
                continue
            does = f"for {IN_WORDS[entry.decides]}: {entry.does}" + (f", as `--ltl {entry.method}`" if entry.method else "")
            words[entry.name] = f"{words[entry.name]}; {does}" if entry.name in words else does
            if entry.short:
                words[entry.short] = f"short for `{entry.name}`"
        return words

    def __getitem__(self, word: str) -> str:
        return self._table()[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table())

    def __len__(self) -> int:
        return len(self._table())


ENGINE_WORDS = EngineWords()


def engines_named(word: str) -> list[Entry]:
    """The engines with this name or short name: one for each kind of claim that it decides."""
    entries = [entry for entry in engines() if word in (entry.name, entry.short)]
    if entries:
        return entries
    near = nearest(word, ENGINE_WORDS)
    known = f"known: {', '.join(ENGINE_WORDS)}"
    raise InputError(f"unknown engine '{word}'", hint=f"did you mean '{near[0]}'? {known}" if near else known)


def option_structs() -> tuple[type[Options], ...]:
    """The structs of options of all engines, each once."""
    return tuple(dict.fromkeys(struct for entry in engines() for struct in entry.options))


def engine_by_method(method: str) -> Entry:
    """The engine that `--ltl METHOD` chooses."""
    return next(entry for entry in ENGINES if entry.method == method)


def usual_engine(decides: str) -> Entry:
    """The default engine of a kind of claim: its options may be given without `--engine`."""
    return next(entry for entry in engines() if entry.decides == decides)


def engine_named(word: str) -> Entry:
    """The first engine with this name."""
    return engines_named(word)[0]


def engine_asked_for(decides: str, word: str) -> Entry | None:
    """The engine that the user asked for, if it decides such claims."""
    asked = [] if word in ("auto", FIRST_OF) else engines_named(word)
    return next((entry for entry in asked if entry.decides == decides), None)


def engine_for(decides: str, word: str, otherwise: str) -> Entry:
    """The engine that the user asked for, if it decides such claims; else the one named `otherwise`."""
    return engine_asked_for(decides, word) or engine_named(otherwise)
