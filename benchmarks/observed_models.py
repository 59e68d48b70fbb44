"""Models with many states of which an observer sees little: a queue, a pipeline, a parity, and machines that break.

>>> [model.name for model in few_classes()]
['queue5x8', 'pipeline4x8', 'parity24', 'machines24']
"""

from __future__ import annotations

from msgspec import Struct


class ObservedModel(Struct, frozen=True):
    """An SMV text, what is observed of it, and how many reachable states it has."""

    name: str
    text: str
    observed: str
    states: float


def few_classes() -> list[ObservedModel]:
    """At least a million reachable states, at most a hundred classes."""
    return [
        ObservedModel("queue5x8", queue(5, 8), "words > 0 & slot0 = 0ud8_7", sum(2.0 ** (8 * k) for k in range(6))),
        ObservedModel("pipeline4x8", pipeline(4, 8), "valid3 & data3 = 0ud8_7", 8691057665),
        ObservedModel("parity24", parity(24), "odd", 2**24),
        ObservedModel("machines24", machines(24), "broken", 2**24),
    ]


def _model(variables: list[str], inputs: list[str], definitions: list[str], equations: list[str]) -> str:
    sections = (("VAR", variables), ("IVAR", inputs), ("DEFINE", definitions), ("ASSIGN", equations))
    return "\n".join(["MODULE main", *(f"{word}\n  " + "\n  ".join(lines) for word, lines in sections if lines), ""])


def queue(depth: int, width: int) -> str:
    """A queue of words; slot 0 is its head. A slot that is free holds 0."""
    slots, zero = range(depth), f"0ud{width}_0"
    equations = [
        "init(words) := 0;",
        f"next(words) := case writes & !reads : min(words + 1, {depth});",
        "  reads & !writes : max(words - 1, 0); TRUE : words; esac;",
    ]
    for i in slots:
        moved = f"slot{i + 1}" if i + 1 < depth else zero
        written = f"writes & (words = {i} & !reads | words = {i + 1} & reads)"
        change = f"case {written} : input; reads : {moved}; TRUE : slot{i}; esac"
        equations += [f"init(slot{i}) := {zero};", f"next(slot{i}) := {change};"]
    return _model(
        [f"words : 0..{depth};", *(f"slot{i} : unsigned word[{width}];" for i in slots)],
        ["push : boolean;", "pop : boolean;", f"input : unsigned word[{width}];"],
        [f"writes := push & words < {depth};", "reads := pop & words > 0;"],
        equations,
    )


def pipeline(stages: int, width: int) -> str:
    """Words that are counted up on their way through stages, each of which waits while the next one is occupied."""
    last, zero = stages - 1, f"0ud{width}_0"
    moves = [f"move{last} := !valid{last} | takes;", *(f"move{i} := !valid{i} | move{i + 1};" for i in reversed(range(last)))]
    equations = []
    for i in range(stages):
        comes, word = ("arrives", "input") if i == 0 else (f"valid{i - 1}", f"data{i - 1} + 0ud{width}_1")
        equations += [f"init(valid{i}) := FALSE;", f"next(valid{i}) := move{i} ? {comes} : valid{i};"]
        equations += [f"init(data{i}) := {zero};", f"next(data{i}) := move{i} & {comes} ? {word} : data{i};"]
    variables = [f"valid{i} : boolean; data{i} : unsigned word[{width}];" for i in range(stages)]
    return _model(variables, ["arrives : boolean;", "takes : boolean;", f"input : unsigned word[{width}];"], moves, equations)


def parity(bits: int) -> str:
    """One bit is turned over at each step; only their parity is seen."""
    every = range(bits)
    equations = [f"init(b{i}) := FALSE; next(b{i}) := who = {i} ? !b{i} : b{i};" for i in every]
    odd = " xor ".join(f"b{i}" for i in every)
    return _model([f"b{i} : boolean;" for i in every], [f"who : 0..{bits - 1};"], [f"odd := {odd};"], equations)


def machines(number: int) -> str:
    """Machines that break and are repaired, one at a time; how many are broken is seen, which ones is not."""
    every = range(number)
    change = "case who != {i} : m{i}; m{i} = fine : {{fine, out}}; TRUE : fine; esac"
    equations = [f"init(m{i}) := fine; next(m{i}) := {change.format(i=i)};" for i in every]
    broken = ", ".join(f"m{i} = out" for i in every)
    variables = [f"m{i} : {{fine, out}};" for i in every]
    return _model(variables, [f"who : 0..{number - 1};"], [f"broken := count({broken});"], equations)
