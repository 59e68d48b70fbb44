"""What can be drawn draws itself: for scripts by `draw`, for notebooks without being asked.

>>> import coarsest
>>> lamp = coarsest.Graph.from_table({"source": ["off", "on"], "action": ["press", "press"], "target": ["on", "off"]})
>>> lamp.draw()
<Drawing: svg, ... characters>
>>> lamp.draw(to="dot").splitlines()[0]
'digraph "" {'
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from coarsest import tuning
from coarsest.errors import CoarsestError, InputError
from coarsest.run import Run

STATES_DRAWN_UNASKED: Final = 40
"""A notebook shows no picture of a system with more states unless it is asked to draw one."""

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords
    from coarsest.api.drawings.drawing import Drawing


def title_of(system: Any) -> str:
    """What a picture of a system is called if nobody says so."""
    return getattr(system, "title", "") or getattr(system, "name", "")


class Drawn(Struct, frozen=True):
    """A system that can be drawn."""

    def _drawable(self) -> Any:
        """What is drawn of it: itself, unless it is about something else."""
        return self

    def draw(
        self, *, to: str = "svg", title: str | None = None, run: Run | None = None, **options: Unpack[keywords.DrawWords]
    ) -> Drawing:
        """A picture, as `coarsest.draw` makes it."""
        from coarsest.api.drawings.drawing import drawing_of, require_kind
        from coarsest.api.options import DRAW, DrawOptions

        how = DRAW.read(DrawOptions, options)
        require_kind(to, how)
        if how.graph is not None:
            raise InputError("`graph` is for files", hint="leave it out")
        system = self._drawable()
        return drawing_of([system], to, title_of(system) if title is None else title, how, run or Run(), named=title is not None)

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows, if it is a small one."""
        if getattr(self._drawable(), "states", 0) > STATES_DRAWN_UNASKED:
            return None
        run = Run()
        with suppress(CoarsestError), run.within(work=tuning.WORK_UNASKED):
            return str(self.draw(most=STATES_DRAWN_UNASKED, large="refuse", run=run))
        return None
