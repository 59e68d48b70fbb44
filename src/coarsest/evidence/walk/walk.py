"""Steps of a machine, one state at a time: all of them in turn, or a random one.

The interpreter looks for them. If constraints make it try many values in vain, a SAT solver looks for them, and the interpreter
checks each step of the solver.

Reference: –
Symbols:   the state before an initial state is None, and the step into it has no inputs.
Invariant: every possible next state has a chance to be drawn; if there are few steps, all these states have the same chance.
Deviates:  if there are many steps, the first solution of a search in random order is drawn; the solver decides bits in random
           order, each by a random choice.
Cost:      for each step, about ten thousand values are tried at most; then the solver is asked once for each bit of a step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from coarsest import tuning
from coarsest.errors import CoarsestError, EvidenceRejected, InputError, LimitExceeded
from coarsest.logic.expr import Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.evidence.walk.walk_by_sat import StepsBySat

STEPS_DRAWN_EVENLY: Final = 256
"""The number of steps from a state up to which all next states have the same chance to be drawn."""

Assignment: TypeAlias = Mapping[str, Value]
Step: TypeAlias = tuple[Assignment, Assignment]
"""The inputs, and the next state."""


class _InVain(CoarsestError):
    """Many values were tried, and none fitted."""


class Walkable(Protocol):
    """A system of states and steps; `events` says that the inputs of a step are the events that happen in it."""

    events: bool

    def steps(self, state: Assignment | None, /) -> Iterator[Step]:
        """All steps from a state; the state before an initial one is None."""

    def any_step(self, state: Assignment | None, random: Random, /) -> Step | None:
        """A random step; None if there is none."""


def random_walk(machine: Machine, steps: int, random: Random, run: Run) -> Trace:
    """A random path; it ends early in a state without successors, and is empty without initial states."""
    return walk(Walker(machine, run), steps, random, run)


def walk(walker: Walkable, steps: int, random: Random, run: Run) -> Trace:
    """A random path of any such system."""
    state: Assignment | None = None
    taken: list[Step] = []
    while len(taken) <= steps:
        run.step("walk", states=len(taken))
        step = walker.any_step(state, random)
        if step is None:
            break
        taken.append(step)
        state = step[1]
    return trace_of(walker, taken)


def trace_of(walker: Walkable, taken: Sequence[Step]) -> Trace:
    """The trace of some steps; the first step leads into an initial state."""
    return Trace(tuple(state for _, state in taken), tuple(inputs for inputs, _ in taken[1:]), events=walker.events)


class Walker:
    """Finds the steps of one machine."""

    events = False

    def __init__(self, machine: Machine, run: Run | None = None) -> None:
        self.interpreter = Interpreter(machine)
        self.run = run or Run()
        self._most_tried = tuning.WALK_VALUES_IN_VAIN + 10 * len(machine.variables)
        self._solver: StepsBySat | None = None

    def steps(self, state: Assignment | None) -> Iterator[Step]:
        """All steps from a state, as they are found."""
        offered: list[Step] = []
        try:
            for step in self._interpreted(state, None):
                offered.append(step)
                yield step
        except _InVain:
            yield from (step for step in self._solved(state, None) if step not in offered)

    def any_step(self, state: Assignment | None, random: Random) -> Step | None:
        """A random step; None if there is none."""
        by_state: dict[tuple[Value, ...], list[Step]] = {}
        first: Step | None = None
        try:
            for count, step in enumerate(islice(self._interpreted(state, random), STEPS_DRAWN_EVENLY + 1)):
                first = first or step
                by_state.setdefault(tuple(step[1].values()), []).append(step)
                if count == STEPS_DRAWN_EVENLY:
                    return first
        except _InVain:
            return first or next(self._solved(state, random), None)
        return random.choice(random.choice(list(by_state.values()))) if by_state else None

    def _interpreted(self, state: Assignment | None, shuffle: Random | None) -> Iterator[Step]:
        interpreter, tried = self.interpreter, 0

        def trying() -> None:
            nonlocal tried
            tried += 1
            if tried % 1000 == 0:
                self.run.step("try values", tried=tried)
            if tried > self._most_tried:
                raise _InVain

        if state is None:
            for values in interpreter.initial_values(shuffle, trying):
                tried = 0
                yield {}, interpreter.assignment(values)
            return
        before = tuple(state[variable.name] for variable in interpreter.state_variables)
        names = [variable.name for variable in interpreter.input_variables]
        for inputs, after in interpreter.successor_values(before, shuffle, trying=trying):
            tried = 0
            yield dict(zip(names, inputs)), interpreter.assignment(after)

    def _solved(self, state: Assignment | None, random: Random | None) -> Iterator[Step]:
        from coarsest.evidence.walk.walk_by_sat import StepsBySat

        interpreter = self.interpreter
        try:
            if self._solver is None:
                self._solver = StepsBySat(interpreter.machine, self.run)
            for inputs, after in self._solver.steps(state, random):
                problem = interpreter.why_not_initial(after) if state is None else interpreter.why_not_step(state, inputs, after)
                if problem is not None:
                    raise EvidenceRejected(f"the step of the SAT solver is not a step of the model: {problem}")
                yield inputs, after
        except InputError as problem:  # the model cannot be written in bits
            reason = f"a SAT solver cannot help: {problem.diagnostic.message}"
            message = f"{self._most_tried:,} values were tried for one step without success, and {reason}"
            raise LimitExceeded("solver", message) from None
