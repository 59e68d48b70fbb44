"""PSL formulas as text that the PSL parser reads back."""

from __future__ import annotations

from coarsest.logic.psl import psl
from coarsest.logic.psl.show_sere import show_condition, show_operand, show_sere


def show_psl(formula: psl.Psl) -> str:
    """Text that reads back as an equal formula."""
    match formula:
        case psl.Atom():
            return show_condition(formula.condition)
        case psl.Not():
            return "!" + _operand(formula.operand)
        case psl.And():
            return " & ".join(map(_operand, formula.operands))
        case psl.Or():
            return " | ".join(map(_operand, formula.operands))
        case psl.Implies():
            return f"{_operand(formula.left)} -> {_operand(formula.right)}"
        case psl.Iff():
            return f"{_operand(formula.left)} <-> {_operand(formula.right)}"
        case psl.Next():
            count = f"[{formula.steps}]" if formula.steps != 1 else ""
            return f"next{count} ({show_psl(formula.operand)})"
        case psl.Always():
            return f"always {_operand(formula.operand)}"
        case psl.Eventually(psl.Sequence() as sequence) if not sequence.strong:  # by itself it would be meant strongly
            return f"eventually! (next[0] ({_operand(sequence)}))"
        case psl.Eventually():
            return f"eventually! {_operand(formula.operand)}"
        case psl.Until():
            return f"{_operand(formula.left)} until{'!' if formula.strong else ''} {_operand(formula.right)}"
        case psl.Sequence():
            return "{" + show_sere(formula.sere) + "}" + ("!" if formula.strong else "")
        case psl.SuffixImplication():
            return "{" + show_sere(formula.sere) + "} |-> " + _operand(formula.then)
        case psl.Abort():
            return f"{_operand(formula.operand)} abort {show_operand(formula.condition)}"


def _operand(formula: psl.Psl) -> str:
    if isinstance(formula, psl.Atom):
        return show_operand(formula.condition)
    text = show_psl(formula)
    return text if isinstance(formula, psl.Sequence) else f"({text})"
