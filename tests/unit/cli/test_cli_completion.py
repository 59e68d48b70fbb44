"""What shells and `man` are told of the command line."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from coarsest.cli.completion import completion, manual, options_of
from coarsest.cli.dispatch import COMMANDS
from command_lines import Runner


def completed(script: Path, *words: str) -> list[str]:
    quoted = " ".join(f"'{word}'" for word in words)
    text = f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _coarsest; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True, cwd=script.parent).stdout.split()


def test_bash_completes_commands_options_words_and_files(tmp_path: Path) -> None:
    script = tmp_path / "coarsest.bash"
    script.write_text(completion("bash", COMMANDS))
    (tmp_path / "model.smv").touch()
    assert completed(script, "coarsest", "re") == ["reduce", "reach", "reproduce"]
    assert completed(script, "coarsest", "check", "--dead") == ["--deadlock"]
    assert completed(script, "coarsest", "check", "--deadlock", "") == ["loop", "fail", "ignore"]
    assert completed(script, "coarsest", "check", "mod") == ["model.smv"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_hear_of_every_option(shell: str, tmp_path: Path) -> None:
    text = completion(shell, COMMANDS)
    for command in COMMANDS:
        assert command in text
        for action in options_of(command):
            long = [name for name in action.option_strings if name.startswith("--")]
            assert all((name if shell == "zsh" else f"-l {name[2:]}") in text for name in long)
    program = shutil.which(shell)
    if program is not None:
        (tmp_path / "script").write_text(text)
        assert subprocess.run([program, "-n", tmp_path / "script"], check=False).returncode == 0


def test_the_manual_names_every_command_and_option() -> None:
    text = manual("1.2", COMMANDS)
    assert text.startswith('.TH COARSEST 1 "" "coarsest 1.2"')
    for command in COMMANDS:
        assert f".B {command}\n" in text and f".SH COARSEST {command.upper()}\n" in text
        for action in options_of(command):
            assert action.option_strings[-1].replace("-", "\\-") in text
    if shutil.which("groff") is not None:
        done = subprocess.run(["groff", "-man", "-k", "-Tutf8"], input=text, capture_output=True, text=True, check=True)
        assert done.stderr == "" and "undecided: a limit was reached" in done.stdout


def test_on_the_command_line(run: Runner) -> None:
    assert run("--completion", "fish").out == completion("fish", COMMANDS)
    assert run("--manual").out.startswith(".TH")
    wrong = run("--completion", "tcsh")
    assert wrong.code == 2 and "needs one of bash, zsh, fish" in wrong.err
