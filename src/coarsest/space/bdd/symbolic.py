"""State spaces whose sets are Boolean functions over the present bits of a machine's variables."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, Generic

from coarsest import tuning
from coarsest.bdd.protocol import F, Manager
from coarsest.encode.encode import Encoder, initial_conjuncts, legal_conjuncts
from coarsest.encode.layout import Bit, Layout
from coarsest.errors import Unsupported
from coarsest.logic.expr import Expr, Value
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.run import Run
from coarsest.space.bdd.relation.disjunctive import Disjunctive, SchedulerEvent
from coarsest.space.bdd.relation.step import ImageMethod, Step
from coarsest.space.carrier import Action, ClassOf, Finder
from coarsest.space.space import Fairness, State, StateSpace


class SymbolicSet(Generic[F]):
    """A set of states of one symbolic space."""

    __slots__ = ("function", "manager")

    def __init__(self, function: F, manager: Manager[F]) -> None:
        self.function = function
        self.manager = manager

    def __repr__(self) -> str:
        return f"<SymbolicSet: {self.manager.size(self.function)} nodes>"

    def __and__(self, other: SymbolicSet[F]) -> SymbolicSet[F]:
        return SymbolicSet(self.function & other.function, self.manager)

    def __or__(self, other: SymbolicSet[F]) -> SymbolicSet[F]:
        return SymbolicSet(self.function | other.function, self.manager)

    def __sub__(self, other: SymbolicSet[F]) -> SymbolicSet[F]:
        return SymbolicSet(self.function & ~other.function, self.manager)

    def __le__(self, other: SymbolicSet[F]) -> bool:
        return self.manager.included(self.function, other.function)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SymbolicSet) and self.function == other.function

    def __hash__(self) -> int:
        return hash(self.function)

    def __bool__(self) -> bool:
        return bool(self.function != self.manager.false)


RECENT_SETS: Final = 16


class _Part(Generic[F]):
    """One event of the step relation, on sets."""

    def __init__(self, space: SymbolicSpace[F], event: ImageMethod[F] | SchedulerEvent[F]) -> None:
        self._space = space
        self._event = event

    def post(self, states: SymbolicSet[F]) -> SymbolicSet[F]:
        self._space.manager.tidy()
        return self._space.set(self._event.post(states.function))

    def pre(self, states: SymbolicSet[F]) -> SymbolicSet[F]:
        self._space.manager.tidy()
        return self._space.set(self._event.pre(states.function) & self._space.states.function)


class SymbolicSpace(Generic[F]):
    """The state space of a machine, by BDDs."""

    only_reachable = holds_formulas = False
    is_counted = holds_diagrams = True

    def __init__(self, encoder: Encoder[F], step: Step[F], relation: ImageMethod[F]) -> None:
        self.encoder = encoder
        self.manager: Manager[F] = step.manager
        self.layout: Layout = encoder.layout
        self.machine: Machine = encoder.machine
        self.step = step
        self.relation = relation
        self.recent: deque[F] = deque(maxlen=RECENT_SETS)
        """The last sets: orders are tried on them."""
        self.bits = self.layout.now(self.machine.of_kind(Kind.STATE, Kind.FROZEN))
        """The present bits that make up a state."""
        self.states = self.set(self._legal())
        self.initial = self.set(self._initial())
        self.empty = self.set(self.manager.false)

    @property
    def order_found(self) -> tuple[Bit, ...]:
        """The present bits from the top of the order down, if that is no longer the one that was chosen at first."""
        if self.manager.reorder is None or not self.manager.reorder.done:
            return ()
        bits = {place: (name, number) for name, slots in self.layout.slots.items() for number, place in enumerate(slots.now)}
        return tuple(bits[place] for place in self.manager.order if place in bits)

    def set(self, function: F) -> SymbolicSet[F]:
        self.recent.append(function)
        return SymbolicSet(function, self.manager)

    def _legal(self) -> F:
        legal = self.manager.true
        for conjunct in legal_conjuncts(self.encoder):
            legal = legal & conjunct
        return legal

    def _initial(self) -> F:
        initial = self.states.function
        for conjunct in initial_conjuncts(self.encoder):
            initial = initial & conjunct
        return initial

    @cached_property
    def fairness(self) -> Fairness[SymbolicSet[F]]:
        return Fairness(
            tuple(self.where(p) for p in self.machine.justice),
            tuple((self.where(p), self.where(q)) for p, q in self.machine.compassion),
        )

    @cached_property
    def parts(self) -> Sequence[_Part[F]]:
        if isinstance(self.relation, Disjunctive):
            return [_Part(self, event) for event in self.relation.events]
        return [_Part(self, self.relation)]

    def where(self, label: Expr) -> SymbolicSet[F]:
        return self.set(self.encoder.constraint(label) & self.states.function)

    def post(self, states: SymbolicSet[F]) -> SymbolicSet[F]:
        self.manager.tidy()
        return self.set(self.relation.post(states.function))

    def pre(self, states: SymbolicSet[F]) -> SymbolicSet[F]:
        self.manager.tidy()
        return self.set(self.relation.pre(states.function) & self.states.function)

    def pre_if_cheap(self, states: SymbolicSet[F]) -> SymbolicSet[F] | None:
        """The same as `pre`; None if that takes more new nodes than there are."""
        self.manager.tidy()
        live = self.manager.live_nodes
        leading = self.relation.pre_within(states.function, live + max(tuning.NODES_OF_A_CHEAP_PREIMAGE, live))
        return None if leading is None else self.set(leading & self.states.function)

    def pick(self, states: SymbolicSet[F]) -> SymbolicSet[F]:
        picked = self.manager.pick(states.function)
        if picked is None:
            return self.empty
        return self.set(self.cube({place: picked.get(place, False) for place in self.bits}))

    def count(self, states: SymbolicSet[F]) -> int:
        return self.manager.count(states.function, len(self.bits))

    def size(self, states: SymbolicSet[F]) -> int:
        """Nodes of the function that is the set."""
        return self.manager.size(states.function)

    def describe(self, state: SymbolicSet[F]) -> State:
        bits = self.manager.pick(state.function) or {}
        return {v.name: self.layout.decode(v, bits) for v in self.machine.state_variables}

    def cost(self, states: SymbolicSet[F]) -> dict[str, int]:
        return {"nodes": self.manager.live_nodes}

    def forget(self, states: SymbolicSet[F], variables: Collection[Variable]) -> SymbolicSet[F]:
        if not variables:
            return states
        widened = self.manager.exists(states.function, self.manager.cube(self.layout.now(variables)))
        return self.set(widened & self.states.function)

    def count_without(self, states: SymbolicSet[F], variables: Collection[Variable]) -> int:
        places = self.layout.now(variables)
        function = self.manager.exists(states.function, self.manager.cube(places)) if places else states.function
        return self.manager.count(function, len(self.bits) - len(places))

    def narrowed(self, reached: SymbolicSet[F]) -> StateSpace[SymbolicSet[F]]:
        from coarsest.space.bdd.reachable import Reachable

        return Reachable(self, reached)

    def finder(self, classes: Sequence[SymbolicSet[F]]) -> ClassOf:
        return Finder(self, classes)

    def actions(self, inputs: Sequence[str], run: Run) -> tuple[Action[SymbolicSet[F]], ...]:
        from coarsest.space.bdd.actions import symbolic_actions

        return symbolic_actions(self, inputs, run)

    def count_steps(self, reached: SymbolicSet[F], actions: Sequence[Action[SymbolicSet[F]]], run: Run) -> int | None:
        from coarsest.space.bdd.actions import symbolic_steps

        return symbolic_steps(self, reached, actions, run)

    # Single states and steps

    def state(self, values: Mapping[str, Value]) -> SymbolicSet[F]:
        """The set of the one state with these values."""
        literals: dict[int, bool] = {}
        for variable in self.machine.state_variables:
            literals |= self.layout.literals(variable, values[variable.name])
        return self.set(self.cube(literals))

    def inputs_between(self, before: State, after: State) -> dict[str, Value] | None:
        """Input values with which the step from one state to another can be taken; None if there is no such step."""
        variables = self.machine.input_variables
        if not variables:
            return {}
        literals: dict[int, bool] = {}
        for variable in self.machine.state_variables:
            literals |= self.layout.literals(variable, before[variable.name])
            if variable.kind is Kind.STATE:
                literals |= self.layout.literals(variable, after[variable.name], after=True)
        chosen, decided = self.cube(literals), self.manager.cube(literals)
        possible = self.manager.true
        for conjunct in self.step.conjuncts:
            possible = possible & self.manager.and_exists(conjunct.relation, chosen, decided)
        bits = self.manager.pick(possible)
        if bits is None:
            return None
        return {v.name: self.layout.decode(v, bits) for v in variables}

    def cube(self, literals: Mapping[int, bool]) -> F:
        """The function that is true when the bits have these values."""
        result = self.manager.true
        depth = {place: level for level, place in enumerate(self.manager.order)}
        for place in sorted(literals, key=lambda p: -depth[p]):  # from below: every step adds one node
            variable = self.manager.var(place)
            result = (variable if literals[place] else ~variable) & result
        return result


def symbolic(space: object, otherwise: str = "sets of states are not BDDs here") -> SymbolicSpace[Any]:
    """The space, if its sets are BDDs; raises Unsupported with a message otherwise."""
    if isinstance(space, SymbolicSpace):
        return space
    raise Unsupported(otherwise, hint="use --carrier bdd")
