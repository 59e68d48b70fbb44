"""What the commands print of the examples, in files beside the tests: `python tests/golden_outputs.py` writes them anew.

Seconds, memory and numbers of nodes are left out. Of JSON, a line for each property has its verdict and what evidence there is.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
from pathlib import Path

import coarsest
from coarsest.cli.app import main
from coarsest.model.unbounded import unbounded_variables

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden"
EXPLORED = (".smv", ".aag", ".blif", ".btor2", ".bench", ".mv", ".prog")
MODELS = (*EXPLORED, ".lus")
GRAPHS = (".aut", ".hoa")
COMMANDS = {
    "check": MODELS,
    "check --json": MODELS,
    "reach": EXPLORED,
    "reduce": (*EXPLORED, *GRAPHS),
    "symmetry": EXPLORED,
    "gste": (".ag",),
}
"""The commands, and the files that they are about. The states of Lustre programs take long to explore."""
FACTS = (
    (re.compile(r"\d+\.\d+ s\b"), "… s"),
    (re.compile(r"\b[\d,]+ MiB\b"), "… MiB"),
    (re.compile(r"\b[\d,]+ nodes\b"), "… nodes"),
    (re.compile(r"\b(nodes|peak nodes) = [\d,]+"), r"\1 = …"),
    (re.compile(r"^.* · … s\n", re.MULTILINE), ""),  # lines of progress, of which a busy machine has more
)


def examples() -> list[Path]:
    return sorted(path for path in (ROOT / "examples").iterdir() if path.suffix in {*MODELS, *GRAPHS, ".ag"})


def outputs(example: Path) -> str:
    """What the commands print of an example, and their exit codes; run in the folder of the project."""
    sections = []
    endless = example.suffix in MODELS and unbounded_variables(coarsest.load(example).machine)
    for command, suffixes in COMMANDS.items():
        if example.suffix in suffixes and (command.startswith("check") or not endless):
            name = f"examples/{example.name}"
            files = [f"examples/{example.stem}.smv", name] if command == "gste" else [name]
            code, printed = _run([*command.split(), *files])
            sections.append(f"$ coarsest {command} {' '.join(files)}\n{printed}[{code}]\n")
    return "\n".join(sections)


def _run(words: list[str]) -> tuple[int, str]:
    out = io.StringIO()
    err = io.StringIO() if "--json" in words else out
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    text = out.getvalue()
    if "--json" in words and text:
        text = "".join(_verdict(answer) for answer in json.loads(text)["properties"])
        text = err.getvalue() + text
    for pattern, mask in FACTS:
        text = pattern.sub(mask, text)
    return code, text


def _verdict(answer: dict[str, object]) -> str:
    """One line of JSON: what is claimed, what is answered, and what there is to show for it."""
    facts = {word: answer[word] for word in ("name", "kind", "formula", "verdict", "confirmed")}
    shown = [word for word in ("trace", "certificate", "explanation") if answer.get(word)]
    return f"{json.dumps({**facts, 'shown': shown}, ensure_ascii=False)}\n"


if __name__ == "__main__":
    os.chdir(ROOT)
    os.environ["COLUMNS"] = "100"
    GOLDEN.mkdir(exist_ok=True)
    for each in examples():
        (GOLDEN / f"{each.name}.txt").write_text(outputs(each), encoding="utf-8")
