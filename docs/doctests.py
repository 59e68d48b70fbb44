"""Examples in docstrings as blocks of code: what the site shows of names of the package."""

from __future__ import annotations

import re
from typing import Any

import griffe

SESSION = re.compile(r"(?:^>>> .*(?:\n(?!\n|>>> ).*)*\n?)+", re.MULTILINE)


class Fenced(griffe.Extension):
    """Puts fences around sessions of Python."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = SESSION.sub(lambda session: f"```pycon\n{session[0].rstrip()}\n```\n", obj.docstring.value)
