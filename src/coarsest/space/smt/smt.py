"""State spaces whose sets are formulas of linear arithmetic: for programs with integers and reals that have no bounds.

A formula stands for those legal states in which it is true: what all legal states have in common is assumed by the solver and
not repeated in the formulas. Predecessors come by substitution of the next-state functions, and where inputs, choices or
constraints are left, by elimination of quantifiers; successors by elimination. Every set is brought into a small form at once
(`space/smt/smt_cubes.py`), so that it stays small however it was computed.

Reference: Bouajjani, Fernandez, Halbwachs, Raymond, Ratel 1994, section 2 (a calculus of state classes); z3 is the calculus.
Symbols:   –
Invariant: two sets are equal when the solver finds no legal state in one and not in the other.
Deviates:  –
Cost:      union, intersection and difference: a few questions to the solver; pre and post: one elimination of quantifiers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from coarsest import tuning
from coarsest.logic.expr import Expr, Value
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.run import Run
from coarsest.space.carrier import Action, ClassOf, Finder
from coarsest.space.smt.smt_bounds import inductive_bounds
from coarsest.space.smt.smt_cubes import Cubes
from coarsest.space.smt.smt_pick import Picker
from coarsest.space.smt.smt_reading import Reader
from coarsest.space.smt.smt_solver import Solver
from coarsest.space.smt.smt_step import SmtStep
from coarsest.space.smt.smt_terms import Held, Terms
from coarsest.space.space import Fairness, State, StateSpace
from coarsest.space.views import RestrictedSpace

if TYPE_CHECKING:
    import z3


class SmtSet:
    """The legal states of one space in which a formula is true.

    The formula is made small when it is first needed to compute with, or when it has grown: most intersections are only asked
    whether they are empty.
    """

    __slots__ = ("_atoms", "_empty", "_formula", "_is_small", "space")

    def __init__(self, formula: z3.BoolRef, space: SmtSpace, *, atoms: int | None = None) -> None:
        """`atoms` is a bound on the size of the formula; without it, the formula is as small as it gets."""
        self.space = space
        self._formula = formula
        self._is_small = atoms is None
        self._atoms = _atoms(space.z3, formula) if atoms is None else atoms
        self._empty: bool | None = None

    @property
    def formula(self) -> z3.BoolRef:
        """The formula in its small form."""
        if not self._is_small:
            self._formula = self.space.cubes.small(self._formula)
            self._atoms = _atoms(self.space.z3, self._formula)
            self._is_small = True
        return self._formula

    @property
    def atoms(self) -> int:
        """Atoms of the small formula, each occurrence counted."""
        return _atoms(self.space.z3, self.formula)

    def _combined(self, formula: z3.BoolRef, other: SmtSet) -> SmtSet:
        found = SmtSet(formula, self.space, atoms=self._atoms + other._atoms)
        if found._atoms > tuning.FORMULA_ATOMS:
            found.formula  # noqa: B018
        return found

    def __and__(self, other: SmtSet) -> SmtSet:
        return self._combined(self.space.z3.And(self._formula, other._formula), other)

    def __or__(self, other: SmtSet) -> SmtSet:
        return self._combined(self.space.z3.Or(self._formula, other._formula), other)

    def __sub__(self, other: SmtSet) -> SmtSet:
        return self._combined(self.space.z3.And(self._formula, self.space.z3.Not(other._formula)), other)

    def __le__(self, other: SmtSet) -> bool:
        return not self.space.solver.satisfiable(self._formula, self.space.z3.Not(other._formula))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SmtSet):
            return False
        if self._formula.eq(other._formula):
            return True
        return not self.space.solver.satisfiable(self._formula != other._formula)

    __hash__ = None  # type: ignore[assignment]  # equal sets may be different formulas

    def __bool__(self) -> bool:
        if self._empty is None:
            self._empty = not self.space.solver.satisfiable(self._formula)
        return not self._empty

    def __repr__(self) -> str:
        return f"SmtSet({self.formula})"


class SmtSpace:
    """The state space of a machine, by formulas."""

    only_reachable = is_counted = holds_diagrams = False
    holds_formulas = True

    def __init__(self, machine: Machine, run: Run | None = None, *, within_bounds: bool = False) -> None:
        """With `within_bounds`, states outside of bounds that all reachable states keep are left out (`smt_bounds.py`)."""
        self.machine = machine
        self.run = run or Run()
        of_types = Solver(self.run)
        self.terms = Terms(machine, of_types)
        self.z3 = of_types.z3
        self.step = SmtStep(self.terms)
        self.solver = Solver(self.run, of_types.context)
        judge = Solver(self.run, of_types.context)
        self.bounds = inductive_bounds(self.terms, self.step, self.run) if within_bounds else self.terms.values.true
        for solver in (self.solver, judge):
            solver.add(self.step.legal)
            solver.add(self.bounds)
        self.cubes = Cubes(self.solver, judge)
        self.picker = Picker(self.terms, self.solver)
        values = self.terms.values
        self.states = SmtSet(values.true, self)
        self.empty = SmtSet(values.false, self)
        self.initial = self.set(self.step.initial)

    def set(self, formula: z3.BoolRef) -> SmtSet:
        """The set of a formula, which is made small."""
        return SmtSet(self.cubes.small(formula), self)

    @cached_property
    def fairness(self) -> Fairness[SmtSet]:
        return Fairness(
            tuple(self.where(p) for p in self.machine.justice),
            tuple((self.where(p), self.where(q)) for p, q in self.machine.compassion),
        )

    @property
    def parts(self) -> Sequence[SmtSpace]:
        """The step relation is held as a whole: the space is its own only part."""
        return [self]

    def where(self, label: Expr) -> SmtSet:
        return self.set(self.terms.condition(label))

    def post(self, states: SmtSet) -> SmtSet:
        return self.set(self.step.post(self.within(states.formula), self.solver))

    def within(self, formula: z3.BoolRef) -> z3.BoolRef:
        """The formula, and the bounds."""
        return self.terms.values.both(formula, self.bounds)

    def pre(self, states: SmtSet) -> SmtSet:
        return self.set(self.step.pre(self.within(states.formula), self.solver))

    def pre_if_cheap(self, states: SmtSet) -> SmtSet:
        return self.pre(states)

    def pick(self, states: SmtSet) -> SmtSet:
        values = self.picker.pick(states.formula, self.machine.state_variables)
        return self.empty if values is None else self.state(values)

    def count(self, states: SmtSet) -> int:
        """How many states, exactly; raises TooManyStates if they are infinitely many, or too many to be counted."""
        return self.count_without(states, ())

    def count_without(self, states: SmtSet, variables: Collection[Variable]) -> int:
        from coarsest.space.smt.smt_count import count

        return count(self, states.formula, variables)

    def forget(self, states: SmtSet, variables: Collection[Variable]) -> SmtSet:
        if not variables:
            return states
        legal = self.z3.And(self.step.legal, self.within(states.formula))
        return self.set(self.solver.eliminate([term for v in variables for term in self.terms.now[v.name]], legal))

    def narrowed(self, reached: SmtSet) -> StateSpace[SmtSet]:
        return RestrictedSpace(self, reached)

    def finder(self, classes: Sequence[SmtSet]) -> ClassOf:
        return Finder(self, classes)

    def actions(self, inputs: Sequence[str], run: Run) -> tuple[Action[SmtSet], ...]:
        from coarsest.space.smt.smt_actions import smt_actions

        return smt_actions(self, inputs, run)

    def count_steps(self, reached: SmtSet, actions: Sequence[Action[SmtSet]], run: Run) -> int | None:
        """Steps between infinitely many states are not counted."""
        return None

    def describe(self, state: SmtSet) -> State:
        return self.picker.pick(state.formula, self.machine.state_variables) or {}

    def cost(self, states: SmtSet) -> dict[str, int]:
        return {"atoms": states.atoms}

    def expression(self, states: SmtSet) -> Expr:
        """The set as an expression over the state, which says what is special about its states among the legal ones."""
        return self.reader.expression(states.formula)

    @cached_property
    def kept_bounds(self) -> Expr:
        """The bounds outside of which states were left out."""
        return self.reader.expression(self.bounds)

    @cached_property
    def reader(self) -> Reader:
        return Reader(self.terms)

    # Single states and steps

    def state(self, values: Mapping[str, Value]) -> SmtSet:
        """The set of the one state with these values; empty if it is not legal."""
        variables = self.machine.state_variables
        equal = [self._is(variable, values[variable.name], self.terms.now) for variable in variables]
        formula = self.terms.values.both(*equal)
        return SmtSet(formula, self) if self.solver.satisfiable(formula) else self.empty

    def _is(self, variable: Variable, value: Value, places: Mapping[str, Held]) -> z3.BoolRef:
        return self.terms.equals(places[variable.name], self.terms.constant(variable, value))

    def inputs_between(self, before: State, after: State, given: State | None = None) -> dict[str, Value] | None:
        """Input values with which the step from one state to another can be taken, those that are given among them.

        None if there is no such step.
        """
        inputs = self.machine.input_variables
        if not inputs:
            return {}
        known = [self._is(v, before[v.name], self.terms.now) for v in self.machine.state_variables]
        known += [self._is(v, after[v.name], self.terms.after) for v in self.machine.of_kind(Kind.STATE)]
        known += [self._is(v, given[v.name], self.terms.now) for v in inputs if given is not None and v.name in given]
        return self.picker.pick(self.terms.values.both(*known, self.step.relation), inputs)


def _atoms(z3: Any, formula: z3.BoolRef) -> int:
    """How many atoms there are in a formula."""
    parts = [part for part in formula.children() if z3.is_bool(part)]
    return sum(_atoms(z3, part) for part in parts) if parts else 1
