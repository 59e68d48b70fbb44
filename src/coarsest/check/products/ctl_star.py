"""CTL*: innermost path formulas are replaced, one by one, by the sets of states that satisfy them.

Reference: Emerson, Lei 1987, "Modalities for model checking"; Clarke, Grumberg, Peled 1999, section 4.3.
Symbols:   –
Invariant: `satisfying(E (φ))` holds exactly the states from which a fair path satisfies φ.
Deviates:  the linear formula is checked from all reachable states at once: by its tableau on BDDs, elsewhere by its automaton.
Cost:      one product and one fair hull per path quantifier.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import reduce
from typing import Any

from msgspec.structs import replace

from coarsest.automata.ltl.ltl_tableau_clarke_grumberg_hamaguchi import product_with_tableau
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.bdd.transfer import transfer
from coarsest.check.products.ltl import Product, violation_in_partition, violation_in_product
from coarsest.check.products.stutter import with_stutter
from coarsest.check.setting.arena import Arena
from coarsest.check.setting.ctl import CtlOnStates
from coarsest.logic.branching.ctl import negate
from coarsest.logic.branching.ctl_star import state_formulas
from coarsest.logic.expr import TRUE, Apply, Expr, Name
from coarsest.logic.expr import replace as replace_parts
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.fair_states import fair_states
from coarsest.search.witness import Path
from coarsest.space.bdd.build import build
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace, symbolic
from coarsest.space.carrier import Carrier
from coarsest.space.partitioned import PartitionedSpace
from coarsest.space.space import S, StateSpace
from coarsest.space.views import RestrictedSpace, View

LABEL = "label."
"""The names of sets that stand for state formulas begin with this; no identifier of a model ends with it."""

Set = SymbolicSet[Any]


class CtlStarOnStates(CtlOnStates[S], ABC):
    """CTL with path quantifiers over linear formulas; subclasses know how to find the paths."""

    def _compute(self, formula: Expr) -> S:
        match formula:
            case Apply("E", (path_formula,)):
                return self._some_path(path_formula)
            case Apply("A", (path_formula,)):
                return self.complement(self._some_path(negate(path_formula)))
        return super()._compute(formula)

    @abstractmethod
    def _some_path(self, path_formula: Expr) -> S:
        """The states from which a fair path satisfies the formula."""

    @abstractmethod
    def lasso(self, path_formula: Expr) -> tuple[Carrier[S], Path[S]] | None:
        """A fair path from an initial state that satisfies the formula, if there is one, and the space of its states."""


def ctl_star_on(arena: Arena[Any], run: Run, options: BuildOptions, *, fair_algorithm: str) -> CtlStarOnStates[Any]:
    """By a tableau in variables beside those of the model, where sets are BDDs; by an automaton elsewhere."""
    if arena.base.holds_diagrams:
        return CtlStarByTableau(arena, run, options, fair_algorithm=fair_algorithm)
    return CtlStarByAutomaton(arena, run, fair_algorithm=fair_algorithm)


class CtlStarByAutomaton(CtlStarOnStates[S]):
    """On sets that are split by the vertices of the automaton of a path formula."""

    def _some_path(self, path_formula: Expr) -> S:
        product = self._product(path_formula)
        fair = fair_states(product, self.run, product.states, self.fair_algorithm)
        begin = [fair.parts[vertex] for vertex in product.automaton.initial]
        return self.arena.forget(reduce(lambda a, b: a | b, begin, self.space.empty)) & self.space.states

    def _product(self, path_formula: Expr) -> PartitionedSpace[S]:
        linear, stands_for = without_state_formulas(path_formula)
        return PartitionedSpace(_Labelled(self, stands_for), ltl_to_buchi(from_expr(linear), self.run, smallest=False))

    def lasso(self, path_formula: Expr) -> tuple[Carrier[S], Path[S]] | None:
        product, arena = self._product(path_formula), self.arena
        path = violation_in_partition(
            product, self.run, arena.start, self.fair, reachable=arena.reached, fair_algorithm=self.fair_algorithm
        )
        return None if path is None else (arena.base, path())


class _Labelled(View[S]):
    """The space of a checker, where names stand for state formulas."""

    def __init__(self, checker: CtlStarByAutomaton[S], stands_for: Mapping[str, Expr]) -> None:
        super().__init__(checker.space)
        self._checker = checker
        self._stands_for = stands_for

    def where(self, label: Expr) -> S:
        return self._checker.satisfying(
            replace_parts(label, lambda part: self._stands_for.get(part.name) if isinstance(part, Name) else None)
        )


def without_state_formulas(path_formula: Expr) -> tuple[Expr, dict[str, Expr]]:
    """The formula with names in the place of the state formulas in it, and what each of them stands for."""
    names: dict[int, Name] = {}
    stands_for: dict[str, Expr] = {}
    for state_formula in state_formulas(path_formula):
        names[id(state_formula)] = name = Name(f"{LABEL}{len(names)}")
        stands_for[name.name] = state_formula
    return replace_parts(path_formula, lambda part: names.get(id(part))), stands_for


class CtlStarByTableau(CtlStarOnStates[Set]):
    """On the product with the tableau of a path formula, in BDDs."""

    def __init__(self, arena: Arena[Set], run: Run, options: BuildOptions, *, fair_algorithm: str = "auto") -> None:
        super().__init__(arena, run, fair_algorithm=fair_algorithm)
        self.options = options
        self.base = symbolic(arena.base)

    def _some_path(self, path_formula: Expr) -> Set:
        product, satisfied = self.product(path_formula)
        space: StateSpace[Set] = with_stutter(product, self.arena) if self.arena.stuck else product
        (reached,) = transfer([self.space.states.function], self.base.manager, product.manager)
        inside = RestrictedSpace(space, product.set(reached & product.states.function))
        begin = fair_states(inside, self.run, inside.states, self.fair_algorithm) & product.where(satisfied)
        own = frozenset(self.base.machine.variables)
        added = [v for v in product.machine.state_variables if v.name not in own]
        projected = product.manager.exists(begin.function, product.manager.cube(product.layout.now(added)))
        (function,) = transfer([projected], product.manager, self.base.manager)
        return self.arena.forget(self.base.set(function)) & self.space.states

    def product(self, path_formula: Expr) -> tuple[SymbolicSpace[Any], Expr]:
        """The machine beside the tableau of a path formula, its state formulas replaced by labels."""
        machine = self.base.machine
        linear, stands_for = without_state_formulas(path_formula)
        labels = {name: self.satisfying(state_formula) for name, state_formula in stands_for.items()}
        # The body of a label says only which variables it depends on.
        definitions = {name: self._mentions(states) for name, states in labels.items()}
        machine = replace(machine, definitions={**machine.definitions, **definitions})
        tableau = product_with_tableau(machine, linear)
        return build(tableau.machine, self.run, self.options, labels=labels), tableau.satisfied

    def _mentions(self, states: Set) -> Expr:
        support = self.base.manager.support(states.function)
        slots = self.base.layout.slots
        names = [name for name, bits in slots.items() if support & set(bits.now)]
        return Apply("and", tuple(Apply("=", (Name(name), Name(name))) for name in names)) if names else TRUE

    def lasso(self, path_formula: Expr) -> tuple[Carrier[Set], Path[Set]] | None:
        product, satisfied = self.product(path_formula)
        start = product.initial & product.where(satisfied)
        violation = violation_in_product(Product(product, start), self.arena, self.run, fair_algorithm=self.fair_algorithm)
        return None if violation is None else (product, violation())
