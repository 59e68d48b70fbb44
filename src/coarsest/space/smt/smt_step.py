"""The steps of a machine as formulas: next-state functions where there are, a relation for the rest.

Reference: –
Symbols:   –
Invariant: `functions` gives each state variable that is a function of the state and the inputs; `free` are the others after the
           step, and `guard` says what they and the inputs must satisfy. `relation` says all of it about both states.
Deviates:  –
Cost:      a preimage substitutes the functions and eliminates inputs and `free`; an image eliminates the state and the inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from coarsest.logic.expr import Expr
from coarsest.model.machine import Kind
from coarsest.space.smt.smt_solver import Solver
from coarsest.space.smt.smt_terms import Held, Terms

if TYPE_CHECKING:
    import z3


class SmtStep:
    """The legal states, the initial states and the step relation of a machine."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.z3 = terms.z3
        machine, values = terms.machine, terms.values
        self.legal = values.both(*self._legal(after=False))
        initially = [self._equation(name, expr, terms.now, after=False) for name, expr in machine.initial_values.items()]
        initially += [terms.condition(constraint) for constraint in machine.initial_constraints]
        self.initial = values.both(*initially)
        self.moving = [term for v in machine.of_kind(Kind.STATE) for term in terms.after[v.name]]
        self._functions, conditions = self._functions_and_conditions()
        conditions += [terms.condition(constraint) for constraint in machine.transition_constraints]
        typed = [terms.domain(v) for v in machine.input_variables]
        equations = [terms.equals(terms.after[name], held) for name, held in self._functions.items()]
        self.relation = values.both(*typed, *conditions, *equations)
        self._to_functions = self._resolved()
        given = {term.get_id() for name in self._functions for term in terms.after[name]}
        self.free = [term for term in self.moving if term.get_id() not in given]
        self.inputs = [term for v in machine.input_variables for term in terms.now[v.name]]
        self._to_after = [pair for v in machine.of_kind(Kind.STATE) for pair in zip(terms.now[v.name], terms.after[v.name])]
        self.guard = self.z3.simplify(self._substituted(values.both(*typed, *conditions), self._to_functions))

    def pre(self, states: z3.BoolRef, solver: Solver, *, given: z3.BoolRef | None = None) -> z3.BoolRef:
        """The states from which a step leads into some of the states; `given` is a condition on the inputs of the step."""
        entered = self._substituted(self._substituted(states, self._to_after), self._to_functions)
        body = self.terms.values.both(self.guard, self.z3.simplify(entered), *([] if given is None else [given]))
        return solver.eliminate([*self.inputs, *self.free], body)

    def post(self, states: z3.BoolRef, solver: Solver) -> z3.BoolRef:
        """The states into which a step leads from some of the states."""
        values = self.terms.values
        body = values.both(self.legal, states, self.relation)
        left = [now for now, _ in self._to_after]
        found = solver.eliminate([*left, *self.inputs], body)
        return self._substituted(found, [(after, now) for now, after in self._to_after])

    def _legal(self, *, after: bool) -> list[z3.BoolRef]:
        """The types, INVAR, and the equations `x := e`, unless they are among the functions."""
        terms, machine = self.terms, self.terms.machine
        kinds = (Kind.STATE,) if after else (Kind.STATE, Kind.FROZEN)
        conditions = [terms.domain(v, after=after) for v in machine.of_kind(*kinds)]
        if not after:
            conditions += [self._equation(name, expr, terms.now, after=False) for name, expr in machine.current_values.items()]
        return conditions + [terms.condition(constraint, after=after) for constraint in machine.invariant_constraints]

    def _equation(self, name: str, expr: Expr, places: Mapping[str, Held], *, after: bool) -> z3.BoolRef:
        values = self.terms.values
        options = self.terms.assigned(self.terms.machine.variables[name], expr, after=after)
        return values.either(*(values.both(condition, self.terms.equals(places[name], held)) for condition, held in options))

    def _functions_and_conditions(self) -> tuple[dict[str, Held], list[Any]]:
        """The variables with exactly one value after the step, and everything else that is said of the state after it."""
        terms, machine = self.terms, self.terms.machine
        functions: dict[str, Held] = {}
        conditions = self._legal(after=True)
        for given, after in ((machine.next_values, False), (machine.current_values, True)):
            for name, expr in given.items():
                options = terms.assigned(machine.variables[name], expr, after=after)
                frozen = machine.variables[name].kind is Kind.FROZEN
                if len(options) == 1 and self.z3.is_true(options[0][0]) and not frozen and name not in functions:
                    functions[name] = options[0][1]
                else:
                    conditions.append(self._equation(name, expr, terms.after, after=after))
        return functions, conditions

    def _resolved(self) -> list[tuple[Any, Any]]:
        """The functions with one another substituted, so that they speak of the present state, the inputs and `free` only."""
        pairs = [pair for name, held in self._functions.items() for pair in zip(self.terms.after[name], held)]
        for _ in pairs:  # a chain of equations is as long as there are equations, at most; circles are refused on reading
            replaced = [(place, self._substituted(term, pairs)) for place, term in pairs]
            if all(new.eq(old) for (_, new), (_, old) in zip(replaced, pairs)):
                break
            pairs = replaced
        return [(place, self.z3.simplify(term)) for place, term in pairs]

    def _substituted(self, formula: z3.ExprRef, pairs: list[tuple[Any, Any]]) -> z3.ExprRef:
        return self.z3.substitute(formula, *pairs) if pairs else formula
