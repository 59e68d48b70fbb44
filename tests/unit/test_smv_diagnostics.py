"""Wrong SMV and what is said about it, word for word.

`golden/smv_diagnostics.txt` holds blocks of an input and the message expected. After a change of wording, run this file as a
program (`python tests/unit/test_smv_diagnostics.py`) and read the difference.
"""

from pathlib import Path

import pytest

from coarsest.errors import InputError
from coarsest.formats.smv.read import read
from coarsest.text import Source

GOLDEN = Path(__file__).parent / "golden" / "smv_diagnostics.txt"
BLOCK, MIDDLE = "════\n", "────\n"


def blocks() -> list[tuple[str, str]]:
    found = []
    for block in GOLDEN.read_text(encoding="utf-8").split(BLOCK)[1:]:
        text, _, message = block.partition(MIDDLE)
        found.append((text.removesuffix("\n"), message))
    return found


def message_for(text: str) -> str:
    try:
        read(Source("m.smv", text))
    except InputError as error:
        return f"{type(error).__name__}\n{error}\n"
    return "accepted\n"


@pytest.mark.parametrize(("text", "message"), blocks())
def test_message(text: str, message: str) -> None:
    assert message_for(text) == message


def test_every_message_has_a_place_and_a_caret() -> None:
    messages = [message for _, message in blocks()]
    assert len(messages) >= 40
    for message in messages:
        assert "m.smv:" in message
        assert "^" in message


if __name__ == "__main__":
    GOLDEN.write_text("".join(f"{BLOCK}{text}\n{MIDDLE}{message_for(text)}" for text, _ in blocks()), encoding="utf-8")
