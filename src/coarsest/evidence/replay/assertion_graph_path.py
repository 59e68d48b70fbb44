"""Paths through an assertion graph and a model at once, confirmed by the interpreter: no engine takes part."""

from __future__ import annotations

from coarsest.errors import EvidenceRejected, InputError
from coarsest.evidence.assertion_graph_answer import AssertionGraphPath
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.logic.expr import Expr
from coarsest.model.assertion_graph import AssertionGraph, Semantics
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.types import contains, show_value


def violations_along(graph: AssertionGraph, interpreter: Interpreter, path: AssertionGraphPath) -> tuple[int, ...]:
    """The positions of a path at which the consequent of the vertex is violated."""
    consequents = enumerate(graph.vertices[vertex].consequent for vertex in path.vertices)
    return tuple(k for k, consequent in consequents if not _satisfied(interpreter, path, k, consequent))


def confirm_assertion_graph_path(machine: Machine, graph: AssertionGraph, path: AssertionGraphPath) -> None:
    """Check by definition 4 that the path refutes the graph: EvidenceRejected with the reason if not.

    The trace must be a trace of the machine; the vertices must be an accepting path of the graph; every state must satisfy the
    antecedent of its vertex; and the consequent must be violated at exactly the given positions.
    """
    trace, vertices = path.trace, path.vertices
    if not trace.states:
        raise EvidenceRejected("the trace has no states")
    if len(vertices) != len(trace):
        raise EvidenceRejected(f"the trace has {len(trace)} states, but the path through the graph has {len(vertices)} vertices")
    interpreter = Interpreter(machine)
    if path.semantics is Semantics.FINITE:
        if trace.loop is not None:
            raise EvidenceRejected("in the finite semantics a path ends, but this one loops")
        confirm_trace(machine, trace, violates=None)
        _confirm_last_inputs(interpreter, path)
    else:
        confirm_lasso(machine, trace, None)
    _confirm_accepting(graph, path)
    for k, vertex in enumerate(vertices):
        if not _satisfied(interpreter, path, k, graph.vertices[vertex].antecedent):
            raise EvidenceRejected(f"state {k} violates the antecedent of the vertex {graph.vertices[vertex].name}")
    violations = violations_along(graph, interpreter, path)
    if not violations:
        raise EvidenceRejected("every consequent is satisfied along the path")
    if violations != path.violations:
        raise EvidenceRejected(f"consequents are violated in the states {violations}, not in {path.violations}")


def _confirm_accepting(graph: AssertionGraph, path: AssertionGraphPath) -> None:
    vertices, loop = path.vertices, path.trace.loop
    for vertex in vertices:
        if not 0 <= vertex < len(graph.vertices):
            raise EvidenceRejected(f"the graph has no vertex {vertex}")
    names = graph.names_of(vertices)
    if vertices[0] not in graph.initial:
        raise EvidenceRejected(f"the first vertex, {names[0]}, is not initial")
    after = vertices[1:] if loop is None else (*vertices[1:], vertices[loop])
    for edge in zip(vertices, after):
        if edge not in graph.edges:
            raise EvidenceRejected(f"there is no edge {' -> '.join(graph.names_of(edge))}")
    sets = graph.accepting(path.semantics)
    if loop is None and vertices[-1] not in sets[0]:
        raise EvidenceRejected(f"the last vertex, {names[-1]}, is not final")
    for number, members in enumerate(sets if loop is not None else (), 1):
        if members.isdisjoint(vertices[loop:]):
            raise EvidenceRejected(f"the loop does not meet fair set {number}")


def _confirm_last_inputs(interpreter: Interpreter, path: AssertionGraphPath) -> None:
    """Raise EvidenceRejected if no step can be taken with the inputs at the last state, but a step with other inputs can."""
    if not path.last_inputs:
        return
    types = {variable.name: variable.type for variable in interpreter.input_variables}
    for name, value in path.last_inputs.items():
        if name not in types or not contains(types[name], value):
            raise EvidenceRejected(f"{name} = {show_value(value)} is not a value of an input")
    last = path.trace.states[-1]
    try:
        interpreter.complete_step(last, path.last_inputs, {})
    except EvidenceRejected:
        if next(iter(interpreter.successors(last)), None) is not None:
            raise EvidenceRejected("no step can be taken with the inputs at the last state") from None


def _satisfied(interpreter: Interpreter, path: AssertionGraphPath, position: int, condition: Expr) -> bool:
    try:
        return interpreter.satisfies(condition, path.trace.states[position], path.inputs_at(position))
    except InputError as problem:  # an input is missing
        raise EvidenceRejected(f"a condition has no value at state {position}: {problem.diagnostic.message}") from None
