"""The VIS Verilog suite: designs are read, reachable states are those that were published, verdicts those of the authors."""

import json
from pathlib import Path

import pytest
from benchmarks.vis_designs import DISPUTED

import coarsest
from coarsest.errors import InputError
from coarsest.files import read_contents
from coarsest.formats.vis.properties import read_conditions
from coarsest.run import Limits, Run

BENCHMARKS = Path(__file__).parents[4] / "shared" / "benchmarks"
DESIGNS = BENCHMARKS / "vis"
ORACLES = BENCHMARKS / "oracles.json"
KNOWN = json.loads(ORACLES.read_text(encoding="utf-8")) if ORACLES.exists() else {}

pytestmark = pytest.mark.skipif(not DESIGNS.exists(), reason="shared benchmarks not present")

WITH_DESIGNS = {
    str(path.with_suffix(end).relative_to(BENCHMARKS)) for path in DESIGNS.rglob("*.v") for end in (".ctl", ".ltl", ".inv")
}
"""Property files beside a design of their name."""

PARTS = ("cache_ctrl", "directory", "processor", "snd", "rcv", "network", "usb_rx_phy", "usb_tx_phy")
"""Files that others include."""


OTHERWISE = {
    ("vis/Coherence/coherence.ctl", "AG (( proc1.proc_state = READING ) -> AF (proc1.acknowledge = 1))"): "holds",
    ("vis/Coherence/coherence.ltl", "G (( proc1.proc_state = READING ) -> F (proc1.acknowledge = 1))"): "holds",
}
"""The comment FAILS in these files belongs to the formula before this one, which stands there twice, once without a verdict."""

COUNTED = {"Arbiter/arbiter": 73, "TreeArb/4-arbit": 5568}
"""Table 1 of Fisler and Vardi."""

LARGE = pytest.param("Coherence/coherence", 94738, marks=pytest.mark.nightly)


@pytest.mark.parametrize(("design", "states"), [*COUNTED.items(), LARGE])
def test_reachable_states_as_fisler_and_vardi_count_them(design: str, states: int) -> None:
    assert coarsest.load(DESIGNS / f"{design}.v").reach().states == states


@pytest.mark.parametrize("path", ["Swap/swap.ctl", "Gray/gray.ltl", "Peterson/peterson.ctl", "Philo/philo4.inv"])
def test_verdicts_of_small_designs(path: str) -> None:
    agrees(f"vis/{path}", seconds=300)


def agrees(path: str, seconds: float) -> tuple[int, int]:
    """Check a property file: no verdict contradicts its authors. How many are decided, of how many with a verdict."""
    properties = BENCHMARKS / path
    family = properties.with_name(properties.stem.rstrip("0123456789"))
    fairness = [fair for base in (properties, family) if (fair := base.with_suffix(".fair")).exists()]
    model = coarsest.load(properties.with_suffix(".v"))
    model = model.with_files(properties=[properties], fairness=fairness[:1])
    claims = KNOWN[path]["properties"]
    assert len(model.properties) == len(claims)
    decided = stated = 0
    for number, (answer, claim) in enumerate(zip(model.answers(run=Run(Limits(seconds=seconds))), claims)):
        stated += claim["verdict"] is not None
        if claim["verdict"] is not None and answer.verdict.word != "unknown":
            verdict = OTHERWISE.get((path, claim["formula"]), claim["verdict"])
            if number in DISPUTED.get(path.removeprefix("vis/").rpartition(".")[0], ()):
                verdict = "fails"
            assert answer.verdict.word == verdict, (path, claim["formula"])
            decided += 1
    return decided, stated


@pytest.mark.nightly
def test_nearly_all_designs_are_read() -> None:
    designs = [path for path in sorted(DESIGNS.rglob("*.v")) if path.stem not in PARTS]
    refused = []
    for path in designs:
        try:
            coarsest.load(path)
        except InputError as error:
            assert error.diagnostic.span is not None
            refused.append(path.stem)
    assert len(refused) <= 0.05 * len(designs)


@pytest.mark.nightly
@pytest.mark.parametrize("path", [path for path in KNOWN if path in WITH_DESIGNS])
def test_no_verdict_contradicts_the_authors(path: str) -> None:
    try:
        agrees(path, seconds=60)
    except InputError as error:
        pytest.skip(str(error))


@pytest.mark.nightly
def test_hints_are_conditions() -> None:
    read = 0
    for path in sorted(DESIGNS.rglob("*.hint")):
        if path.with_suffix(".v").exists():
            read_conditions(read_contents(path).text(), coarsest.load(path.with_suffix(".v")).machine)
            read += 1
    assert read > 10
