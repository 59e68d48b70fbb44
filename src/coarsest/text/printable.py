"""Names that come from elsewhere, as a screen can show them."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Characters that a terminal obeys or cannot show, as Python writes them.

    >>> print(printable("send\x1b[2J \u2028 naïve"))
    send\x1b[2J \u2028 naïve
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
