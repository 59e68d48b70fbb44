"""The grammars for editors: they have every word of our languages, and a text is coloured as it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coarsest.files import example_files
from coarsest.formats.assertion_graph.read import RESERVED as OF_GRAPHS
from coarsest.formats.lustre.words import RESERVED as OF_LUSTRE
from coarsest.formats.program.parse import RESERVED as OF_PROGRAMS
from coarsest.logic.tokens import KEYWORDS, tokenise
from coarsest.render.page.playground import SCOPES, grammar
from coarsest.text import Source
from command_lines import Runner

WORDS = {"smv": KEYWORDS, "prog": OF_PROGRAMS, "ag": OF_GRAPHS | {"TRUE", "FALSE", "case", "esac", "mod"}, "lus": OF_LUSTRE}
COLOURS = ("keyword", "constant", "storage")


def rules(language: str) -> Iterator[dict[str, str]]:
    whole = grammar(language)
    for one in whole["patterns"]:
        yield from whole["repository"][one["include"].removeprefix("#")]["patterns"] if "include" in one else [one]


def coloured(language: str, text: str) -> list[tuple[str, str]]:
    """The words of a text with the first rule that takes them, as editors go."""
    at, tokens = 0, []
    while at < len(text):
        for rule in rules(language):
            hit = re.compile(rule.get("match") or rule["begin"]).match(text, at)
            if hit and hit.group():
                closed = re.compile(rule["end"]).search(text, hit.end()) if "end" in rule else hit
                end = closed.end() if closed else len(text)
                tokens.append((text[at:end], rule["name"]))
                at = end
                break
        else:
            at += 1
    return tokens


@pytest.mark.parametrize("language", SCOPES)
def test_every_word_of_a_language_has_its_colour(language: str) -> None:
    assert {word for word in WORDS[language] if not scope_of(word, language).startswith(COLOURS)} == set()
    assert scope_of("harmless", language).startswith("variable")


def scope_of(word: str, language: str) -> str:
    """The scope of a word that stands alone."""
    ((text, scope),) = coloured(language, word)
    assert text == word
    return scope


@pytest.mark.parametrize("language", SCOPES)
def test_rules_are_for_all_engines(language: str) -> None:
    """Oniguruma, JavaScript and Python read them alike: no rule has what only one of them knows."""
    for rule in rules(language):
        for pattern in filter(None, map(rule.get, ("match", "begin", "end"))):
            re.compile(pattern)
            assert not re.search(r"\(\?P|\(\?[a-zA-Z]|\\[AZzhHGKQE]|\(\?>|[*+?}]\+|\[\[:", pattern), pattern
        assert ("match" in rule) != ("begin" in rule and "end" in rule)


@pytest.mark.parametrize("name", [name for name, path in example_files() if path.suffix in (".smv", ".ag")])
def test_examples_are_cut_into_the_words_that_are_read(name: str) -> None:
    text = dict(example_files())[name].read_text(encoding="utf-8")
    language = Path(name).suffix.removeprefix(".")
    coloured_words = [word for word, scope in coloured(language, text) if not scope.startswith("comment")]
    read = [word for word in tokenise(Source(name, text)).texts if word]
    signs = set("(){}[],;:")
    assert [word for word in coloured_words if word not in signs] == [word for word in read if word not in signs]


def test_the_colours_of_a_text() -> None:
    scopes = dict(coloured("smv", 'MODULE main -- why\nVAR a-b : boolean;\nINVARSPEC a-b -> x.count != 0ud8_3 | "p" = TRUE'))
    assert scopes["MODULE"] == "keyword.other.section.smv" and scopes["-- why"] == "comment.line.double-dash.smv"
    assert scopes["a-b"] == scopes["x.count"] == "variable.other.smv" and scopes["->"] == "keyword.operator.smv"
    assert scopes["0ud8_3"] == "constant.numeric.smv" and scopes["boolean"] == "storage.type.smv"
    assert scopes["TRUE"] == "constant.language.smv" and scopes['"p"'] == "string.quoted.double.smv"
    assert coloured("smv", "/-- MODULE\n --/ x") == [("/-- MODULE\n --/", "comment.block.smv"), ("x", "variable.other.smv")]
    assert dict(coloured("lus", "(* node *) --%PROPERTY x;")) == {
        "(* node *)": "comment.block.lus", "--%PROPERTY": "keyword.other.annotation.lus", "x": "variable.other.lus",
    }  # fmt: skip


def test_the_extension_is_whole(run: Runner) -> None:
    assert run("examples", "vscode", "--into", "extensions").code == 0
    folder = Path("extensions/vscode")
    told: dict[str, Any] = json.loads((folder / "package.json").read_text())
    languages = {one["id"]: one for one in told["contributes"]["languages"]}
    assert {ending for one in languages.values() for ending in one["extensions"]} == {f".{scope}" for scope in SCOPES}
    for one in told["contributes"]["grammars"]:
        assert one["language"] in languages
        assert json.loads((folder / one["path"]).read_text())["scopeName"] == one["scopeName"]
    assert all((folder / one["configuration"]).is_file() for one in languages.values())
