"""Assertion graphs on abstract circuits: what holds, holds; what may fail is looked for on the circuit itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from coarsest import tuning
from coarsest.bdd.packages import new_manager
from coarsest.bdd.sifting import Reordering
from coarsest.check.gste.graph_by_bounded_search import AssertionGraphSearch
from coarsest.check.gste.gste_ternary import Suspicion, TernaryOutcome, gste_ternary
from coarsest.check.questions.finding import Finding, Proved, Refuted, Undecided
from coarsest.check.questions.question import Along, Question
from coarsest.check.setting.session import Session
from coarsest.encode.layout import bits_of
from coarsest.errors import InputError, LimitExceeded, NameProblem
from coarsest.model.assertion_graph import AssertionGraph
from coarsest.model.machine import Kind, Machine
from coarsest.model.parts.part import cone
from coarsest.options.methods import BuildOptions
from coarsest.run import Run, Statistic
from coarsest.space.ternary.ternary_circuit import TernaryCircuit
from coarsest.text.near import nearest

MOST_NAMES: Final = 4
"""A reason names at most this many variables."""


def decide(question: Question[Along], session: Session) -> Finding:
    """Abstract first; then, where a violation is suspected, a search on the circuit itself."""
    claim, graph = question.claim, question.claim.graph
    precise = frozenset(named(session.machine, claim.how.precise))
    machine = cone(graph.conditions)(session.machine).machine if session.options.cone else session.machine
    circuit = _circuit(machine, precise, session.build, session.run)
    outcome = gste_ternary(circuit, graph, claim.semantics, session.run)
    facts = _facts(circuit, graph, outcome)
    session.account_for(facts)
    if outcome.suspicion is None:
        return Proved(facts=facts, vertices=outcome.reached)
    first = outcome.suspicion.steps
    last = first + 2 * len(graph.vertices) + tuning.STEPS_OF_A_SAT_PROBE // 2
    try:
        path = AssertionGraphSearch(question.part.machine, graph, claim.semantics, session.run).shortest(first=first, last=last)
        searched = f"no path of up to {last} steps violates it"
    except LimitExceeded as limit:
        if limit.limit != "solver":
            raise
        path, searched = None, f"the search for a violation was given up, because {limit}"
    if path is not None:
        return Refuted(path.trace, facts, vertices=path.vertices, last_inputs=path.last_inputs)
    exact = all(name in circuit.kept or name in machine.current_values for name in machine.variables)
    reason = f"of abstraction: {_suspected(circuit, graph, outcome.suspicion)}; {searched}"
    return Undecided(reason, facts, is_for_others=exact)


def _circuit(machine: Machine, kept: frozenset[str], build: BuildOptions, run: Run) -> TernaryCircuit[Any]:
    reordering = Reordering(threshold=tuning.REORDERING_NODES) if build.reorder else None
    bits = sum(bits_of(v.type) for v in machine.variables.values() if v.kind is Kind.FROZEN or v.name in kept)
    limits = run.limits
    manager = new_manager(
        build.bdd, mebibytes=limits.mebibytes, node_limit=limits.nodes, reorder=reordering, bits=bits, threads=build.threads
    )
    circuit: TernaryCircuit[Any] = TernaryCircuit(machine, manager, kept=kept, order=build.order)
    if reordering is not None:
        reordering.groups = circuit.groups
    return circuit


def _facts(circuit: TernaryCircuit[Any], graph: AssertionGraph, outcome: TernaryOutcome[Any]) -> dict[str, Statistic]:
    live = circuit.manager.live_nodes
    every = sum(bits_of(v.type) for v in circuit.machine.variables.values())
    kept = sum(bits_of(v.type) for v in circuit.machine.variables.values() if v.name in circuit.kept)
    return {
        "nodes": live,
        "peak_nodes": max(live, circuit.manager.peak_nodes),
        "vertices": len(graph.vertices),
        "rings": outcome.rounds,
        "precise_bits": kept,
        "abstract_bits": every - kept,
    }


def _suspected(circuit: TernaryCircuit[Any], graph: AssertionGraph, suspicion: Suspicion[Any]) -> str:
    vertex = graph.vertices[suspicion.vertex]
    mentioned = circuit.machine.variables_of(vertex.consequent)
    in_order = [name for name in circuit.machine.variables if name in mentioned]
    unknown = circuit.unknown_in(suspicion.state, in_order, suspicion.where)
    steps = f"{suspicion.steps} step{'' if suspicion.steps == 1 else 's'}"
    what = f"after {steps} the consequent of vertex {vertex.name} may be violated"
    if unknown:
        names, more = ", ".join(unknown[:MOST_NAMES]), len(unknown) - MOST_NAMES
        names += f" and {more} more" if more > 0 else ""
        what += f", where {names} {'is' if len(unknown) == 1 else 'are'} unknown"
    useful = _suggestions(circuit, graph, unknown)
    return f"{what} (perhaps {' '.join(f'--precise {name}' for name in useful)} helps)" if useful else what


def _suggestions(circuit: TernaryCircuit[Any], graph: AssertionGraph, unknown: Sequence[str]) -> list[str]:
    """Variables to keep: the narrowest that antecedents mention, or else those that decide the next value of an unknown one."""
    machine = circuit.machine
    asked = {name for vertex in graph.vertices for name in machine.variables_of(vertex.antecedent)}
    deciding = {name for u in unknown if u in machine.next_values for name in machine.variables_of(machine.next_values[u])}
    for names in (asked, deciding):
        useful = [n for n in machine.variables if n in names and n not in circuit.kept and n not in machine.current_values]
        if useful:
            return sorted(useful, key=lambda name: bits_of(machine.variables[name].type))[:MOST_NAMES]
    return []


def named(machine: Machine, names: Collection[str]) -> Iterator[str]:
    """The variables of these names; of the name of an array or a module, all its elements or variables."""
    for name in names:
        parts = [other for other in machine.variables if other.startswith((f"{name}[", f"{name}."))]
        if name in machine.variables:
            parts = [name]
        elif name in machine.definitions:
            below = ", ".join(sorted(machine.variables_of(machine.definitions[name])))
            raise InputError(f"'{name}' is a definition, and only variables can be kept", hint=f"it depends on {below}")
        elif not parts:
            near = nearest(name, machine.variables)
            raise NameProblem(f"there is no variable '{name}' to be kept", hint=f"did you mean '{near[0]}'?" if near else "")
        for part in parts:
            if part in machine.current_values:
                below = ", ".join(sorted(machine.variables_of(machine.current_values[part])))
                raise InputError(f"'{part}' always has the value of an equation", hint=f"keep what it depends on: {below}")
            yield part
