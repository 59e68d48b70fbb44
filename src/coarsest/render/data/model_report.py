"""The verdicts on a model, from which reports in all formats are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from coarsest.render.data.json import check_to_object

SAID = {"holds": ("holds", "hold"), "fails": ("fails", "fail"), "unknown": ("is undecided", "be undecided")}
Property = Mapping[str, Any]
"""The JSON object of a property and its verdict (`answer_to_object`)."""


class ModelReport(Struct, frozen=True, kw_only=True):
    """The verdicts on one model with their evidence, as JSON and as text."""

    model: str
    properties: Sequence[Property] = ()
    texts: Sequence[str] = ()
    """The text of the verdict and evidence of each property."""
    rows: Sequence[str] = ()
    """The same as cards, for a page."""
    warnings: Sequence[str] = ()
    seconds: float = 0.0
    statistics: Mapping[str, Any] = field(default_factory=dict)

    def to_object(self) -> dict[str, Any]:
        """The output of `coarsest check --json`."""
        seconds = round(self.seconds, 6)
        return check_to_object(
            self.model, self.properties, warnings=self.warnings, seconds=seconds, statistics=self.statistics
        )

    @property
    def words(self) -> list[str]:
        return list(map(word_of, self.properties))


def summary_of(reports: Sequence[ModelReport], seconds: float) -> str:
    """A line about all verdicts; if some are expected, it says how many differ."""
    from coarsest.render.text.text import summary_line

    line = summary_line([word for report in reports for word in report.words], seconds)
    every = [one for report in reports for one in report.properties if one.get("expected") is not None]
    if not every:
        return line
    surprises = sum(bool(complaint_about(one)) for one in every)
    note = f"{surprises} not as expected" if surprises else "as expected"
    return line.replace(" (", f", {note} (", 1)


def word_of(property: Property) -> str:
    """The verdict; `computed` for COMPUTE, which yields a number."""
    return "computed" if property["kind"] == "compute" and property["verdict"] == "holds" else str(property["verdict"])


def title_of(property: Property) -> str:
    """The name and formula in one line."""
    named = f"{property['name']}: {property['formula']}" if property["name"] else property["formula"]
    return " ".join(str(named).split())


def complaint_about(property: Property) -> str:
    """The objection to a verdict, in one line; empty if there is none."""
    verdict, expected = property["verdict"], property.get("expected")
    if expected is not None:
        return "" if verdict == expected else f"it {SAID[verdict][0]}, but is expected to {SAID[expected][1]}"
    if verdict == "unknown":
        return f"undecided: {property['reason']}"
    return "" if verdict == "holds" else "the property fails"
