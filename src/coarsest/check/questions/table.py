"""The engines: one line each. Command-line words, `coarsest algorithms` and the law tests are made from it.

An engine is a function `decide(question, shop) -> Finding` in a module of its own. It may be told to be silent about what it
cannot do by a function `objection(question, shop) -> str`, which says why in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from coarsest.errors import InputError
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.check.questions.finding import Finding
    from coarsest.check.questions.question import Question
    from coarsest.check.setting.context import Context

FIRST_OF = "first-of"
"""The word for several engines side by side."""

INVARIANTS, LINEAR = "invariant", "linear"
"""The kinds of claims among whose engines there is a choice."""


class Entry(Struct, frozen=True):
    """One engine: its word on the command line, what it decides, where it is, and what it does in half a line."""

    name: str
    decides: str
    module: str
    does: str
    short: str = ""
    """Another word for it."""

    def decide(self, question: Question[Any], shop: Context) -> Finding:
        """What the engine finds; raises InputError with its objection where it cannot answer."""
        objection = self.objection(question, shop)
        if objection:
            raise InputError(f"the engine '{self.name}' cannot decide this: {objection}", hint="choose another with --engine")
        decide: Callable[[Question[Any], Context], Finding] = import_module(self.module).decide
        return decide(question, shop)

    def objection(self, question: Question[Any], shop: Context) -> str:
        """Why the engine cannot answer; empty if it can."""
        module = import_module(self.module)
        return cast("str", module.objection(question, shop)) if hasattr(module, "objection") else ""


_HERE = "coarsest.check.engines."

ENGINES = (
    Entry("forward", INVARIANTS, _HERE + "forward", "searches from the initial states"),
    Entry("backward", INVARIANTS, _HERE + "backward", "searches from the bad states"),
    Entry("lee-yannakakis", INVARIANTS, _HERE + "lee_yannakakis", "minimises on the way, and stops early"),
    Entry("bouajjani-fernandez-halbwachs", INVARIANTS, _HERE + "bouajjani_fernandez_halbwachs", "the same", short="bfh"),
    Entry("paige-tarjan", INVARIANTS, _HERE + "paige_tarjan", "the same"),
    Entry("paige-tarjan-splitting-marked", INVARIANTS, _HERE + "paige_tarjan_splitting_marked", "the same"),
    Entry("both-ends", INVARIANTS, _HERE + "both_ends", "searches from both ends in turns"),
    Entry("bmc", INVARIANTS, _HERE + "bmc", "looks for longer and longer violations by SAT"),
    Entry("k-induction", INVARIANTS, _HERE + "k_induction", "proves by induction over more and more steps, by SAT"),
    Entry("smc", LINEAR, _HERE + "smc", "puts the automaton of the violations into variables"),
    Entry("partitioned", LINEAR, _HERE + "partitioned", "splits sets of states by the automaton of the violations"),
    Entry("tableau", LINEAR, _HERE + "tableau", "puts a tableau of the formula beside the model"),
)

_ADDED: ContextVar[tuple[Entry, ...]] = ContextVar("_ADDED", default=())


def engines() -> tuple[Entry, ...]:
    """All engines, those that were added from outside among them."""
    return ENGINES + _ADDED.get()


@contextmanager
def registered(entry: Entry) -> Iterator[None]:
    """Have one engine more for a while."""
    token = _ADDED.set((*_ADDED.get(), entry))
    try:
        yield
    finally:
        _ADDED.reset(token)


def engine_words(decides: str | None = None) -> tuple[str, ...]:
    """What may be said after `--engine`."""
    found = [entry for entry in engines() if decides in (None, entry.decides)]
    return ("auto", FIRST_OF, *(word for entry in found for word in (entry.name, entry.short) if word))


def engine_named(word: str) -> Entry:
    """The engine of that name, or of that short name."""
    for entry in engines():
        if word in (entry.name, entry.short):
            return entry
    near = nearest(word, engine_words())
    known = f"known: {', '.join(engine_words())}"
    raise InputError(f"unknown engine '{word}'", hint=f"did you mean '{near[0]}'? {known}" if near else known)
