"""Several pictures in one document: SVG drawings one below the other, or an HTML page on which they can be moved and enlarged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from coarsest.render.page.assets import HEAD, asset
from coarsest.render.picture.picture import Picture
from coarsest.render.picture.svg import to_svg

PAGE = HEAD + """body {{ margin: 1rem; }}
.picture {{ border: 1px solid var(--line); border-radius: 8px; overflow: auto; margin: 0.4rem 0 1.2rem; cursor: grab; }}
.picture {{ background: #fff; }}
.picture svg {{ display: block; margin: 0 auto; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p class="dim">Larger and smaller: the wheel with Ctrl, or <kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd>. Drag: move. What is cut short
is shown in full under the pointer.</p>
{pictures}
<script>
{script}</script>
</body>
</html>
"""
FRAME = """<div class="buttons"><button data-key="+" aria-label="larger">+</button>
<button data-key="-" aria-label="smaller">−</button> <button data-key="0">Fit</button></div>
<div class="picture" tabindex="0" role="region" aria-label="{title}">{drawing}</div>"""


def to_html(pictures: Sequence[Picture], title: str) -> str:
    """A self-contained page."""
    frames = [FRAME.format(title=escape(picture.title), drawing=to_svg(picture)) for picture in pictures]
    return PAGE.format(
        title=escape(title), pictures="\n".join(frames), style=asset("page.css"), script=asset("picture_page.js")
    )


def to_one_svg(pictures: Sequence[Picture]) -> str:
    """One drawing, with the pictures one below the other."""
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
