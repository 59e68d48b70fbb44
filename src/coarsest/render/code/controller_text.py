"""A control automaton in the format that the name of a file asks for: as code, a graph, a picture, or a model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from coarsest.errors import FileProblem
from coarsest.logic.expr import TRUE
from coarsest.logic.show import show
from coarsest.model.types import show_value

if TYPE_CHECKING:
    from coarsest.model.machine import Machine
    from coarsest.reduce.controller.control_automaton import ControlAutomaton
    from coarsest.render.picture.picture import Picture

SUFFIXES = (".c", ".py", ".aut", ".dot", ".svg", ".html", ".smv")


def insist_controller_format(path: str) -> None:
    """Complain about a file whose name tells no format, before the work."""
    if path != "-" and Path(path).suffix.lower() not in SUFFIXES:
        raise FileProblem(f"the format of '{path}' is not known by its name", hint=f"known endings are {', '.join(SUFFIXES)}")


def controller_to_text(automaton: ControlAutomaton, original: Machine, path: str) -> str:
    """The automaton as the name of the file says; on standard output it is a model."""
    match Path(path).suffix.lower():
        case ".c":
            from coarsest.render.code.code_c import automaton_to_c

            return automaton_to_c(automaton)
        case ".py":
            from coarsest.render.code.code_python import automaton_to_python

            return automaton_to_python(automaton)
        case ".aut":
            return _to_aut(automaton)
        case ".dot":
            from coarsest.render.picture.dot import to_dot

            return to_dot(controller_to_picture(automaton))
        case ".html":
            from coarsest.render.picture.picture_page import to_html

            picture = controller_to_picture(automaton)
            return to_html([picture], picture.title)
        case ".svg":
            from coarsest.render.picture.svg import to_svg

            return to_svg(controller_to_picture(automaton))
    from coarsest.formats.smv.write import write
    from coarsest.reduce.controller.control_machine import control_machine

    return write(control_machine(automaton, original))


def _labelled_steps(automaton: ControlAutomaton) -> list[tuple[int, str, int]]:
    """Source, `condition / outputs` and target of each step."""
    from coarsest.reduce.controller.control_machine import steps

    labelled = []
    for source, condition, outputs, target in steps(automaton):
        shown = ", ".join(f"{variable.name} = {show_value(value)}" for variable, value in zip(automaton.outputs, outputs))
        labelled.append((source, shown if condition == TRUE else f"{show(condition)} / {shown}", target))
    return labelled


def _to_aut(automaton: ControlAutomaton) -> str:
    from coarsest.formats.aut.write import write
    from coarsest.lts.labelled import Graph

    steps = _labelled_steps(automaton)
    names = {label: number for number, label in enumerate(dict.fromkeys(label for _, label, _ in steps))}
    columns = zip(*((source, names[label], target) for source, label, target in steps)) if steps else ((), (), ())
    graph = Graph.from_edges(automaton.size, *columns, initial=[automaton.initial], action_names=tuple(names) or ("",))
    return write(graph)


def controller_to_picture(automaton: ControlAutomaton) -> Picture:
    from coarsest.render.picture.picture import Edge, Node, Picture

    nodes = tuple(Node(str(n), (f"state {n}",), initial=n == automaton.initial) for n in range(automaton.size))
    edges = tuple(Edge(str(source), str(target), label) for source, label, target in _labelled_steps(automaton))
    return Picture(f"{automaton.name}, its reactions", nodes, edges).with_parallel_edges_joined()
