"""Errors in the input, as JSON."""

from __future__ import annotations

import json
from typing import Final

from coarsest.errors import InputError

SCHEMA: Final = 1


def error_to_text(error: InputError) -> str:
    """An object with one key, `error`: message, hint (or null), and place (or null).

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
    diagnostic = error.diagnostic
    file = line = column = None
    if diagnostic.span is not None:
        source = diagnostic.span.source
        file, (line, column) = source.name, source.line_and_column(min(diagnostic.span.start, len(source.text)))
    place = {"file": file, "line": line, "column": column}
    facts = {"message": diagnostic.message, "hint": diagnostic.hint or None, **place}
    return json.dumps({"schema": SCHEMA, "error": facts}, indent=2)
