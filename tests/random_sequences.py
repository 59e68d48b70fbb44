"""Random sequences and PSL formulas as text, from a seeded generator, and their parser."""

from __future__ import annotations

import random

from coarsest.logic.expr import Expr
from coarsest.logic.psl.parse_psl import parse_psl_expression
from coarsest.text import Source


def parse(text: str) -> Expr:
    """The syntax tree of a PSL formula, which must be the whole text."""
    return parse_psl_expression(Source("<psl>", text))


def condition(rng: random.Random, atoms: int = 2) -> str:
    """A condition on one letter."""
    atom = f"p{rng.randrange(atoms)}"
    kind = rng.random()
    if kind < 0.55:
        return atom
    if kind < 0.75:
        return f"!{atom}"
    if kind < 0.8:
        return "TRUE"
    if kind < 0.83:
        return "FALSE"
    return f"({atom} {rng.choice('&|')} {rng.choice(('', '!'))}p{rng.randrange(atoms)})"


def _range(rng: random.Random, least: int = 0) -> str:
    low = rng.randint(least, 2)
    return rng.choice((str(low), f"{low}:{low + rng.randrange(3)}", f"{low}..{low + 1}", f"{low}:inf"))


def sere(rng: random.Random, size: int, atoms: int = 2) -> str:
    """The inside of the braces of a sequence with about so many operators."""
    if size <= 0:
        leaf = rng.random()
        if leaf < 0.08:
            return rng.choice(("[*0]", "[*]", "[+]", "[*2]"))
        if leaf < 0.2:
            return f"{condition(rng, atoms)}{rng.choice(('[->', '[='))}{_range(rng)}]"
        if leaf < 0.25:
            return f"{condition(rng, atoms)}[->]"
        return condition(rng, atoms)
    op = rng.choice((";", ";", ";", ":", "|", "&&", "&", "within", "[*]", "[*]", "[+]"))
    if op[0] == "[":
        count = "[+]" if op == "[+]" else rng.choice(("[*]", f"[*{_range(rng)}]"))
        return "{" + sere(rng, size - 1, atoms) + "}" + count
    left = rng.randrange(size)
    one, other = sere(rng, left, atoms), sere(rng, size - 1 - left, atoms)
    return f"{{{one}}}; {{{other}}}" if op == ";" else f"{{{one}}} {op} {{{other}}}"


def psl(rng: random.Random, size: int, atoms: int = 2, *, aborts: bool = True) -> str:
    """A formula with about so many operators, sequences counting as one."""
    if size <= 0:
        kind = rng.random()
        if kind < 0.5:
            return condition(rng, atoms)
        return "{" + sere(rng, rng.randrange(4), atoms) + "}" + rng.choice(("", "!"))
    op = rng.choice(_OPERATORS if aborts else _OPERATORS[:-1])
    left = rng.randrange(size)

    def inner(less: int = 1) -> str:
        return psl(rng, size - less, atoms, aborts=aborts)

    if op == "not":
        return f"!({inner()})"
    if op in ("always", "never", "eventually!", "next", "X!", "G", "F"):
        return f"{op} ({inner()})"
    if op in ("|->", "|=>"):
        return "{" + sere(rng, rng.randrange(4), atoms) + "} " + f"{op} ({inner()})"
    if op == "next[]":
        return f"{rng.choice(('next', 'next!'))}[{rng.randrange(4)}] ({inner()})"
    if op in ("next_a", "next_e"):
        low = rng.randrange(3)
        return f"{op}{rng.choice(('', '!'))}[{low}:{low + rng.randrange(3)}] ({inner()})"
    if op == "next_event":
        return f"next_event{rng.choice(('', '!'))}({condition(rng, atoms)}){rng.choice(('', '[1]', '[2]'))} ({inner()})"
    if op in ("next_event_a", "next_event_e"):
        low = rng.randint(1, 2)
        return f"{op}{rng.choice(('', '!'))}({condition(rng, atoms)})[{low}:{low + rng.randrange(2)}] ({inner()})"
    if op == "abort":
        return f"({inner()}) abort ({condition(rng, atoms)})"
    one, other = psl(rng, left, atoms, aborts=aborts), psl(rng, size - 1 - left, atoms, aborts=aborts)
    if op in ("U", "W"):
        return f"[({one}) {op} ({other})]"
    if op in ("until", "before"):
        op += rng.choice(("", "!", "_", "!_"))
    return f"({one}) {op} ({other})"


_OPERATORS = (
    *("not", "&", "|", "->", "<->", "always", "never", "eventually!", "next", "X!", "G", "F"),
    *("|->", "|->", "|->", "|=>", "|=>", "next[]", "next_a", "next_e", "next_event", "next_event_a", "next_event_e"),
    *("U", "W", "until", "before", "abort"),
)
