"""The successive partitions of a minimiser, one picture for each step: boxes within boxes, as a block is split.

A box keeps its place: the parts of a block lie where the block lay, and have room for what they are split into later. So the
pictures of one run can be turned over like pages.
"""

from __future__ import annotations

from functools import cached_property
from html import escape
from itertools import accumulate
from typing import Final, Generic

from msgspec import Struct, field

from coarsest.reduce.partition.observed import Snapshot
from coarsest.space.space import S

MOST_PICTURES: Final = 500
MOST_BLOCKS: Final = 1000
"""Longer or finer runs are not drawn to their end."""
WIDTH: Final = 640
HEIGHT: Final = 400
MARGIN: Final = 20
TOP: Final = 40
LETTER: Final = 0.62
LINE: Final = 1.1
SMALLEST: Final = 6
LARGEST: Final = 13
"""Width and height of letters relative to their size, and the available sizes."""
FILLS = {"stable": "#b9dcb4", "accessible": "#fbe3a8", "other": "#f4f4f4", "gone": "#ffffff"}
WORDS = {
    "stable": "accessible and stable", "accessible": "accessible", "other": "not known to be accessible",
    "gone": "not accessible",
}  # fmt: skip
STYLE = "text{font-family:sans-serif;font-size:13px;fill:#222} .title{font-size:15px;font-weight:bold}"

Rectangle = tuple[float, float, float, float]
"""Left, top, width and height, as drawn."""


class _Block(Struct, eq=False):
    """A block, and the parts that it was split into."""

    name: str
    parent: _Block | None = None
    parts: list[_Block] = field(default_factory=list)
    leaves: int = 1
    """The current number of blocks in it."""

    def split(self, number: int) -> list[_Block]:
        """The number of parts."""
        # The digits of C112 are parts of parts; with ten parts or more, points separate the numbers.
        point = "." if number >= 10 or "." in self.name else ""
        self.parts = [_Block(f"{self.name}{point}{i + 1}", self) for i in range(number)]
        block: _Block | None = self
        while block is not None and number > 1:
            block.leaves += number - 1
            block = block.parent
        return self.parts

    def places(self, place: Rectangle) -> dict[str, Rectangle]:
        """The boxes of the block and its parts: it is cut across its longer side, into halves that are about equally full."""
        places: dict[str, Rectangle] = {}
        waiting = [([self], place)]
        while waiting:
            blocks, room = waiting.pop()
            if len(blocks) > 1:
                cut, share = _middle([block.leaves for block in blocks])
                one, other = _halves(room, share)
                waiting += ((blocks[:cut], one), (blocks[cut:], other))
            elif blocks:
                places[blocks[0].name] = room
                waiting.append((blocks[0].parts, room))
        return places


def _middle(sizes: list[int]) -> tuple[int, float]:
    """Where to cut a list so that both halves have about the same sum, and the share of the first."""
    sums = list(accumulate(sizes))
    cut = min(range(1, len(sizes)), key=lambda i: abs(2 * sums[i - 1] - sums[-1]))
    return cut, sums[cut - 1] / sums[-1]


def _halves(place: Rectangle, share: float) -> tuple[Rectangle, Rectangle]:
    left, top, width, height = place
    if width >= height:
        return (left, top, share * width, height), (left + share * width, top, (1 - share) * width, height)
    return (left, top, width, share * height), (left, top + share * height, width, (1 - share) * height)


class _Step(Struct, frozen=True):
    """The contents of a picture: each block with its kind, and the current block."""

    title: str
    kinds: list[tuple[str, str]]
    chosen: str | None


class PartitionSteps(Generic[S]):
    """A watcher that notes each partition and draws all of them at the end."""

    def __init__(self) -> None:
        self.complete = True
        self._root: _Block = _Block("C")
        self._now: list[tuple[S, _Block]] = []
        self._gone: list[tuple[str, str]] = []
        self._steps: list[_Step] = []

    def __call__(self, snapshot: Snapshot[S]) -> None:
        self.complete = self.complete and len(self._steps) < MOST_PICTURES and len(snapshot.blocks) <= MOST_BLOCKS
        if not self.complete:
            return
        current = next((block for states, block in self._now if snapshot.chosen is not None and states == snapshot.chosen), None)
        before = len(self._now)
        self._follow(list(snapshot.blocks))
        what = _what(current, split=len(self._now) > before) if self._steps else "what is observed"
        number = {id(states): i for i, states in enumerate(snapshot.blocks)}
        kinds = [(block.name, _kind(snapshot, number[id(states)])) for states, block in self._now]
        name = None if current is None else current.name
        self._steps.append(_Step(f"step {len(self._steps)}: {what}", [*kinds, *self._gone], name))

    def _follow(self, blocks: list[S]) -> None:
        """Find the block of which each block is a part."""
        if not self._steps:
            self._now = list(zip(blocks, self._root.split(len(blocks))))
            return
        unchanged = {id(states) for states in blocks} & {id(states) for states, _ in self._now}
        fresh = [states for states in blocks if id(states) not in unchanged]
        now: list[tuple[S, _Block]] = []
        for states, block in self._now:
            if id(states) in unchanged:
                now.append((states, block))
                continue
            inside = [part <= states for part in fresh]
            parts = [part for part, is_inside in zip(fresh, inside) if is_inside]
            fresh = [part for part, is_inside in zip(fresh, inside) if not is_inside]
            now += [(parts[0], block)] if len(parts) == 1 else zip(parts, block.split(len(parts)))
            if not parts:
                self._gone.append((block.name, "gone"))
        self._now = now

    @cached_property
    def pictures(self) -> list[str]:
        """A picture for each step; to be read after the last step."""
        places = self._root.places((MARGIN, TOP, WIDTH, HEIGHT))
        return [_picture(step, places) for step in self._steps]


def _kind(snapshot: Snapshot[S], number: int) -> str:
    return "stable" if number in snapshot.stable else "accessible" if number in snapshot.accessible else "other"


def _picture(step: _Step, places: dict[str, Rectangle]) -> str:
    drawn = [_box(name, kind, places[name]) for name, kind in step.kinds]
    if step.chosen is not None:
        drawn.append(f'<rect {_rect(places[step.chosen])} fill="none" stroke="#b03030" stroke-width="3"/>')
    shown = [kind for kind in WORDS if kind != "gone" or (kind in {kind for _, kind in step.kinds})]
    legend, x = [], float(MARGIN)
    for kind in shown:
        legend.append(
            f'<rect x="{x:.0f}" y="{HEIGHT + 56}" width="14" height="12" fill="{FILLS[kind]}" stroke="#777"/>'
            f'<text x="{x + 20:.0f}" y="{HEIGHT + 66}">{WORDS[kind]}</text>'
        )
        x += 34 + 6.8 * len(WORDS[kind])
    wide, tall = WIDTH + 2 * MARGIN, HEIGHT + 84
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}" viewBox="0 0 {wide} {tall}" role="img">',
            f"<title>{escape(step.title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect width="{wide}" height="{tall}" fill="white"/>',
            f'<text class="title" x="{MARGIN}" y="26">{escape(step.title)}</text>',
            *drawn,
            *legend,
            "</svg>\n",
        ]
    )


def _box(name: str, kind: str, place: Rectangle) -> str:
    look = f'fill="{FILLS[kind]}" stroke="#444"' if kind != "gone" else f'fill="{FILLS[kind]}" stroke="#bbb"'
    return f"<g><title>{escape(name)}: {WORDS[kind]}</title><rect {_rect(place)} {look}/>{_name(name, place)}</g>"


def _name(name: str, place: Rectangle) -> str:
    """The name in letters that fit into the box, rotated if this makes them larger; nothing if they would be unreadable."""
    left, top, width, height = place
    x, y = left + width / 2, top + height / 2
    wide, tall, letters = width - 4, height - 2, LETTER * len(name)
    level, upright = min(wide / letters, tall / LINE, LARGEST), min(tall / letters, wide / LINE, LARGEST)
    size = max(level, upright)
    if size < SMALLEST:
        return ""
    turned = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if upright > level else ""
    style = f' style="font-size:{size:.1f}px"' if size < LARGEST else ""
    return f'<text x="{x:.1f}" y="{y + 0.36 * size:.1f}" text-anchor="middle"{style}{turned}>{escape(name)}</text>'


def _what(block: _Block | None, *, split: bool) -> str:
    if block is None:
        return "some blocks were split" if split else "no block was split"
    return f"{block.name} was split" if split else f"{block.name} is stable"


def _rect(place: Rectangle) -> str:
    x, y, width, height = place
    return f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
