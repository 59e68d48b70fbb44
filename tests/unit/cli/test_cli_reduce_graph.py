"""`coarsest reduce` on graph files."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from coarsest.cli.app import main
from coarsest.lts.relations import names
from command_lines import wait_for_progress

VLTS = Path(__file__).parents[4] / "shared" / "benchmarks"
DIAMOND = 'des (0, 6, 5)\n(0, "a", 1)\n(0, "a", 2)\n(0, "a", 2)\n(1, i, 3)\n(2, i, 3)\n(4, i, 3)\n'


@pytest.fixture
def diamond(tmp_path: Path) -> Path:
    path = tmp_path / "diamond.aut"
    path.write_text(DIAMOND)
    return path


def test_quotient_is_written(diamond: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = diamond.with_name("small.aut")
    assert main(["reduce", str(diamond), "-o", str(small), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["states"] == {"before": 5, "after": 3}
    assert said["transitions"] == {"before": 6, "after": 2}
    assert (said["schema"], said["relation"], said["algorithm"]) == (1, "bisimulation", "signatures")
    assert small.read_text() == 'des (0, 2, 3)\n(0, "a", 1)\n(1, i, 2)\n'
    assert main(["reduce", str(small), "-o", "-"]) == 0
    assert capsys.readouterr().out == small.read_text()


@pytest.mark.parametrize("by", names(reducing=True))
def test_the_result_is_confirmed_if_it_shall_be(diamond: Path, by: str, capsys: pytest.CaptureFixture[str]) -> None:
    ways = {"--confirm=auto": True, "--confirm=always": True, "--confirm=never": False, "--no-confirm": False, "--json": True}
    for option, expected in ways.items():
        assert main(["reduce", str(diamond), "--by", by, "--json", option]) == 0
        assert json.loads(capsys.readouterr().out)["confirmed"] is expected
    assert main(["reduce", str(diamond), "--confirm", "perhaps"]) == 2
    assert "auto, always, never" in capsys.readouterr().err


def test_unreachable_states_may_be_kept(diamond: Path, capsys: pytest.CaptureFixture[str]) -> None:
    diamond.write_text(DIAMOND.replace("(4, i, 3)", '(4, "b", 3)'))
    assert main(["reduce", str(diamond), "--keep-unreachable", "--algorithm", "valmari", "-o", "-"]) == 0
    assert capsys.readouterr().out == 'des (0, 3, 4)\n(0, "a", 1)\n(1, i, 2)\n(3, "b", 2)\n'


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-o", "small.pdf"], "graphs are written as .aut, .ba"),
        (["-o", "small.hoa"], "graphs are written as .aut, .ba"),
        (["--algorithm", "paige-tarjan"], "not for explicit graphs"),
        (["--observe", "x"], "--observe is for models"),
    ],
)
def test_wrong_usage(diamond: Path, options: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", str(diamond), *options]) == 2
    assert words in capsys.readouterr().err


def test_wrong_file(diamond: Path, capsys: pytest.CaptureFixture[str]) -> None:
    diamond.write_text(DIAMOND.replace("(1, i, 3)", "(1, i, 33)"))
    assert main(["reduce", str(diamond)]) == 2
    assert ":5:8: error: there is no state 33" in capsys.readouterr().err


@pytest.mark.skipif(not VLTS.exists(), reason="shared benchmarks not present")
def test_classes_of_the_vlts_suite(capsys: pytest.CaptureFixture[str]) -> None:
    oracles = json.loads((VLTS / "oracles.json").read_text())
    known = {name: facts for name, facts in oracles.items() if name.startswith("lts/") and name.endswith(".aut")}
    assert len(known) >= 7
    for name, facts in known.items():
        for algorithm in ("signatures", "valmari"):
            assert main(["reduce", str(VLTS / name), "--json", "--algorithm", algorithm]) == 0
            said = json.loads(capsys.readouterr().out)
            assert said["states"] == {"before": facts["states"], "after": facts["bisimulation_classes"]}
            assert said["transitions"]["before"] == facts["transitions"]


def test_an_interrupted_run_ends_soon(tmp_path: Path) -> None:
    """The kernels are told to stop, and what is known is said."""
    import signal

    path = tmp_path / "large.aut"
    random, size = Random(1), 20_000  # by simulation this takes many seconds
    lines = "".join(f"({state}, a{random.randrange(2)}, {random.randrange(size)})\n" for state in range(size) for _ in "ab")
    path.write_text(f"des (0, {2 * size}, {size})\n{lines}")
    command = [sys.executable, "-c", "from coarsest.cli.app import main; import sys; sys.exit(main())"]
    command += ["reduce", str(path), "--by", "simulation", "-v"]
    work = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_progress(work, " s\n")
    work.send_signal(signal.SIGINT)
    out, err = work.communicate(timeout=600)
    assert work.returncode == 130, err
    assert "Traceback" not in err
    assert "interrupted" in out + err
