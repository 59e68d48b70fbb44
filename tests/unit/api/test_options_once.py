"""Options are written once: what is made from the structs agrees with them, and means the same wherever it is said."""

from __future__ import annotations

from argparse import Namespace
from functools import reduce
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Annotated

import pytest

import coarsest
import keyword_types
from coarsest.api import options as api
from coarsest.errors import InputError
from coarsest.options.methods import BuildOptions, CheckOptions
from coarsest.options.option import Choice, Confirm, Option, Options, Task, choices
from option_tables import TASKS

MODEL = coarsest.loads("MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4; INVARSPEC n < 4")
GRAPH = coarsest.Graph.from_edges(2, [0], [0], [1])
ASSERTION = "GRAPH g VERTEX a INITIAL ANT n = 0 VERTEX b FINAL CONS n = 1 EDGE a -> b"
EVERYWHERE = [(command, task) for command, (_, task) in TASKS.items()]


@pytest.mark.parametrize("words, function", [(words, function) for words, (function, _) in keyword_types.TASKS.items()])
def test_type_checkers_know_the_keywords(words: str, function: str) -> None:
    found = reduce(getattr, function.split("."), coarsest)
    assert signature(found).parameters["options"].annotation == f"Unpack[keywords.{words}]"


def test_every_task_has_keywords() -> None:
    assert {task for _, task in TASKS.values()} <= {task for _, task in keyword_types.TASKS.values()}


def test_the_keywords_for_type_checkers_are_up_to_date() -> None:
    assert keyword_types.FILE.read_text() == keyword_types.text(), "write them again: python tests/keyword_types.py"


@pytest.mark.parametrize("command, task", EVERYWHERE)
def test_an_unknown_name_is_a_type_error(command: str, task: Task) -> None:
    struct = task.structs[0]
    name = next(iter(task.choices)).name
    with pytest.raises(TypeError, match=f"there is no option '{name}x', but '{name}'"):
        task.read(struct, {f"{name}x": 1})


@pytest.mark.parametrize("command, task", EVERYWHERE)
def test_an_unknown_word_is_refused_with_those_that_are_known(command: str, task: Task) -> None:
    for struct in task.structs:
        for choice in choices(struct):
            if choice.option.noun or choice.type is Confirm:
                with pytest.raises(InputError, match=r"unknown .* 'xyzzy'") as refused:
                    struct(**{choice.name: "xyzzy"})
                assert refused.value.diagnostic.hint == f"known: {', '.join(choice.words)}"


@pytest.mark.parametrize("command, task", EVERYWHERE)
def test_the_command_line_takes_every_word(command: str, task: Task) -> None:
    parser = import_module(f"coarsest.cli.commands.{command.split(maxsplit=1)[0]}").command.parser()
    operands = [action.metavar for action in parser._actions if not action.option_strings and action.nargs in (None, "+")]
    for choice in task.choices:
        if choice.option.on_command_line:
            assert getattr(parser.parse_args([*map(str, operands)]), choice.name) in ([], choice.default)
            for typed, value in _typed(choice):
                args: Namespace = parser.parse_args([*map(str, operands), *typed])
                assert getattr(args, choice.name) == value


def _typed(choice: Choice) -> list[tuple[list[str], object]]:
    if isinstance(choice.default, bool):
        return [([choice.flag], not choice.default)]
    if choice.type is int:
        return [([choice.flag, "7"], 7)]
    if choice.many:
        return [([choice.flag, "a", choice.flag, "b"], ["a", "b"])]
    return [([choice.flag, word], word) for word in choice.words or ("somewhere",)]


@pytest.mark.parametrize("given, meant", [(True, "auto"), (False, "never"), *((word, word) for word in Confirm)])
def test_confirm_means_one_thing(given: str | bool, meant: str) -> None:
    structs = {struct for _, task in TASKS.values() for struct in task.structs if "confirm" in struct.__struct_fields__}
    assert len(structs) == 7
    assert {struct(confirm=given).confirm for struct in structs} == {Confirm(meant)}
    confirmed = [
        MODEL.check(confirm=given)[0].confirmed,
        next(MODEL.answers(confirm=given)).confirmed,
        MODEL.gste(ASSERTION, confirm=given)[0].confirmed,
        MODEL.reduce(observe=["n"], confirm=given).confirmed,
        GRAPH.reduce(confirm=given).confirmed,
        GRAPH.check("AG true", confirm=given).answers[0].confirmed,
        coarsest.compare(GRAPH, GRAPH, confirm=given).confirmed,
        coarsest.compare(MODEL, MODEL, observe=["n"], confirm=given).confirmed,
    ]
    assert confirmed == [meant != "never"] * len(confirmed)


def test_always_confirms_the_quotient_of_a_model_with_many_states() -> None:
    large = coarsest.loads("MODULE main VAR n : 0..2999; ASSIGN init(n) := 0; next(n) := (n + 1) mod 3000;")
    found = [large.reduce(observe=["n mod 2 = 0"], count=False, confirm=when).confirmed for when in ("auto", True, "always")]
    assert found == [False, False, True]
    assert coarsest.compare(large, large, observe=["n mod 2 = 0"], confirm="always").confirmed


def test_answers_save_the_order_as_check_does(tmp_path: Path) -> None:
    path = tmp_path / "o.ord"
    assert [answer.verdict.word for answer in MODEL.answers(save_order=str(path))] == ["holds"]
    assert "n" in path.read_text()


def test_what_is_our_own_cannot_be_chosen() -> None:
    with pytest.raises(TypeError, match="there is no option 'top'"):
        api.CHECK.read(BuildOptions, {"top": ("n",)})


REGISTERED = {"one": "the first"}


def registered() -> dict[str, str]:
    return REGISTERED


class Registered(Options, frozen=True, kw_only=True):
    """Its words may become more."""

    which: Annotated[str, Option(help="one of {words}", noun="word", words=registered)] = "one"


def test_words_may_be_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="unknown word 'two'"):
        Registered(which="two")
    monkeypatch.setitem(REGISTERED, "two", "the second")
    assert Registered(which="two").which == "two"
    assert [choice.help for choice in choices(Registered)] == ["one of one, two"]


def test_a_choice_that_another_keeps_from_effect_is_read_all_the_same() -> None:
    assert CheckOptions(engine="smc").ltl_method == "automaton"
    assert CheckOptions(engine="smc", ltl="tableau").ltl_method == "tableau"


ASKED = {"deadlock", "safety", "traces", "show", "towards", "every_state", "count", "observe", "actions", "semantics", "precise"}
"""What changes what is asked or shown, whatever the method."""


@pytest.mark.parametrize("name", ["check", "assume", "prove", "gste", "reach", "reduce", "symmetry"])
def test_no_choice_of_a_method_changes_what_is_asked(name: str) -> None:
    parser = import_module(f"coarsest.cli.commands.{name}").command.parser()
    (method,) = (group for group in parser._action_groups if group.title == "method")
    assert {action.dest for action in method._group_actions} & ASKED == set()
