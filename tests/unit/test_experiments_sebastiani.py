"""The models of Sebastiani et al.: the verdicts of their tables I and II, by every way to check LTL."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import coarsest
from coarsest.errors import InputError
from coarsest.experiments.log_plot import log_plot
from coarsest.experiments.sebastiani import main
from coarsest.experiments.sebastiani_engines import ENGINES, Measured, measure
from coarsest.experiments.sebastiani_models import CLAIMS, FAMILIES
from coarsest.experiments.sebastiani_report import Curve, markdown, ratios

EXPECTED = {"safety_holds": "holds", "liveness_holds": "holds", "safety_fails": "fails", "liveness_fails": "fails"}
CASES = [*(("dining", n) for n in range(2, 7)), *(("mutex", n) for n in range(2, 7)), ("life", 2), ("life", 3)]
CASES += [("lift", n) for n in range(2, 6)]


@pytest.mark.parametrize("method", ["partitioned", "automaton", "tableau"])
@pytest.mark.parametrize(("family", "n"), CASES)
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
        measured = measure(family, claim, engine, 2)
        assert measured.holds == (EXPECTED[claim] == "holds"), engine
        assert measured.peak_nodes
        assert measured.building is not None
        assert 0 < measured.building < measured.seconds


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match="no engine 'smv'"):
        measure("dining", "safety_holds", "smv", 2)


def curve_of(engine: str, *points: tuple[int, float, int]) -> Curve:
    measured = {
        n: Measured(holds=True, seconds=seconds, building=seconds / 2, translating=0.0, peak_nodes=nodes)
        for n, seconds, nodes in points
    }
    return Curve("dining", "safety_holds", engine, measured, "largest N asked for")


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


def test_a_run_writes_table_points_and_plots(tmp_path: Path) -> None:
    other = {"family": "mutex", "claim": "safety_holds", "checker": "another", "seconds": {"2": 40.0}, "ended": "N = 3: no time"}
    (tmp_path / "other.json").write_text(json.dumps([other, {**other, "family": "dining"}]), encoding="utf-8")
    arguments = ["-o", str(tmp_path), "--most", "2", "--family", "mutex", "--seconds", "20"]
    assert main([*arguments, "--beside", str(tmp_path / "other.json")]) == 0
    points = json.loads((tmp_path / "points.json").read_text(encoding="utf-8"))
    assert {point["engine"] for point in points} == {*ENGINES, "another"}
    assert all(point["points"].keys() == {"2"} for point in points)
    assert len(list(tmp_path.glob("*.svg"))) == 8
    table = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "| mutex | liveness_fails | smc / figures | 2 |" in table
    assert "| mutex | safety_holds | another | – | 2: 40.00 | N = 3: no time |" in table
    assert "| mutex | safety_holds | another / partitioned | 2 |" in table
    assert "dining" not in table
