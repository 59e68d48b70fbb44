"""Systems that can be drawn: by `draw` in scripts, and automatically in notebooks.

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
"""A notebook shows pictures of larger systems only on request."""

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords
    from coarsest.api.drawings.drawing import Drawing


def title_of(system: Any) -> str:
    """The default title of a picture."""
    return getattr(system, "title", "") or getattr(system, "name", "")


class Drawn(Struct, frozen=True):
    """A system that can be drawn."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            kind = type(self).__name__
            if not name.startswith("_"):
                from coarsest.text.near import nearest

                near = nearest(name, [own for own in dir(type(self)) if not own.startswith("_")])
                raise AttributeError(f"a {kind} has no '{name}'{f'; did you mean {near[0]!r}?' if near else ''}")
            raise AttributeError(f"'{kind}' object has no attribute '{name}'")

    def _drawable(self) -> Any:
        """The system to draw, by default itself."""
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
        shown, named = title_of(system) if title is None else title, title is not None
        return drawing_of([system], to, shown, how, Run.given(run), named=named)

    def _repr_svg_(self) -> str | None:
        """The picture for a notebook, if the system is small."""
        if getattr(self._drawable(), "states", 0) > STATES_DRAWN_UNASKED:
            return None
        run = Run()
        with suppress(CoarsestError), run.within(work=tuning.WORK_UNASKED):
            return str(self.draw(most=STATES_DRAWN_UNASKED, large="refuse", run=run))
        return None
