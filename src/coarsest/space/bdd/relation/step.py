"""The step of a machine as conjuncts and, where it is deterministic, as next-state functions."""

from __future__ import annotations

from typing import Generic, Protocol

from msgspec import Struct, field

from coarsest import tuning
from coarsest.bdd.protocol import F, Manager
from coarsest.encode.encode import Encoder, step_conjuncts
from coarsest.encode.layout import Layout
from coarsest.encode.values import SymbolicChoice
from coarsest.model.machine import Kind, Machine
from coarsest.run import Run


class ImageMethod(Protocol[F]):
    """A step relation that can be applied to a set of states, forwards and backwards."""

    def post(self, states: F) -> F:
        """Successors, over the present variables."""

    def pre(self, states: F) -> F:
        """Predecessors, over the present variables; not yet limited to legal states."""

    def pre_within(self, states: F, most_live: int) -> F | None:
        """The same; None if the manager would hold more nodes than these."""


class Conjunct(Struct, Generic[F], frozen=True):
    """One conjunct of the step relation. `target` is the variable whose next value it gives, if it is an equation."""

    relation: F
    target: str | None
    support: frozenset[int]


class Step(Struct, Generic[F]):
    """All that is known of the step of a machine: the conjunction of `conjuncts`."""

    manager: Manager[F]
    layout: Layout
    conjuncts: list[Conjunct[F]] = field(default_factory=list)
    functions: dict[str, tuple[F, ...]] = field(default_factory=dict)
    """Bits of the next value, for each variable whose next value is a function of present values and inputs."""

    domains: dict[str, F] = field(default_factory=dict)
    """For each state variable, the legal combinations of its present bits."""

    @property
    def machine(self) -> Machine:
        return self.layout.machine

    @property
    def now(self) -> list[int]:
        """Present bits that change."""
        return self.layout.now(self.machine.of_kind(Kind.STATE))

    @property
    def after(self) -> list[int]:
        return self.layout.after(self.machine.of_kind(Kind.STATE))

    @property
    def inputs(self) -> list[int]:
        return self.layout.now(self.machine.of_kind(Kind.INPUT))

    def add(self, relation: F, target: str | None) -> None:
        if relation != self.manager.true:
            self.conjuncts.append(Conjunct(relation, target, frozenset(self.manager.support(relation))))


def step_of(encoder: Encoder[F], manager: Manager[F], run: Run) -> Step[F]:
    """Collect the conjuncts: next-value equations, constraints, and the legality of the next state."""
    machine, layout = encoder.machine, encoder.layout
    step = Step(manager, layout)
    step.domains = {v.name: encoder.domain(v) for v in machine.of_kind(Kind.STATE)}
    for relation, target in step_conjuncts(encoder):
        step.add(relation, target)
        encoder.between()
        run.step("encode", conjuncts=len(step.conjuncts))
    for name, expr in machine.next_values.items():
        value = encoder.value(expr)
        if not isinstance(value, SymbolicChoice):
            step.functions[name] = encoder.code(machine.variables[name], value)
    return step


def only_functions(step: Step[F]) -> bool:
    """Is the step nothing but functions, and every combination of bits a state?"""
    everything = {variable.name for variable in step.machine.of_kind(Kind.STATE)}
    given = everything == step.functions.keys() and all(conjunct.target in everything for conjunct in step.conjuncts)
    return given and all(domain == step.manager.true for domain in step.domains.values())


def enough_functions(step: Step[F]) -> bool:
    """Only functions, with nothing but small constraints beside them? A preimage is limited to legal states later."""
    states = {variable.name for variable in step.machine.of_kind(Kind.STATE)}
    constraints = [conjunct.relation for conjunct in step.conjuncts if conjunct.target not in states]
    return states == step.functions.keys() and step.manager.size(*constraints) <= tuning.CONSTRAINT_NODES


def is_circuit(step: Step[F]) -> bool:
    """Functions of single bits, with nothing but small constraints beside them?"""
    return enough_functions(step) and all(variable.type.size == 2 for variable in step.machine.variables.values())
