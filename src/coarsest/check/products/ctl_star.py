"""CTL*: innermost path formulas are replaced, one by one, by the sets of states that satisfy them.

Reference: Emerson, Lei 1987, "Modalities for model checking"; Clarke, Grumberg, Peled 1999, section 4.3.
Symbols:   –
Invariant: `satisfying(E (φ))` holds exactly the states from which a fair path satisfies φ.
Deviates:  the linear formula is checked by the tableau, from all reachable states at once.
Cost:      one product and one fair hull per path quantifier.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from coarsest.automata.ltl.ltl_tableau_clarke_grumberg_hamaguchi import product_with_tableau
from coarsest.bdd.transfer import transfer
from coarsest.check.products.ltl import Product, violation_in_product
from coarsest.check.products.stutter import with_stutter
from coarsest.check.setting.arena import Arena
from coarsest.check.setting.ctl import CtlOnStates
from coarsest.logic.branching.ctl import negate
from coarsest.logic.branching.ctl_star import state_formulas
from coarsest.logic.expr import TRUE, Apply, Expr, Name
from coarsest.logic.expr import replace as replace_parts
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.fair_states import fair_states
from coarsest.search.witness import Path
from coarsest.space.bdd.build import build
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.space import StateSpace
from coarsest.space.views import Within

LABEL = "label."
"""Of the names of sets that stand for state formulas; no identifier of a model ends so."""

Set = SymbolicSet[Any]


class CtlStarOnStates(CtlOnStates):
    """CTL with path quantifiers over linear formulas."""

    def __init__(self, arena: Arena, run: Run, options: BuildOptions, *, fair_algorithm: str = "auto") -> None:
        super().__init__(arena, run, fair_algorithm=fair_algorithm)
        self.options = options

    def _compute(self, formula: Expr) -> Set:
        match formula:
            case Apply("E", (path_formula,)):
                return self._some_path(path_formula)
            case Apply("A", (path_formula,)):
                return self.complement(self._some_path(negate(path_formula)))
        return super()._compute(formula)

    def _some_path(self, path_formula: Expr) -> Set:
        """The states from which a fair path satisfies the formula."""
        product, satisfied = self.product(path_formula)
        space = self.total_product(product)
        reached = self._moved(self.space.states, product)
        inside = Within(space, product.set(reached.function & product.states.function))
        fair = fair_states(inside, self.run, inside.states, self.fair_algorithm)
        found = fair & product.where(satisfied)
        own = frozenset(self.arena.base.machine.variables)
        added = [v for v in product.machine.state_variables if v.name not in own]
        projected = product.manager.exists(found.function, product.manager.cube(product.layout.now(added)))
        (function,) = transfer([projected], product.manager, self.arena.base.manager)
        return self.arena.forget(self.arena.base.set(function)) & self.space.states

    def product(self, path_formula: Expr) -> tuple[SymbolicSpace[Any], Expr]:
        """The machine beside the tableau of a path formula, its state formulas replaced by labels."""
        machine = self.arena.base.machine
        labels: dict[str, Set] = {}
        name_of: dict[int, Name] = {}
        for state_formula in state_formulas(path_formula):
            name = Name(f"{LABEL}{len(labels)}")
            labels[name.name] = self.satisfying(state_formula)
            name_of[id(state_formula)] = name
        linear = replace_parts(path_formula, lambda part: name_of.get(id(part)))
        # The body of a label only says on which variables it depends.
        definitions = {name: self._mentions(states) for name, states in labels.items()}
        machine = replace(machine, definitions={**machine.definitions, **definitions})
        tableau = product_with_tableau(machine, linear)
        return build(tableau.machine, self.run, self.options, labels=labels), tableau.satisfied

    def total_product(self, product: SymbolicSpace[Any]) -> StateSpace[Set]:
        return with_stutter(product, self.arena) if self.arena.stuck else product

    def _mentions(self, states: Set) -> Expr:
        support = self.arena.base.manager.support(states.function)
        slots = self.arena.base.layout.slots
        names = [name for name, places in slots.items() if support & set(places.now)]
        return Apply("and", tuple(Apply("=", (Name(name), Name(name))) for name in names)) if names else TRUE

    def _moved(self, states: Set, product: SymbolicSpace[Any]) -> Set:
        (function,) = transfer([states.function], self.arena.base.manager, product.manager)
        return product.set(function)

    def lasso(self, path_formula: Expr) -> tuple[SymbolicSpace[Any], Path[Set]] | None:
        """A fair path from an initial state that satisfies the formula, in the product, if there is one."""
        product, satisfied = self.product(path_formula)
        start = product.initial & product.where(satisfied)
        found = violation_in_product(Product(product, start), self.arena, self.run, fair_algorithm=self.fair_algorithm)
        return None if found is None else (product, found())
