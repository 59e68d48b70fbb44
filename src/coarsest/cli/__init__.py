"""The command line. What is here makes it start sooner, and is of no concern to programs that import the package."""

import gc
import sys
from typing import Any, cast

OBJECTS_BETWEEN_SEARCHES = 50_000
"""To start makes many objects, all of which stay; a search for cycles among them after each 700, as is usual, takes long."""
NOT_NEEDED = "typing_extensions"
"""From there msgspec takes, if it can, what Python has itself since 3.11, and spends a sixth of the time to start."""


def _prepare() -> None:
    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES)
    if NOT_NEEDED in sys.modules or "msgspec" in sys.modules:
        return
    sys.modules[NOT_NEEDED] = cast("Any", None)
    try:
        import msgspec  # noqa: F401
    finally:
        del sys.modules[NOT_NEEDED]


_prepare()
