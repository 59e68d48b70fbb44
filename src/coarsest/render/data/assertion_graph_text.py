"""Verdicts on assertion graphs for people and programs: a path shows the vertex at each state."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from coarsest.evidence.assertion_graph_answer import AssertionGraphAnswer, AssertionGraphPath
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.reading import Reading
from coarsest.evidence.verdict import Answer, Fails
from coarsest.logic.show import show
from coarsest.model.assertion_graph import AssertionGraph
from coarsest.model.trace import Trace
from coarsest.render.data.json import answer_to_object, value_to_object

VERTEX = "vertex"


def along_assertion_graph(answer: AssertionGraphAnswer) -> Answer:
    """The answer with a trace for people: each state has its vertex and the inputs that the graph mentions."""
    path = answer.path
    if path is None or not isinstance(answer.verdict, Fails):
        return answer
    reading = answer.reading or Reading()
    name = VERTEX
    while name in path.trace.states[0]:
        name += "."
    trace = _shown(path, answer.graph, name, reading.mentioned)
    first = answer.graph.vertices[path.vertices[path.violations[0]]]
    explanation = Explanation(first.consequent, False, because(answer.graph, path), trace)
    seen = replace(reading, mentioned=reading.mentioned | {name}, relevant=reading.relevant | {name})
    return replace(answer, verdict=replace(answer.verdict, trace=trace, explanation=explanation), reading=seen)


def _shown(path: AssertionGraphPath, graph: AssertionGraph, name: str, mentioned: frozenset[str]) -> Trace:
    names = graph.names_of(path.vertices)
    states, steps = [], []
    for place, state in enumerate(path.trace.states):
        inputs = path.inputs_at(place)
        states.append({name: names[place], **{n: v for n, v in inputs.items() if n in mentioned}, **state})
        if place < len(path.trace.inputs):
            steps.append({n: v for n, v in inputs.items() if n not in mentioned})
    return Trace(tuple(states), tuple(steps) if any(steps) else (), path.trace.loop)


def because(graph: AssertionGraph, path: AssertionGraphPath) -> str:
    """Why the path refutes the graph."""
    names = graph.names_of(path.vertices)
    place = path.violations[0]
    consequent = show(graph.vertices[path.vertices[place]].consequent)
    vertex = f"vertex {names[place]}"
    reason = f"the antecedents hold along this path, but in state {place} the consequent of {vertex} does not: {consequent}"
    if consequent == "FALSE":
        reason = f"the antecedents hold along this path, which meets {vertex} in state {place}, and its consequent is FALSE"
    if path.trace.loop is not None:
        return f"{reason}; the path is fair"
    last = len(names) - 1
    return reason if place == last else f"{reason}; the path ends at the final vertex {names[last]}"


def assertion_graph_answer_to_object(answer: AssertionGraphAnswer) -> dict[str, Any]:
    """An element of `properties`, with additional facts about the graph."""
    path, graph = answer.path, assertion_graph_to_object(answer.graph.name, answer.semantics)
    if path is not None:
        graph["vertices"] = answer.graph.names_of(path.vertices)
        graph["violations"] = list(path.violations)
        graph["last_inputs"] = {name: value_to_object(value) for name, value in path.last_inputs.items()}
    return {**answer_to_object(answer), "graph": graph}


def assertion_graph_to_object(name: str, semantics: str) -> dict[str, Any]:
    """The facts about a graph; a counterexample adds the vertex at each state and the violations."""
    return {"name": name, "semantics": str(semantics), "vertices": None, "violations": None, "last_inputs": None}
