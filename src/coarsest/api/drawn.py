"""What can be drawn draws itself: for scripts by `draw`, for notebooks without being asked.

>>> import coarsest
>>> lamp = coarsest.Graph.from_table({"source": ["off", "on"], "action": ["press", "press"], "target": ["on", "off"]})
>>> lamp.draw()
<Drawing: svg, ... characters>
>>> lamp.draw(to="dot").splitlines()[0]
'digraph "" {'
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct

from coarsest.errors import CoarsestError
from coarsest.files import write_whole
from coarsest.run import Limits, Run

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords

MOST_UNASKED = 40
"""Systems with more states are not drawn if nobody asks for it."""
SECONDS_UNASKED = 1.0
"""Listing the states for such a picture may take so long."""


class Drawing(str):
    """A picture as text, of the kind "svg", "html" or "dot", which notebooks show as a picture."""

    kind: str

    def __new__(cls, text: str, kind: str) -> Self:
        drawing = super().__new__(cls, text)
        drawing.kind = kind
        return drawing

    def __repr__(self) -> str:
        return f"<Drawing: {self.kind}, {len(self)} characters>"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file, whole or not at all."""
        write_whole(os.fspath(path), str(self))

    def _repr_svg_(self) -> str | None:
        return str(self) if self.kind == "svg" else None

    def _repr_html_(self) -> str | None:
        return str(self) if self.kind == "html" else None


class Drawn(Struct, frozen=True):
    """A system that can be drawn."""

    def _drawable(self) -> Any:
        """What is drawn of it: itself, unless it is about something else."""
        return self

    def draw(
        self, *, to: str = "svg", title: str | None = None, run: Run | None = None, **options: Unpack[keywords.DrawWords]
    ) -> Drawing:
        """A picture, as `coarsest.draw` makes it."""
        from coarsest.api.draw import draw

        return draw(self._drawable(), to=to, title=title, run=run, **options)

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows, if it is a small one."""
        if getattr(self._drawable(), "states", 0) > MOST_UNASKED:
            return None
        try:
            return str(self.draw(most=MOST_UNASKED, large="refuse", run=Run(Limits(seconds=SECONDS_UNASKED))))
        except CoarsestError:
            return None
