"""Random machines with symmetries that are known: identical parts, and who is meant is the value of a shared variable."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from random import Random

from msgspec.structs import replace as struct_replace

from coarsest.logic.expr import Apply, Constant, Expr, Name, Value, replace
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Kind, Machine, Property, Variable
from coarsest.model.types import Boolean, Enumeration, Range
from coarsest.reduce.symmetry.group.permutation import Permutation, permutation
from random_formulas import FUTURE, ctl_formula, formula

PLACES = ("a", "b")


def moved(expr: Expr, image: dict[int, int]) -> Expr:
    """The condition about the parts that others become: by its text, not by what the package thinks of it."""

    def change(part: Expr) -> Expr | None:
        match part:
            case Name(name) if name[-1].isdigit():
                return Name(name[:-1] + str(image[int(name[-1])]))
            case Constant(value) if isinstance(value, int) and not isinstance(value, bool):
                return Constant(image[value])
        return None

    return replace(expr, change)


def exchange(image: dict[int, int], variables: dict[str, Variable]) -> Permutation:
    """The permutation of states that goes with a permutation of parts."""
    moves = {name: name[:-1] + str(image[int(name[-1])]) for name in variables if name[-1].isdigit()}
    renamed: dict[Value, Value] = dict(image)  # type: ignore[arg-type]
    return permutation(moves, {"turn": renamed} if "turn" in variables else {})


class Symmetric:
    """A machine, and generators of all permutations of its parts."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed)
        self.parts = random.choice([2, 2, 3])
        variables = [Variable(f"x{i}", Boolean()) for i in range(self.parts)]
        if random.random() < 0.4 and self.parts == 2:
            variables += [Variable(f"at{i}", Enumeration(PLACES)) for i in range(self.parts)]
        if random.random() < 0.5 or len(variables) == self.parts:
            variables.append(Variable("turn", Range(0, self.parts - 1), random.choice([Kind.STATE, Kind.STATE, Kind.INPUT])))
        if random.random() < 0.3:
            variables.append(Variable("shared", Boolean()))
        self.variables = {variable.name: variable for variable in variables}
        self.images = [dict(enumerate(order)) for order in permutations(range(self.parts))]
        steps = self.symmetric(lambda: self.condition(3, steps=True), random.choice(["or", "and"]))
        starts = self.symmetric(lambda: self.condition(2), random.choice(["or", "or", "and"]))
        always = (self.symmetric(lambda: self.condition(2), "or"),) if random.random() < 0.2 else ()
        justice = tuple(
            self.symmetric(lambda: self.condition(1), "or") if random.random() < 0.7 else self.condition(1)
            for _ in range(random.choice([0, 0, 1, 1]))
        )
        self.machine = Machine(
            "symmetric", self.variables, initial_constraints=(starts,), invariant_constraints=always,
            transition_constraints=(steps,), justice=justice,
        )  # fmt: skip
        swaps = [{**dict(enumerate(range(self.parts))), i: i + 1, i + 1: i} for i in range(self.parts - 1)]
        self.generators = [exchange(image, self.variables) for image in swaps]

    def spoiled(self) -> Machine:
        """The same without the symmetries, but for what chance leaves of them."""
        return struct_replace(self.machine, transition_constraints=(self.condition(3, steps=True),))

    def symmetric(self, make: Callable[[], Expr], op: str) -> Expr:
        condition = make()
        return Apply(op, tuple(moved(condition, image) for image in self.images))

    def condition(self, depth: int, *, steps: bool = False) -> Expr:
        random = self.random
        if depth == 0 or random.random() < 0.15:
            return self.atom(steps=steps)
        op = random.choice(["and", "or", "or", "implies", "not", "iff"])
        return Apply(op, tuple(self.condition(depth - 1, steps=steps) for _ in range(1 if op == "not" else 2)))

    def atom(self, *, steps: bool = False) -> Expr:
        random = self.random
        names = [v for v in self.variables.values() if steps or v.kind is not Kind.INPUT]
        variable = random.choice(names)
        name: Expr = Name(variable.name)
        if steps and variable.kind is not Kind.INPUT and random.random() < 0.5:
            name = Apply("next", (name,))
        if isinstance(variable.type, Boolean):
            return name
        return Apply("=", (name, Constant(random.choice(list(variable.type.values())))))

    def claims(self) -> list[Property]:
        """Formulas of every kind, half of them as symmetric as the machine."""
        random = self.random

        def atom() -> Expr:
            return self.symmetric(self.atom, random.choice(["or", "and"])) if random.random() < 0.5 else self.atom()

        def linear() -> Expr:
            drawn: dict[str, Expr] = {}
            shape = formula(random, random.randint(2, 6), 3, FUTURE)
            return replace(shape, lambda part: drawn.setdefault(part.name, atom()) if isinstance(part, Name) else None)

        invariants = [self.symmetric(lambda: self.condition(2), "or"), self.condition(2)]
        kinds: list[tuple[PropertyKind, list[Expr]]] = [
            (PropertyKind.INVARIANT, invariants),
            (PropertyKind.CTL, [ctl_formula(random, 2, atom) for _ in range(3)]),
            (PropertyKind.LTL, [linear() for _ in range(3)]),
            (PropertyKind.CTL_STAR, [Apply(random.choice("AE"), (linear(),)) for _ in range(2)]),
        ]
        return [Property(kind, one) for kind, formulas in kinds for one in formulas]


def random_permutation(random: Random, machine: Machine) -> Permutation:
    """Any permutation of the states of a machine: variables of one type change places, and values names."""
    moves: dict[str, str] = {}
    values: dict[str, dict[Value, Value]] = {}
    groups: dict[object, list[str]] = {}
    for name, variable in machine.variables.items():
        groups.setdefault((variable.type, variable.kind), []).append(name)
    for names in groups.values():
        if random.random() < 0.7:
            moves |= dict(zip(names, random.sample(names, len(names))))
        for name in names:
            kind = machine.variables[name].type
            if random.random() < 0.3 and kind.size <= 8:
                every = list(kind.values())
                values[name] = dict(zip(every, random.sample(every, len(every))))
    return permutation(moves, values)
