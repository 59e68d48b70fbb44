"""The claims of a design as properties of its machine: assertions, covers, and liveness, with names and positions in Verilog.

`assert (s_eventually p)` becomes the formula `G (reached -> F p)`, or `G F p` if the statement is always reached. An assumption
of that kind becomes a condition of fairness: infinitely often, p is not owed. If the statement is not always reached, a state
variable remembers that p is owed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

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
    """The machine with variables and properties that have their positions and names in Verilog, and its order. The clock is not
    part of the machine if each step is an edge of it."""
    machine = without_names([clock], machine)
    variables = {name: replace(variable, span=places.get(name)) for name, variable in machine.variables.items()}
    machine = replace(machine, variables=variables)
    claims = [replace(claim, name=claim.name.removesuffix(VIOLATED)) for claim in machine.properties]
    for label, role in roles.items():
        if role == "fair":
            machine = _with_fairness(machine, label)
        else:
            claims.append(cover(Name(f"{label}{REACHED}"), label, f"{label}{REACHED}") if role == "cover"
                          else _liveness(machine, label))  # fmt: skip
    claims = [_placed(claim, places.get(claim.name)) for claim in claims]
    definitions = dict(machine.definitions)
    for label in (label for label, role in roles.items() if role == "cover"):  # assumptions must hold until it is reached
        reached = f"{label}{REACHED}"
        definitions[reached] = conjunction([machine.definitions[reached], *machine.assumptions])
    assumed = {part.name for part in machine.assumptions if isinstance(part, Name)}
    made_up = assumed | {name for name in definitions if _is_made_up(name, {*places, *roles, *assumed})}
    claims.sort(key=lambda claim: (True, "", 0) if claim.span is None else (False, claim.span.source.name, claim.span.start))
    return replace(machine, definitions=definitions, properties=tuple(claims), made_up=frozenset(made_up))


def _is_made_up(name: str, labels: Collection[str]) -> bool:
    """Is it a definition of ours, or of Yosys: a line without a name, or a part of a claim?"""
    base = re.sub(r"(\.violated|\.reached|\.asked|\.answered|_EN)$", "", name)
    return _WITHOUT_NAME.fullmatch(name) is not None or (base != name and base in labels)


def _placed(claim: Property, span: Span | None) -> Property:
    """The claim at its position, with the statement that its author wrote there, without its label and in one line."""
    if span is None or (match := _STATEMENT.match(span.source.text, span.start)) is None:
        return replace(claim, span=span)
    text, depth = span.source.text, 0
    for k in range(match.end() - 1, len(text)):  # macros make the columns of Yosys wrong, so parentheses decide where it ends
        depth += (text[k] == "(") - (text[k] == ")")
        if not depth:
            return replace(claim, span=span, text=" ".join(text[match.start(1) : k + 1].split()))
    return replace(claim, span=span)


def _liveness(machine: Machine, label: str) -> Property:
    answer = Apply("F", (Name(f"{label}{ANSWERED}"),))
    formula: Expr = answer if _is_always_asked(machine, label) else Apply("implies", (Name(f"{label}{ASKED}"), answer))
    return ltl(Apply("G", (formula,)), label, f"G F {label}{ANSWERED}")


def _with_fairness(machine: Machine, label: str) -> Machine:
    """The machine on whose fair paths, infinitely often, there is an answer, or nothing is owed."""
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
