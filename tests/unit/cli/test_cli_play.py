"""Playing the games of simulations by hand: our strategy wins where it can, and nonsense is refused."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from coarsest.api.comparing.plays import GAMES, Match
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.run import Run
from command_lines import Runner
from random_fair_graphs import random_fair_graph

NOW = "[0]\na,[0]->[1]\nb,[1]->[0]\n[1]\n"
LATER = "[0]\na,[0]->[1]\nb,[1]->[0]\n[0]\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("now.ba").write_text(NOW)
    Path("later.ba").write_text(LATER)


@pytest.mark.usefixtures("files")
def test_a_match(run: Runner) -> None:
    won = run("compare", "now.ba", "later.ba", "--by", "direct", "--play", "duplicator", stdin="1\n")
    assert (won.code, won.out.splitlines()[-1]) == (0, "there is no answer: the spoiler wins")
    open_end = run("compare", "now.ba", "later.ba", "--by", "delay", "--play", "spoiler", stdin="1\n\n7\n1\n")
    assert open_end.code == 0
    assert "found '7', expected a number from 1 to 1" in open_end.out
    assert open_end.out.endswith("neither player has won after 2 rounds; with perfect play from here on, the duplicator wins\n")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--by", "exists"], "exists cannot be played"),
        (["--by", "bisimulation"], "bisimulation cannot be played"),
        (["--by", "game", "--json"], "--play is interactive"),
        (["--by", "game", "--timeout", "3"], "--timeout is for one relation and all relations, not for a game with you"),
        (["--by", "game", "--certificate", "x.json"], "--certificate is for one relation, not for a game with you"),
    ],
)
def test_what_cannot_be_played(run: Runner, words: list[str], message: str) -> None:
    refused = run("compare", "now.ba", "later.ba", "--play", "spoiler", *words)
    assert refused.code == 2
    assert message in refused.err


@pytest.mark.parametrize("by", GAMES)
def test_we_do_not_lose_what_we_can_win(by: str) -> None:
    """Against random play the forecast stays ours, and a match that ends is won."""
    ended = 0
    for seed in range(40):
        random = Random(seed)
        first, second = random_fair_graph(random, states=4), random_fair_graph(random, states=4)
        for role in ("spoiler", "duplicator"):
            match = Match(first, second, by, role, Run())
            if by != "simulation":
                related = compare_graphs(first, second, by=by, preorder=True).related
                assert match.forecast == ("duplicator" if related else "spoiler")
            match.begin()
            ours = match.forecast != role
            for _ in range(12):
                if match.ended:
                    break
                match.take(random.randrange(len(match.choices())))
                ours = ours or match.forecast != role
                assert match.ended or not ours or match.forecast != role
            ended += bool(match.ended)
            if match.ended and ours:
                assert f"the {role} wins" not in match.ended
    assert ended > 10
