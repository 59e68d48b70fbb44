"""Names and texts from files and terminals, as a screen can show them."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""The text with Python's escapes for the characters that a terminal obeys or cannot show.

    >>> print(printable("send\x1b[2J \u2028 naïve"))
    send\x1b[2J \u2028 naïve
    """
    return text if text.isprintable() else "".join(map(_escaped, text))


def shortened(text: str, most: int = 40) -> str:
    """The text, or the beginning of a long one.

    >>> shortened("x" * 50, 8)
    'xxxxx...'
    """
    return text if len(text) <= most else text[: most - 3] + "..."


def title_of(path: str, *suffixes: str) -> str:
    """The name of a model that is named like its file.

    >>> title_of("models/mutex.smv", ".smv")
    'mutex'
    """
    title = path.replace("\\", "/").rpartition("/")[2]
    for suffix in suffixes:
        title = title.removesuffix(suffix)
    return title


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
