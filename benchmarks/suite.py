"""What is measured: start-up, the models of the collection where it is present, and generated families over growing N."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from benchmarks import reference
from benchmarks.generate import FAMILIES

TEN_LINES = """MODULE main
VAR
  light : {red, green, amber};
  waiting : boolean;
ASSIGN
  init(light) := red;
  next(light) := case light = red & waiting : green; light = green : amber; TRUE : red; esac;
JUSTICE waiting
CTLSPEC AG AF light = green
LTLSPEC G (light = green -> X light = amber)
"""

TASKS = {"reach": "reach", "invariants": "check", "ctl": "check", "ltl": "check", "all": "check"}
KIND_OF_TASK = {"invariants": "invariant", "ctl": "ctl", "ltl": "ltl"}

SIZES: dict[tuple[str, str], Sequence[int]] = {
    ("philosophers", "reach"): (8, 16, 24, 32, 48),
    ("philosophers", "invariants"): (8, 16, 24, 32, 48),
    ("philosophers", "ctl"): (8, 12, 16, 20, 24, 64, 128),
    ("philosophers", "ltl"): (8, 16, 24, 28, 32),
    ("mutex", "reach"): (8, 14, 24, 32),
    ("mutex", "invariants"): (8, 14, 24, 32),
    ("mutex", "ctl"): (8, 12, 14, 20, 48),
    ("mutex", "ltl"): (8, 12, 14, 20),
    ("bakery", "reach"): (4, 5, 6, 7),
    ("bakery", "invariants"): (4, 5, 6, 7),
    ("bakery", "ctl"): (4, 5, 6, 7),
    ("bakery", "ltl"): (4, 5, 6),
    ("ring", "reach"): (8, 16, 32),
    ("ring", "all"): (8, 16, 24),
    ("counters", "reach"): (8, 10, 12),
    ("counters", "all"): (8, 10, 12),
}
"""The numbers of processes of each family, by task."""

IN_BRIEF = {
    ("philosophers", "reach", 32), ("philosophers", "ctl", 16), ("philosophers", "ltl", 28), ("mutex", "ltl", 14),
    ("mutex", "ctl", 14), ("bakery", "ctl", 6), ("bakery", "invariants", 6), ("ring", "all", 16), ("counters", "all", 10),
}  # fmt: skip

FIXED_TARGETS = {("philosophers", "reach", 32): 5.0}


class Case(Struct, frozen=True, kw_only=True):
    """One thing to measure: a command line, a file or a text as its model, and what it is compared with."""

    model: str
    task: str
    group: str
    arguments: tuple[str, ...]
    path: Path | None = None
    text: str | None = None
    nusmv: float | None = None
    """NuSMV's best CPU seconds."""
    target: float | None = None
    """The most CPU seconds it may take."""
    oracle: str | None = None
    """The key of what is known of the model."""
    quick: bool = False

    @property
    def name(self) -> str:
        options = " ".join(a for a in self.arguments[1:] if a != "--json")
        return " ".join(filter(None, (self.model, self.task, options)))

    def with_options(self, *options: str) -> Case:
        """The same with other options, and therefore without a target."""
        return replace(self, arguments=(*self.arguments, *options), target=None)


def cases() -> list[Case]:
    """Everything, in the order of the table."""
    return [*start_up(), *example_cases(), *family_cases()]


def start_up() -> Iterator[Case]:
    """How long it takes until something happens. The targets are meant by the clock of an idle machine, where it is the same."""
    version = "--version"
    yield Case(model="coarsest", task=version, group="start-up", arguments=(version,), target=0.15, quick=True)
    yield _check("ten lines", "all", "start-up", text=TEN_LINES, target=0.6, quick=True)


def example_cases() -> Iterator[Case]:
    """The SMV models of the collection that NuSMV accepts, each text once: first those with a time of NuSMV, then those that
    it finished, then those that it did not finish in two minutes."""
    timed = {example.path: example for example in reference.examples()}
    seen = set()
    for place in [*timed, *_places("complete"), *_places("time limit")]:
        path = reference.COLLECTION / place
        if not path.exists() or (digest := hashlib.sha256(path.read_bytes()).digest()) in seen:
            continue
        seen.add(digest)
        example = timed.get(place)
        name = example.model if example else "/".join(Path(place).with_suffix("").parts[-2:])
        for task in ("reach", "all"):
            best = None if example is None else example.best if task == "all" else example.best_whole
            bound = reference.example_target(best) if best is not None else None
            quick = example is not None and task == "all"
            yield _check(name, task, "examples", path=path, nusmv=best, target=bound, oracle=place, quick=quick)


def _places(how_nusmv_ended: str) -> list[str]:
    known = reference.oracles()
    return sorted(place for place in known if place.startswith("smv/") and known[place].get("nusmv_2_6_0") == how_nusmv_ended)


def family_cases() -> Iterator[Case]:
    """The generated families."""
    for (family, task), sizes in SIZES.items():
        for n in sizes:
            yield family_case(family, task, n)


def family_case(family: str, task: str, n: int) -> Case:
    """One member of a family; times of NuSMV are known for one kind of specification at a time."""
    kind = KIND_OF_TASK.get(task)
    model = FAMILIES[family](n)
    target = FIXED_TARGETS.get((family, task, n))
    return _check(
        f"{family}{n}", task, "families",
        text=model.text() if kind is None else model.text([kind]),
        nusmv=reference.family_seconds(family, kind or "").get(n),
        target=target if target is not None else reference.family_target(family, kind or "", n),
        quick=(family, task, n) in IN_BRIEF,
    )  # fmt: skip


def _check(
    model: str, task: str, group: str, *, path: Path | None = None, text: str | None = None, nusmv: float | None = None,
    target: float | None = None, oracle: str | None = None, quick: bool = False,
) -> Case:  # fmt: skip
    return Case(
        model=model, task=task, group=group, arguments=(TASKS[task], "--json"), path=path, text=text, nusmv=nusmv, target=target,
        oracle=oracle, quick=quick,
    )  # fmt: skip
