"""Three ways from a program to its minimal automaton, with the CPU seconds that each of them took.

    enumerated       the states one by one
    minimised        after that, partition refinement of the graph; the seconds are those in addition
    directly         the minimal automaton on sets of states
    reached          only how many states there are, by sets: where there are too many inputs to go through one by one

A transition is a state before, a state after, and what is seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import process_time

from coarsest.api import model as api
from coarsest.experiments.points import Facts, shipped
from coarsest.logic.expr import Expr, Name, Value
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.minimise import minimise
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.machine import Machine
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.model.parts.control_and_data import control_of
from coarsest.reduce.controller.control_automaton import control_automaton
from coarsest.run import Run


def measure(
    way: str, program: str, observed: Sequence[str] = (), *, part: str = "", format: str | None = None, run: Run
) -> Facts:
    """One program by one of the ways. What does not influence the outputs is left out before, unless the `part` is "whole"; with
    "control", states are made of what is not a number, as by the compiler of the paper."""
    machine = api.load_model(shipped(program), format=format).machine
    outputs: Mapping[str, Expr] = {name: Name(name) for name in observed or machine.outputs}
    if part == "control":
        control = control_of(machine, outputs)
        machine, outputs = control.machine, control.outputs
    elif part != "whole":
        machine = restrict_to(machine, cone_variables(machine, outputs.values()))
    started = process_time()
    if way in ("directly", "reached"):
        automaton = control_automaton(machine, run, outputs=outputs, cone=False)
        if way == "reached":
            return {"states": automaton.states_before}
        return {"states": automaton.size, "transitions": len(automaton.edges()), "seconds": process_time() - started}
    graph, transitions = enumerate_reactions(machine, outputs)
    if way == "enumerated":
        return {"states": graph.states, "transitions": transitions, "seconds": process_time() - started}
    minimise(graph)  # the first call compiles the kernels
    started = process_time()
    small = minimise(graph).graph
    seconds = process_time() - started
    return {"states": small.states, "transitions": _without_inputs(small), "seconds": seconds}


def enumerate_reactions(machine: Machine, outputs: Mapping[str, Expr]) -> tuple[Graph, int]:
    """All states, one by one; an action is the inputs and the outputs. Also how many transitions there are without the inputs."""
    interpreter = Interpreter(machine)
    names = [variable.name for variable in machine.input_variables]
    numbers: dict[Values, int] = {}
    waiting: list[Values] = []

    def number(state: Values) -> int:
        if state not in numbers:
            numbers[state] = len(numbers)
            waiting.append(state)
        return numbers[state]

    initial = [number(state) for state in interpreter.initial_values()]
    actions: dict[str, int] = {}
    edges: list[tuple[int, int, int]] = []
    transitions: set[tuple[int, int, str]] = set()
    for here in waiting:
        state: Mapping[str, Value] = interpreter.assignment(here)
        for inputs, after in interpreter.successor_values(here):
            given = dict(zip(names, inputs))
            shown = str([interpreter.value(expr, state, inputs=given) for expr in outputs.values()])
            action = actions.setdefault(f"{inputs} / {shown}", len(actions))
            target = number(after)
            edges.append((numbers[here], action, target))
            transitions.add((numbers[here], target, shown))
    sources, words, targets = zip(*edges) if edges else ((), (), ())
    graph = Graph.from_edges(len(numbers), sources, words, targets, initial=initial, action_names=tuple(actions) or ("",))
    return graph, len(transitions)


def _without_inputs(graph: Graph) -> int:
    shown = [name.rpartition(" / ")[2] for name in graph.action_names]
    triples = zip(graph.sources.tolist(), graph.targets.tolist(), graph.actions.tolist())
    return len({(source, target, shown[action]) for source, target, action in triples})
