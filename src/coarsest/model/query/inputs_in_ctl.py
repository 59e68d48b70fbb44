"""Inputs in formulas about the tree of paths: conditions on the inputs of one step, beside quantifiers over all steps.

A path quantifier does not depend on the inputs, so `cmd = write -> AX x` would not be about the step with that input: such
formulas are refused. Alone under a path quantifier, as in `AG (cmd = write -> x)`, the meaning of inputs is clear.
"""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.errors import Unsupported
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.branching.ltl_to_ctl import without_quantifiers
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.operators import BOOLEAN_CONNECTIVES
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import CTL_OPERATORS, PATH_QUANTIFIERS
from coarsest.model.machine import Machine
from coarsest.model.parts.promote_inputs import inputs_mentioned

_QUANTIFIED = CTL_OPERATORS | PATH_QUANTIFIERS
_UNTIL = frozenset({"AU", "EU", "ABU", "EBU", "U", "V", "S", "T"})
"""Both operands are evaluated in the state where the first ends and the second begins."""


def require_inputs_apart(machine: Machine, formula: Expr) -> None:
    """Raise Unsupported where a condition on inputs is beside a path quantifier; the hint has a formula of LTL."""
    if not inputs_mentioned(machine, [formula]):
        return
    for group in _groups(formula):
        about_all = next((part for part in group if isinstance(part, Apply) and part.op in _QUANTIFIED), None)
        about_one = next((part for part in group if not is_temporal(part) and inputs_mentioned(machine, [part])), None)
        if about_all is not None and about_one is not None:
            linear = without_quantifiers(formula)
            hint = "a variable of the model can remember the inputs of a step: next(v) := …"
            if linear is not None:
                hint = f"in LTL, both are about the same step: {show(linear)}"
            message = f"`{show(about_one)}` is about the inputs of one step, `{show(about_all)}` is not, and CTL cannot join them"
            raise Unsupported(message, about_one.span or formula.span, hint=hint)


def _groups(formula: Expr) -> Iterator[list[Expr]]:
    """The parts of a formula that are about one state, for each state that its operators lead to."""
    waiting = [formula]
    while waiting:
        group: list[Expr] = []
        inside = [waiting.pop()]
        while inside:
            part = inside.pop()
            if not isinstance(part, Apply) or not is_temporal(part):
                group.append(part)
            elif part.op in BOOLEAN_CONNECTIVES:
                inside.extend(reversed(part.args))
            else:
                group.append(part)
                waiting.extend([Apply("and", part.args, part.span)] if part.op in _UNTIL else part.args)
        yield group
