"""Walking through a model by hand, or playing a game: the user picks one of the numbered steps."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from coarsest.errors import InputError
from coarsest.files import write_whole
from coarsest.render.text.columns import pack, wrap
from coarsest.render.text.trace_text import show_changes, trace_to_text

if TYPE_CHECKING:
    from coarsest import Trace
    from coarsest.api.comparing.plays import Match
    from coarsest.api.walks import RecordedWalk, WalkStep

PAGE: Final = 20
HELP = """  1, 2, …  take that step        Enter  take the only step
  r        take any step         m      show more choices
  b        go back one step      s      show the whole state
  c COND   only where COND holds t      show the trace so far
  c        everywhere again      w FILE write the trace so far
  q        quit                  ?      this help
"""


def walk_by_hand(
    walk: RecordedWalk, *, width: int, shown: Callable[[Trace, str], str], within: Sequence[str] = ()
) -> Trace | None:
    """Let the user walk until they quit; the trace of the walk, or None if they did not start.

    `shown` renders a trace for the file with a given name; `within` are the initial conditions.
    """
    try:
        _ByHand(walk, width, shown, within).go()
    except KeyboardInterrupt:
        _say("")
    return walk.trace() if walk.taken else None


def play_by_hand(match: Match) -> None:
    """Let the user play until the match ends or they quit, and print the outcome."""
    try:
        _say(f"you are the {match.role}: a number takes a move, q quits; with perfect play, the {match.forecast} wins")
        _tell(match.begin())
        while not match.ended and _move(match):
            pass
    except KeyboardInterrupt:
        _say("")
    count = f"{match.rounds} round{'s' * (match.rounds != 1)}"
    _say(match.ended or f"neither player has won after {count}; with perfect play from here on, the {match.forecast} wins")


def _move(match: Match) -> bool:
    """A move of the user and the answer; False if the user quits."""
    choices = match.choices()
    _say(match.place)
    for number, choice in enumerate(choices, start=1):
        _say(f"{number:>5}  {choice}")
    while True:
        answer = _ask(f"{match.role}> ")
        if answer in (None, "q", "quit"):
            return False
        if not answer and len(choices) == 1:
            answer = "1"
        if answer is not None and answer.isdecimal() and 1 <= int(answer) <= len(choices):
            _tell(match.take(int(answer) - 1))
            return True
        _say(f"  found '{answer}', expected a number from 1 to {len(choices)}, or q")


def _tell(lines: list[str]) -> None:
    for line in lines:
        _say(f"  {line}")


class _ByHand:
    def __init__(self, walk: RecordedWalk, width: int, shown: Callable[[Trace, str], str], within: Sequence[str]) -> None:
        self.walk = walk
        self.width = width
        self.shown = shown
        self.within = list(within)
        if within:
            walk.constrain(self.within)

    def go(self) -> None:
        _say("walking by hand: ? shows help")
        while self._choose():
            pass

    def _choose(self) -> bool:
        """Offer the choices of the current state until one is taken; False if the user quits."""
        walk, waiting = self.walk, self.walk.choices()
        offered = self._offer(waiting, 0)
        while True:
            answer = _ask(f"state {len(walk.taken) - 1}> " if walk.taken else "initial state> ")
            match answer:
                case None | "q" | "quit":
                    return False
                case "b":
                    walk.back()
                    return True
                case "m":
                    more = self._offer(waiting, len(offered))
                    offered += more
                    if not more:
                        _say("  these were all")
                case "s" | "t":
                    self._show(whole_trace=answer == "t")
                case "" if len(offered) == 1:
                    walk.take(offered[0])
                    return True
                case "r" if offered:
                    walk.take_any()
                    _say("\n".join(f"       {line}" for line in self._lines(walk.taken[-1], walk.taken[-2:-1])))
                    return True
                case _ if answer.isdecimal() and 1 <= int(answer) <= len(offered):
                    walk.take(offered[int(answer) - 1])
                    return True
                case _ if answer == "c" or answer.startswith("c "):
                    if self._constrain(answer[1:].strip()):
                        return True
                case _ if answer.startswith("w "):
                    self._write(answer[1:].strip())
                case "?" | "h" | "help" | "":
                    sys.stdout.write(HELP)
                case _:
                    expected = f"a number from 1 to {len(offered)}" if offered else "b or q"
                    _say(f"  found '{answer}', expected {expected}; ? shows help")

    def _nothing_leads_on(self) -> str:
        what = "there is no initial state" if not self.walk.taken else "no step leads on from here"
        if self.within:
            return f"{what} where {' & '.join(self.within)}; c lifts that"
        return f"{what} (a deadlock); b goes back" if self.walk.taken else what

    def _constrain(self, condition: str) -> bool:
        """Add a condition to the walk or, without one, remove all; False if it cannot be read."""
        conditions = [*self.within, condition] if condition else []
        try:
            self.walk.constrain(conditions)
        except InputError as problem:
            _say(str(problem))
            return False
        self.within = conditions
        return True

    def _write(self, path: str) -> None:
        if not self.walk.taken:
            _say("  no state has been chosen yet")
            return
        try:
            write_whole(path, self.shown(self.walk.trace(), path))
        except InputError as problem:
            _say(str(problem))
        else:
            _say(f"  written {path}")

    def _offer(self, waiting: Iterator[WalkStep], already: int) -> list[WalkStep]:
        page = list(islice(waiting, PAGE))
        for number, choice in enumerate(page, start=already + 1):
            for index, line in enumerate(self._lines(choice, self.walk.taken[-1:])):
                _say(f"{number if index == 0 else '':>5}  {line}")
        if len(page) == PAGE:
            _say("       … m shows more")
        elif not page and not already:
            _say(self._nothing_leads_on())
        return page

    def _lines(self, choice: WalkStep, before: list[WalkStep]) -> list[str]:
        """The lines of a step: its inputs and changes."""
        inputs = [f"[{cell}]" for cell in show_changes(choice.inputs)]
        changes = show_changes(choice.state, before[0].state) if before else show_changes(choice.state)
        return wrap([*inputs, *(changes or ["(nothing changes)"])], self.width - 8)

    def _show(self, *, whole_trace: bool) -> None:
        if not self.walk.taken:
            _say("  no state has been chosen yet")
        elif whole_trace:
            _say(trace_to_text(self.walk.trace(), width=self.width))
        else:
            for line in pack(show_changes(self.walk.taken[-1].state), self.width - 2):
                _say(f"  {line}")


def _ask(prompt: str) -> str | None:
    """A line from the user, or None at the end of the input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        sys.stdout.write("\n" if not line else line.rstrip("\n") + "\n")  # so that a recorded session can be read
    return line.strip() if line else None


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
