"""Walking through a model by hand: the possible steps are numbered, the user picks one."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random

from msgspec import Struct

from coarsest.evidence.walk.walk import Steps, trace_of
from coarsest.logic.expr import Value
from coarsest.model.trace import Trace
from coarsest.render.text.columns import pack, wrap
from coarsest.render.text.trace_text import show_changes, trace_to_text

PAGE = 20
HELP = """  1, 2, …  take that step        Enter  take the only step
  r        take any step         m      show more choices
  b        go back one step      s      show the whole state
  q        quit                  t      show the trace so far
  ?        this help
"""


class _Choice(Struct, frozen=True):
    inputs: Mapping[str, Value]
    state: Mapping[str, Value]


def walk_by_hand(walker: Steps, *, width: int, seed: int = 0) -> Trace | None:
    """Let the user walk until they quit; the trace they made, or None if they did not start."""
    walk = _Walk(walker, width, Random(seed))
    try:
        walk.go()
    except KeyboardInterrupt:
        _say("")
    return walk.trace() if walk.steps else None


class _Walk:
    def __init__(self, walker: Steps, width: int, dice: Random) -> None:
        self.walker = walker
        self.dice = dice
        self.width = width
        self.steps: list[_Choice] = []

    def go(self) -> None:
        _say("walking by hand: ? shows help")
        while self._choose():
            pass

    def trace(self) -> Trace:
        return trace_of(self.walker, [(step.inputs, step.state) for step in self.steps])

    @property
    def _here(self) -> Mapping[str, Value] | None:
        return self.steps[-1].state if self.steps else None

    def _choose(self) -> bool:
        """Offer the choices of the present state until one is taken; False when the user quits."""
        waiting = (_Choice(inputs, state) for inputs, state in self.walker.steps(self._here))
        offered = self._offer(waiting, 0)
        if not offered:
            _say("there is no initial state" if not self.steps else "no step leads on from here (a deadlock); b goes back")
        while True:
            answer = _ask(f"state {len(self.steps) - 1}> " if self.steps else "initial state> ")
            match answer:
                case None | "q" | "quit":
                    return False
                case "b":
                    del self.steps[-1:]
                    return True
                case "m":
                    more = self._offer(waiting, len(offered))
                    offered += more
                    if not more:
                        _say("  these were all")
                case "s" | "t":
                    self._show(whole_trace=answer == "t")
                case "" if len(offered) == 1:
                    self._take(offered[0])
                    return True
                case "r" if offered:
                    drawn = self.walker.any_step(self._here, self.dice)
                    assert drawn is not None
                    self._take(_Choice(*drawn))
                    _say("".join(f"       {line}\n" for line in self._lines(self.steps[-1], self.steps[-2:-1])).rstrip("\n"))
                    return True
                case _ if answer.isdecimal() and 1 <= int(answer) <= len(offered):
                    self._take(offered[int(answer) - 1])
                    return True
                case "?" | "h" | "help" | "":
                    sys.stdout.write(HELP)
                case _:
                    expected = f"a number from 1 to {len(offered)}" if offered else "b or q"
                    _say(f"  found '{answer}', expected {expected}; ? shows help")

    def _offer(self, waiting: Iterator[_Choice], already: int) -> list[_Choice]:
        page = list(islice(waiting, PAGE))
        for number, choice in enumerate(page, start=already + 1):
            for index, line in enumerate(self._lines(choice, self.steps[-1:])):
                _say(f"{number if index == 0 else '':>5}  {line}")
        if len(page) == PAGE:
            _say("       … m shows more")
        return page

    def _lines(self, choice: _Choice, before: list[_Choice]) -> list[str]:
        """A step by its inputs and by what it changes."""
        inputs = [f"[{cell}]" for cell in show_changes(choice.inputs)]
        changes = show_changes(choice.state, before[0].state) if before else show_changes(choice.state)
        return wrap([*inputs, *(changes or ["(nothing changes)"])], self.width - 8)

    def _take(self, choice: _Choice) -> None:
        self.steps.append(choice)

    def _show(self, *, whole_trace: bool) -> None:
        if not self.steps:
            _say("  no state has been chosen yet")
        elif whole_trace:
            _say(trace_to_text(self.trace(), width=self.width))
        else:
            for line in pack(show_changes(self.steps[-1].state), self.width - 2):
                _say(f"  {line}")


def _ask(prompt: str) -> str | None:
    """One line of the user's, or None at the end of the input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        sys.stdout.write("\n" if not line else line.rstrip("\n") + "\n")  # so that the record reads like the session
    return line.strip() if line else None


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
