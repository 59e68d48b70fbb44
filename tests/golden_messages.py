"""Wrong inputs and what is said about them, word for word: blocks of a text and the message expected."""

from collections.abc import Callable
from pathlib import Path

from coarsest.errors import InputError
from coarsest.text import Source

BLOCK, MIDDLE = "════\n", "────\n"


def blocks(golden: Path) -> list[tuple[str, str]]:
    found = []
    for block in golden.read_text(encoding="utf-8").split(BLOCK)[1:]:
        text, _, message = block.partition(MIDDLE)
        found.append((text.removesuffix("\n"), message))
    return found


def message_for(text: str, name: str, read: Callable[[Source], object]) -> str:
    try:
        read(Source(name, text))
    except InputError as error:
        return f"{type(error).__name__}\n{error}\n"
    return "accepted\n"


def rewrite(golden: Path, name: str, read: Callable[[Source], object]) -> None:
    """After a change of wording: write the file anew, and read the difference."""
    new = "".join(f"{BLOCK}{text}\n{MIDDLE}{message_for(text, name, read)}" for text, _ in blocks(golden))
    golden.write_text(new, encoding="utf-8")
