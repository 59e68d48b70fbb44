"""Symbolic execution of blocks: the value of every signal afterwards, as an expression over the values before.

Reference: King, Symbolic execution and program testing, 1976; IEEE 1364, procedural assignments.
Symbols:   `now` has the values that were assigned, `later` those that `<=` will assign at the end of the step.
Invariant: a signal that is in neither of them has its value from before the step.
Deviates:  after branches, a value is one case over their conditions; loops are unrolled, their bounds must be constant.
Cost:      every statement is executed once for each time it is unrolled; large values get names after branches.
"""

from __future__ import annotations

from typing import Final

from coarsest.errors import TypeProblem, Unsupported
from coarsest.formats.vis.assign import Assigning, Store
from coarsest.formats.vis.bits import Shape, constant, first_of, number_of
from coarsest.formats.vis.circuit import ElaboratedDesign
from coarsest.formats.vis.declare import declared_signals
from coarsest.formats.vis.lower import ExpressionLowering
from coarsest.formats.vis.parsing.expressions import UNSIZED
from coarsest.formats.vis.parsing.syntax import (
    Case,
    Loop,
    Routine,
    Statement,
    StatementBlock,
    TaskCall,
    VerilogAssignment,
    VerilogIf,
    VerilogSource,
)
from coarsest.formats.vis.scope import VerilogScope, VerilogSignal
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name
from coarsest.text import Span

MOST_ROUNDS: Final = 10_000
DEEPEST_CALL: Final = 50
MOST_STATEMENTS: Final = 2_000_000


class StatementExecution(Assigning):
    """Statements in a scope, and expressions among them."""

    def __init__(self, scope: VerilogScope, design: VerilogSource, circuit: ElaboratedDesign) -> None:
        super().__init__(scope, design)
        self.circuit = circuit
        self._depth = 0
        self._statements = 0
        self._home = scope

    # -- expressions -------------------------------------------------------------------------------------------------------

    def choose(self, values: list[Expr], shape: Shape, span: Span | None) -> Expr:
        return self.circuit.free(f"{self._home.prefix}choice", values, shape, span)

    def result(self, call: Apply) -> VerilogSignal:
        return self._opened(self._function_of(call)).signals[self._function_of(call).name]

    def _function_of(self, call: Apply) -> Routine:
        name = call.args[0]
        assert isinstance(name, Name)
        return self._home.routine(name.name, name.span, "function")

    def call(self, expr: Apply) -> Expr:
        routine = self._function_of(expr)
        before = self.store
        self.store = before.copy()
        inner = self._enter(routine, expr.args[1:], expr.span)
        value = self.read(inner.signals[routine.name].name)
        self.store = before
        return value

    # -- routines ----------------------------------------------------------------------------------------------------------

    def _opened(self, routine: Routine) -> VerilogScope:
        """The scope of a routine, with its declarations and its result."""
        inner = self._home.children.get(f"{routine.name}()")
        if inner is None:
            inner = VerilogScope(self._home.module, f"{self._home.prefix}{routine.name}.", outer=self._home)
            declarations = [*routine.declarations, *([routine.result] if routine.result is not None else [])]
            declared_signals(inner, declarations, ExpressionLowering(self._home, self.design))
            for signal in inner.signals.values():
                self._declare_local(signal)
            self._home.children[f"{routine.name}()"] = inner
        return inner

    def _declare_local(self, signal: VerilogSignal) -> None:
        signal.local = True
        self.circuit.declare(signal)
        self.circuit.passing.update(signal.elements)

    def _enter(self, routine: Routine, arguments: tuple[Expr, ...], span: Span | None) -> VerilogScope:
        """Execute a routine with its arguments."""
        if self._depth >= DEEPEST_CALL:
            message = f"calls are more than {DEEPEST_CALL} levels deep"
            raise Unsupported(message, span, hint=f"does `{routine.name}` call itself?")
        inner = self._opened(routine)
        inputs = _arguments_of(routine)
        if len(inputs) != len(arguments):
            message = f"`{routine.name}` takes {len(inputs)} argument{'s' * (len(inputs) != 1)}, not {len(arguments)}"
            raise TypeProblem(message, span)
        values = [
            self.value(actual, inner.signals[name].shape) if "output" not in words else None
            for (name, words), actual in zip(inputs, arguments)
        ]
        for signal in inner.signals.values():
            for element in signal.elements:
                self.store.now.pop(element, None)
        for (name, _), value in zip(inputs, values):
            if value is not None:
                self.store.now[inner.signals[name].name] = self.circuit.compact(inner.signals[name].name, value)
        outside, self.scope = self.scope, inner
        self._depth += 1
        self.execute(routine.body)
        self._depth -= 1
        self.scope = outside
        return inner

    def _call_task(self, call: TaskCall) -> None:
        routine = self._home.routine(call.name, call.span, "task")
        inner = self._enter(routine, call.arguments, call.span)
        for (name, words), actual in zip(_arguments_of(routine), call.arguments):
            if words & {"output", "inout"}:
                signal = inner.signals[name]
                self.put(actual, self.read(signal.name), signal.shape, blocking=True)

    # -- statements --------------------------------------------------------------------------------------------------------

    def execute(self, statement: Statement) -> None:
        self._statements += 1
        if self._statements > MOST_STATEMENTS:
            raise Unsupported(f"more than {MOST_STATEMENTS} statements after loops are unrolled", self._home.module.span)
        if isinstance(statement, VerilogAssignment):
            self.assign(statement)
        elif isinstance(statement, StatementBlock):
            self._block(statement)
        elif isinstance(statement, VerilogIf):
            self._if(statement)
        elif isinstance(statement, Case):
            self._case(statement)
        elif isinstance(statement, Loop):
            self._loop(statement)
        else:
            self._call_task(statement)

    def _block(self, block: StatementBlock) -> None:
        outside = self.scope
        if block.declarations:
            key = f"{block.name}:{id(block)}"
            inner = self._home.children.get(key)
            if inner is None:
                name = block.name or "block"
                inner = VerilogScope(self._home.module, f"{self.scope.prefix}{name}.", outer=self.scope)
                declared_signals(inner, block.declarations, ExpressionLowering(self.scope, self.design))
                for signal in inner.signals.values():
                    self._declare_local(signal)
                self._home.children[key] = inner
            self.scope = inner
        for statement in block.statements:
            self.execute(statement)
        self.scope = outside

    def _branch(self, statement: Statement) -> Store:
        """The values after one of several branches."""
        before = self.store
        self.store = before.copy()
        self.execute(statement)
        after, self.store = self.store, before
        return after

    def _if(self, statement: VerilogIf) -> None:
        condition = self.condition(statement.condition)
        if isinstance(condition, Constant):
            self.execute(statement.then if condition == TRUE else statement.otherwise)
            return
        condition = self.circuit.compact(f"{self._home.prefix}if", condition)
        self._join([(condition, self._branch(statement.then))], self._branch(statement.otherwise))

    def _case(self, case: Case) -> None:
        stores: list[tuple[Expr, Store]] = []
        default: Statement = StatementBlock(())
        for branch in case.branches:
            if not branch.labels:
                default = branch.body
                continue
            matches = [self.same(case.subject, label) for label in branch.labels]
            if all(match == FALSE for match in matches):
                continue
            possible = [match for match in matches if match != FALSE]
            matching = TRUE if TRUE in matches else possible[0] if len(possible) == 1 else Apply("or", tuple(possible))
            stores.append((matching, self._branch(branch.body)))
            if matching == TRUE:
                break
        if stores and (stores[-1][0] == TRUE or self._exhaustive(case)):
            self._join(stores[:-1], stores[-1][1])
        else:
            self._join(stores, self._branch(default))

    def _exhaustive(self, case: Case) -> bool:
        """Are all values of the subject among the labels?"""
        shape = self.shape(case.subject)
        labels = [label for branch in case.branches for label in branch.labels]
        if isinstance(shape, tuple):
            listed = {self.value(label, shape) for label in labels}
            return all(Constant(value) in listed for value in shape)
        if shape > 10:
            return False
        covered: set[int] = set()
        for label in labels:
            match label:
                case Apply("pattern", (digits, counting)):
                    number, mask = number_of(digits) or 0, number_of(counting) or 0
                    covered |= {n for n in range(1 << shape) if n & mask == number & mask}
                case _:
                    value = self.known(label)
                    covered |= set() if value is None else {value}
        return covered >= set(range(1 << shape))

    def _loop(self, loop: Loop) -> None:
        begin = loop.begin
        counter = begin.target if isinstance(begin, VerilogAssignment) else None
        if isinstance(counter, Name) and self.scope.signal(counter.name) is None:  # an integer that need not be declared
            words, span = frozenset(("integer",)), counter.span or self._home.module.span
            signal = VerilogSignal(f"{self._home.prefix}{counter.name}", UNSIZED, words, span, UNSIZED - 1)
            self._home.signals[counter.name] = signal
            self._declare_local(signal)
        self.execute(begin)
        rounds = 0
        times = self.number(loop.condition) if loop.counted else None
        while True:
            condition = constant(rounds < times, 1) if times is not None else self.condition(loop.condition)
            if not isinstance(condition, Constant):
                hint = "loops are unrolled: count up to a number or a parameter"
                raise Unsupported("the number of rounds of this loop depends on the state", loop.span, hint=hint)
            if condition == FALSE:
                return
            if rounds >= MOST_ROUNDS:
                raise Unsupported(f"a loop of more than {MOST_ROUNDS} rounds", loop.span)
            self.execute(loop.body)
            self.execute(loop.step)
            rounds += 1

    def _join(self, branches: list[tuple[Expr, Store]], otherwise: Store) -> None:
        """Join several branches: every signal has its value from the first branch whose condition holds."""
        stores = [*(store for _, store in branches), otherwise]
        conditions = [condition for condition, _ in branches]
        before, after = self.store, Store()
        for element in dict.fromkeys(name for store in stores for name in store.now):
            values = [store.now.get(element) or Name(element) for store in stores]
            after.now[element] = self._joint(element, conditions, values, before.now.get(element))
        for element in dict.fromkeys(name for store in stores for name in store.later):
            values = [store.later.get(element) or store.now.get(element) or Name(element) for store in stores]
            after.later[element] = self._joint(element, conditions, values, before.later.get(element))
        self.store = after

    def _joint(self, element: str, conditions: list[Expr], values: list[Expr], before: Expr | None) -> Expr:
        if before is not None and all(value is before for value in values):
            return before
        return self.circuit.compact(element, first_of(list(zip(conditions, values)), values[-1]))


def _arguments_of(routine: Routine) -> list[tuple[str, frozenset[str]]]:
    directions = {"input", "output", "inout"}
    return list({d.name: (d.name, d.words) for d in routine.declarations if d.words & directions}.values())
