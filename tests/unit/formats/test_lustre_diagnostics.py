"""Wrong Lustre and what is said about them. After a change of wording, run this file as a program and read the difference."""

from pathlib import Path

import pytest

from coarsest.formats.lustre.read import read
from golden_messages import blocks, message_for, rewrite

GOLDEN = Path(__file__).parents[1] / "golden" / "lustre_diagnostics.txt"


@pytest.mark.parametrize(("text", "message"), blocks(GOLDEN))
def test_message(text: str, message: str) -> None:
    assert message_for(text, "m.lus", read) == message


def test_every_message_has_a_place_and_a_caret() -> None:
    messages = [message for _, message in blocks(GOLDEN)]
    assert len(messages) >= 45
    for message in messages:
        assert "m.lus:" in message
        assert "^" in message


if __name__ == "__main__":
    rewrite(GOLDEN, "m.lus", read)
