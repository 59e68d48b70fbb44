"""Work in threads: results, errors, limits and interruption."""

import threading

import pytest

from coarsest.errors import LimitExceeded
from coarsest.lts.attended import attended
from coarsest.run import Event, Limits, Run


def test_an_error_of_the_work_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        attended(Run(), "divide", lambda: 1, lambda: 1 // 0)


@pytest.mark.parametrize("error", [KeyboardInterrupt, LimitExceeded])
def test_the_work_is_told_to_stop(error: type[BaseException]) -> None:
    told, ended = threading.Event(), threading.Event()

    def work() -> None:
        told.wait(600)
        ended.set()

    def listener(event: Event) -> None:
        if error is KeyboardInterrupt:
            raise KeyboardInterrupt

    with pytest.raises(error):
        attended(Run(Limits(seconds=0.0), listener), "wait", work, stop=told.set)
    assert ended.is_set()


def test_events_come_while_the_work_goes_on() -> None:
    events: list[Event] = []
    enough = threading.Event()

    def listener(event: Event) -> None:
        events.append(event)
        if len(events) == 2:
            enough.set()

    assert attended(Run(listener=listener), "wait", lambda: enough.wait(600), facts=lambda: {"seen": 7}) == [True]
    assert events[0].facts == {"seen": 7}
