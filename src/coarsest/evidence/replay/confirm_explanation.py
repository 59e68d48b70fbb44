"""An independent check of explanations: every path is a path of the model, and every claim follows from its parts.

Claims about all paths (`complete` is False) are not checked: the caller must see whether there are any.
"""

from __future__ import annotations

from coarsest.errors import EvidenceRejected
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.replay.lasso import confirm_fair, confirm_steps
from coarsest.logic.branching.ctl import bounds, is_temporal
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.show import show
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.phases import CLOCK, EVIDENCE


@CLOCK.phase(EVIDENCE)
def confirm_explanation(machine: Machine, explanation: Explanation) -> None:
    """Raise EvidenceRejected if the explanation does not show its claim."""
    interpreter = Interpreter.of(machine)
    problem = interpreter.why_not_initial(explanation.trace.states[0])
    if problem:
        raise EvidenceRejected(f"the explanation does not begin in an initial state: {problem}")
    _Confirmer(machine, interpreter).confirm(explanation)


class _Confirmer:
    def __init__(self, machine: Machine, interpreter: Interpreter) -> None:
        self.machine = machine
        self.interpreter = interpreter

    def confirm(self, claim: Explanation) -> None:
        confirm_steps(self.interpreter, claim.trace)
        for position, part in claim.parts:
            if not 0 <= position < len(claim.trace) or part.trace.states[0] != claim.trace.states[position]:
                raise EvidenceRejected(f"a part of the explanation of {show(claim.formula)} is about another state")
            self.confirm(part)
        if not claim.complete:
            return
        formula = claim.formula
        if not is_temporal(formula):
            self._require(self._atom(claim, 0, formula) == claim.holds, claim)
            return
        assert isinstance(formula, Apply)
        if formula.op in ("not", "and", "or", "implies", "iff", "xnor", "xor"):
            self._require(self._connective(claim, formula) == claim.holds, claim)
        else:
            self._require((formula.op[0] == "E") == claim.holds and self._path(claim, formula), claim)

    def _require(self, condition: bool | None, claim: Explanation) -> None:  # noqa: FBT001
        if not condition:
            word = "true" if claim.holds else "false"
            raise EvidenceRejected(f"the explanation does not show that {show(claim.formula)} is {word}")

    def _atom(self, claim: Explanation, position: int, formula: Expr) -> bool:
        inputs = claim.trace.inputs[position] if position < len(claim.trace.inputs) else {}
        return self.interpreter.satisfies(formula, claim.trace.states[position], inputs)

    def _truth(self, claim: Explanation, position: int, formula: Expr) -> bool | None:
        """The truth of a formula at a position of the trace: by evaluation, or by an explained part; None if nothing shows it."""
        if not is_temporal(formula):
            return self._atom(claim, position, formula)
        return next((part.holds for k, part in claim.parts if k == position and part.formula == formula), None)

    def _connective(self, claim: Explanation, formula: Apply) -> bool | None:
        values = [self._truth(claim, 0, arg) for arg in formula.args]
        match formula.op:
            case "not":
                return None if values[0] is None else not values[0]
            case "and":
                return False if False in values else None if None in values else True
            case "or":
                return True if True in values else None if None in values else False
            case "implies":
                p, q = values
                return True if p is False or q is True else None if p is None or q is None else False
        p, q = values
        return None if p is None or q is None else (p == q) != (formula.op == "xor")

    def _path(self, claim: Explanation, formula: Apply) -> bool:
        """Does the path show the existential claim, or refute the universal one?"""
        op, holds, last = formula.op, claim.holds, len(claim.trace) - 1

        def is_(position: int, argument: int) -> bool:
            return self._truth(claim, position, formula.args[argument]) == holds

        match op:
            case "EX" | "AX":
                return last == 1 and is_(1, 0)
            case "EF" | "AG":
                return is_(last, 0)
            case "EG" | "AF":
                return self._fair_loop(claim) and all(is_(i, 0) for i in range(last + 1))
            case "EU":
                return is_(last, 1) and all(is_(i, 0) for i in range(last))
            case "AU":
                if claim.trace.loop is not None:
                    return self._fair_loop(claim) and all(is_(i, 1) for i in range(last + 1))
                return is_(last, 0) and all(is_(i, 1) for i in range(last + 1))
        low, high = bounds(formula)
        between = range(low, high + 1)
        match op:
            case "EBF" | "ABG":
                return last in between and is_(last, 2)
            case "EBG" | "ABF":
                return last == high and all(is_(i, 2) for i in between)
            case "EBU":
                return last in between and is_(last, 3) and all(is_(i, 2) for i in range(last))
        before = [i for i in range(last + 1) if i >= low]
        return all(is_(i, 3) for i in before) and (is_(last, 2) or last == high)

    def _fair_loop(self, claim: Explanation) -> bool:
        confirm_fair(self.machine, self.interpreter, claim.trace)
        return True
