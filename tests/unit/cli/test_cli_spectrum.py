"""`compare --spectrum`: tables, JSON, pictures, limits, wrong use; and judges that reject what is not so."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from coarsest import InputError, Limits, Run, spectrum, tuning
from coarsest.logic.modal.parse_modal import parse
from coarsest.lts.certificates import SpectrumCertificate, WeakCertificate
from coarsest.lts.compare.compare_by_spectrum import compare_by_spectrum
from coarsest.lts.judge.observation_languages import beyond
from coarsest.lts.judge.spectrum_certificates import SpectrumJudge
from coarsest.lts.spectrum.notions import NOTIONS
from coarsest.text import Source
from command_lines import Runner
from terms import graph_of

EXAMPLES = Path(__file__).parents[3] / "examples"
TEA, LUCK, BUFFER, LOSSY = (
    str(EXAMPLES / f"{name}.aut") for name in ("coffee_or_tea", "coffee_by_luck", "buffer", "two_cells_lossy")
)


def test_json(run: Runner) -> None:
    result = run("compare", TEA, LUCK, "--spectrum", "--json")
    assert result.code == 1
    facts = json.loads(result.out)
    assert (facts["schema"], facts["spectrum"], facts["related"]) == (1, True, False)
    rows = {row["name"]: row for row in facts["notions"]}
    assert list(rows) == [notion.name for notion in NOTIONS if not notion.weak]
    assert rows["traces"]["related"] is True
    failures = rows["failures"]
    assert (failures["related"], failures["first_below_second"]["below"]) == (False, True)
    assert failures["second_below_first"] == {
        "below": False, "formula": "<coin>[tea]false", "depth": 2, "by": None, "reason": None, "confirmed": True,
    }  # fmt: skip


def test_related_by_all(run: Runner) -> None:
    result = run("compare", LUCK, LUCK, "--spectrum")
    assert result.code == 0
    assert "no" not in result.out.replace("notions", "").replace("no internal", "").split()


@pytest.mark.parametrize("ending, begin", [("svg", "<svg"), ("dot", "digraph")])
def test_pictures(run: Runner, ending: str, begin: str) -> None:
    result = run("compare", BUFFER, LOSSY, "--spectrum", "-o", f"picture.{ending}")
    assert result.code == 1
    assert f"written picture.{ending}" in result.out
    text = Path(f"picture.{ending}").read_text(encoding="utf-8")
    assert text.startswith(begin)
    assert all(notion.name in text for notion in NOTIONS)
    assert "neither is below the other" in text


@pytest.mark.parametrize("options, message", [
    (["--by", "simulation"], "leave out --by"),
    (["--preorder", "--by", "simulation"], "leave out --by"),
    (["--certificate", "x.json"], "leave out --certificate; ask for one relation: --by RELATION"),
])  # fmt: skip
def test_wrong_use(run: Runner, options: list[str], message: str) -> None:
    result = run("compare", TEA, LUCK, "--spectrum", *options)
    assert result.code == 2
    assert message in result.err


def test_what_is_not_decided_says_why(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "SPECTRUM_COMPARISONS", 0)
    monkeypatch.setattr(tuning, "SPECTRUM_SETS", 0)
    result = run("compare", TEA, LUCK, "--spectrum")
    assert result.code == 3
    assert "more than 0 sets of states have to be compared" in result.out
    assert "finite-simulation    no" in result.out


def test_a_limit_leaves_what_was_decided() -> None:
    one, other = graph_of("a.(b.c.d + b.e) + a.b.(c + d)"), graph_of("a.(b.c.d + b.e) + a.(b.c.d + b.d)")
    whole, part = compare_by_spectrum(one, other), compare_by_spectrum(one, other, run=Run(Limits(steps=4)))
    assert (whole.related, part.related) == (False, None)
    assert any("the limit of 4 steps" in way.reason for row in part.rows for way in row.ways)
    for before, after in zip(part.rows, whole.rows):
        assert all(some.below in (None, all_of_it.below) for some, all_of_it in zip(before.ways, after.ways))


def test_python() -> None:
    assert spectrum(TEA, LUCK)["traces"].related


NOT_FOR = {
    "traces": "<a>(<b>true & <c>true)", "failures": "<a>([b]false & <c>true)", "revivals": "<a>(<b>true & <c>true)",
    "readiness": "<a>[b][c]false", "failure-traces": "<a>(<b>true & <c>true)", "ready-traces": "<a>(<b><c>true & <c><b>true)",
    "impossible-futures": "<a>(<b>true & [c]false)", "possible-futures": "<a>(<b>true & [c](<a>true & <b>true))",
    "finite-simulation": "[a]false", "ready-simulation": "[a][b]false", "2-nested-simulation": "[a]<b>true",
    "enabledness": "<a><b>true",
    "weak-traces": "<<a>>true & <<b>>true", "weak-simulation": "[[a]]false",
    "coupled-simulation": "<<tau>>([[b]]false & <<c>>true)",
    "weak-bisimulation": "<<a>>[[b]]false", "delay-bisimulation": "(<<b>>true U <a>true)", "eta-bisimulation": "<<a>>[[b]]false",
    "branching-bisimulation": "<a>true", "branching-bisimulation-divergence": "<<b>><a>true",
}  # fmt: skip


@pytest.mark.parametrize("notion", NOT_FOR)
def test_formulas_that_see_too_much(notion: str) -> None:
    assert beyond(notion, parse(Source("", NOT_FOR[notion])))


def test_every_notion_has_a_language() -> None:
    assert set(NOT_FOR) | {"bisimulation"} == {notion.name for notion in NOTIONS}


def spoilt(certificate: SpectrumCertificate) -> SpectrumCertificate:
    """Everything is claimed to be related."""
    if isinstance(certificate, WeakCertificate):
        return WeakCertificate(certificate.steps, spoilt(certificate.inner), certificate.coupled)  # type: ignore[arg-type]
    for field in ("nested", "simulation"):
        if hasattr(certificate, field):
            return replace(certificate, **{field: spoilt(getattr(certificate, field))})
    if hasattr(certificate, "above"):
        return replace(certificate, above=np.ones_like(certificate.above))
    if hasattr(certificate, "blocks"):
        return replace(certificate, blocks=np.zeros_like(certificate.blocks))
    return certificate


PAIRS = [("a.b + a.c", "a.b + a.c + a.(b + c)"), ("a.b.(c + d) + a.(b.(c + d) + b.c)", "a.(b.(c + d) + b.c)"),
         ("tau.a + tau.b + tau.c", "tau.a + tau.(tau.b + tau.c)"), ("c + tau.b + b", "c + tau.b"),
         ("a.(tau.b + c) + a.b", "a.(tau.b + c)"), ("a.b.c + tau", "a.tau.b.c + tau")]  # fmt: skip


@pytest.mark.parametrize("one, other", PAIRS)
def test_judges_reject_what_is_not_so(one: str, other: str) -> None:
    first, second = graph_of(one), graph_of(other)
    judge, looked_at = SpectrumJudge(first, second), 0
    for row in compare_by_spectrum(first, second).rows:
        for way, verdict in enumerate(row.ways):
            notion = verdict.by or row.notion.name
            if verdict.certificate is not None and notion != "enabledness":
                assert judge.problem(verdict.certificate, notion, way) == ""
                assert judge.problem(verdict.certificate, "something else", way)
                assert judge.problem(spoilt(verdict.certificate), notion, way)
                looked_at += 1
    assert looked_at > 2


def test_notions_of_a_spectrum_by_name_and_in_order() -> None:
    found = spectrum("examples/coffee_or_tea.aut", "examples/coffee_by_luck.aut")
    names = [row.notion.name for row in found]
    assert (len(found), names[0], names[-1]) == (len(names), "bisimulation", "enabledness")
    assert "failures" in found and "weak-traces" not in found
    with pytest.raises(InputError, match="there is no notion 'failure'\n  hint: did you mean failures"):
        found["failure"]
    with pytest.raises(InputError, match="without internal steps"):
        found["weak-traces"]
