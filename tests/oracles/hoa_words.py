"""Acceptance of words by automata in HOA text, read by a few regular expressions and Python's own `eval`: no code of the package.

Only what the writer of the package may produce is understood: explicit labels, conjunctions of Inf.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field


class Text(Struct, dict=True):
    atoms: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    sets: int = 0
    states: int = 0
    properties: list[str] = field(default_factory=list)
    edges: dict[int, list[tuple[str, int, frozenset[int]]]] = field(default_factory=dict)


def parse(text: str) -> Text:
    header, body = text.split("--BODY--\n")
    assert header.startswith("HOA: v1\n")
    assert body.endswith("--END--\n")
    result = Text()
    for line in header.splitlines():
        key, _, rest = line.partition(": ")
        if key == "AP":
            result.atoms = [re.sub(r"\\(.)", r"\1", name) for name in re.findall(r'"((?:[^"\\]|\\.)*)"', rest)]
            assert int(rest.split()[0]) == len(result.atoms)
        elif key == "Start":
            result.starts.append(int(rest))
        elif key == "States":
            result.states = int(rest)
        elif key == "properties":
            result.properties += rest.split()
        elif key == "Acceptance":
            result.sets = int(rest.split()[0])
            assert rest.split(" ", 1)[1] == ("&".join(f"Inf({n})" for n in range(result.sets)) or "t")
    state, own = -1, frozenset()
    for line in body.splitlines()[:-1]:
        if found := re.fullmatch(r"State: (\d+)(?: \{([\d ]+)\})?", line):
            state, own = int(found[1]), _numbers(found[2])
            result.edges[state] = []
        else:
            found = re.fullmatch(r"\[([^\]]+)\] (\d+)(?: \{([\d ]+)\})?", line)
            assert found, line
            result.edges[state].append((found[1], int(found[2]), own | _numbers(found[3])))
    assert sorted(result.edges) == list(range(result.states))
    return result


def _numbers(text: str | None) -> frozenset[int]:
    return frozenset(map(int, (text or "").split()))


def _reads(label: str, letter: set[int]) -> bool:
    code = re.sub(r"\d+", lambda number: str(int(number[0]) in letter), label.replace("t", "True").replace("f", "False"))
    return bool(eval(code.replace("!", " not ").replace("&", " and ").replace("|", " or ")))


def accepts(automaton: Text, prefix: Sequence[frozenset[str]], cycle: Sequence[frozenset[str]]) -> bool:
    """Is there a run on `prefix cycle^ω` that meets all acceptance sets infinitely often? Letters are sets of names of atoms."""
    word = [{n for n, name in enumerate(automaton.atoms) if name in letter} for letter in (*prefix, *cycle)]
    reached = {(state, 0): None for state in automaton.starts}
    steps: dict[tuple[int, int], list[tuple[tuple[int, int], frozenset[int]]]] = {}
    waiting = list(reached)
    while waiting:
        state, place = node = waiting.pop()
        after = place + 1 if place + 1 < len(word) else len(prefix)
        steps[node] = [((to, after), marks) for label, to, marks in automaton.edges[state] if _reads(label, word[place])]
        for target, _ in steps[node]:
            if target not in reached:
                reached[target] = None
                waiting.append(target)
    beyond = {node: _from(steps, node) for node in reached}
    for node in reached:
        home = {other for other in beyond[node] if node in beyond[other]}
        if node in home:
            met = {mark for one in home for target, marks in steps[one] if target in home for mark in marks}
            if len(met) == automaton.sets:
                return True
    return False


def _from(steps, start):
    seen: set = set()
    waiting = [start]
    while waiting:
        for target, _ in steps[waiting.pop()]:
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return seen
