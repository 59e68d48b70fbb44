"""PSL formulas as text that the PSL parser reads back."""

from __future__ import annotations

from coarsest.logic.psl import (
    Abort,
    Always,
    And,
    Atom,
    Eventually,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Psl,
    Sequence,
    SuffixImplication,
    Until,
)
from coarsest.logic.sere_text import condition_text, operand_text, sere_text


def psl_text(formula: Psl) -> str:
    """Text that reads back as an equal formula."""
    match formula:
        case Atom():
            return condition_text(formula.condition)
        case Not():
            return "!" + _operand(formula.operand)
        case And():
            return " & ".join(map(_operand, formula.operands))
        case Or():
            return " | ".join(map(_operand, formula.operands))
        case Implies():
            return f"{_operand(formula.left)} -> {_operand(formula.right)}"
        case Iff():
            return f"{_operand(formula.left)} <-> {_operand(formula.right)}"
        case Next():
            count = f"[{formula.steps}]" if formula.steps != 1 else ""
            return f"next{count} ({psl_text(formula.operand)})"
        case Always():
            return f"always {_operand(formula.operand)}"
        case Eventually():
            return f"eventually! {_operand(formula.operand)}"
        case Until():
            return f"{_operand(formula.left)} until{'!' if formula.strong else ''} {_operand(formula.right)}"
        case Sequence():
            return "{" + sere_text(formula.sere) + "}" + ("!" if formula.strong else "")
        case SuffixImplication():
            return "{" + sere_text(formula.sere) + "} |-> " + _operand(formula.then)
        case Abort():
            return f"{_operand(formula.operand)} abort {operand_text(formula.condition)}"


def _operand(formula: Psl) -> str:
    if isinstance(formula, Atom):
        return operand_text(formula.condition)
    text = psl_text(formula)
    return text if isinstance(formula, Sequence) else f"({text})"
