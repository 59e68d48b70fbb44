"""The control automaton of a deterministic machine: the fewest states that give the same outputs for the same inputs.

Reference: Halbwachs, Raymond, Ratel, Generating efficient code from data-flow programs, 1991; Bouajjani et al. 1994, section 5.
Symbols:   x are the state bits, i the input bits, o the output bits, b the bits of a block number, in this order from the top.
           P(x, b) is `numbered`. G(x, i, o, b) is `reaction`: with inputs i, state x gives outputs o and enters block b.
Invariant: after each round, states in different blocks differ for some sequence of inputs.
Deviates:  no block is split by another: states are alike when G has the same subfunction below x, which is also their decision
           diagram over the inputs. Only reachable states take part.
Cost:      one relational product per round, or one substitution of the next-state functions where the step relation is large;
           one visit, in Python, to each node above i.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from coarsest import tuning
from coarsest.encode.layout import code_of
from coarsest.errors import InputError, ModelProblem, Unsupported
from coarsest.logic.expr import Apply, Expr, Name, Value, subexpressions
from coarsest.logic.show import show
from coarsest.model.checks.intervals import Intervals, interval_of_type
from coarsest.model.checks.static_types import BOOLEAN, INTEGER
from coarsest.model.checks.typecheck import type_of
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType, is_finite
from coarsest.model.unbounded import require_finite
from coarsest.options.methods import BuildOptions
from coarsest.reduce.controller.decision_tables import Reaction, Tables, breadth_first, reactions_from
from coarsest.reduce.partition.diagram_walk import DiagramWalk, Node
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.bdd.relation.functions import settled_next_bits
from coarsest.space.bdd.symbolic import SymbolicSpace

BLOCK_BITS: Final = 24
STUCK: Final = (1 << BLOCK_BITS) - 1
"""This number stands for the block where there is no step."""
BOUNDS = "declare a range, or choose with --observe what does not depend on it"


class ControlAutomaton(Struct, frozen=True):
    """States 0, 1, …; in each state, a decision diagram over bits of the inputs leads to a reaction.

    A node of a diagram is the number of a decision, or -1 - k for the reaction k. A decision is a bit (an index into `bits`)
    and the nodes for 0 and 1. A reaction is the next state and the outputs; it is None where an assertion forbids the inputs.
    """

    name: str
    inputs: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    initial: int
    bits: tuple[tuple[int, int], ...]
    """For each bit, the number of the input and the position in its code."""
    roots: tuple[int, ...]
    decisions: tuple[tuple[int, int, int], ...]
    reactions: tuple[Reaction | None, ...]
    states_before: int

    def __repr__(self) -> str:
        return f"<ControlAutomaton {self.name}: {self.size} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs>"

    @property
    def size(self) -> int:
        return len(self.roots)

    def edges(self) -> list[tuple[int, int, tuple[Value, ...]]]:
        """Source, target and outputs of each different reaction of each state."""
        edges = {
            (source, *reaction)
            for source, root in enumerate(self.roots)
            for reaction in reactions_from(root, self.decisions, self.reactions)
        }
        return sorted(edges, key=lambda edge: (edge[0], edge[1], str(edge[2])))

    def step(self, state: int, inputs: Mapping[str, Value]) -> Reaction | None:
        """The reaction of a state; None where the inputs are forbidden."""
        codes = [code_of(variable.type, inputs[variable.name]) for variable in self.inputs]
        node = self.roots[state]
        while node >= 0:
            bit, low, high = self.decisions[node]
            number, shift = self.bits[bit]
            node = high if codes[number] >> shift & 1 else low
        return self.reactions[-1 - node]


def control_automaton(
    machine: Machine,
    run: Run | None = None,
    options: BuildOptions | None = None,
    *,
    outputs: Mapping[str, Expr] | None = None,
    cone: bool = True,
) -> ControlAutomaton:
    """The smallest automaton with the outputs of a machine, or with the outputs that are given by their names."""
    run = run or Run()
    observed = outputs if outputs is not None else {name: machine.definitions[name] for name in machine.outputs}
    if not observed:
        raise InputError("this model names no outputs", hint="say what to observe: --observe EXPR")
    outputs_seen = {f"{name} ": Variable(f"{name} ", output_type(machine, expr), Kind.INPUT) for name, expr in observed.items()}
    needed = cone_variables(machine, observed.values()) if cone else frozenset(machine.variables)
    subject = restrict_to(machine, needed)
    require_finite(subject, "an automaton has finitely many states and inputs", hint=BOUNDS)
    subject = replace(subject, variables={**subject.variables, **outputs_seen})
    inputs = [variable.name for variable in subject.input_variables]
    space = build(subject, run, replace(options or BuildOptions(), bottom=tuple(inputs), reorder=False))
    automaton = _Rounds(space, dict(zip(outputs_seen, observed.values())), run).automaton(machine.name)
    all_inputs = tuple(v for v in machine.input_variables if is_finite(v.type))  # inputs that do not matter are included
    index = {variable.name: number for number, variable in enumerate(all_inputs)}
    moved = tuple((index[automaton.inputs[number].name], shift) for number, shift in automaton.bits)
    return replace(automaton, inputs=all_inputs, bits=moved)


def sizes_of_outputs(machine: Machine) -> dict[str, int | None]:
    """The number of values that each output of a machine may have; None where there is no bound."""
    sizes: dict[str, int | None] = {}
    for name in machine.outputs:
        try:
            sizes[name] = output_type(machine, machine.definitions[name]).size
        except Unsupported:
            sizes[name] = None
    return sizes


def output_type(machine: Machine, expr: Expr) -> Type:
    """A finite type that holds the values of an expression."""
    static = type_of(expr, machine)
    if static is BOOLEAN:
        return Boolean()
    if isinstance(static, WordType):
        return static
    if static is INTEGER:
        bounds = {name: interval_of_type(variable.type) for name, variable in machine.variables.items()}
        low, high = Intervals(bounds, machine.definitions).of(expr)
        if low is None or high is None:
            message = f"no bounds are known for the output `{show(expr)}`: an automaton has finitely many reactions"
            raise Unsupported(message, expr.span, hint=BOUNDS)
        return Range(low, high)
    return Enumeration(tuple(_symbols(machine, expr)))


def _symbols(machine: Machine, expr: Expr) -> dict[str | int, None]:
    symbols: dict[str | int, None] = {}
    waiting, opened = [expr], set[str]()
    while waiting:
        for part in subexpressions(waiting.pop()):
            if isinstance(part, Name) and part.name in machine.variables:
                kind = machine.variables[part.name].type
                symbols |= dict.fromkeys(kind.members) if isinstance(kind, Enumeration) else {}
            elif isinstance(part, Name) and part.name not in opened:
                opened.add(part.name)
                waiting.append(machine.definitions[part.name])
            elif not isinstance(part, Apply | Name) and isinstance(part.value, str):
                symbols[part.value] = None
    return symbols


class _Rounds:
    """Refinement by rounds, and the automaton at its end."""

    def __init__(self, space: SymbolicSpace[Any], outputs: Mapping[str, Expr], run: Run) -> None:
        self.space, self.run = space, run
        self.manager = manager = space.manager
        machine, layout = space.machine, space.layout
        self.inputs = [variable for variable in machine.input_variables if variable.name not in outputs]
        self.outputs = [machine.variables[name] for name in outputs]
        self.bits = list(manager.add_variables([f"block({i})" for i in range(BLOCK_BITS)]))
        self._numbers: dict[tuple[int, int], Any] = {}
        self.next_state = self._next_state()
        self.into = manager.substitution(self.next_state)
        level = dict.fromkeys(layout.now(self.inputs), 1) | dict.fromkeys(layout.now(self.outputs), 2)
        level |= dict.fromkeys(self.bits, 3)
        manager.set_order(sorted(manager.order, key=lambda variable: level.get(variable, 0)))  # x, then i, then o, then b
        self.below = set(level)
        self.reached = reachable_states(space, run).function
        self.relation = self._relation()
        self.after = manager.cube(layout.after_of_now[now] for now in self.next_state)
        self.to_after = manager.substitution({now: manager.var(layout.after_of_now[now]) for now in self.next_state})
        self.reaction = self.reached
        for name, expr in outputs.items():
            self.reaction = self.reaction & space.encoder.equation(machine.variables[name], expr, after=False)
        for constraint in machine.transition_constraints:
            self.reaction = self.reaction & space.encoder.constraint(constraint)
        for variable in self.inputs:
            self.reaction = self.reaction & space.encoder.domain(variable)
        self.stuck = self.reached & ~manager.exists(self.reaction, manager.cube(layout.now([*self.inputs, *self.outputs])))

    def _next_state(self) -> dict[int, Any]:
        step = self.space.step
        functions = settled_next_bits(step)
        for variable in step.machine.of_kind(Kind.STATE):
            for bit in step.layout.slots[variable.name].after:
                if bit not in functions:
                    message = f"the next value of `{variable.name}` is not determined by the state and the inputs"
                    raise ModelProblem(message, variable.span, hint="an automaton that reacts to inputs must be deterministic")
        return {now: functions[after] for after, now in step.layout.now_of_after.items()}

    def _relation(self) -> Node | None:
        """The steps from reachable states as one function, if it is small: with many blocks, substituting functions is slow."""
        relation = self.reached
        for now, function in self.next_state.items():
            self.run.step("control automaton", **self.space.cost(self.space.initial))
            relation = relation & self.manager.iff(self.manager.var(self.space.layout.after_of_now[now]), function)
            if self.manager.size(relation) > tuning.RELATION_NODES_OF_SIGNATURES:
                return None
        return relation

    def automaton(self, name: str) -> ControlAutomaton:
        numbered, number = self.reached & self._number(0), 1
        while True:
            self.run.step("control automaton", blocks=number, **self.space.cost(self.space.initial))
            walk = DiagramWalk(self.manager, self._with_blocks(numbered), self.below)
            if len(walk.leaves) == number:
                return self._result(name, numbered, walk)
            number = len(walk.leaves)
            numbered = walk.rebuilt({leaf: self._number(code) for code, leaf in enumerate(walk.leaves)})

    def _number(self, code: int, shift: int = 0) -> Any:
        """The function of b, from a bit on, that is true for one number. Numbers with the same upper bits share functions."""
        if shift == BLOCK_BITS:
            return self.manager.true
        function = self._numbers.get((code, shift))
        if function is None:
            bit = self.manager.var(self.bits[shift])
            function = (bit if code & 1 else ~bit) & self._number(code >> 1, shift + 1)
            self._numbers[code, shift] = function
        return function

    def _with_blocks(self, numbered: Any) -> Node:
        """G; a state that allows no inputs at all enters the block STUCK."""
        manager = self.manager
        if self.relation is None:
            entered = manager.substitute(numbered, self.into)
        else:
            entered = manager.and_exists(manager.substitute(numbered, self.to_after), self.relation, self.after)
        reaction = self.reaction & entered
        return reaction | (self.stuck & self._number(STUCK))

    # -- the result --------------------------------------------------------------------------------------------------------

    def _result(self, name: str, numbered: Any, walk: DiagramWalk) -> ControlAutomaton:
        space, manager = self.space, self.manager
        blocks = [self.block_in(manager.pick(manager.restrict(numbered, walk.path(leaf))) or {}) for leaf in walk.leaves]
        number = {block: state for state, block in enumerate(blocks)}
        first = manager.exists(numbered & space.initial.function, manager.cube(space.bits))
        initial = {number[block] for block in self._blocks(first)}
        if len(initial) != 1:
            message = f"the model starts in {len(initial)} states that behave differently, and an automaton in one"
            raise ModelProblem(message, hint="give every variable an initial value")
        slots = [space.layout.slots[variable.name].now for variable in self.inputs]
        table = Tables(manager, slots, lambda node: self._reaction(node, number))
        roots = [table.entry(node) for node in walk.leaves]
        order, renamed = breadth_first(initial.pop(), roots, table)
        reactions = [None if r is None else (renamed[r[0]], r[1]) for r in table.reactions]
        count = manager.count(self.reached, len(space.bits))
        outputs = tuple(Variable(v.name.rstrip(" "), v.type, Kind.INPUT) for v in self.outputs)
        return ControlAutomaton(
            name, tuple(self.inputs), outputs, 0, tuple(table.bits), tuple(roots[state] for state in order),
            tuple(table.decisions), tuple(reactions), count,
        )  # fmt: skip

    def _reaction(self, node: Node, number: Mapping[int, int]) -> Reaction | None:
        values = self.manager.pick(node) or {}
        code = self.block_in(values)
        shown = tuple(self.space.layout.decode(variable, values) for variable in self.outputs)
        return None if code == STUCK else (number[code], shown)

    def block_in(self, values: Mapping[int, bool]) -> int:
        return sum(1 << shift for shift, bit in enumerate(self.bits) if values.get(bit, False))

    def _blocks(self, function: Any) -> list[int]:
        """The numbers in a set of numbers."""
        codes = []
        while (cube := self.manager.pick(function)) is not None:
            code = self.block_in(cube)
            codes.append(code)
            function = function & ~self._number(code)
        return codes
