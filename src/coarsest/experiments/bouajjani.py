"""The table of Bouajjani et al. 1994, section 5, measured again.

    python -m coarsest.experiments.bouajjani [-o TABLE] [FILE[:OUTPUT,…][:whole|:control][@FORMAT] …]

Three ways from a program to its minimal automaton: enumerate the states one by one; enumerate, and then minimise the graph;
generate the minimal automaton directly, on sets of states. What does not influence the outputs is left out before, unless the
`whole` program is asked for. With `control`, states are made of what is not a number, as by the compiler of the paper.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import process_time

from msgspec import Struct

from coarsest.api import model as api
from coarsest.logic.expr import Expr, Name, Value
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.minimise import minimise
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.machine import Machine
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.model.parts.control_and_data import control_of
from coarsest.reduce.controller.control_automaton import control_automaton

DEFAULTS = (
    "examples/minimal.prog::whole",
    "examples/stopwatch.lus:running,frozen",
    "examples/stopwatch.lus:running,frozen:whole",
    "examples/stopwatch.lus:seconds",
    "examples/watch.lus:m,p",
    "examples/watch.lus:m,p,running,frozen",
    "examples/watch.lus:m,p,light,chime_on,alarm_on,running,frozen",
    "examples/watch.lus:m,beep",
)


class Row(Struct, frozen=True):
    """States and transitions, a transition being a state before, a state after, and what is seen; CPU seconds."""

    program: str
    enumerated: tuple[int, int, float]
    minimised: tuple[int, int, float]
    direct: tuple[int, int, float]


def measure(path: str, observed: Sequence[str] = (), *, part: str = "", format: str | None = None) -> Row:
    """One program by the three ways; `part` is "whole", "control", or what influences the outputs."""
    machine = api.load(path, format=format).machine
    outputs: Mapping[str, Expr] = {name: Name(name) for name in observed or machine.outputs}
    if part == "control":
        control = control_of(machine, outputs)
        machine, outputs = control.machine, control.outputs
    elif part != "whole":
        machine = restrict_to(machine, cone_variables(machine, outputs.values()))
    started = process_time()
    graph, transitions = enumerate_reactions(machine, outputs)
    seconds = process_time() - started
    minimise(graph)  # the first call compiles the kernels
    started = process_time()
    small = minimise(graph).graph
    more = process_time() - started
    started = process_time()
    automaton = control_automaton(machine, outputs=outputs, cone=False)
    directly = process_time() - started
    name = Path(path).name + (f", {', '.join(observed)}" if observed else "") + (f", {part}" if part else "")
    return Row(
        name,
        (graph.states, transitions, seconds),
        (small.states, _without_inputs(small), more),
        (automaton.size, len(automaton.edges()), directly),
    )


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
    seen: set[tuple[int, int, str]] = set()
    for here in waiting:
        state: Mapping[str, Value] = interpreter.assignment(here)
        for inputs, after in interpreter.successor_values(here):
            given = dict(zip(names, inputs))
            shown = str([interpreter.value(expr, state, inputs=given) for expr in outputs.values()])
            action = actions.setdefault(f"{inputs} / {shown}", len(actions))
            target = number(after)
            edges.append((numbers[here], action, target))
            seen.add((numbers[here], target, shown))
    sources, words, targets = zip(*edges) if edges else ((), (), ())
    graph = Graph.from_edges(len(numbers), sources, words, targets, initial=initial, action_names=tuple(actions) or ("",))
    return graph, len(seen)


def _without_inputs(graph: Graph) -> int:
    shown = [name.rpartition(" / ")[2] for name in graph.action_names]
    triples = zip(graph.sources.tolist(), graph.targets.tolist(), graph.actions.tolist())
    return len({(source, target, shown[action]) for source, target, action in triples})


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a table."""
    ways = ("enumerated", "then minimised", "directly")
    lines = [f"| program |{''.join(f' {way}: states | transitions | s |' for way in ways)}", f"|---|{'--:|' * 9}"]
    for row in rows:
        cells = [f"{states} | {edges} | {seconds:.2f}" for states, edges, seconds in (row.enumerated, row.minimised, row.direct)]
        lines.append(f"| {row.program} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m coarsest.experiments.bouajjani", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("programs", nargs="*", default=DEFAULTS, metavar="FILE[:OUTPUT,…][:whole|:control][@FORMAT]")
    parser.add_argument("-o", "--output", type=Path, help="a file for the table")
    given = parser.parse_args(arguments)
    rows = []
    for program in given.programs:
        program, _, format = program.partition("@")
        path, _, rest = program.partition(":")
        outputs, _, part = rest.partition(":")
        rows.append(measure(path, tuple(filter(None, outputs.split(","))), part=part, format=format or None))
        print(rows[-1], flush=True)
    if given.output is not None:
        given.output.write_text(markdown(rows), encoding="utf-8")
    else:
        print(markdown(rows), end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
