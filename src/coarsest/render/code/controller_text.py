"""A control automaton in the format of a file name: code, a graph, a picture, or a model."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from coarsest.errors import FileProblem
from coarsest.logic.expr import TRUE, Expr, Name, Value, replace
from coarsest.logic.show import show
from coarsest.model.types import show_value

if TYPE_CHECKING:
    from coarsest.model.machine import Machine
    from coarsest.model.parts.control_and_data import Control
    from coarsest.reduce.controller.control_automaton import ControlAutomaton
    from coarsest.render.picture.picture import Picture

DRAWN = (".aut", ".dot", ".svg", ".html")
SUFFIXES = (".c", ".py", ".aut", ".dot", ".svg", ".html", ".smv")


def require_controller_format(path: str) -> None:
    """Raise an error before the work if the suffix of a file is unknown."""
    if path != "-" and Path(path).suffix.lower() not in SUFFIXES:
        raise FileProblem(f"the format of '{path}' is not known by its name", hint=f"known endings are {', '.join(SUFFIXES)}")


def is_drawn(path: str) -> bool:
    """Is the format of this file for looking at the automaton only?"""
    return Path(path).suffix.lower() in DRAWN


def controller_to_text(automaton: ControlAutomaton, original: Machine, path: str, control: Control | None = None) -> str:
    """The automaton in the format of the file name; a model on standard output. If numbers are left out, `control` gives the
    meaning of its tests and choices."""
    match Path(path).suffix.lower():
        case ".c":
            from coarsest.render.code.code_c import automaton_to_c

            return automaton_to_c(automaton)
        case ".py":
            from coarsest.render.code.code_python import automaton_to_python

            return automaton_to_python(automaton)
        case ".aut":
            return _to_aut(automaton, control)
        case ".dot":
            from coarsest.render.picture.dot import to_dot

            return to_dot(controller_to_picture(automaton, control))
        case ".html":
            from coarsest.render.picture.picture_page import to_html

            picture = controller_to_picture(automaton, control)
            return to_html([picture], picture.title)
        case ".svg":
            from coarsest.render.picture.svg import to_svg

            return to_svg(controller_to_picture(automaton, control))
    from coarsest.formats.smv.write import write
    from coarsest.reduce.controller.control_machine import control_machine

    return write(control_machine(automaton, original))


def _labelled_steps(automaton: ControlAutomaton, control: Control | None) -> list[tuple[int, str, int]]:
    """Source, `condition / outputs` and target of each step."""
    from coarsest.reduce.controller.control_machine import steps

    labelled = []
    for source, condition, outputs, target in steps(automaton):
        facts = [_output(variable.name, value, control) for variable, value in zip(automaton.outputs, outputs)]
        told = condition if control is None else replace(condition, partial(_test, control))
        text = ", ".join(dict.fromkeys(facts))
        labelled.append((source, text if condition == TRUE else f"{_in_own_words(show(told))} / {text}", target))
    return labelled


def _test(control: Control, part: Expr) -> Expr | None:
    """The comparison that an input stands for."""
    return control.tests.get(part.name) if isinstance(part, Name) else None


def _output(name: str, value: Value, control: Control | None) -> str:
    """The value of an output or, for a number, the expression that computes it."""
    if control is not None and name in control.choices and isinstance(value, int):
        remembered = re.fullmatch(r"next\((.+)\)", name)
        target = name if remembered is None else remembered[1].removesuffix(".pre")
        return f"{target} = {_in_own_words(show(control.choices[name][value]))}"
    return f"{name} = {show_value(value)}"


def _in_own_words(text: str) -> str:
    """The previous value in the notation of Lustre.

    >>> _in_own_words("count.pre + 1")
    'pre count + 1'
    """
    return re.sub(r"([\w.]+)\.pre\b", r"pre \1", text)


def _to_aut(automaton: ControlAutomaton, control: Control | None) -> str:
    from coarsest.formats.aut.write import write
    from coarsest.lts.labelled import Graph

    steps = _labelled_steps(automaton, control)
    names = {label: number for number, label in enumerate(dict.fromkeys(label for _, label, _ in steps))}
    columns = zip(*((source, names[label], target) for source, label, target in steps)) if steps else ((), (), ())
    graph = Graph.from_edges(automaton.size, *columns, initial=[automaton.initial], action_names=tuple(names) or ("",))
    return write(graph)


def controller_to_picture(automaton: ControlAutomaton, control: Control | None = None) -> Picture:
    from coarsest.render.picture.picture import Picture, PictureEdge, PictureNode

    nodes = tuple(PictureNode(str(n), (f"state {n}",), initial=n == automaton.initial) for n in range(automaton.size))
    edges = tuple(PictureEdge(str(source), str(target), label) for source, label, target in _labelled_steps(automaton, control))
    return Picture(f"{automaton.name}, its reactions", nodes, edges).with_parallel_edges_joined()
