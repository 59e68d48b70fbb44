"""Verdicts as JUnit reports, which build servers show as tests.

A model is a test suite, and a property a test case: a failure if it fails, an error if it is undecided. The format is that of
Apache Ant's `junit` task; most servers also read `file` and `line`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from coarsest.render.data.model_report import ModelReport, Property, complaint_about, title_of

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML forbids, even as references."""


def junit(reports: Sequence[ModelReport]) -> str:
    """One document for all models.

    >>> safe = {"name": "safe", "formula": "x < 3", "kind": "invariant", "verdict": "fails", "seconds": 0.5}
    >>> print(junit([ModelReport(model="m.smv", properties=[safe], texts=["fails    safe: x < 3"])]), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="coarsest" tests="1" failures="1" errors="0" time="0.500">
      <testsuite name="m.smv" tests="1" failures="1" errors="0" time="0.500">
        <testcase classname="m.smv" name="safe: x &lt; 3" time="0.500">
          <failure type="fails" message="the property fails">fails    safe: x &lt; 3</failure>
        </testcase>
      </testsuite>
    </testsuites>
    """
    every = [property for report in reports for property in report.properties]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites{_attributes({'name': 'coarsest', **_counts(every)})}>"]
    for report in reports:
        lines += _suite(report)
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def _suite(report: ModelReport) -> Iterator[str]:
    yield f"  <testsuite{_attributes({'name': report.model, **_counts(report.properties)})}>"
    for property, text in zip(report.properties, report.texts):
        yield from _case(report.model, property, text)
    if report.warnings:
        yield f"    <system-err>{_escaped(chr(10).join(f'warning: {text}' for text in report.warnings))}</system-err>"
    yield "  </testsuite>"


def _case(model: str, property: Property, text: str) -> Iterator[str]:
    place = property.get("place") or {}
    about = {"classname": model, "name": title_of(property), "time": f"{property['seconds']:.3f}"}
    about |= {key: place[key] for key in ("file", "line") if key in place}
    wrong = complaint_about(property)
    if not wrong:
        yield f"    <testcase{_attributes(about)}/>"
        return
    tag = "error" if property["verdict"] == "unknown" else "failure"
    what = _attributes({"type": property["verdict"], "message": wrong})
    yield f"    <testcase{_attributes(about)}>"
    yield f"      <{tag}{what}>{_escaped(text.rstrip())}</{tag}>"
    yield "    </testcase>"


def _counts(properties: Sequence[Property]) -> dict[str, object]:
    wrong = [property["verdict"] for property in properties if complaint_about(property)]
    undecided = wrong.count("unknown")
    seconds = sum(property["seconds"] for property in properties)
    return {"tests": len(properties), "failures": len(wrong) - undecided, "errors": undecided, "time": f"{seconds:.3f}"}


def _attributes(values: Mapping[str, object]) -> str:
    return "".join(f' {name}="{_escaped(str(value))}"' for name, value in values.items())


def _escaped(text: str) -> str:
    from html import escape

    return escape(_FORBIDDEN.sub("\ufffd", text))
