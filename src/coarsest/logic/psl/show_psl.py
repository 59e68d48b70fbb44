"""PSL formulas as text that the PSL parser reads back."""

from __future__ import annotations

from coarsest.logic.psl.psl import (
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
from coarsest.logic.psl.show_sere import show_condition, show_operand, show_sere


def show_psl(formula: Psl) -> str:
    """Text that reads back as an equal formula."""
    match formula:
        case Atom():
            return show_condition(formula.condition)
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
            return f"next{count} ({show_psl(formula.operand)})"
        case Always():
            return f"always {_operand(formula.operand)}"
        case Eventually(Sequence() as sequence) if not sequence.strong:  # by itself it would be meant strongly
            return f"eventually! (next[0] ({_operand(sequence)}))"
        case Eventually():
            return f"eventually! {_operand(formula.operand)}"
        case Until():
            return f"{_operand(formula.left)} until{'!' if formula.strong else ''} {_operand(formula.right)}"
        case Sequence():
            return "{" + show_sere(formula.sere) + "}" + ("!" if formula.strong else "")
        case SuffixImplication():
            return "{" + show_sere(formula.sere) + "} |-> " + _operand(formula.then)
        case Abort():
            return f"{_operand(formula.operand)} abort {show_operand(formula.condition)}"


def _operand(formula: Psl) -> str:
    if isinstance(formula, Atom):
        return show_operand(formula.condition)
    text = show_psl(formula)
    return text if isinstance(formula, Sequence) else f"({text})"
