"""The claims of a design as properties of its machine: assertions, covers, and liveness, each called and placed as in Verilog.

`assert (s_eventually p)` is the formula `G (reached -> F p)` for the moments at which the statement is reached, and `G F p` where
that is always. An assumption of that kind is a condition of fairness: again and again nothing is owed. Where the statement is not
always reached, a state variable remembers that p is owed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from coarsest.formats.yosys.clocks import without_names
from coarsest.formats.yosys.names import ANSWERED, ASKED, REACHED, VIOLATED
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name, conjunction
from coarsest.model.machine import Kind, Machine, Property, Variable, cover, ltl
from coarsest.model.types import Boolean
from coarsest.text import Span

_WITHOUT_NAME = re.compile(r"(?:node|part)_[0-9]+_*")
_STATEMENT = re.compile(r"(?:[\w$.\\\[\]]+\s*:\s*)?((?:assert|cover)\s*(?:property\s*)?\()")


def with_claims(machine: Machine, places: Mapping[str, Span], roles: Mapping[str, str], clock: str) -> Machine:
    """Variables and properties at their places in Verilog, in the order there; an assertion is called as there. The clock is no
    part of the machine where each step is an edge of it."""
    machine = without_names([clock], machine)
    variables = {name: replace(variable, span=places.get(name)) for name, variable in machine.variables.items()}
    machine = replace(machine, variables=variables)
    claims = [_assertion(claim, places) for claim in machine.properties]
    for label, role in roles.items():
        if role == "fair":
            machine = _with_fairness(machine, label)
        else:
            claim = _cover(machine, label) if role == "cover" else _liveness(machine, label)
            span = places.get(label)
            claims.append(replace(claim, span=span, text=_statement(span) or claim.text))
    definitions = {**machine.definitions, **{f"{label}{REACHED}": reached for label, reached in _reached(machine, roles)}}
    assumed = {one.name for one in machine.assumptions if isinstance(one, Name)}
    made_up = assumed | {name for name in definitions if _is_made_up(name, {*places, *roles, *assumed})}
    ordered = sorted(claims, key=lambda claim: _order(claim.span))
    return replace(machine, definitions=definitions, properties=tuple(ordered), made_up=frozenset(made_up))


def _is_made_up(name: str, labels: Collection[str]) -> bool:
    """Is it a definition of ours, or of Yosys: a line without a name, or a part of a claim?"""
    base = re.sub(r"(\.violated|\.reached|\.asked|\.answered|_EN)$", "", name)
    return _WITHOUT_NAME.fullmatch(name) is not None or (base != name and base in labels)


def _order(span: Span | None) -> tuple[bool, str, int]:
    """Claims stand in the order of their files and places; those without a place come last."""
    return (True, "", 0) if span is None else (False, span.source.name, span.start)


def _assertion(claim: Property, places: Mapping[str, Span]) -> Property:
    name = claim.name.removesuffix(VIOLATED)
    span = places.get(name)
    return replace(claim, name=name, span=span, text=_statement(span) or claim.text)


def _statement(span: Span | None) -> str:
    """The statement as its author wrote it, without its label and in one line."""
    match = None if span is None else _STATEMENT.match(span.source.text, span.start)
    if span is None or match is None:
        return ""
    text, depth = span.source.text, 0
    for place in range(match.end() - 1, len(text)):  # macros make the columns of Yosys wrong: parentheses tell the end
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return " ".join(text[match.start(1) : place + 1].split())
    return ""


def _reached(machine: Machine, roles: Mapping[str, str]) -> Iterator[tuple[str, Expr]]:
    """What is to be reached, at a moment up to which all assumptions hold."""
    for label, role in roles.items():
        if role == "cover":
            yield label, conjunction([machine.definitions[f"{label}{REACHED}"], *machine.assumptions])


def _cover(machine: Machine, label: str) -> Property:
    return cover(Name(f"{label}{REACHED}"), label, f"{label}{REACHED}")


def _liveness(machine: Machine, label: str) -> Property:
    answer = Apply("F", (Name(f"{label}{ANSWERED}"),))
    formula: Expr = answer if _is_always_asked(machine, label) else Apply("implies", (Name(f"{label}{ASKED}"), answer))
    return ltl(Apply("G", (formula,)), label, f"G F {label}{ANSWERED}")


def _with_fairness(machine: Machine, label: str) -> Machine:
    """The machine whose fair paths answer again and again, or where nothing is owed again and again."""
    answered, owed = Name(f"{label}{ANSWERED}"), f"{label}.owed"
    if _is_always_asked(machine, label):
        return replace(machine, justice=(*machine.justice, answered))
    is_owed = conjunction([Apply("or", (Name(owed), Name(f"{label}{ASKED}"))), Apply("not", (answered,))])
    return replace(
        machine,
        variables={**machine.variables, owed: Variable(owed, Boolean(), Kind.STATE, added=True)},
        initial_values={**machine.initial_values, owed: FALSE},
        next_values={**machine.next_values, owed: is_owed},
        justice=(*machine.justice, Apply("not", (is_owed,))),
    )


def _is_always_asked(machine: Machine, label: str) -> bool:
    value: Expr = Name(f"{label}{ASKED}")
    while isinstance(value, Name) and value.name in machine.definitions:
        value = machine.definitions[value.name]
    return isinstance(value, Constant) and value == TRUE
