"""Several pictures in one document: SVG drawings under one another, or a page of HTML on which they can be moved and enlarged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from coarsest.render.picture.picture import Picture
from coarsest.render.picture.svg import to_svg

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 sans-serif; margin: 2rem; color: #1a1a1a; }}
h1 {{ font-size: 1.3rem; }} p {{ color: #555; }}
.picture {{ border: 1px solid #ddd; border-radius: 8px; overflow: auto; margin: 1rem 0; cursor: grab; }}
.picture svg {{ transform-origin: 0 0; display: block; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>Wheel with Ctrl: larger and smaller. Drag: move. What is cut short is shown in full under the pointer.</p>
{pictures}
<script>
for (const frame of document.querySelectorAll(".picture")) {{
  const drawing = frame.querySelector("svg");
  const width = drawing.width.baseVal.value, height = drawing.height.baseVal.value;
  let scale = 1, from = null;
  frame.addEventListener("wheel", event => {{
    if (!event.ctrlKey) return;
    event.preventDefault();
    scale = Math.min(8, Math.max(0.1, scale * (event.deltaY < 0 ? 1.15 : 1 / 1.15)));
    drawing.setAttribute("width", width * scale);
    drawing.setAttribute("height", height * scale);
  }}, {{ passive: false }});
  frame.addEventListener("pointerdown", event => {{
    from = [event.clientX + frame.scrollLeft, event.clientY + frame.scrollTop];
  }});
  frame.addEventListener("pointermove", event => {{
    if (from === null || event.buttons !== 1) return;
    frame.scrollLeft = from[0] - event.clientX;
    frame.scrollTop = from[1] - event.clientY;
  }});
}}
</script>
</body>
</html>
"""


def to_html(pictures: Sequence[Picture], title: str) -> str:
    """A page of its own, which needs nothing from elsewhere."""
    drawings = "\n".join(f'<div class="picture">{to_svg(picture)}</div>' for picture in pictures)
    return PAGE.format(title=escape(title), pictures=drawings)


def to_one_svg(pictures: Sequence[Picture]) -> str:
    """One drawing, with the pictures under one another."""
    drawings = [to_svg(picture) for picture in pictures]
    if len(drawings) == 1:
        return drawings[0]
    parts, top, widest = [], 0, 1
    for drawing in drawings:
        size = re.search(r'width="(\d+)" height="(\d+)"', drawing)
        assert size is not None, "every drawing says how large it is"
        width, height = int(size[1]), int(size[2])
        parts.append(drawing.replace("<svg ", f'<svg y="{top}" ', 1).rstrip("\n"))
        top, widest = top + height, max(widest, width)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{widest}" height="{top}" viewBox="0 0 {widest} {top}" role="img">'
    return "\n".join([head, f'<rect width="{widest}" height="{top}" fill="white"/>', *parts, "</svg>\n"])
