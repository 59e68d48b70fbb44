"""Sets of a certificate as literals, over the positions of a machine and its steps, and the questions about them.

A condition is confirmed if no assignment violates it. All questions are about positions in the invariant.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Final

from coarsest.errors import EvidenceRejected
from coarsest.evidence.certificate import Certificate, StepChoice
from coarsest.evidence.claims.ltl_watcher import Watcher
from coarsest.evidence.decision_diagrams import Bit, value_of
from coarsest.evidence.sat.clauses import FALSE, TRUE, Clauses
from coarsest.evidence.sat.cnf_machine import MachineClauses
from coarsest.logic.expr import Expr
from coarsest.model.machine import Kind, Machine
from coarsest.model.types import show_value

SHOWN: Final = 8
"""The number of variables that a message shows of a state that violates a condition."""

MOST_PLACES: Final = 200
"""The limit for the number of variables of the judge's diagrams, which it visits by recursion."""


class Frame:
    """The literals of bits, and of the nodes of diagrams over them. It may grow, and it includes the frame `beyond` it."""

    def __init__(self, literals: Mapping[Bit, int], beyond: Frame | None = None) -> None:
        self.literals = dict(literals)
        self.nodes: dict[int, int] = {}
        self.beyond = beyond

    def node(self, number: int) -> int | None:
        """The literal of a node, if it has one."""
        if number < 2:
            return TRUE if number else FALSE
        literal = self.nodes.get(number)
        return self.beyond.node(number) if literal is None and self.beyond is not None else literal


class CertificatePositions:
    """One step between positions of a machine, perhaps with a watcher, and the diagrams of a certificate over it."""

    def __init__(self, clauses: Clauses, machine: Machine, certificate: Certificate, watcher: Watcher | None = None) -> None:
        self.clauses = clauses
        self.watcher = watcher or Watcher()
        self.machine = self.watcher.beside(machine)
        self.certificate = certificate
        self.inputs = frozenset(certificate.inputs)
        self.encoded = MachineClauses(clauses, self.machine)
        self.conditions = 0
        """The number of conditions that were checked."""
        self._check_graphs()
        self.now = self._frame(after=False)
        self.after = self._frame(after=True)
        self.step_frame = {**self.now, **{bit._replace(after=True): literal for bit, literal in self.after.items()}}
        self.stuck = FALSE
        """The set of states without a step, once it has been confirmed."""

    # Graphs

    def _check_graphs(self) -> None:
        graphs = self.certificate.graphs
        for name, place, after in graphs.bits:
            vectors = self.encoded.after if after else self.encoded.now
            if name not in vectors or not 0 <= place < len(vectors[name]):
                raise EvidenceRejected(f"the certificate mentions bit {place} of '{name}', which does not exist")
        for number, (bit, high, low) in enumerate(graphs.nodes, start=2):
            if not (0 <= bit < len(graphs.bits) and 0 <= high < number and 0 <= low < number):
                raise EvidenceRejected(f"node {number} of the certificate is not a node of a decision diagram")

    def _frame(self, *, after: bool) -> dict[Bit, int]:
        """The bits of a state, with the names of the bits of the current state."""
        vectors = self.encoded.after if after else self.encoded.now
        names = [v.name for v in self.machine.variables.values() if not after or v.kind is not Kind.INPUT]
        return {Bit(name, place): literal for name in names for place, literal in enumerate(vectors[name])}

    def _require_node(self, root: int) -> None:
        if not 0 <= root < len(self.certificate.graphs.nodes) + 2:
            raise EvidenceRejected(f"the certificate has no node {root}")

    def graph(self, root: int, frame: Frame) -> int:
        """The literal of a diagram over the bits of a frame."""
        graphs = self.certificate.graphs
        self._require_node(root)
        waiting = [root]
        while waiting:
            number = waiting[-1]
            if frame.node(number) is not None:
                waiting.pop()
                continue
            place, high, low = graphs.nodes[number - 2]
            then, otherwise = frame.node(high), frame.node(low)
            if then is None or otherwise is None:
                waiting += [child for child, literal in ((high, then), (low, otherwise)) if literal is None]
                continue
            waiting.pop()
            bit = graphs.bits[place]
            if bit not in frame.literals:
                raise EvidenceRejected(f"a set of the certificate must not depend on bit {bit.place} of '{bit.variable}'")
            frame.nodes[number] = self.clauses.choose(frame.literals[bit], then, otherwise)
        literal = frame.node(root)
        assert literal is not None
        return literal

    def states(self, root: int, *, after: bool = False) -> int:
        """A set of positions, now or after the step."""
        return self.graph(root, self._states_after if after else self._states_now)

    @cached_property
    def _states_now(self) -> Frame:
        """The bits of positions: a set must not depend on other inputs."""
        return Frame({bit: lit for bit, lit in self.now.items() if self.machine.variables[bit.variable].kind is not Kind.INPUT})

    @cached_property
    def _states_after(self) -> Frame:
        return Frame(self.after)

    def must_not_see_inputs(self, root: int, what: str) -> None:
        """Raise EvidenceRejected if a set of states depends on inputs."""
        self._require_node(root)
        if self.inputs and any(bit.variable in self.inputs for bit in self.certificate.graphs.tests(root)):
            raise EvidenceRejected(f"{what} depends on inputs")

    # Conditions

    def condition(self, expr: Expr, *, after: bool = False) -> int:
        return self.encoded.condition(expr, after=after)

    def invariant(self, *, after: bool = False) -> int:
        """The invariant of the certificate, now or after the step."""
        return self.clauses.every(self.parts(after=after))

    def parts(self, *, after: bool = False) -> list[int]:
        """The sets whose intersection is the invariant."""
        certificate = self.certificate
        return [self.states(root, after=after) for root in (certificate.invariant, *certificate.parts)]

    @cached_property
    def reached(self) -> int:
        """The position is in the invariant."""
        return self.clauses.both(self.invariant(), self.encoded.legal)

    @cached_property
    def watched(self) -> int:
        """The step is a step of the watcher."""
        return self.clauses.every(self.condition(expr) for expr in self.watcher.steps)

    @cached_property
    def moves(self) -> int:
        """The step is a step of a path: of the machine or, if it has none, one that changes at most inputs."""
        stays = self.clauses.every([self.stuck, self.unchanged, self.encoded.domains_after])
        return self.clauses.both(self.clauses.either(self.encoded.step, stays), self.watched)

    @cached_property
    def unchanged(self) -> int:
        """The step changes nothing except inputs and variables of the watcher."""
        free = self.inputs | set(self.watcher.variables)
        fixed = (bit for bit in self.after if bit.variable not in free)
        return self.clauses.every(self.clauses.same(self.now[bit], self.after[bit]) for bit in fixed)

    def refute(self, what: str, *literals: int) -> None:
        """Raise EvidenceRejected if a step, or a position, makes all the literals true; `what` is the message."""
        self.conditions += 1
        example = self.clauses.example(*literals)
        if example is not None:
            raise EvidenceRejected(f"{what}, for example where {self._describe(set(example))}")

    def refute_of_reached(self, what: str, *literals: int) -> None:
        """`refute`, for positions in the invariant."""
        self.refute(what, self.reached, *literals)

    def refute_leaving(self, what: str, *literals: int) -> None:
        """`refute`, for positions in the invariant and a step that leaves it: in one question or, if that takes long, part by
        part. The result for one part, that steps lead into it, helps with the next. A set without parts may be one that counts:
        solvers are bad at counting, and diagrams are good at it."""
        question = self.reached, *literals, -self.invariant(after=True)
        if self.clauses.is_refuted_soon(*question) or self._is_refuted_by_diagrams(question):
            self.conditions += 1
            return
        for part in self.parts(after=True):
            self.refute_of_reached(what, *literals, -part)
            self.clauses.add_clause(*(-literal for literal in (self.reached, *literals)), part)

    def _is_refuted_by_diagrams(self, question: Sequence[int]) -> bool:
        """The order of bits is that of the set, below inputs and all other bits, from which the next values are chosen."""
        inside = dict.fromkeys(self.now[bit] for bit in self.certificate.graphs.bits if bit in self.now)
        order = [*(literal for literal in self.now.values() if literal not in inside), *inside]
        if self.certificate.parts or len(order) > MOST_PLACES:
            return False
        return self.clauses.is_refuted_by_diagrams(order, *question)

    def _describe(self, true: set[int]) -> str:
        shown = []
        for name, variable in self.machine.variables.items():
            code = sum(1 << place for place, bit in enumerate(self.encoded.now[name]) if bit in true)
            if code < variable.type.size and name not in self.watcher.variables:
                shown.append(f"{name} = {show_value(value_of(variable.type, code))}")
        more = ", …" if len(shown) > SHOWN else ""
        return ", ".join(shown[:SHOWN]) + more

    # Choices

    def chosen(self, choice: StepChoice, *where: int, also: Collection[str] = ()) -> int:
        """A literal that makes the inputs and the next state the chosen ones if it is true; `also` are current inputs to choose.

        It can be true wherever all of `where` are true: the chosen bits represent values, and every equation gives a value.
        Otherwise, every condition on the chosen step would be met trivially.
        """
        clauses, encoded = self.clauses, self.encoded
        active = clauses.literal()
        frame = Frame(self._without(also), self._states_now if not also else None)
        settled: set[Bit] = set()
        of_now = {*also, *(variable.name for variable in self.machine.input_variables)}
        for number, root in choice.bits:
            bit = self._bit_to_choose(number, settled, of_now=of_now)
            value = self.graph(root, frame)
            if bit.after and bit.variable not in self.inputs:
                value = clauses.choose(self.stuck, self.now[bit._replace(after=False)], value)
            literal = self.step_frame[bit]
            clauses.add_clause(-active, -literal, value)
            clauses.add_clause(-active, literal, -value)
            frame.literals[bit] = literal
        values = clauses.every(encoded.domain(self.machine.variables[bit.variable], after=bit.after) for bit in settled)
        self.refute("the bits chosen for a state represent no value", *where, -self.stuck, active, -values)
        for name, equation in self._left_to_equations(settled).items():
            unchanged = [clauses.same(a, b) for a, b in zip(encoded.now[name], encoded.after[name])]
            clauses.add_clause(-active, clauses.choose(self.stuck, clauses.every(unchanged), equation))
        return active

    def _without(self, names: Collection[str]) -> dict[Bit, int]:
        """The bits of a position, without some inputs."""
        return {bit: literal for bit, literal in self._states_now.literals.items() if bit.variable not in names}

    def _bit_to_choose(self, number: int, settled: set[Bit], *, of_now: Collection[str]) -> Bit:
        """The next bit that is chosen: of the next state, or of these inputs. Frozen variables are not chosen."""
        bits, variables = self.certificate.graphs.bits, self.machine.variables
        bit = bits[number] if 0 <= number < len(bits) else None
        may_be = bit is not None and (variables[bit.variable].kind is Kind.STATE if bit.after else bit.variable in of_now)
        if bit is None or not may_be or bit in settled:
            raise EvidenceRejected(f"the certificate chooses bit {number} where it must not")
        settled.add(bit)
        return bit

    def _left_to_equations(self, settled: Collection[Bit]) -> dict[str, int]:
        """The equations of variables whose next values are not chosen."""
        variables, encoded = self.machine.variables, self.encoded
        touched = {bit.variable for bit in settled if bit.after}
        rest = [name for name, e in self.machine.next_values.items() if name not in touched and encoded.is_single(e)]
        both = self.clauses.both
        return {name: both(encoded.next_equations[name], encoded.domain(variables[name], after=True)) for name in rest}

    def chosen_inputs(self, choice: StepChoice) -> tuple[int, Frame]:
        """The position with other inputs, and the condition that these are values of the inputs."""
        frame = Frame(self._without(self.inputs))
        settled: set[Bit] = set()
        for number, root in choice.bits:
            bit = self._bit_to_choose(number, settled, of_now=self.inputs)
            frame.literals[bit] = self.graph(root, frame)
        for bit in self._states_now.literals:
            frame.literals.setdefault(bit, FALSE)
        legal = []
        for name in self.inputs:
            vector = tuple(frame.literals[Bit(name, place)] for place in range(len(self.encoded.now[name])))
            legal.append(self.encoded.is_code(self.machine.variables[name], vector))
        return self.clauses.every(legal), frame
