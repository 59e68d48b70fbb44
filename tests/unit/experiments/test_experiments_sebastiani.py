"""The models of Sebastiani et al.: the verdicts of their tables I and II, by every way to check LTL."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

import coarsest
from coarsest.errors import InputError
from coarsest.experiments.log_plot import log_plot
from coarsest.experiments.points import PaperClaim, PointOutcome, Word
from coarsest.experiments.sebastiani.engines import measure
from coarsest.experiments.sebastiani.models import CLAIMS, FAMILIES
from coarsest.experiments.sebastiani.plots import Curve, main, markdown, ratios
from coarsest.experiments.sebastiani.tables import ENGINES, TABLES
from coarsest.run import Run

EXPECTED = {"safety_holds": "holds", "liveness_holds": "holds", "safety_fails": "fails", "liveness_fails": "fails"}
CASES = [*(("dining", n) for n in range(2, 6)), *(("mutex", n) for n in range(2, 7)), ("life", 2)]
CASES += [("lift", n) for n in range(2, 6)]
LARGER = [pytest.param(family, n, marks=pytest.mark.nightly) for family, n in (("dining", 6), ("life", 3))]


@pytest.mark.parametrize("method", ["partitioned", "automaton", "tableau"])
@pytest.mark.parametrize(("family", "n"), [*CASES, *LARGER])
def test_tables_one_and_two(family: str, n: int, method: str) -> None:
    model = coarsest.loads(FAMILIES[family](n))
    answers = list(model.answers(ltl=method, vacuity=False))
    assert {answer.name: answer.verdict.word for answer in answers} == EXPECTED
    for answer in answers:
        assert answer.verdict.word == "holds" or answer.confirmed, answer.doubt


@pytest.mark.parametrize("family", FAMILIES)
def test_premises_can_be_met(family: str) -> None:
    """The true properties are not true for want of an occasion."""
    occasions = {
        "dining": ["EF (p & r)", "EF deadlock", "EF s"],
        "mutex": ["EF (p1.t & !p2.t & !p3.t)", "EF (p1.t & p2.t & p3.t)", "AG !(p1.c & p2.c)"],
        "life": ["EF b", "EF born = 3", "EF !d", "EF EG d"],
        "lift": ["EF next_alone", "AG EF (at = 3 & open)", "EF (above & below)", "AG (open -> AX !open)"],
    }
    model = coarsest.loads(FAMILIES[family](3))
    assert model.check(*occasions[family], vacuity=False).holds


def test_a_chopstick_that_was_offered_is_taken_by_the_neighbour_alone() -> None:
    model = coarsest.loads(FAMILIES["dining"](3))
    assert model.check("AG !(c1.is = offered & EX (c1.is = as_left))", vacuity=False).holds


@pytest.mark.parametrize("family", FAMILIES)
def test_there_is_no_model_for_one(family: str) -> None:
    with pytest.raises(InputError, match="begin at 2"):
        FAMILIES[family](1)


def test_names_of_the_claims() -> None:
    assert tuple(EXPECTED) == CLAIMS


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("family", FAMILIES)
def test_engines_agree_with_the_tables(family: str, claim: str) -> None:
    for engine in ENGINES:
        facts = measure(family, claim, engine, 2, run=Run())
        assert facts["holds"] == (EXPECTED[claim] == "holds"), engine
        assert facts["peak_nodes"]
        assert 0 < float(facts["building"]) < float(facts["seconds"])


def judged(claim: PaperClaim, *outcomes: PointOutcome) -> Word:
    return claim.judge({outcome.point: outcome for outcome in outcomes})[0]


def test_a_gap_is_a_factor_or_a_limit_that_was_passed() -> None:
    """The slow engine at 4 and 6, the fast one at 6: a factor of 4 does not do, nor does a limit that is not five times more."""
    (claim,) = [one for one in TABLES[0].claims if one.text.startswith("mutex") and one.quick]
    late = outcome_of("tableau", 6, ended="over 20 s", limit="time", allowed=20.0)
    assert judged(claim, outcome_of("tableau", 4), outcome_of("partitioned", 6)) == "unknown"
    assert judged(claim, outcome_of("tableau", 6, seconds=4.0), outcome_of("partitioned", 6, seconds=1.0)) == "fails"
    assert judged(claim, outcome_of("tableau", 6, seconds=6.0), outcome_of("partitioned", 6, seconds=1.0)) == "holds"
    assert judged(claim, late, outcome_of("partitioned", 6, seconds=1.0)) == "holds"
    assert judged(claim, late, outcome_of("partitioned", 6, seconds=10.0)) == "unknown"


def outcome_of(engine: str, n: int, *, seconds: float = 1.0, ended: str | None = None, **how: Any) -> PointOutcome:
    arguments = {"family": "mutex", "claim": "liveness_holds", "engine": engine, "n": n}
    (point,) = [point for point in TABLES[0].points if point.arguments == arguments]
    facts = None if ended else {"holds": True, "seconds": seconds, "building": seconds / 2, "peak_nodes": 10}
    return PointOutcome(
        paper="sebastiani", point=point.name, measure=point.measure, arguments=arguments, facts=facts, ended=ended,
        limit=how.get("limit"), seconds=how.get("allowed", 20.0), mebibytes=2000,
    )  # fmt: skip


def curve_of(engine: str, *points: tuple[int, float, int]) -> Curve:
    facts = {n: {"seconds": seconds, "building": seconds / 2, "peak_nodes": nodes} for n, seconds, nodes in points}
    return Curve("dining", "safety_holds", engine, facts, "no larger N was measured")


def test_ratios_are_taken_at_the_largest_size_of_both() -> None:
    curves = [curve_of("partitioned", (2, 1.0, 10), (3, 2.0, 30), (4, 9.0, 90)), curve_of("smc", (2, 1.0, 10), (3, 12.0, 15))]
    (ratio,) = ratios(curves)
    assert (ratio.against, ratio.n, ratio.seconds, ratio.searching, ratio.peak_nodes) == ("smc", 3, 6.0, 6.0, 0.5)
    row = "| dining | safety_holds | smc / partitioned | 3 | 6.00× | 6.00× | 0.50× | yes; at least 5× here: yes |"
    assert row in markdown(curves)


def test_growth_is_a_factor_for_each_step_of_n() -> None:
    assert curve_of("smc", (2, 0.001, 1), (4, 0.1, 1), (6, 0.4, 1), (8, 1.6, 1)).growth == pytest.approx(2.0)
    assert curve_of("smc", (2, 0.001, 1), (4, 0.1, 1)).growth is None


def test_no_ratio_without_a_common_size() -> None:
    assert ratios([curve_of("partitioned", (2, 1.0, 10)), curve_of("smc")]) == []


def test_a_plot_is_well_formed_and_higher_values_are_higher() -> None:
    drawn = ElementTree.fromstring(log_plot("a < b", {"one & two": [(2, 0.01), (3, 1.0)], "none": []}, across="N", up="s"))
    circles = [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in drawn.iter("{http://www.w3.org/2000/svg}circle")]
    assert len(circles) == 2
    assert circles[0][0] < circles[1][0]
    assert circles[0][1] > circles[1][1]


def test_table_and_plots_of_what_was_kept(tmp_path: Path) -> None:
    """Also beside what another checker took for the same models, and not for others."""
    other = {"family": "mutex", "claim": "liveness_holds", "checker": "another", "seconds": {"2": 40.0}, "ended": "no time"}
    (tmp_path / "other.json").write_text(json.dumps([other, {**other, "family": "dining"}]), encoding="utf-8")
    outcomes = [outcome_of(engine, n, seconds=n) for n in (4, 2) for engine in ENGINES]
    outcomes.append(outcome_of("smc", 6, ended="over 20 s", limit="time"))
    (tmp_path / "points.jsonl").write_bytes(b"".join(msgspec.json.encode(outcome) + b"\n" for outcome in outcomes))
    folder = tmp_path / "drawn"
    assert main([str(tmp_path / "points.jsonl"), "-o", str(folder), "--beside", str(tmp_path / "other.json")]) == 0
    assert len(list(folder.glob("*.svg"))) == 2
    table = (folder / "table.md").read_text(encoding="utf-8")
    assert "| mutex | liveness_holds | smc / figures | 4 | 1.00× |" in table
    assert "| mutex | liveness_holds | smc | 1.41× | 2: 2.00 (1.00; 10), 4: 4.00 (2.00; 10) | N = 6: over 20 s |" in table
    assert "| mutex | liveness_holds | another / partitioned | 2 | 20.00× |" in table
    assert "dining" not in table
