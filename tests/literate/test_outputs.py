"""What the commands print of the examples stays as it is; `make goldens` writes the files anew, for a change that is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from golden_outputs import GOLDEN, ROOT, examples, outputs


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_outputs_are_the_golden_ones(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert outputs(example) == (GOLDEN / f"{example.name}.txt").read_text(encoding="utf-8")


def test_there_is_no_golden_file_of_an_example_that_is_gone() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == {f"{example.name}.txt" for example in examples()}
