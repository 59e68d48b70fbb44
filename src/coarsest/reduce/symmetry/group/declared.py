"""Generators as people write them: in comments of a model, or in a file beside it.

    swap p1 p2                        two instances, array elements or variables
    rotate p1..p4                     a cycle; p1..p4 is p1 p2 p3 p4
    permute p1..p4                    any permutation of them: two at a time
    swap p1 p2, turn: one two         at the same time, two values of a variable change names
    permute a[0]..a[4], b[0]..b[4]    the same permutation of several lists

In a model, such a line stands behind `-- symmetry:` (or `// symmetry:`). A word names a variable, or all variables of an instance
or array element. The words behind a colon are values of the variables before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from coarsest.errors import InputError, NameProblem, SyntaxProblem
from coarsest.files import read_contents
from coarsest.logic.expr import Value
from coarsest.model.machine import Machine
from coarsest.model.types import Boolean, Enumeration, Range
from coarsest.reduce.symmetry.group.permutation import Permutation, objection_to, permutation
from coarsest.text import Source, Span
from coarsest.text.near import nearest

_PRAGMA = re.compile(r"^[ \t]*(?:--|//|#)[ \t]*symmetry:[ \t]*(?P<line>[^\r\n]*)", re.MULTILINE)
_COUNTED = re.compile(r"(?P<before>.*?)(?P<number>\d+)(?P<after>[^\d]*)")
_NUMBER = re.compile(r"0|-?[1-9]\d*")
_ENDS = re.compile(r"[.\[]").finditer
_VERBS = ("swap", "rotate", "permute")


def declared(machine: Machine, path: str | None = None) -> list[Permutation]:
    """The generators of a file, if there is one, or else those in the comments of the model."""
    if path is not None:
        return read_generators(read_contents(path).text(), machine)
    source = machine.source
    if source is None or "symmetry:" not in source.text:
        return []
    return _all([Span(source, *match.span("line")) for match in _PRAGMA.finditer(source.text)], machine)


def read_generators(source: Source, machine: Machine) -> list[Permutation]:
    """The generators of a text, one line each; comments begin with `--` or `#`."""
    lines: list[Span] = []
    start = 0
    for text in source.text.splitlines(keepends=True):
        line = re.split(r"--|#", text)[0]
        if line.strip():
            lines.append(Span(source, start, start + len(line.rstrip())))
        start += len(text)
    return _all(lines, machine)


def _all(lines: Sequence[Span], machine: Machine) -> list[Permutation]:
    counted = _Counted()
    return [sigma for line in lines for sigma in _generators(line, machine, counted)]


class _Counted:
    """Counts the names that the ranges of a text stand for."""

    total = 0

    def add(self, names: int, word: str, span: Span) -> None:
        """Raises SyntaxProblem where there are too many."""
        self.total += names
        if self.total > span.source.most_counted:
            hint = f"the ranges of a text stand for at most {span.source.most_counted} things in all"
            raise SyntaxProblem(f"'{word}' stands for {names} things", span, hint=hint)


def _generators(line: Span, machine: Machine, counted: _Counted) -> Iterator[Permutation]:
    verb, *parts = _parts(line)
    word = verb.text
    if word not in _VERBS:
        near = nearest(word, _VERBS)
        hint = f"did you mean '{near[0]}'?" if near else "for example: swap p1 p2"
        raise SyntaxProblem(f"a generator begins with swap, rotate or permute; found '{word}'", verb, hint=hint)
    cycles = [_Cycle(part, machine, counted) for part in parts]
    lengths = {len(cycle.items) for cycle in cycles}
    if len(lengths) != 1 or min(lengths) < 2 or (word == "swap" and lengths != {2}):
        number = "two things" if word == "swap" else "two things or more, and as many in each part"
        raise SyntaxProblem(f"'{word}' takes {number}", line, hint="for example: swap p1 p2, turn: one two")
    if any(len(set(cycle.items)) < len(cycle.items) for cycle in cycles):
        raise SyntaxProblem("two things are the same", line, hint="for example: swap p1 p2")
    (length,) = lengths
    if word != "permute" or length == 2:
        yield _permutation(cycles, {item: (item + 1) % length for item in range(length)}, line, machine, line.text.strip())
        return
    for low in range(length - 1):
        yield _permutation(cycles, {low: low + 1, low + 1: low}, line, machine, "")


def _permutation(cycles: Sequence[_Cycle], turn: Mapping[int, int], line: Span, machine: Machine, text: str) -> Permutation:
    """The permutation that moves item i of each cycle to item turn[i]; other items stay."""
    moves: dict[str, str] = {}
    values: dict[str, dict[Value, Value]] = {}
    for cycle in cycles:
        for item, target in turn.items():
            if cycle.variables:
                for name in cycle.variables:
                    values.setdefault(name, {})[cycle.value(item)] = cycle.value(target)
            else:
                moves.update(cycle.moved(item, target))
    sigma = permutation(moves, values, text)
    objection = objection_to(sigma, machine)
    if objection:
        raise InputError(f"this is not a permutation of states: {objection}", line, hint="name things of the same type")
    return sigma


def _parts(line: Span) -> list[Span]:
    """The first word, and the parts behind it, which commas separate."""
    source, start = line.source, line.start
    match = re.match(r"\s*([^\s,:]*)", line.text)
    assert match is not None
    spans = [Span(source, start + match.start(1), start + match.end(1))]
    offset = start + match.end()
    for part in line.text[match.end() :].split(","):
        before = len(part) - len(part.lstrip())
        spans.append(Span(source, offset + before, offset + max(before, len(part.rstrip()))))
        offset += len(part) + 1
    return spans


class _Cycle:
    """One part of a generator: instances, elements and variables, or the values of some variables."""

    def __init__(self, part: Span, machine: Machine, counted: _Counted) -> None:
        names, colon, rest = part.text.rpartition(":")
        self._machine, self._span, self._total = machine, part, counted
        self.variables = [self._variable(name) for name in names.split()] if colon else []
        self.items = [item for word in rest.split() for item in self._counted(word)]

    def _counted(self, word: str) -> Iterator[str]:
        """The names of a range: p1..p4 is p1 p2 p3 p4."""
        low, dots, high = word.partition("..")
        first, last = _COUNTED.fullmatch(low), _COUNTED.fullmatch(high)
        if not dots:
            yield word
        elif first and last and (first["before"], first["after"]) == (last["before"], last["after"]):
            numbers = range(int(first["number"]), int(last["number"]) + 1)
            self._total.add(max(0, numbers.stop - numbers.start), word, self._span)
            for number in numbers:
                yield f"{first['before']}{number}{first['after']}"
        else:
            message = f"'{word}' cannot be counted from one end to the other"
            raise SyntaxProblem(message, self._span, hint="write p1..p4, or name all")

    def _variable(self, name: str) -> str:
        if name not in self._machine.variables:
            near = nearest(name, self._machine.variables)
            raise NameProblem(f"there is no variable '{name}'", self._span, hint=f"did you mean '{near[0]}'?" if near else "")
        return name

    def moved(self, item: int, target: int) -> dict[str, str]:
        """For each variable of an item, the variable of the target that it goes to."""
        source, goal = self.items[item], self.items[target]
        variables = self._machine.variables
        inside = (name for name in variables if name == source or (name.startswith(source) and name[len(source)] in ".["))
        moved = {name: goal + name[len(source) :] for name in inside}
        if not moved:
            instances = dict.fromkeys(name[: match.start()] for name in variables for match in _ENDS(name))
            near = nearest(source, [*instances, *variables])
            hint = f"did you mean '{near[0]}'?" if near else ""
            raise NameProblem(f"there is no variable, instance or array element '{source}'", self._span, hint=hint)
        return moved

    def value(self, item: int) -> Value:
        word = self.items[item]
        kind = self._machine.variables[self.variables[0]].type
        match kind:
            case Boolean() if word in ("FALSE", "TRUE"):
                return word == "TRUE"
            case Range() if _NUMBER.fullmatch(word) and kind.low <= int(word) <= kind.high:
                return int(word)
            case Enumeration():
                for value in kind.values():
                    if str(value) == word:
                        return value
        raise NameProblem(f"'{word}' is not a value of '{self.variables[0]}', which is of type {kind}", self._span)
