"""What newcomers get wrong in files, on the command line and in Python: each mistake with the answer that it gets.

Answers are graded: *repair* names what to write, *place* says where the mistake is, or lists what is possible.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

import coarsest
from command_lines import Runner

TABLE = Path(__file__).parents[1] / "golden" / "newcomers_mistakes.txt"
MODEL = """MODULE main
VAR x : 0..3; lock : boolean;
ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;
INVARSPEC NAME small := x < 4
LTLSPEC NAME live := G F x = 0
"""
FEWEST_MISTAKES, FEWEST_REPAIRS = 220, 195


class Mistake(NamedTuple):
    grade: str
    text: str
    answer: str


def mistakes() -> list[Mistake]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    heads = (head[1:].split("] ", 1) for head in lines[::2])
    return [Mistake(grade, text, answer.strip()) for (grade, text), answer in zip(heads, lines[1::2], strict=True)]


@pytest.fixture
def run(run: Runner) -> Runner:
    Path("good.smv").write_text(MODEL)
    Path("good.aut").write_text('des (0, 2, 2)\n(0, "a", 1)\n(1, "tau", 0)\n')
    Path("other.aut").write_text('des (0, 1, 2)\n(0, "a", 1)\n')
    return run


def test_enough_are_tried_and_most_answers_name_the_repair() -> None:
    grades = [mistake.grade for mistake in mistakes()]
    assert set(grades) == {"repair", "place"}
    assert len(grades) >= FEWEST_MISTAKES and grades.count("repair") >= FEWEST_REPAIRS


@pytest.mark.parametrize("mistake", mistakes(), ids=lambda mistake: mistake.text[:60])
def test_the_answer(mistake: Mistake, run: Runner) -> None:
    if mistake.text.startswith(">>> "):
        said = in_python(mistake.text.removeprefix(">>> "))
    else:
        said = on_the_command_line(mistake.text, run)
    assert mistake.answer in said
    assert "Traceback" not in said and "internal error" not in said


def in_python(expression: str) -> str:
    """What the exception says, or what the call returns if there is nothing wrong with it (any more)."""
    names = {"coarsest": coarsest, "m": coarsest.load("good.smv"), "g": coarsest.read_graph("good.aut")}
    try:
        return repr(eval(expression, names))
    except coarsest.InputError as problem:
        assert problem._render_traceback_() == [f"{type(problem).__name__}: {problem}"]
        return str(problem)
    except (TypeError, KeyError, AttributeError) as problem:
        assert not isinstance(problem, AttributeError) or "did you mean" in str(problem)
        return f"{type(problem).__name__}: {problem}"


def on_the_command_line(text: str, run: Runner) -> str:
    if text.startswith("coarsest "):
        result = run(*shlex.split(text)[1:])
    else:
        name, _, content = text.partition(": ")
        Path(name).write_text(content.replace("\\n", "\n"), encoding="utf-8")
        result = run("check", name)
    assert result.code == 2 or "warning: " in result.err
    return result.err
