"""Invariants on bits, by induction relative to sets that contain the states after few steps: IC3, or PDR.

Reference: Bradley 2011, "SAT-based model checking without unrolling"; Eén, Mishchenko, Brayton 2011, "Efficient implementation of
           property directed reachability".
Symbols:   F_0 are the initial states; F_k is given by the cubes that it excludes. `frames[i]` are the cubes that are excluded up
           to F_i, and not beyond.
Invariant: F_0 ⊆ F_1 ⊆ … ⊆ F_k, one step from F_i leads into F_{i+1}, and all but F_k hold good states alone.
Deviates:  initial states are any set, steps any relation; a cube whose states all lead to a violation may touch the initial ones.
           After many questions, equal gates are looked for once, and the search begins again without the states they exclude.
Cost:      questions to the solver about one step; how many is not known beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import count

from msgspec import Struct

from coarsest import tuning
from coarsest.encode.aig import TRUE
from coarsest.encode.cnf import CircuitSolver
from coarsest.encode.equal_gates import EqualGates
from coarsest.encode.latches import planned
from coarsest.encode.relative import Cube, StepClauses, StepSolver
from coarsest.encode.unrolling import Network
from coarsest.evidence.proof import Clauses
from coarsest.logic.expr import Expr
from coarsest.model.trace import Trace
from coarsest.run import Run


class Obligation(Struct, frozen=True):
    """A cube from whose states a violation can be reached, by way of the next one."""

    cube: Cube
    next: Obligation | None = None

    def way(self) -> Iterator[Cube]:
        here: Obligation | None = self
        while here is not None:
            yield here.cube
            here = here.next


class InitialStates:
    """Which cubes hold initial states?"""

    def __init__(self, network: Network, step: StepClauses, run: Run) -> None:
        definitions, number = network.initial.definitions, {node: bit for bit, node in enumerate(step.nodes, 1)}
        constants = {number[node]: edge for node, edge in definitions.items() if node in number and edge in (0, 1)}
        self._never = frozenset(-bit if edge else bit for bit, edge in constants.items())
        """The literals that are true in no initial state."""
        self._is_cube = not network.initial.others and len(definitions) == len(constants) + len(network.legal.definitions)
        self._circuit = CircuitSolver(network.aig, run)
        self._frame = frame = self._circuit.frame()
        for bit, value in definitions.items():
            frame.bind(bit, frame.literal(value))
        for edge in network.initial.others:
            self._circuit.add_clause(frame.literal(edge))
        self._edges = [frame.literal(2 * node) for node in step.nodes]

    def close(self) -> None:
        self._circuit.close()

    def meet(self, cube: Cube) -> bool:
        """Is a state of the cube initial?"""
        if not self._never.isdisjoint(cube):
            return False
        return self._is_cube or self._circuit.solve([self._edges[bit - 1] if bit > 0 else -self._edges[-bit - 1] for bit in cube])

    def state(self, cube: Cube) -> Cube:
        """An initial state of a cube that has one."""
        met = self._circuit.solve([self._edges[bit - 1] if bit > 0 else -self._edges[-bit - 1] for bit in cube])
        assert met, "the cube holds an initial state"
        return frozenset(bit if self._circuit.value(edge) else -bit for bit, edge in enumerate(self._edges, 1))

    def apart(self, smaller: Cube, cube: Cube) -> Cube:
        """Literals of a cube without initial states, the smaller set among them, that exclude initial states, too."""
        if not self.meet(smaller):
            return smaller
        never = self._never & cube
        if never:
            return smaller | {min(never, key=abs)}
        for bit in sorted(cube - smaller, key=abs):
            smaller |= {bit}
            if not self.meet(smaller):
                break
        return smaller


class Ic3:
    """The search for an inductive set of good states, or for a path to a bad one."""

    def __init__(self, network: Network, good: Expr, run: Run) -> None:
        self.network, self.run = network, run
        self.step = StepClauses(network, good)
        self.initial = InitialStates(network, self.step, run)
        self.frames: list[set[Cube]] = [set()]
        self.solvers = [self.step.solver(run, initial=True)]
        self.lifting = self.step.definitions(run)
        self.activity = [0.0] * (len(self.step.nodes) + 1)
        self.of_gates: list[Cube] = []
        """The cubes that no reachable state belongs to, because gates are equal."""
        self._has_looked_at_gates = False
        self._questions = 0
        self._number = count()

    def close(self) -> None:
        self.initial.close()
        for solver in (*self.solvers, self.lifting):
            solver.close()

    @property
    def top(self) -> int:
        return len(self.frames) - 1

    @property
    def facts(self) -> dict[str, int]:
        return {"frames": self.top, "clauses": sum(map(len, self.frames)) + len(self.of_gates), "gates": self.network.gates}

    def decide(self) -> Obligation | list[Cube]:
        """The way to a violation, or the cubes that an inductive set of good states excludes.

        Where a limit has ended it, it goes on from its frames when it is called again.
        """
        while True:
            violation = self._exclude_bad_states()
            if violation is not None:
                return violation
            self.frames.append(set())
            self.solvers.append(self.step.solver(self.run))
            inductive = self._propagate()
            if inductive is not None:
                return [*self.of_gates, *(cube for frame in self.frames[inductive + 1 :] for cube in frame)]
            self.run.step("ic3", **self.facts)

    # Bad states in the last frame

    def _exclude_bad_states(self) -> Obligation | None:
        bad = -self.step.good
        while self._solver(self.top).solve([bad]):
            state = self._state(self.solvers[self.top].true(self.step.now))
            first = Obligation(self._larger(state, [bad]))
            if self.top == 0 or self.initial.meet(first.cube):
                return first
            violation = self._block(first)
            if violation is not None:
                return violation
        return None

    def _block(self, first: Obligation) -> Obligation | None:
        """Exclude a cube from the last frame, and what leads there from earlier ones; or find the way from an initial state."""
        waiting = [(self.top, next(self._number), first)]
        while waiting:
            asked_much = self._questions > tuning.QUESTIONS_BEFORE_GATES
            if asked_much and not self._has_looked_at_gates and self._begin_again_with_gates():
                return None
            level, _, obligation = heappop(waiting)
            cube = obligation.cube
            if not any(excluded <= cube for frame in self.frames[level:] for excluded in frame):
                core = self._unreachable(cube, level)
                if core is None:
                    before = Obligation(self._predecessor(cube, level), obligation)
                    if level == 1 or self.initial.meet(before.cube):
                        return before
                    heappush(waiting, (level - 1, next(self._number), before))
                    heappush(waiting, (level, next(self._number), obligation))
                    continue
                level = self._exclude(self._generalised(core, level), level)
            if level < self.top:
                heappush(waiting, (level + 1, next(self._number), obligation))
            self.run.step("ic3", **self.facts)
        return None

    def _begin_again_with_gates(self) -> bool:
        """Exclude what cannot be reached because gates are equal, if they are; the frames are then empty again."""
        with self.run.within(work=tuning.WORK_ON_EQUAL_SIGNALS):
            cubes = EqualGates(self.network, self.step, self.run).cubes()
            self.of_gates = cubes if len(cubes) >= tuning.CUBES_OF_A_BIT * len(self.step.nodes) else []
        self._has_looked_at_gates = True
        if self.of_gates:
            self.step.legal += [[-literal for literal in self.step.literals_now(cube)] for cube in self.of_gates]
            for solver in self.solvers:
                solver.close()
            self.frames, self.solvers = [set()], [self.step.solver(self.run, initial=True)]
        return bool(self.of_gates)

    def _unreachable(self, cube: Cube, level: int) -> Cube | None:
        """Literals of a cube that exclude initial states, and that no step from F_{level-1}, outside the cube, makes true; None
        if a step leads into the cube."""
        self._questions += 1
        step, solver = self.step, self._solver(level - 1)
        cube_in_order = self._busiest_first(cube)
        literals = dict(zip(step.literals_after(cube_in_order), cube_in_order))
        outside = [-literal for literal in step.literals_now(cube)]
        if solver.solve([step.moves, *literals], outside):
            return None
        core = solver.core()
        return self.initial.apart(frozenset(bit for literal, bit in literals.items() if literal in core), cube)

    def _busiest_first(self, cube: Cube) -> list[int]:
        """A solver that is given literals in this order blames the first ones: cubes come to speak of the same few bits."""
        activity = self.activity
        return sorted(cube, key=lambda bit: (-activity[abs(bit)], bit))

    def _generalised(self, cube: Cube, level: int) -> Cube:
        """The cube without literals that can be left out, one at a time."""
        for bit in sorted(cube, key=lambda bit: (self.activity[abs(bit)], bit)):
            if bit not in cube or len(cube) == 1:
                continue
            smaller = cube - {bit}
            if self.initial.meet(smaller):
                continue
            core = self._unreachable(smaller, level)
            if core is not None:
                cube = core
        return cube

    def _exclude(self, cube: Cube, level: int) -> int:
        """Exclude a cube from all frames up to the last in which it is unreachable, the level at least, which is returned."""
        while level < self.top and (core := self._unreachable(cube, level + 1)) is not None:
            cube, level = core, level + 1
        for bit in cube:
            self.activity[abs(bit)] += 1
        self._add(cube, level)
        return level

    def _add(self, cube: Cube, level: int, *, first: int = 1) -> None:
        """Exclude a cube from all frames up to the level; frames before `first` do so already."""
        for frame in self.frames[first : level + 1]:
            frame -= {other for other in frame if cube <= other}
        self.frames[level].add(cube)
        clause = [-literal for literal in self.step.literals_now(cube)]
        for solver in self.solvers[first : level + 1]:
            solver.add_clause(clause)

    # Predecessors

    def _state(self, values: Iterable[bool]) -> Cube:
        return frozenset(bit if true else -bit for bit, true in enumerate(values, 1))

    def _predecessor(self, cube: Cube, level: int) -> Cube:
        """States from which the step that was found leads into a cube."""
        solver, step = self.solvers[level - 1], self.step
        values = solver.true([*step.choices, *step.now])
        choices = [choice if true else -choice for choice, true in zip(step.choices, values)]
        return self._larger(self._state(values[len(choices) :]), [*step.literals_after(cube), *step.allowed], choices)

    def _larger(self, state: Cube, implied: list[int], choices: list[int] | None = None) -> Cube:
        """Literals of a state that suffice, with the choices, to make the implied literals true."""
        state_in_order = self._busiest_first(state)
        literals = dict(zip(self.step.literals_now(state_in_order), state_in_order))
        if self.lifting.is_worn:
            self.lifting.close()
            self.lifting = self.step.definitions(self.run)
        possible = self.lifting.solve([*(choices or ()), *literals], [-literal for literal in implied])
        assert not possible, "the values of all bits are given"
        core = self.lifting.core()
        return frozenset(bit for literal, bit in literals.items() if literal in core)

    # Frames

    def _solver(self, level: int) -> StepSolver:
        """The solver of F_level; built anew when it is full of clauses for one question."""
        if self.solvers[level].is_worn:
            self.solvers[level].close()
            self.solvers[level] = solver = self.step.solver(self.run, initial=level == 0)
            for frame in self.frames[max(level, 1) :] if level else ():
                for cube in frame:
                    solver.add_clause([-literal for literal in self.step.literals_now(cube)])
        return self.solvers[level]

    def _propagate(self) -> int | None:
        """Exclude cubes from later frames, too; a frame that is as the next one is inductive."""
        for level in range(1, self.top):
            for cube in sorted(self.frames[level], key=len):
                if cube not in self.frames[level]:
                    continue
                solver = self._solver(level)
                if not solver.solve([self.step.moves, *self.step.literals_after(cube)]):
                    self.frames[level].discard(cube)
                    self._add(cube, level + 1, first=level + 1)
            if not self.frames[level]:
                return level
        return None

    # Evidence

    def clauses(self, cubes: list[Cube]) -> Clauses:
        """Clauses about bits of variables that exclude some cubes."""
        bits = [self.network.bit_at(node) for node in self.step.nodes]
        return tuple(tuple((*bits[abs(bit) - 1], bit < 0) for bit in sorted(cube, key=abs)) for cube in cubes)

    def trace(self, violation: Obligation) -> Trace:
        """A path through the cubes of the way: from every state of one, a step leads into the next."""
        first, *later = violation.way()
        step, state, moments = self.step, self.initial.state(first), list[dict[int, bool]]()
        solver = step.solver(self.run)
        try:
            for cube in later:
                led = solver.solve([step.moves, *step.literals_now(state), *step.literals_after(cube)])
                assert led, "a step leads from each cube to the next"
                values = solver.true([*step.choices, *step.after])
                moments.append(self._bits(state, values))
                state = self._state(values[len(step.choices) :])
        finally:
            solver.close()
        return self.network.trace([*moments, self._bits(state, ())])

    def _bits(self, state: Cube, inputs: Sequence[bool]) -> dict[int, bool]:
        """All bits of a state, and of the inputs of a step from it, by their place in the layout."""
        network, step = self.network, self.step
        values = [0] * (2 * len(network.aig.operands))
        values[TRUE] = 1
        for bit in state:
            values[2 * step.nodes[abs(bit) - 1] + (bit < 0)] = 1
        planned(network.aig, network.legal.definitions, step.nodes, ()).fill(values, lambda: (0, 1))
        places = network.aig.variable_of
        bits = {places[node]: bool(values[2 * node]) for node in (*step.nodes, *network.legal.definitions)}
        return bits | {places[node]: value for node, value in zip(step.inputs, inputs)}
