"""Verdicts as SARIF 2.1.0 (OASIS), which code hosts show beside the lines of the model.

A property is a rule. A failing one has a result of level `error`, an undecided one an open result, and one that
holds no result. Warnings are notifications of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coarsest.render.data.json import object_to_text
from coarsest.render.data.model_report import ModelReport, Property, complaint_about, title_of

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(reports: Sequence[ModelReport], *, version: str) -> str:
    """One log with one run for all models."""
    rules: dict[str, dict[str, Any]] = {}
    results = []
    for report in reports:
        for number, (property, text) in enumerate(zip(report.properties, report.texts), start=1):
            identity = f"{report.model}/{property['name'] or number}"
            rules.setdefault(identity, {"id": identity, "shortDescription": {"text": title_of(property)}})
            if complaint_about(property):
                results.append(_result(report.model, identity, property, text))
    driver = {"name": "coarsest", "version": version, "rules": list(rules.values())}
    told = [_notification(report.model, text) for report in reports for text in report.warnings]
    run = {
        "tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results,
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": told}],
    }  # fmt: skip
    return object_to_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _result(model: str, identity: str, property: Property, text: str) -> dict[str, Any]:
    undecided = property["verdict"] == "unknown"
    message = f"{complaint_about(property)}\n{text.rstrip()}"
    kind = {"kind": "open", "level": "none"} if undecided else {"kind": "fail", "level": "error"}
    return {"ruleId": identity, **kind, "message": {"text": message}, "locations": [_location(model, property.get("place"))]}


def _location(model: str, place: dict[str, Any] | None) -> dict[str, Any]:
    if place is None:
        return {"physicalLocation": {"artifactLocation": {"uri": _uri(model)}, "region": {"startLine": 1}}}
    region = {"startLine": place["line"], "startColumn": place["column"]}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(place["file"])}, "region": region}}


def _notification(model: str, text: str) -> dict[str, Any]:
    return {"level": "warning", "message": {"text": text}, "locations": [_location(model, None)]}


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path.replace("\\", "/"), errors="surrogateescape")
