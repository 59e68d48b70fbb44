"""The meaning of machines, straight from the definitions: every state, every input, every pair of states is tried.

Shares nothing with the package but the classes that hold expressions and machines. Slow on purpose.
An expression denotes the list of its possible values; a state is a tuple of values in the order of the variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import product
from typing import Any

from coarsest.logic.expr import Apply, Constant, Expr, Name, Word
from coarsest.model.machine import Kind, Machine

Environment = Mapping[str, Any]
"""A variable by its name, its value after the step by `name'`."""


class Undefined(Exception):
    """The expression has no value here."""


def possible(expr: Expr, machine: Machine, env: Environment, prime: str = "") -> list[Any]:
    """All values an expression may have."""
    if isinstance(expr, Constant):
        return [expr.value]
    if isinstance(expr, Name):
        if expr.name in machine.definitions:
            return possible(machine.definitions[expr.name], machine, env, prime)
        return [env[expr.name + prime]]
    args = expr.args
    if expr.op == "next":
        return possible(args[0], machine, env, "'")
    if expr.op == "case":
        if not args:
            raise Undefined("case")
        results = []
        for holds in possible(args[0], machine, env, prime):
            chosen = args[1] if holds else Apply("case", args[2:])
            results += possible(chosen, machine, env, prime)
        return _once(results)
    if expr.op in {"and", "or", "implies"}:
        return _connected(expr, machine, env, prime)
    operands = [possible(arg, machine, env, prime) for arg in args]
    if expr.op in {"set", "union"}:
        return _once([value for values in operands for value in values])
    if expr.op == "in":
        members = list(map(_tagged, operands[1]))
        return [all(_tagged(value) in members for value in operands[0])]
    return _once([_apply(expr.op, list(values)) for values in product(*operands)])


def _connected(expr: Apply, machine: Machine, env: Environment, prime: str) -> list[Any]:
    """One operand that can only be what decides is enough, whatever the others are; else all of them need a value."""
    operands: list[list[Any] | None] = []
    for arg in expr.args:
        try:
            operands.append(possible(arg, machine, env, prime))
        except Undefined:
            operands.append(None)
    premises = operands[:1] if expr.op == "implies" else []
    conclusions = operands[len(premises) :]
    if [False] in premises or [expr.op != "and"] in conclusions:
        return [expr.op != "and"]
    if None in operands:
        raise Undefined(expr.op)
    return _once([_apply(expr.op, list(values)) for values in product(*(values or [] for values in operands))])


def _tagged(value: Any) -> tuple[str, Any]:
    """Distinguishes TRUE from 1."""
    return type(value).__name__, value


def _once(values: list[Any]) -> list[Any]:
    kept: list[Any] = []
    for value in values:
        if _tagged(value) not in map(_tagged, kept):
            kept.append(value)
    return kept


def _bits_of(word: Word) -> list[bool]:
    """Lowest bit first."""
    return [bool(word.bits >> i & 1) for i in range(word.width)]


def _word(bits: list[bool], signed: bool) -> Word:
    return Word(sum(1 << i for i, bit in enumerate(bits) if bit), len(bits), signed)


def _number(value: Any) -> int:
    if isinstance(value, Word):
        bits = _bits_of(value)
        places = [1 << i for i in range(value.width)]
        if value.signed:
            places[-1] = -places[-1]
        return sum(place for place, bit in zip(places, bits) if bit)
    return int(value)


def _like(example: Any, number: int) -> Any:
    """The number as a value of the example's type: a word keeps the lowest bits."""
    if isinstance(example, Word):
        return _word([bool((number >> i) % 2) for i in range(example.width)], example.signed)
    return number


def _apply(op: str, args: list[Any]) -> Any:
    if op in {"not", "and", "or", "xor", "xnor", "implies", "iff"}:
        if isinstance(args[0], Word):
            columns = zip(*map(_bits_of, args))
            return _word([_truth(op, list(column)) for column in columns], args[0].signed)
        return _truth(op, args)
    if op in {"=", "!="}:
        return (_tagged(args[0]) == _tagged(args[1])) == (op == "=")
    if op in {"<", "<=", ">", ">="}:
        a, b = _number(args[0]), _number(args[1])
        return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
    if op in {"neg", "abs", "+", "-", "*", "/", "mod", "min", "max"}:
        return _like(args[0], _arithmetic(op, [_number(arg) for arg in args]))
    if op == "count":
        return args.count(True)
    if op == "toint":
        return _number(args[0])
    if op == "bool":
        return _number(args[0]) != 0
    if op == "word1":
        return _word([args[0]], False)
    return _reshape(op, args)


def _truth(op: str, args: list[bool]) -> bool:
    match op:
        case "not":
            return not args[0]
        case "and":
            return all(args)
        case "or":
            return any(args)
        case "xor":
            return args[0] != args[1]
        case "xnor" | "iff":
            return args[0] == args[1]
        case "implies":
            return not args[0] or args[1]
    raise AssertionError(op)


def _arithmetic(op: str, args: list[int]) -> int:
    a, b = args[0], args[-1]
    match op:
        case "neg":
            return -a
        case "abs":
            return a if a >= 0 else -a
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "min":
            return a if a < b else b
        case "max":
            return b if a < b else a
    if b == 0:
        raise Undefined("division")
    quotient = 0  # counted up, so that it is truncated whatever the signs are
    while (quotient + 1) * abs(b) <= abs(a):
        quotient += 1
    if a * b < 0:
        quotient = -quotient
    return quotient if op == "/" else a - b * quotient


def _reshape(op: str, args: list[Any]) -> Word:
    word = args[0]
    bits = _bits_of(word)
    match op:
        case "<<" | ">>":
            distance = _number(args[1])
            if not 0 <= distance <= word.width:
                raise Undefined("shift")
            for _ in range(distance):
                fill = bits[-1] if word.signed else False
                bits = [False, *bits[:-1]] if op == "<<" else [*bits[1:], fill]
            return _word(bits, word.signed)
        case "::":
            return _word(_bits_of(args[1]) + bits, False)
        case "bits":
            return _word(bits[args[2] : args[1] + 1], False)
        case "signed":
            return _word(bits, True)
        case "unsigned":
            return _word(bits, False)
        case "extend" | "resize":
            width = word.width + args[1] if op == "extend" else args[1]
            if width >= word.width:
                fill = bits[-1] if word.signed else False
                return _word(bits + [fill] * (width - word.width), word.signed)
            kept = [*bits[: width - 1], bits[-1]] if word.signed else bits[:width]
            return _word(kept, word.signed)
    raise AssertionError(op)


class BruteForce:
    """The states and steps of a machine; its sets are Python sets of states."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        state_variables = [v for v in machine.variables.values() if v.kind is not Kind.INPUT]
        inputs = [v for v in machine.variables.values() if v.kind is Kind.INPUT]
        self.names = [v.name for v in state_variables]
        self._frozen = [v.name for v in state_variables if v.kind is Kind.FROZEN]
        self.inputs = [dict(zip((v.name for v in inputs), values)) for values in product(*(v.type.values() for v in inputs))]
        candidates = product(*(v.type.values() for v in state_variables))
        self.states = [state for state in candidates if self._is_legal(self.environment(state))]
        self.initial = [state for state in self.states if self._is_initial(self.environment(state))]

    @cached_property
    def steps(self) -> list[tuple[tuple[Any, ...], tuple[Any, ...]]]:
        return [(a, b) for a in self.states for b in self.states if any(self.is_step(a, i, b) for i in self.inputs)]

    def environment(self, state: tuple[Any, ...], prime: str = "") -> dict[str, Any]:
        return {name + prime: value for name, value in zip(self.names, state)}

    def holds(self, expr: Expr, env: Environment) -> bool:
        return any(possible(expr, self.machine, env))

    def _assigned(self, value: Any, expr: Expr, env: Environment) -> bool:
        return _tagged(value) in map(_tagged, possible(expr, self.machine, env))

    def _is_legal(self, env: Environment) -> bool:
        return all(self._assigned(env[name], expr, env) for name, expr in self.machine.current_values.items()) and all(
            self.holds(expr, env) for expr in self.machine.invariant_constraints
        )

    def _is_initial(self, env: Environment) -> bool:
        return all(self._assigned(env[name], expr, env) for name, expr in self.machine.initial_values.items()) and all(
            self.holds(expr, env) for expr in self.machine.initial_constraints
        )

    def is_step(self, before: tuple[Any, ...], inputs: Environment, after: tuple[Any, ...]) -> bool:
        """Is there a step between two legal states?"""
        env = {**self.environment(before), **inputs, **self.environment(after, "'")}
        return (
            all(env[name] == env[name + "'"] for name in self._frozen)
            and all(self._assigned(env[name + "'"], expr, env) for name, expr in self.machine.next_values.items())
            and all(self.holds(expr, env) for expr in self.machine.transition_constraints)
        )

    def where(self, expr: Expr) -> set[tuple[Any, ...]]:
        return {state for state in self.states if self.holds(expr, self.environment(state))}

    def rings(self) -> list[set[tuple[Any, ...]]]:
        """The states at distance 0, 1, … from the initial ones."""
        rings = [set(self.initial)]
        reached = set(self.initial)
        while rings[-1]:
            rings.append({b for a, b in self.steps if a in rings[-1]} - reached)
            reached |= rings[-1]
        return rings[:-1]

    def reachable(self) -> set[tuple[Any, ...]]:
        return set().union(*self.rings())

    def shortest_counterexample(self, invariant: Expr) -> int | None:
        """Number of states of the shortest path to a state that violates the invariant; None if it holds."""
        good = self.where(invariant)
        for distance, ring in enumerate(self.rings()):
            if ring - good:
                return distance + 1
        return None
