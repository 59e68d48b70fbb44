"""Lines over a logarithmic axis, as SVG text: enough for the figures of the papers, and no plotting library."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Final

WIDTH: Final = 520
HEIGHT: Final = 320
LEFT: Final = 64
RIGHT: Final = 172
TOP: Final = 34
BOTTOM: Final = 40
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555", "#e69f00")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4", "1 2")
"""The dashes of lines, which can be told apart in print without their colours."""

Line = Sequence[tuple[float, float]]
Place = Callable[[float, float], tuple[float, float]]


def log_plot(title: str, lines: Mapping[str, Line], *, across: str, up: str) -> str:
    """One line for each name, its points (x, y) with y > 0, on a logarithmic y axis."""
    points = [point for line in lines.values() for point in line]
    if not points:
        return _document(title, [])
    low_x, high_x = min(x for x, _ in points), max(x for x, _ in points)
    low = math.floor(math.log10(min(y for _, y in points)))
    high = max(math.ceil(math.log10(max(y for _, y in points))), low + 1)

    def place(x: float, y: float) -> tuple[float, float]:
        along = (x - low_x) / ((high_x - low_x) or 1)
        raised = (math.log10(y) - low) / (high - low)
        return LEFT + along * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - raised * (HEIGHT - TOP - BOTTOM)

    drawn = _axes(place, sorted({x for x, _ in points}), range(low, high + 1), across=across, up=up)
    for index, (name, line) in enumerate(lines.items()):
        drawn += _line(index, name, [place(x, y) for x, y in line])
    return _document(title, drawn)


def _line(index: int, name: str, places: Sequence[tuple[float, float]]) -> list[str]:
    colour, dash = COLOURS[index % len(COLOURS)], DASHES[index % len(DASHES)]
    style = f'fill="none" stroke="{colour}" stroke-width="1.8" stroke-dasharray="{dash}"'
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    at = TOP + 12 + 18 * index
    key = WIDTH - RIGHT + 12
    return [
        f'<polyline points="{path}" {style}/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>' for x, y in places),
        f'<line x1="{key}" y1="{at}" x2="{key + 22}" y2="{at}" {style}/>',
        f'<text x="{key + 27}" y="{at + 4}">{escape(name)}</text>',
    ]


def _axes(place: Place, xs: Sequence[float], powers: range, *, across: str, up: str) -> list[str]:
    drawn = []
    for power in powers:
        _, y = place(xs[0], 10.0**power)
        drawn.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>')
        drawn.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    every = math.ceil(len(xs) / 12)
    for x in xs[::every]:
        along, _ = place(x, 10.0 ** powers[0])
        drawn.append(f'<text x="{along:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{x:g}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    centre = (TOP + HEIGHT - BOTTOM) / 2
    drawn.append(f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>')
    drawn.append(f'<text transform="translate(14 {centre}) rotate(-90)" text-anchor="middle">{escape(up)}</text>')
    return drawn


def _document(title: str, drawn: Sequence[str]) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'font-family="sans-serif" font-size="11" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
            f'<text x="{LEFT}" y="20" font-size="13" font-weight="bold">{escape(title)}</text>',
            *drawn,
            "</svg>\n",
        ]
    )
