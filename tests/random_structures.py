"""Random Kripke structures as machines: a private variable for the place, and labels that others see."""

from __future__ import annotations

from random import Random

from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Range


def random_structure(
    rng: Random, place: str, labels: str = "pq", *, places: int = 4, sets: int = 2, total: bool = True, fair: float = 0.5
) -> Machine:
    """A structure with up to so many places and fairness sets; its labels are functions of the place."""
    number = rng.randint(1, places)
    at, everywhere = Name(place), range(number)

    def somewhere(members: list[int]) -> Expr:
        return Apply("in", (at, Apply("set", tuple(map(Constant, members)))))

    moves: list[Expr] = []
    for here in everywhere:
        targets = rng.sample(everywhere, rng.randint(1, min(number, 2)))
        moves += [Apply("=", (at, Constant(here))), Apply("set", tuple(map(Constant, targets)))]
    blocked = () if total else tuple(Apply("!=", (Apply("next", (at,)), Constant(rng.randrange(number)))) for _ in "x")
    justice = [somewhere(rng.sample(everywhere, max(1, round(fair * number)))) for _ in range(rng.randint(0, sets))]
    values = {label: somewhere([here for here in everywhere if rng.random() < 0.5] or [0]) for label in labels}
    return Machine(
        f"structure-{place}",
        {place: Variable(place, Range(0, number - 1), Kind.STATE), **{n: Variable(n, Boolean(), Kind.STATE) for n in labels}},
        initial_values={place: Apply("set", tuple(map(Constant, rng.sample(everywhere, rng.randint(1, min(2, number))))))},
        current_values=values,
        next_values={place: Apply("case", tuple(moves))},
        transition_constraints=blocked,
        justice=tuple(justice),
    )
