"""Random graphs in every format through `reduce`, `compare` and `confirm`: all relations, their order, and damaged files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from coarsest.lts.relations import names, relations
from command_lines import Runner

NAMES = (
    "a", "b", "i", "tau", '"q"', "a,b", "x y", "", "<a>", "[", "(", 'label "p"', "\\", 'a\\"b', "τ", "true", "X1",
    "where X1 = true", "diverges(true)", "U", "&", "!", "-", "des (0,0,0)", "a\tb", "'", "\x1b",
)  # fmt: skip
FINER = [(relation.name, coarser) for relation in relations().values() for coarser in relation.implies]
SEEDS = range(6)
CAMPAIGN = range(1000, 1500)


def aut(random: Random) -> str:
    states, names = random.randint(1, 8), random.sample(NAMES, random.randint(1, 5))
    rows = [(random.randrange(states), random.choice(names), random.randrange(states)) for _ in range(random.randint(0, 16))]
    rows += random.choices(rows, k=2) if rows and random.random() < 0.3 else []
    lines = [f'({source}, "{name}", {target})\n' for source, name, target in rows]
    return f"des ({random.randrange(states)}, {len(rows)}, {states})\n" + "".join(lines)


def ba(random: Random) -> str:
    states, usable = random.randint(1, 7), [name for name in NAMES if name and "," not in name]
    names, listed = random.sample(usable, 3), [random.sample(range(states), random.randint(0, min(2, states))) for _ in range(2)]
    rows = [
        f"{random.choice(names)},[{random.randrange(states)}]->[{random.randrange(states)}]" for _ in range(random.randint(1, 14))
    ]
    return "".join(f"{line}\n" for line in [*(f"[{s}]" for s in listed[0]), *rows, *(f"[{s}]" for s in listed[1])])


def hoa(random: Random) -> str:
    """Perhaps without an initial state."""
    states = random.randint(1, 6)
    starts = "".join(f"Start: {s}\n" for s in random.sample(range(states), random.randint(0, min(2, states))))
    text = f'HOA: v1\nStates: {states}\n{starts}AP: 2 "p" "q r"\nAcceptance: 1 Inf(0)\n--BODY--\n'
    for state in range(states):
        text += f"State: {state}{random.choice(['', ' {0}'])}\n"
        for _ in range(random.randint(0, 3)):
            label = random.choice(["0", "!0", "0&1", "t", "0|1", "!1", "f"])
            text += f"[{label}] {random.randrange(states)}{random.choice(['', ' {0}'])}\n"
    return text + "--END--\n"


MAKERS: dict[str, Callable[[Random], str]] = {"aut": aut, "ba": ba, "hoa": hoa}


def check_reductions(run: Runner, path: str, suffix: str) -> None:
    for by in names(reducing=True):
        if relations()[by].fair and suffix != "aut":  # by these, automata are reduced, of which only the words count
            continue
        # What is deterministic may be larger, and has no classes; fair simulations are certified by strategies.
        about_traces = relations()[by].evidence == "inclusion" or relations()[by].fair
        found = run("reduce", path, "--by", by, "--json", *([] if about_traces else ["--certificate", "classes.json"]))
        assert found.code == 0, found
        facts = json.loads(found.out)
        assert facts["confirmed"]
        if not about_traces:
            assert all(facts[what]["after"] <= facts[what]["before"] for what in ("states", "transitions"))
            assert run("confirm", path, "classes.json").code == 0
        if relations()[by].evidence == "partition":
            assert run("reduce", path, "--by", by, "--certificate", "classes.json", "--minimal").code == 0
            assert "no coarser one" in run("confirm", path, "classes.json").out
        small, again = (f"{name}.{'ba' if suffix == 'ba' else 'aut'}" for name in ("small", "again"))
        written = run("reduce", path, "--by", by, "-o", small)
        assert written.code == 0 or (written.code == 2 and "initial state" in written.err) or "accepting" in written.err, written
        if written.code == 0:
            assert run("compare", path, small, "--by", by).code == 0
            assert run("compare", "-", small, "--by", by, "--format", suffix, stdin=Path(path).read_text()).code == 0
            assert run("reduce", small, "--by", by, "-o", again).code == 0
            assert Path(again).read_bytes() == Path(small).read_bytes()


def check_comparisons(run: Runner, first: str, second: str) -> None:
    related: dict[tuple[str, bool], bool] = {}
    for by in names():
        for preorder in (False, True) if relations()[by].preorder else (False,):
            option = ["--preorder"] if preorder else []
            found = run("compare", first, second, "--by", by, "--json", "--certificate", "proof.json", *option)
            assert found.code in (0, 1), found
            related[by, preorder] = found.code == 0
            assert found.code == 1 or run("confirm", first, second, "proof.json").code == 0
            assert run("compare", first, second, "--by", by, *option).code == found.code
        assert related[by, False] == (run("compare", second, first, "--by", by).code == 0)
        assert not related[by, False] or related.get((by, True), True)
    assert all(related[coarser, False] or not related[finer, False] for finer, coarser in FINER)


def check_damaged(run: Runner, random: Random, text: str, path: str) -> None:
    for words in (["reduce", path], ["compare", path, path], ["show", path, "-o", "picture.svg"]):
        data = bytearray(text.encode())
        for _ in range(random.randint(1, 4)):
            place = random.randrange(len(data) + 1)
            pieces = [b"", b"\n", b",", b'"', b"\xff", b"\0", b"9" * 25, b"(", b"->", b"{"]
            data[place : place + random.randrange(3)] = random.choice(pieces)
        Path(path).write_bytes(data)
        found = run(*words)
        assert found.code in (0, 1, 2), (bytes(data), found)


def check(run: Runner, seed: int) -> None:
    random = Random(seed)
    suffix = list(MAKERS)[seed % len(MAKERS)]
    texts = [MAKERS[suffix](random) for _ in range(2)]
    texts[1] = texts[0] if random.random() < 0.3 else texts[1]
    for name, text in zip(("first", "second"), texts):
        Path(f"{name}.{suffix}").write_text(text)
    check_reductions(run, f"first.{suffix}", suffix)
    check_comparisons(run, f"first.{suffix}", f"second.{suffix}")
    check_damaged(run, random, texts[0], f"first.{suffix}")


def test_random_graphs(run: Runner) -> None:
    for seed in SEEDS:
        check(run, seed)


@pytest.mark.nightly
def test_campaign(run: Runner) -> None:
    for seed in CAMPAIGN:
        check(run, seed)
