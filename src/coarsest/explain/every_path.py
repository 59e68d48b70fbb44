"""Claims about all paths, which no finite path can show, in words."""

from __future__ import annotations

from coarsest.evidence.explanation import Explanation
from coarsest.logic.expr import Apply
from coarsest.logic.show import show


def reason_in_words(claim: Explanation, *, fair: bool = False, origin: str = "from here") -> str:
    """The reason for a claim. For a claim about all paths, it is what the fixpoint has shown about them.

    >>> from coarsest.model.trace import Trace
    >>> from coarsest.logic.parse import parse_expression
    >>> reason_in_words(Explanation(parse_expression("EF (x = 1)"), False, "", Trace(({"x": 0},)), complete=False))
    'no path from here leads to a state where x = 1 is true'
    """
    if claim.complete or not isinstance(claim.formula, Apply):
        return claim.because
    op, args = claim.formula.op, [show(arg) for arg in claim.formula.args]
    path = "fair path" if fair else "path"
    if op in _OF_STEPS:
        return f"{'every' if op == 'AX' else 'no'} step {origin} leads to a state where {args[0]} is true"
    if op not in _WORDS or (op[0] == "E") == claim.holds:  # one path shows it, but is too long to list
        return claim.because
    within = "" if "B" not in op else f" between step {args.pop(0)} and step {args.pop(0)}"
    form, manner = _WORDS[op]
    words = form.format(path=f"{path} {origin}", p=args[0], q=args[-1])
    return words + within + manner


_OF_STEPS = ("AX", "EX")
_WORDS = {
    "AG": ("on every {path}, {p} is always true", ""),
    "AF": ("every {path} leads to a state where {p} is true", ""),
    "AU": ("on every {path}, {p} is true until {q} is", ""),
    "EG": ("on every {path}, {p} is false at some time", ""),
    "EF": ("no {path} leads to a state where {p} is true", ""),
    "EU": ("on no {path} is {p} true until {q} is", ""),
    "ABG": ("on every {path}, {p} is true", ", throughout"),
    "ABF": ("every {path} leads to a state where {p} is true", ""),
    "ABU": ("on every {path}, {p} is true until {q} is", ""),
    "EBG": ("on every {path}, {p} is false", ", at some time"),
    "EBF": ("no {path} leads to a state where {p} is true", ""),
    "EBU": ("on no {path} is {p} true until {q} is", ""),
}
