"""Styles and scripts that become part of pages: each page is one file, which needs nothing from elsewhere."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}"""
"""How every page begins: it asks nobody for anything."""


def asset(name: str) -> str:
    """The text of one of the files here."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def embedded(contents: Any) -> str:
    """Data for a script of a page: nothing in it can end the element that it is in.

    >>> embedded({"text": "</script>"})
    '{"text":"\\\\u003c/script>"}'
    """
    return msgspec.json.encode(contents).decode().replace("<", "\\u003c")
