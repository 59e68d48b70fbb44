"""Walking through a model by hand, or playing a game: the possible steps are numbered, the user picks one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from coarsest.render.text.columns import pack, wrap
from coarsest.render.text.trace_text import show_changes, trace_to_text

if TYPE_CHECKING:
    from coarsest import Trace
    from coarsest.api.plays import Match
    from coarsest.api.walks import Walk, WalkStep

PAGE = 20
HELP = """  1, 2, …  take that step        Enter  take the only step
  r        take any step         m      show more choices
  b        go back one step      s      show the whole state
  q        quit                  t      show the trace so far
  ?        this help
"""


def walk_by_hand(walk: Walk, *, width: int) -> Trace | None:
    """Let the user walk until they quit; the trace they made, or None if they did not start."""
    try:
        _ByHand(walk, width).go()
    except KeyboardInterrupt:
        _say("")
    return walk.trace() if walk.taken else None


def play_by_hand(match: Match) -> None:
    """Let the user play until the match ends or they quit, and say what came of it."""
    try:
        _say(f"you are the {match.role}: a number takes a move, q quits; if nobody errs, the {match.forecast} wins")
        _tell(match.begin())
        while not match.ended and _move(match):
            pass
    except KeyboardInterrupt:
        _say("")
    count = f"{match.rounds} round{'s' * (match.rounds != 1)}"
    _say(match.ended or f"nobody has won after {count}; if nobody errs from here on, the {match.forecast} wins")


def _move(match: Match) -> bool:
    """One move of the user's, and ours; False when the user quits."""
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
    def __init__(self, walk: Walk, width: int) -> None:
        self.walk = walk
        self.width = width

    def go(self) -> None:
        _say("walking by hand: ? shows help")
        while self._choose():
            pass

    def _choose(self) -> bool:
        """Offer the choices of the present state until one is taken; False when the user quits."""
        walk, waiting = self.walk, self.walk.choices()
        offered = self._offer(waiting, 0)
        if not offered:
            _say("there is no initial state" if not walk.taken else "no step leads on from here (a deadlock); b goes back")
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
                    _say("".join(f"       {line}\n" for line in self._lines(walk.taken[-1], walk.taken[-2:-1])).rstrip("\n"))
                    return True
                case _ if answer.isdecimal() and 1 <= int(answer) <= len(offered):
                    walk.take(offered[int(answer) - 1])
                    return True
                case "?" | "h" | "help" | "":
                    sys.stdout.write(HELP)
                case _:
                    expected = f"a number from 1 to {len(offered)}" if offered else "b or q"
                    _say(f"  found '{answer}', expected {expected}; ? shows help")

    def _offer(self, waiting: Iterator[WalkStep], already: int) -> list[WalkStep]:
        page = list(islice(waiting, PAGE))
        for number, choice in enumerate(page, start=already + 1):
            for index, line in enumerate(self._lines(choice, self.walk.taken[-1:])):
                _say(f"{number if index == 0 else '':>5}  {line}")
        if len(page) == PAGE:
            _say("       … m shows more")
        return page

    def _lines(self, choice: WalkStep, before: list[WalkStep]) -> list[str]:
        """A step by its inputs and by what it changes."""
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
    """One line of the user's, or None at the end of the input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not sys.stdin.isatty():
        sys.stdout.write("\n" if not line else line.rstrip("\n") + "\n")  # so that the record reads like the session
    return line.strip() if line else None


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
