"""Automata on lassos, from the definition: an independent check that a counterexample is accepted."""

from __future__ import annotations

from coarsest.automata.automaton import Automaton
from coarsest.errors import EvidenceRejected
from coarsest.evidence.enumeration.fair_graph import FairPaths
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace


def confirm_accepted(machine: Machine, trace: Trace, automaton: Automaton) -> None:
    """Check that a lasso is a fair path of the machine that the automaton accepts; raises EvidenceRejected."""
    confirm_lasso(machine, trace, None)
    if not accepts(automaton, trace, Interpreter.of(machine)):
        raise EvidenceRejected("the automaton does not accept the lasso")


def accepts(automaton: Automaton, trace: Trace, interpreter: Interpreter) -> bool:
    """Is there an accepting run on the states of the lasso?"""
    assert trace.loop is not None, "a lasso has a loop"
    alphabet, states = automaton.alphabet, automaton.states
    after: list[list[int]] = []
    marked: list[list[int]] = []
    for position, state in enumerate(trace.states):
        given = trace.inputs[position] if trace.inputs else {}
        truths = [interpreter.satisfies(atom, state, given, trace.arrivals[position]) for atom in alphabet.atoms]
        letter = sum(1 << number for number, truth in enumerate(truths) if truth)
        then = position + 1 if position + 1 < len(trace) else trace.loop
        for edges in automaton.edges:
            moves = [(marks, then * states + target) for guard, marks, target in edges if alphabet.contains(guard, letter)]
            after.append([target for _, target in moves])
            marked.append([marks for marks, _ in moves])
    graph = FairPaths(after, marks=marked, all_marks=automaton.all_sets)
    return not graph.with_fair_path(graph.everything).isdisjoint(automaton.initial)
