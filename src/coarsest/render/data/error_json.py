"""What is wrong with the input, as programs read it."""

from __future__ import annotations

import json
from typing import Final

from coarsest.errors import InputError

SCHEMA: Final = 1


def error_to_text(error: InputError) -> str:
    """An object with one key, `error`: what is wrong, a hint (or null), and the place (or null).

    >>> from coarsest.text import Source, Span
    >>> print(error_to_text(InputError("unknown type", Span(Source("m.smv", "VAR x : bolean;"), 8, 14), hint="try boolean")))
    {
      "schema": 1,
      "error": {
        "message": "unknown type",
        "hint": "try boolean",
        "file": "m.smv",
        "line": 1,
        "column": 9
      }
    }
    """
    said = error.diagnostic
    file = line = column = None
    if said.span is not None:
        source = said.span.source
        file, (line, column) = source.name, source.line_and_column(min(said.span.start, len(source.text)))
    place = {"file": file, "line": line, "column": column}
    return json.dumps({"schema": SCHEMA, "error": {"message": said.message, "hint": said.hint or None, **place}}, indent=2)
