"""Options belong to engines: every engine takes its own, and refuses each option of another with the same sentence."""

from __future__ import annotations

from typing import Annotated, Any

import pytest

import coarsest
from coarsest.check.option_use import kinds_of
from coarsest.check.questions.finding import Finding, Undecided
from coarsest.check.questions.question import Question
from coarsest.check.setting.session import Session
from coarsest.errors import InputError
from coarsest.options.engines import ALONG, INVARIANTS, ON_BITS, Entry, engines, option_structs, registered
from coarsest.options.methods import BuildOptions
from coarsest.options.option import Choice, Option, Options, choices

MODEL = coarsest.loads("MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 4};")
FORMULAS = {
    "invariant": "x < 4", "ctl": "AG AF x < 4", "ctl*": "E (G F x = 1)", "ltl": "x = 1 -> F x = 2",
    "compute": "MIN [x = 0, x = 2]",
}  # fmt: skip
ENTRIES = [entry for entry in engines() if entry.decides != ALONG]
OF_ENGINES = [choice for struct in option_structs() for choice in choices(struct)]


def _another(choice: Choice) -> Any:
    """A value that is not the default."""
    if isinstance(choice.default, bool):
        return not choice.default
    usual = 2 if isinstance(choice.default, int) else "file"
    return next((word for word in reversed(choice.words) if word not in ("auto", choice.default)), usual)


def _ask(entry: Entry, choice: Choice) -> None:
    options: dict[str, Any] = {"engine": entry.name, choice.name: _another(choice)}
    MODEL.check(FORMULAS[kinds_of(entry)[0]], **options)


@pytest.mark.parametrize("choice", OF_ENGINES, ids=lambda choice: choice.name)
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.name}-{entry.decides}")
def test_an_engine_has_its_own_options_and_no_others(entry: Entry, choice: Choice) -> None:
    if any(choice in choices(struct) for struct in entry.options):
        _ask(entry, choice)
        return
    with pytest.raises(InputError, match=f"{choice.flag} belongs to .*, and {entry.name} decides here") as refused:
        _ask(entry, choice)
    assert refused.value.diagnostic.hint == f"leave out {choice.flag}"


@pytest.mark.parametrize("choice", choices(BuildOptions), ids=lambda choice: choice.name)
@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.name in ON_BITS], ids=lambda e: f"{e.name}-{e.decides}")
def test_engines_on_bits_have_no_sets_of_states(entry: Entry, choice: Choice) -> None:
    with pytest.raises(InputError, match=f"{choice.flag} belongs to engines with sets of states, and {entry.name} decides here"):
        _ask(entry, choice)


@pytest.mark.parametrize("kind", FORMULAS)
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.name}-{entry.decides}")
def test_an_engine_decides_what_the_table_says(entry: Entry, kind: str) -> None:
    if kind in {known for other in ENTRIES if other.name == entry.name for known in kinds_of(other)}:
        return
    with pytest.raises(InputError, match=f"--engine {entry.name} cannot decide .*; it decides "):
        MODEL.check(FORMULAS[kind], engine=entry.name)


class Patience(Options, frozen=True, kw_only=True):
    """What the engine below can be told."""

    patience: Annotated[int, Option(help="how long it thinks", metavar="N", least=0)] = 0


def decide(question: Question, session: Session) -> Finding:
    return Undecided(f"it has thought for {session.options.of(Patience).patience} moments")


def test_an_option_comes_with_its_engine() -> None:
    """Two places know of it: the file of the engine, and its line in the table."""
    ask: Any = MODEL.check
    with pytest.raises(TypeError, match="there is no option 'patience'"):
        ask("x < 4", patience=7)
    with registered(Entry("thinker", INVARIANTS, __name__, "thinks", (Patience,))):
        (answer,) = ask("x < 4", engine="thinker", patience=7).answers
        assert answer.verdict.because == "it has thought for 7 moments"
        with pytest.raises(InputError, match="--patience belongs to --engine thinker, and forward decides here"):
            ask("x < 4", patience=7)
        from coarsest.cli.commands.check import command

        assert command.parser().parse_args(["m.smv", "--patience", "3"]).patience == 3
