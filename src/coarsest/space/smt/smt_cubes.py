"""Small formulas for sets of states: a disjunction of few prime cubes, or the negation of one.

Reference: Quine 1955 (prime implicants); McMillan 2002 (a satisfying assignment is generalised by an unsatisfiable core).
Symbols:   a *literal* is an atom of the formula or its negation, a *cube* a conjunction of literals.
Invariant: the cubes found imply the formula, and no literal of a cube can be left out.
Deviates:  everything is relative to what the solver assumes (the legal states), so that nothing implied by it is repeated; a set
           whose complement needs fewer cubes is kept as the negation of that; where both need too many, the formula is kept as
           z3 simplifies it in context.
Cost:      per cube one satisfiability question and one core; at most FORMULA_CUBES of them twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from coarsest import tuning
from coarsest.space.smt.smt_shape import Literal, Shape
from coarsest.space.smt.smt_solver import Solver

if TYPE_CHECKING:
    import z3

CUBES_SMALL_ENOUGH: Final = 2
"""Where there are more cubes, those of the complement may be fewer."""

Cube: TypeAlias = Sequence[Literal]


class Cubes:
    """Finds small formulas. Both solvers assume the same: one looks for states, the other for cores."""

    def __init__(self, finder: Solver, judge: Solver) -> None:
        self.finder = finder
        self.judge = judge
        self.z3 = finder.z3
        self.context = finder.context

    def small(self, formula: z3.BoolRef) -> z3.BoolRef:
        """An equivalent formula in normal form."""
        z3 = self.z3
        formula = self._without_choices(formula)
        if z3.is_true(formula) or z3.is_false(formula):
            return formula
        shape = _Literals(z3, self.context, formula)
        cubes = self._cover(shape, wanted=True)
        if cubes is not None and len(cubes) <= CUBES_SMALL_ENOUGH:
            return shape.disjunction(cubes)
        others = self._cover(shape, wanted=False)
        if others is not None and (cubes is None or _size(others) < _size(cubes)):
            return z3.simplify(z3.Not(shape.disjunction(others)))
        return shape.disjunction(cubes) if cubes is not None else self.finder.in_context(formula)

    def _without_choices(self, formula: z3.BoolRef) -> z3.BoolRef:
        """The formula without `if` inside numbers, so that its atoms are linear inequalities."""
        z3 = self.z3
        found = z3.simplify(formula, arith_lhs=True)
        if not _has_choice(z3, found):
            return found
        return z3.simplify(self.finder.transformed(found, "blast-term-ite"), arith_lhs=True)

    def _cover(self, shape: _Literals, *, wanted: bool) -> list[Cube] | None:
        """Cubes whose disjunction is the formula, or its negation; None if there are too many."""
        finder, judge, z3 = self.finder, self.judge, self.z3
        formula, opposite = (shape.formula, z3.Not(shape.formula))[:: 1 if wanted else -1]
        cubes: list[Cube] = []
        shape.forget_marks()  # what a mark means is told to the judge anew for each cover
        with finder.given(formula), judge.given(opposite):
            while (model := finder.check()) is not None:
                if len(cubes) == tuning.FORMULA_CUBES:
                    return None
                literals = shape.implicant(shape.truth_in(model), wanted=wanted)
                marks = [shape.mark(literal, judge) for literal in literals]
                contradiction = judge.check(*marks) is None
                assert contradiction, "literals that make a formula true contradict its negation"
                core = judge.core()
                cubes.append([literal for literal, mark in zip(literals, marks) if mark.get_id() in core])
                finder.add(z3.Not(shape.conjunction(cubes[-1])))
        return self._irredundant(shape, cubes)

    def _irredundant(self, shape: _Literals, cubes: list[Cube]) -> list[Cube]:
        """The cubes without those that the others cover."""
        kept = list(cubes)
        for cube in cubes if len(cubes) > 1 else ():
            others = [other for other in kept if other is not cube]
            if others and not self.finder.satisfiable(shape.conjunction(cube), self.z3.Not(shape.disjunction(others))):
                kept = others
        return kept


class _Literals(Shape):
    """The shape of a formula, with its literals as formulas again."""

    def __init__(self, z3: Any, context: Any, formula: z3.BoolRef) -> None:
        super().__init__(z3, formula)
        self.context = context
        self.formula = formula
        self._terms: dict[Literal, Any] = {}
        self._marks: dict[Literal, Any] = {}

    def truth_in(self, model: z3.ModelRef) -> Callable[[int], bool]:
        known: dict[int, bool] = {}

        def truth(number: int) -> bool:
            if number not in known:
                known[number] = bool(self.z3.is_true(model.eval(self.atoms[number], model_completion=True)))
            return known[number]

        return truth

    def mark(self, literal: Literal, judge: Solver) -> z3.BoolRef:
        """A variable that stands for the literal in questions for a core."""
        if literal not in self._marks:
            mark = self._marks[literal] = self.z3.Bool(f"mark!{literal[0]}!{literal[1]}", self.context)
            judge.add(self.z3.Implies(mark, self.term(literal)))
        return self._marks[literal]

    def forget_marks(self) -> None:
        self._marks.clear()

    def term(self, literal: Literal) -> z3.BoolRef:
        if literal not in self._terms:
            atom = self.atoms[literal[0]]
            self._terms[literal] = atom if literal[1] else self.z3.simplify(self.z3.Not(atom), arith_lhs=True)
        return self._terms[literal]

    def conjunction(self, cube: Cube) -> z3.BoolRef:
        literals = dict.fromkeys(cube)
        terms = []
        for (low, high), equation in self.equations.items():
            if (low, True) in literals and (high, True) in literals:
                del literals[low, True], literals[high, True]
                terms.append(equation)
        terms += [self.term(literal) for literal in literals]
        return self.z3.BoolVal(True, self.context) if not terms else terms[0] if len(terms) == 1 else self.z3.And(terms)

    def disjunction(self, cubes: Sequence[Cube]) -> z3.BoolRef:
        parts = [self.conjunction(cube) for cube in cubes]
        return self.z3.BoolVal(False, self.context) if not parts else parts[0] if len(parts) == 1 else self.z3.Or(parts)


def _size(cubes: Sequence[Cube]) -> int:
    return sum(len(cube) + 1 for cube in cubes)


def _has_choice(z3: Any, formula: z3.BoolRef) -> bool:
    """Is there an `if` between numbers?"""
    waiting, seen = [formula], set()
    while waiting:
        part = waiting.pop()
        if part.get_id() in seen:
            continue
        seen.add(part.get_id())
        if z3.is_app_of(part, z3.Z3_OP_ITE) and not z3.is_bool(part):
            return True
        waiting.extend(part.children())
    return False
