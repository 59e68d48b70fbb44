"""The successive partitions of a minimiser, one picture for each step: boxes within boxes, as a block is split.

A box keeps its place: the parts of a block lie where the block lay. So the pictures of one run can be turned over like pages.
"""

from __future__ import annotations

from html import escape
from typing import Generic

from msgspec import Struct
from msgspec.structs import replace

from coarsest.reduce.bisimulation.observed import Snapshot
from coarsest.system.space import S, StateSpace

MOST_PICTURES = 500
"""A longer run is not drawn to its end."""
WIDTH, HEIGHT, MARGIN = 640, 400, 20
FILLS = {"stable": "#b9dcb4", "accessible": "#fbe3a8", "other": "#f4f4f4"}
WORDS = {"stable": "accessible and stable", "accessible": "accessible", "other": "not known to be accessible"}
STYLE = "text{font-family:sans-serif;font-size:13px;fill:#222} .title{font-size:15px;font-weight:bold}"


class _Box(Struct, Generic[S], frozen=True):
    """A block with its name and its place, within the unit square."""

    states: S
    name: str
    left: float
    top: float
    width: float
    height: float

    def parts(self, blocks: list[S]) -> list[_Box[S]]:
        """The box cut into equal parts along its longer side (as it is drawn)."""
        share = 1 / max(1, len(blocks))
        boxes = []
        for i, states in enumerate(blocks):
            name = f"{self.name}{i + 1}" if len(blocks) < 10 else f"{self.name}.{i + 1}"
            if self.width * WIDTH >= self.height * HEIGHT:
                boxes.append(_Box(states, name, self.left + i * share * self.width, self.top, share * self.width, self.height))
            else:
                boxes.append(_Box(states, name, self.left, self.top + i * share * self.height, self.width, share * self.height))
        return boxes


class PartitionSteps(Generic[S]):
    """Is told of each partition, as a watcher, and draws it."""

    def __init__(self, space: StateSpace[S] | None = None) -> None:
        self.space = space
        self.pictures: list[str] = []
        self.complete = True
        self._boxes: list[_Box[S]] = []

    def __call__(self, snapshot: Snapshot[S]) -> None:
        if len(self.pictures) >= MOST_PICTURES:
            self.complete = False
            return
        chosen = next((box for box in self._boxes if snapshot.chosen is not None and box.states == snapshot.chosen), None)
        before = len(self._boxes)
        self._place(list(snapshot.blocks))
        what = "what is observed" if not self.pictures else _what(chosen, split=len(self._boxes) > before)
        self.pictures.append(self._picture(snapshot, f"step {len(self.pictures)}: {what}", chosen))

    def _place(self, blocks: list[S]) -> None:
        """Give each block a box, within that of the block it is a part of."""
        if not self._boxes:
            whole = _Box(blocks[0], "C", 0, 0, 1, 1) if blocks else None
            self._boxes = whole.parts(blocks) if whole is not None else []
            return
        boxes: list[_Box[S]] = []
        fresh = list(blocks)
        for box in self._boxes:
            parts = [block for block in fresh if block is box.states] or [block for block in fresh if block <= box.states]
            fresh = [block for block in fresh if not any(block is part for part in parts)]
            boxes += [replace(box, states=parts[0])] if len(parts) == 1 else box.parts(parts)
        self._boxes = boxes

    def _picture(self, snapshot: Snapshot[S], title: str, chosen: _Box[S] | None) -> str:
        kinds = {
            i: "stable" if i in snapshot.stable else "accessible" if i in snapshot.accessible else "other"
            for i in range(len(snapshot.blocks))
        }
        drawn = []
        for box in self._boxes:
            number = next(i for i, block in enumerate(snapshot.blocks) if block is box.states or block == box.states)
            drawn.append(self._box(box, kinds[number]))
        if chosen is not None:
            place = _rect(chosen.left, chosen.top, chosen.width, chosen.height)
            drawn.append(f'<rect {place} fill="none" stroke="#b03030" stroke-width="3"/>')
        legend = [
            f'<rect x="{MARGIN + 210 * i}" y="{HEIGHT + 56}" width="14" height="12" fill="{FILLS[kind]}" stroke="#777"/>'
            f'<text x="{MARGIN + 210 * i + 20}" y="{HEIGHT + 66}">{word}</text>'
            for i, (kind, word) in enumerate(WORDS.items())
        ]
        wide, tall = WIDTH + 2 * MARGIN, HEIGHT + 84
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}" viewBox="0 0 {wide} {tall}" role="img">',
                f"<title>{escape(title)}</title>",
                f"<style>{STYLE}</style>",
                f'<rect width="{wide}" height="{tall}" fill="white"/>',
                f'<text class="title" x="{MARGIN}" y="26">{escape(title)}</text>',
                *drawn,
                *legend,
                "</svg>\n",
            ]
        )

    def _box(self, box: _Box[S], kind: str) -> str:
        x, y = MARGIN + (box.left + box.width / 2) * WIDTH, 40 + (box.top + box.height / 2) * HEIGHT + 5
        about = f"{box.name}: {WORDS[kind]}"
        if self.space is not None:
            count = self.space.count(box.states)
            about += f", {count} state{'s' if count != 1 else ''}"
        text = ""
        if box.width * WIDTH > 7 * len(box.name) and box.height * HEIGHT > 14:
            text = f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(box.name)}</text>'
        place = _rect(box.left, box.top, box.width, box.height)
        return f'<g><title>{escape(about)}</title><rect {place} fill="{FILLS[kind]}" stroke="#444"/>{text}</g>'


def _what(chosen: _Box[S] | None, *, split: bool) -> str:
    if chosen is None:
        return "some blocks were split" if split else "no block was split"
    return f"{chosen.name} was split" if split else f"{chosen.name} is stable"


def _rect(left: float, top: float, width: float, height: float) -> str:
    x, y = MARGIN + left * WIDTH, 40 + top * HEIGHT
    return f'x="{x:.1f}" y="{y:.1f}" width="{width * WIDTH:.1f}" height="{height * HEIGHT:.1f}"'
