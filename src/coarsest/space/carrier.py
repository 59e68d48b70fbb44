"""Carriers: the state spaces of machines, with what drivers need beside sets of states; and the spaces of one task.

What a set is, a carrier decides: a BDD (`space/bdd`), a bit set over listed states (`space/explicit`), a formula (`space/smt`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import product, zip_longest
from math import prod
from typing import Any, ClassVar, Final, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from coarsest.errors import EvidenceRejected, LimitExceeded, Unsupported
from coarsest.logic.expr import Value
from coarsest.memory_use import memory_limit
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import show_value
from coarsest.options.methods import BuildOptions
from coarsest.run import Run, Statistic
from coarsest.space.space import S, State, StateSpace, StepPart

T = TypeVar("T")

MOST_ACTIONS: Final = 1024
"""At most this many actions can be distinguished, each with a step relation of its own."""
MOST_OBSERVED_VALUES: Final = 4096
"""An expression with more values tells too many states apart to be observed, and is not looked at value by value."""

ClassOf: TypeAlias = Callable[[State], int]

OVERLAP, IN_NO_CLASS = "a state is in two classes", "a reachable state is in no class"
"""What may be wrong with classes that a finder is asked about."""


class Action(Struct, Generic[S], frozen=True):
    """The steps in which the observed inputs have certain values."""

    inputs: Mapping[str, Value]
    steps: StepPart[S]

    @property
    def name(self) -> str:
        return ", ".join(f"{name} = {show_value(value)}" for name, value in self.inputs.items())

    def post(self, states: S) -> S:
        return self.steps.post(states)

    def pre(self, states: S) -> S:
        return self.steps.pre(states)


def input_values(machine: Machine, inputs: Sequence[str]) -> Iterator[dict[str, Value]]:
    """All values of some inputs, together."""
    variables = [machine.variables[name] for name in inputs]
    number = prod(v.type.size for v in variables)
    if number > MOST_ACTIONS:
        message = f"the inputs {', '.join(inputs)} have {number} values, but at most {MOST_ACTIONS} actions can be distinguished"
        raise Unsupported(message, hint="observe fewer inputs")
    for values in product(*(v.type.values() for v in variables)):
        yield dict(zip(inputs, values))


class Carrier(StateSpace[S], Protocol[S]):
    """The state space of a machine."""

    @property
    def machine(self) -> Machine: ...

    @property
    def only_reachable(self) -> bool:
        """Are all states of the space reachable?"""

    @property
    def is_counted(self) -> bool:
        """Is every set finite, and counted without much ado?"""

    @property
    def holds_diagrams(self) -> bool:
        """Are the sets BDDs, so that the space is a `SymbolicSpace`?"""

    @property
    def holds_formulas(self) -> bool:
        """Are the sets formulas, so that the space is an `SmtSpace`?"""

    def pre_if_cheap(self, states: S) -> S | None:
        """The predecessors; None where they may cost more than all work before."""

    def state(self, values: Mapping[str, Value]) -> S:
        """The set of the one state with these values."""

    def inputs_between(self, before: State, after: State) -> dict[str, Value] | None:
        """Input values with which the step from one state to another can be taken; None if there is no such step."""

    def forget(self, states: S, variables: Collection[Variable]) -> S:
        """The states that agree with one of these on everything but some variables."""

    def count_without(self, states: S, variables: Collection[Variable]) -> int:
        """How many states, if those that differ in nothing but these variables count once."""

    def narrowed(self, reached: S) -> StateSpace[S]:
        """The space with only these states, which no step leaves."""

    def finder(self, classes: Sequence[S]) -> ClassOf:
        """What tells the number of the class that a state is in; raises EvidenceRejected if classes overlap, or it is in none."""

    def actions(self, inputs: Sequence[str], run: Run) -> tuple[Action[S], ...]:
        """The steps by the values of some inputs: one action for each."""

    def count_steps(self, reached: S, actions: Sequence[Action[S]], run: Run) -> int | None:
        """How many steps leave these states, by each of the actions if there are any; None where that is hard to count."""


class Finder(Generic[S]):
    """Finds the class of a state, among more and more of them at once: each node has the states of those below."""

    def __init__(self, space: Carrier[S], classes: Sequence[S]) -> None:
        self._space = space
        self._levels = [list(classes)]
        while len(below := self._levels[-1]) > 1:
            if any(one & other for one, other in zip(below[::2], below[1::2])):
                raise EvidenceRejected(OVERLAP)
            self._levels.append([one | other for one, other in zip_longest(below[::2], below[1::2], fillvalue=space.empty)])

    def __call__(self, values: State) -> int:
        one = self._space.state(values)
        number = 0
        for level in reversed(self._levels):
            number = next((n for n in (2 * number, 2 * number + 1) if n < len(level) and one <= level[n]), -1)
            if number < 0:
                raise EvidenceRejected(IN_NO_CLASS)
        return number


C = TypeVar("C", bound=Carrier[Any])


def same_machine(machine: Machine) -> object:
    """A key for a machine and its cones: those with the same variables of the same kinds are the same here.

    Inputs may be promoted, and some variables have become definitions.
    """
    return frozenset((name, variable.kind) for name, variable in machine.variables.items()), frozenset(machine.definitions)


class Spaces(ABC, Generic[C]):
    """The spaces of one task: each machine built once, all within one budget."""

    carrier: ClassVar[str]
    """The word for it on the command line."""
    holds: ClassVar[str]
    """What there may be no more room for."""
    measure: ClassVar[str]
    """The statistic that tells how large the task is."""

    def __init__(self, options: BuildOptions, run: Run) -> None:
        self.options = options
        self.run = run
        self._spaces: dict[object, C] = {}

    def space(self, machine: Machine) -> C:
        """The space of the machine, or of one of its cones."""
        key = same_machine(machine)
        if key not in self._spaces:
            self._spaces[key] = self._built(machine)
        return self._spaces[key]

    @abstractmethod
    def _built(self, machine: Machine) -> C: ...

    def within_limits(self, work: Callable[[], T]) -> T:
        """Do the work; no memory is a limit reached."""
        try:
            return work()
        except MemoryError:
            nodes, mebibytes = self.run.limits.nodes, self.run.limits.mebibytes
            limits = [] if nodes is None else [f"the limit of {nodes} nodes"]
            limits += [memory_limit(mebibytes)] if nodes is None or mebibytes is not None else []
            message = f"there is no more room for {self.holds} within {' and '.join(limits)}"
            raise LimitExceeded("memory", message) from None

    def release(self, cone: frozenset[str], needed: Collection[frozenset[str]]) -> list[C]:
        """Forget the spaces that nobody asks for any more: what was built last was for one cone, and others are still needed."""
        return []

    def account_for(self, product: C) -> None:
        """A space built for one formula only: what it takes counts in the statistics, where they tell."""

    @abstractmethod
    def statistics(self) -> dict[str, Statistic]: ...

    def order(self) -> list[str]:
        """The names of the BDD variables of the largest space built, from the top of the order down; without BDDs, none."""
        return []
