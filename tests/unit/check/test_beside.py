"""IC3 beside another engine, in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from time import sleep

import pytest

import coarsest
from coarsest import tuning
from coarsest._kernels.worker_threads import at_work
from coarsest.check import strategy
from coarsest.check.composed import beside
from coarsest.check.composed.beside import Companion, with_companion
from coarsest.check.composed.companion import searches
from coarsest.check.composed.companion_messages import CompanionTask
from coarsest.check.decide import linear
from coarsest.check.questions.finding import Finding, Proved, Refuted, Settled
from coarsest.check.setting.session import CheckOptions, Session
from coarsest.check.strategy import Attempt
from coarsest.errors import InputError, LimitExceeded
from coarsest.logic.expr import Expr
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.options.engines import INVARIANTS
from coarsest.options.methods import BuildOptions
from coarsest.run import Limits, Run

MODEL = "MODULE main VAR n : 0..7; ASSIGN init(n) := 0; next(n) := n < 5 ? n + 1 : n; "


sessions: list[Session] = []


def asked(condition: str, run: Run) -> tuple[Session, Expr]:
    model = coarsest.loads(MODEL)
    sessions.append(Session(model.machine, BuildOptions(), CheckOptions(), run))
    return sessions[-1], model.formula(condition).formula


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("coarsest.tuning.WORK_BEFORE_COMPANION", -1.0)
    monkeypatch.setattr(beside, "is_possible", lambda: True)
    yield
    while sessions:
        for end in sessions.pop().at_end:
            end()


@pytest.mark.parametrize(("work", "clock", "begins"), [(1e9, 1e9, False), (1e9, -1.0, True), (-1.0, 1e9, True)])
def test_it_begins_after_some_work_or_in_a_long_operation(
    work: float, clock: float, begins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Companion] = []
    monkeypatch.setattr(Companion, "_begin", lambda itself: begun.append(itself))
    monkeypatch.setattr("coarsest.tuning.WORK_BEFORE_COMPANION", work)
    monkeypatch.setattr("coarsest.tuning.SECONDS_OF_ONE_OPERATION", clock)
    session, stated = asked("n < 6", Run())
    companion = Companion(session, (Property(PropertyKind.INVARIANT, stated),))
    companion.wait_a_while()
    assert companion.look(stated) is None
    assert bool(begun) == begins


@pytest.mark.parametrize(("condition", "kind"), [("n < 6", Proved), ("n < 5", Refuted)])
def test_it_answers_where_the_other_engine_does_not(condition: str, kind: type[Finding]) -> None:
    session, stated = asked(condition, Run())
    ended = Event()

    def endless(own: Session) -> Finding:
        try:
            while True:
                own.run.step("endless")
                sleep(0.01)
        finally:
            ended.set()

    before = session.spaces
    settled = with_companion(stated, session, endless)
    assert isinstance(settled.finding, kind)
    assert isinstance(settled.finding, Proved | Refuted)
    assert settled.finding.facts["engine"] == ("ic3" if kind is Proved else "bmc")
    assert settled.question is not None
    assert ended.wait(10)
    assert session.spaces is before


def test_an_operation_that_does_not_end_is_left_alone() -> None:
    session, stated = asked("n < 6", Run())
    goes_on = Event()

    def stuck(own: Session) -> Finding:
        goes_on.wait(60)
        own.run.step("stuck")
        raise AssertionError("it is not needed any more")

    before = session.spaces
    assert isinstance(with_companion(stated, session, stuck).finding, Proved)
    assert session.spaces is not before
    assert at_work()  # a command ends at once then, for Python must not be taken down around an operation on diagrams
    goes_on.set()


def test_what_the_first_engine_finds_or_raises() -> None:
    session, stated = asked("n < 6", Run())
    assert with_companion(stated, session, lambda _: Proved()) == Settled(None, Proved())

    def wrong(own: Session) -> Finding:
        raise InputError("no such thing")

    with pytest.raises(InputError, match="no such thing"):
        with_companion(stated, session, wrong)
    (answer,) = coarsest.loads(MODEL).check("AG n < 6").answers
    assert answer.confirmed


def test_it_is_waited_for_where_the_other_engine_gives_up() -> None:
    session, stated = asked("n < 6", Run())

    def hopeless(own: Session) -> Finding:
        raise LimitExceeded("nodes", "there is no room")

    assert isinstance(with_companion(stated, session, hopeless).finding, Proved)


def test_limits_of_time_are_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    session, stated = asked("n < 6", Run(Limits(seconds=0.0)))

    def late(own: Session) -> Finding:
        own.run.step("late")
        raise AssertionError

    with pytest.raises(LimitExceeded, match="time limit"):
        with_companion(stated, session, late)
    monkeypatch.setattr("coarsest.tuning.SECONDS_OF_GRACE", 0.0)
    monkeypatch.setattr(beside, "is_possible", lambda: False)
    goes_on = Event()

    def stuck(own: Session) -> Finding:
        goes_on.wait(60)
        raise AssertionError("it is not needed any more")

    with pytest.raises(LimitExceeded, match="time limit"):
        with_companion(stated, session, stuck)
    goes_on.set()


def test_one_that_takes_all_the_time_keeps_no_other_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """While diagrams are busy with the first property, the other process decides all of them; lassos among them."""
    model = coarsest.loads(MODEL + "INVARSPEC n < 6; LTLSPEC F G n = 5; LTLSPEC G F n = 2; PSLSPEC always (n = 1 -> next n = 2);")
    session = Session(model.machine, BuildOptions(), CheckOptions(), Run())
    sessions.append(session)
    session.claims = model.properties
    goes_on = Event()
    with_companion(model.properties[0].formula, session, lambda _: goes_on.wait(60) and pytest.fail("it is not needed any more"))
    companion = next(made for (_, what), (_, made) in session._made.items() if what.startswith("companion"))
    kinds = [companion.wait(claim.formula).finding for claim in model.properties]
    assert [type(finding) for finding in kinds] == [Proved, Proved, Refuted, Proved]
    goes_on.set()


def test_wide_formulas_are_decided_beside_diagrams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy, "BESIDE_PATHS", Attempt("diagrams", "always"))
    goes_on = Event()
    monkeypatch.setattr(linear, "warn_of_dead_ends", lambda *_: goes_on.wait(60))
    answers = coarsest.loads(MODEL + "LTLSPEC F G n = 5; LTLSPEC G F n = 2;").check().answers
    assert [answer.verdict.word for answer in answers] == ["holds", "fails"]
    assert all(answer.confirmed and answer.statistics["engine"] == "ic3" for answer in answers)
    goes_on.set()


def test_a_violation_is_told_before_the_search_for_others_ends() -> None:
    """Bounded search never decides the first one, and goes on for a thousand steps."""
    model = coarsest.loads(MODEL + "INVARSPEC n < 6; INVARSPEC n < 4;")
    steps = []
    task = CompanionTask(model.machine, model.properties, BuildOptions(), CheckOptions())
    first = next(filter(None, searches(task, Run(listener=steps.append), set())))
    assert (first.number, type(first.finding)) == (1, Refuted)
    assert len(steps) < tuning.STEPS_OF_BOUNDED_SEARCH_FIRST


def test_longer_and_longer_paths_do_not_keep_ic3_waiting() -> None:
    """A path of hundreds of steps takes long; what holds is proved after a few of them, or never."""
    model, steps = coarsest.loads(MODEL + "INVARSPEC n < 6"), list[str]()
    task = CompanionTask(model.machine, model.properties, BuildOptions(), CheckOptions())
    first = next(filter(None, searches(task, Run(listener=lambda event: steps.append(event.task)), set())))
    assert isinstance(first.finding, Proved)
    assert steps.count("bounded search") < 60


def test_turns_in_one_process_give_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Diagrams that do not come to an end leave their place to IC3, by work that is counted."""
    monkeypatch.setattr("coarsest.tuning.WORK_BEFORE_COMPANION", 1000.0)
    monkeypatch.setattr(strategy, "BESIDE_PATHS", Attempt("diagrams", "always"))
    monkeypatch.setattr(Companion, "_begin", lambda itself: pytest.fail("another process"))

    def endless(session: Session, setting: object) -> None:
        while True:
            session.run.step("endless")

    monkeypatch.setattr(linear, "warn_of_dead_ends", endless)
    model = coarsest.loads(MODEL + "LTLSPEC F G n = 5; LTLSPEC G F n = 2;")
    twice = [[(a.verdict, a.statistics) for a in model.check(race=False)] for _ in range(2)]
    assert [verdict.word for verdict, _ in twice[0]] == ["holds", "fails"]
    assert twice[0] == twice[1]


def test_what_was_built_beside_the_process_serves_the_next_property(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is first, for each of several properties: all are decided, and nobody stumbles over what another has left."""
    monkeypatch.setattr(strategy, "BESIDE_PATHS", Attempt("diagrams", "always"))
    rows = (Attempt("forward", "always", beside=("ic3",)),)
    monkeypatch.setattr(strategy, "AUTO", {**strategy.AUTO, INVARIANTS: rows})
    claims = "INVARSPEC n < 6; LTLSPEC F G n = 5; INVARSPEC n < 5; LTLSPEC G F n = 2; LTLSPEC G (n = 1 -> F n = 4); "
    claims += "CTLSPEC AG n < 6;"
    calls = []

    def slow(session: Session, setting: object) -> None:
        calls.append(setting)
        while len(calls) == 1:  # until the other process is first
            session.run.step("slow")
            sleep(0.01)

    monkeypatch.setattr(linear, "warn_of_dead_ends", slow)
    answers = coarsest.loads(MODEL + claims).check().answers
    assert [answer.verdict.word for answer in answers] == ["holds", "holds", "fails", "fails", "holds", "holds"]
    assert all(answer.confirmed for answer in answers)
    assert calls


def test_it_ends_where_memory_is_scarce(monkeypatch: pytest.MonkeyPatch) -> None:
    """Diagrams go on without it, and it does not begin again."""
    session, stated = asked("n < 6", Run(Limits(mebibytes=10**6)))
    companion = Companion(session, (Property(PropertyKind.INVARIANT, stated),))
    companion.wait_a_while()
    monkeypatch.setattr(beside, "is_scarce", lambda limit: limit == 10**6)
    assert companion.look(stated) is None
    assert companion._process is None and companion.wait(stated) is None
