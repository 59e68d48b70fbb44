"""Formulas about fair graphs with one kind of fixpoint: what game simulation preserves, and tells apart by.

A formula is a label and a conjunction of variables; each variable has an equation X = <a>(p & X1 & …): some step by `a` leads
to a state with the label `p` where the variables on the right are true, too. The largest solution of the equations is meant, as
far as paths are fair. To say it by a game: somebody who claims the formula chooses steps, and an opponent chooses one of the
variables on the right. The claim is won if it ends at a right side without variables, or if the path goes on for ever and is
fair.

There is no negation, no box and no least fixpoint in it. Its negation, with [a], disjunctions and least fixpoints, is a formula
of the universal alternation-free µ-calculus over fair structures.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from coarsest.logic.modal.hennessy_milner import Builder, action_text
from coarsest.logic.modal.hennessy_milner import show as show_modal


class Equation(NamedTuple):
    """X = <action>(label & parts); the parts are numbers of equations."""

    action: str
    label: str
    parts: tuple[int, ...]


class FairFixpoint(Struct, frozen=True):
    """The label of the first state, the variables that are claimed there, and the equations of all variables."""

    label: str
    parts: tuple[int, ...]
    equations: tuple[Equation, ...]

    def smallest(self) -> FairFixpoint:
        """The same formula with one variable for all whose equations say the same, numbered as they are met."""
        block = [0] * len(self.equations)
        while True:
            looks = [(one.action, one.label, frozenset(block[part] for part in one.parts)) for one in self.equations]
            numbers = {look: number for number, look in enumerate(dict.fromkeys(looks))}
            finer = [numbers[look] for look in looks]
            if finer == block:
                break
            block = finer
        first = {number: looks.index(look) for look, number in numbers.items()}
        order = list(dict.fromkeys(block[part] for part in self.parts))
        for number in order:
            order += [b for part in self.equations[first[number]].parts if (b := block[part]) not in order]
        place = {number: i for i, number in enumerate(order)}

        def moved(parts: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(dict.fromkeys(place[block[part]] for part in parts))

        equations = [self.equations[first[number]] for number in order]
        return FairFixpoint(self.label, moved(self.parts), tuple(one._replace(parts=moved(one.parts)) for one in equations))

    def show(self, *, labels: bool, actions: bool) -> str:
        """As a text; `labels` and `actions` say whether there is more than one of them.

        >>> FairFixpoint("p", (0,), (Equation("a", "p", (0, 1)), Equation("b", "q", ()))).show(labels=True, actions=True)
        'label "p" & X0 where X0 = <a>(label "p" & X0 & X1), X1 = <b>(label "q")'
        """

        def conjunction(label: str, parts: tuple[int, ...]) -> list[str]:
            make = Builder()
            return [show_modal(make.formula(make.label(label)))] * labels + [f"X{part}" for part in parts] or ["true"]

        rows = []
        for number, one in enumerate(self.equations):
            inner = " & ".join(conjunction(one.label, one.parts))
            step = action_text(one.action) if actions else ""
            modality = f"<{step}>" if actions else "EX "
            rows.append(f"X{number} = {modality}{f'({inner})' if ' ' in inner else inner}")
        whole = " & ".join(conjunction(self.label, self.parts))
        return f"{whole} where {', '.join(rows)}" if rows else whole
