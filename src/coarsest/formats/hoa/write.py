"""Automata as Hanoi omega-automata text, version 1.

Reference: Babiak, Blahoudek, Duret-Lutz, Klein, Křetínský, Müller, Parker, Strejček, The Hanoi omega-automata format, 2015.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coarsest.automata.automaton import Automaton, Edge
from coarsest.automata.strength import terminal_states
from coarsest.automata.tidy import components_of
from coarsest.logic.letters.guards import Guard
from coarsest.logic.letters.named import NamedLetters
from coarsest.logic.show import show


def write(automaton: Automaton, *, name: str = "", tool: str = "") -> str:
    """The automaton as text. Marks are on states if the edges of each state agree, and on edges otherwise.

    >>> from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
    >>> from coarsest.logic.linear.ltl_from_expr import from_expr
    >>> from coarsest.logic.parse import parse_expression
    >>> print(write(ltl_to_buchi(from_expr(parse_expression("G F x = 1")))), end="")
    HOA: v1
    States: 2
    Start: 0
    AP: 1 "x = 1"
    acc-name: Buchi
    Acceptance: 1 Inf(0)
    properties: trans-labels explicit-labels state-acc no-univ-branch deterministic complete
    --BODY--
    State: 0
    [!0] 0
    [0] 1
    State: 1 {0}
    [!0] 0
    [0] 1
    --END--
    """
    return "".join(f"{line}\n" for line in _lines(_in_atoms(automaton), name, tool))


def _in_atoms(automaton: Automaton) -> Automaton:
    """The same automaton over atoms, if its letters have names and no atoms."""
    if not isinstance(automaton.alphabet, NamedLetters):
        return automaton
    alphabet, guards = automaton.alphabet.in_atoms()
    edges: list[list[Edge]] = []
    for own in automaton.edges:
        edges.append([])
        for letters, marks, target in own:
            union: Any = alphabet.empty
            for letter, guard in enumerate(guards):
                if automaton.alphabet.contains(letters, letter):
                    union = union | guard
            edges[-1].append((union, marks, target))
    return Automaton(alphabet, automaton.initial, edges, automaton.sets)


def _lines(automaton: Automaton, name: str, tool: str) -> Iterator[str]:
    yield "HOA: v1"
    if tool:
        yield f"tool: {_quoted(tool)}"
    if name:
        yield f"name: {_quoted(name)}"
    yield f"States: {automaton.states}"
    for state in automaton.initial:
        yield f"Start: {state}"
    atoms = automaton.alphabet.atoms
    yield " ".join([f"AP: {len(atoms)}", *(_quoted(show(atom)) for atom in atoms)])
    yield f"acc-name: {('all', 'Buchi')[automaton.sets] if automaton.sets < 2 else f'generalized-Buchi {automaton.sets}'}"
    yield f"Acceptance: {automaton.sets} {'&'.join(f'Inf({mark})' for mark in range(automaton.sets)) or 't'}"
    yield f"properties: {' '.join(_properties(automaton))}"
    yield "--BODY--"
    labels: dict[Guard, str] = {}
    on_states = automaton.is_state_based
    for state, edges in enumerate(automaton.edges):
        yield f"State: {state}{_marks(automaton.state_marks(state)) if on_states else ''}"
        for guard, marks, target in edges:
            if guard not in labels:
                labels[guard] = _label(automaton, guard)
            yield f"[{labels[guard]}] {target}{'' if on_states else _marks(marks)}"
    yield "--END--"


def _properties(automaton: Automaton) -> Iterator[str]:
    yield from ("trans-labels", "explicit-labels", "state-acc" if automaton.is_state_based else "trans-acc", "no-univ-branch")
    if automaton.is_deterministic:
        yield "deterministic"
    if automaton.is_complete:
        yield "complete"
    if _is_weak(automaton):
        yield "weak"
        accepting = {state for component in components_of(automaton)[0] if component.accepting for state in component.states}
        if accepting and terminal_states(automaton) == accepting:
            yield "terminal"


def _is_weak(automaton: Automaton) -> bool:
    """Do all edges within a component have the same marks?"""
    _, component_of = components_of(automaton)
    marks_of: dict[int, int] = {}
    for state, edges in enumerate(automaton.edges):
        for _, marks, target in edges:
            component = component_of[state]
            if component >= 0 and component == component_of[target] and marks_of.setdefault(component, marks) != marks:
                return False
    return True


def _marks(marks: int) -> str:
    return f" {{{' '.join(str(mark) for mark in range(marks.bit_length()) if marks >> mark & 1)}}}" if marks else ""


def _label(automaton: Automaton, guard: Guard) -> str:
    cubes = []
    for true, false in automaton.alphabet.cover(guard):
        atoms = (atom for atom in range(len(automaton.alphabet.atoms)) if (true | false) >> atom & 1)
        literals = [f"{'' if true >> atom & 1 else '!'}{atom}" for atom in atoms]
        cubes.append("&".join(literals) or "t")
    return " | ".join(cubes) or "f"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
