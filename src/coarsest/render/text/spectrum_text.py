"""A spectrum as text: a table of the notions, and the formulas for its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from coarsest.options.option import Confirm
from coarsest.render.text.columns import in_blocks
from coarsest.text.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from coarsest.lts.spectrum.verdicts import Spectrum, Verdict

LONGEST_FORMULA: Final = 2000
WIDTH: Final = 100


def spectrum_to_text(spectrum: Spectrum, names: Sequence[str], *, confirm: Confirm = Confirm.AUTO, quiet: bool = False) -> str:
    """The notions, the finest first. Each *no* has the number of a formula, if there is room for these."""
    notes = _Notes(confirm=confirm)
    rows: list[tuple[str, Sequence[str]]] = [("", ("A <= B", "B <= A", "A = B"))]
    for row in spectrum.rows:
        first, second = (notes.cell(verdict, way) for way, verdict in enumerate(row.ways))
        rows.append((row.notion.name, (first, second, WORDS[row.related])))
    lines = [f"A  {printable(names[0])}", f"B  {printable(names[1])}", *(line.rstrip() for line in in_blocks(rows, WIDTH))]
    if not spectrum.silent:
        lines.append("there are no internal steps, so notions that abstract from them are the same")
    return "\n".join([*lines, *([] if quiet else notes.lines())]) + "\n"


WORDS = {None: "unknown", True: "yes", False: "no"}


class _Notes:
    """The formulas and reasons to which the table refers, each with a number."""

    def __init__(self, *, confirm: Confirm) -> None:
        self._numbers: dict[str, int] = {}
        self._confirm = confirm
        self._unsure = False

    def cell(self, verdict: Verdict, way: int) -> str:
        word = WORDS[verdict.below]
        note = self._note(verdict, way)
        if not note:
            unsure = verdict.below and not verdict.confirmed and self._confirm is not Confirm.NEVER
            self._unsure = self._unsure or bool(unsure)
            return f"{word} *" if unsure else word
        return f"{word} {self._numbers.setdefault(note, len(self._numbers) + 1)}"

    def _note(self, verdict: Verdict, way: int) -> str:
        if verdict.formula is None:
            return printable(verdict.reason)
        text = str(verdict.formula)
        if len(text) > LONGEST_FORMULA:
            text = f"{text[:100]} … (a formula of depth {verdict.formula.depth}: --json shows all of it)"
        sides = ("A", "B") if way == 0 else ("B", "A")
        return f"{text}  is true in {sides[0]}, false in {sides[1]}"

    def lines(self) -> list[str]:
        width = len(str(len(self._numbers)))
        lines = [f"{number:>{width}}  {note}" for note, number in self._numbers.items()]
        if self._confirm is Confirm.NEVER:
            return [*lines, "nothing was confirmed"]
        if self._unsure:
            lines.append("*  not confirmed: there is no independent check of it, or it is too large for one")
        return [*lines, "all else was confirmed on both" if self._unsure else "confirmed on both"]
