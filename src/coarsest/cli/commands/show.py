"""`coarsest show`: a picture of a model, a graph or an automaton."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import run_of
from coarsest.cli.frame.publish import require_writable
from coarsest.errors import InputError, NameProblem, Unsupported
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.model.assertion_graph import AssertionGraph
    from coarsest.render.picture.picture import Picture
    from coarsest.run import Run

KINDS = ("svg", "html", "dot")
LAYOUTS = ("layered", "graphviz")
MOST = 100

EXAMPLES = """  coarsest show traffic_light.smv -o light.svg                 the reachable states, up to 100
  coarsest show traffic_light.smv -o light.svg --mark "red"    those where red holds have a colour
  coarsest show queue.ag -o queue.html                         all assertion graphs of a file, on a page
  coarsest show queue.ag -o word.svg --graph first_word        one of them
  coarsest show automaton.hoa -o automaton.dot                 for Graphviz
  coarsest automaton "G (a -> F b)" | coarsest show - --format hoa -o b.svg"""


def _parser() -> arguments.Parser:
    summary = "Draw the states of a small model, an explicit graph (.aut, .ba), assertion graphs (.ag) or an automaton (.hoa)."
    parser = arguments.Parser("show", "FILE -o PICTURE", summary, EXAMPLES)
    parser.add_argument("model", metavar="FILE", help="a model, graph or automaton; '-' is standard input")
    parser.add_argument("--format", metavar="NAME", help="format of FILE (default: by its suffix)")
    parser.add_argument("-o", "--output", metavar="PICTURE",
                        help="the picture to write, .svg, .html or .dot; '-' is standard output")  # fmt: skip
    parser.add_argument("--to", choices=KINDS, help="kind of the picture (default: by its suffix)")
    parser.add_argument("--mark", metavar="CONDITION", action="append", default=[], help="colour the states where it holds")
    parser.add_argument("--graph", metavar="NAME", help="only this one of several assertion graphs")
    parser.add_argument("--most", type=arguments.natural_number, default=MOST, metavar="N", help="states in a picture at most")
    parser.add_argument("--layout", choices=LAYOUTS, default="layered", help="our own, or that of Graphviz, if it is installed")
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    parser.add_argument("-v", "--verbose", action="store_true", help="progress even when not on a terminal")
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    if args.output is None:
        name = Path(args.model).stem.strip("-") or "picture"
        raise InputError("'coarsest show' needs -o PICTURE", hint=f"for example: -o {name}.svg")
    require_writable(args.output)
    kind = args.to or kind_of(args.output)
    ending = Path(args.output).suffix.lower().removeprefix(".")
    if ending in KINDS and ending != kind:
        raise InputError(f"--to {kind} does not write '{args.output}'", hint=f"name a .{kind} file, or leave out --to")
    if args.layout == "graphviz" and kind != "svg":
        raise InputError(f"--layout graphviz draws SVG, not {kind}", hint="write a .svg file, or a .dot file for Graphviz itself")
    pictures = _pictures(args, ledger, run_of(args, ledger))
    ledger.record(result={"text": drawn(pictures, kind, Path(args.model).name, graphviz=args.layout == "graphviz")})


def kind_of(output: str) -> str:
    """The kind of picture that the name of a file asks for."""
    kind = Path(output).suffix.lower().removeprefix(".")
    if kind in KINDS:
        return kind
    what = "standard output" if output == "-" else f"'{output}'"
    hint = f"--to {'|'.join(KINDS)}" if output == "-" else "name a .svg, .html or .dot file, or say --to svg"
    raise InputError(f"the kind of picture for {what} is not known", hint=hint)


def drawn(pictures: list[Picture], kind: str, title: str, *, graphviz: bool = False) -> str:
    """Pictures as text of a kind."""
    from coarsest.render.picture.dot import to_dot
    from coarsest.render.picture.picture_page import to_html, to_one_svg

    if kind == "dot":
        return "\n".join(map(to_dot, pictures))
    if kind == "html":
        return to_html(pictures, title)
    return _by_graphviz(pictures) if graphviz else to_one_svg(pictures)


def _by_graphviz(pictures: list[Picture]) -> str:
    import shutil
    import subprocess

    from coarsest.render.picture.dot import to_dot

    program = shutil.which("dot")
    if program is None:
        raise Unsupported("Graphviz is not installed: there is no program `dot`", hint="leave --layout out to use our own")
    if len(pictures) > 1:
        raise InputError(f"Graphviz draws one graph, but there are {len(pictures)}", hint="choose one with --graph NAME")
    done = subprocess.run([program, "-Tsvg"], input=to_dot(pictures[0]), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InputError(f"Graphviz could not draw the graph: {done.stderr.strip().splitlines()[0]}")
    return done.stdout


# What there is to draw


def _pictures(args: Namespace, ledger: Ledger, run: Run) -> list[Picture]:
    from coarsest.formats import GRAPHS, FileKind, kind_of, read_automaton, read_graph

    kind = kind_of(args.model, args.format)
    if kind is not FileKind.ASSERTION_GRAPHS and args.graph is not None:
        raise InputError("--graph is for files with assertion graphs (.ag)", hint="leave it out")
    if args.mark and kind in (*GRAPHS, FileKind.ASSERTION_GRAPHS):
        suffix = f".{args.format}" if args.format else Path(args.model).suffix.lower()
        raise InputError(f"--mark is for models, not for {suffix} files", hint="leave it out")
    if kind is FileKind.ASSERTION_GRAPHS:
        return _assertion_graphs(args)
    if kind is FileKind.AUTOMATON:
        from coarsest.files import read_contents
        from coarsest.render.picture.pictures_of_automata import picture_of_automaton

        return [picture_of_automaton(read_automaton(read_contents(args.model), format=args.format), _title(args))]
    if kind is FileKind.GRAPH:
        from coarsest.render.picture.pictures_of_states import picture_of_graph

        graph = read_graph(args.model, format=args.format, run=run)
        return [picture_of_graph(graph, _title(args), most=args.most)]
    return _states(args, ledger, run)


def _assertion_graphs(args: Namespace) -> list[Picture]:
    from coarsest.render.picture.pictures_of_automata import picture_of_assertion_graph

    return [picture_of_assertion_graph(graph) for graph in assertion_graphs(args.model, args.graph)]


def assertion_graphs(path: str, name: str | None) -> list[AssertionGraph]:
    """The assertion graphs of a file, or the one of that name."""
    from coarsest.files import read_contents
    from coarsest.formats import read_assertion_graphs

    graphs = {graph.name: graph for graph in read_assertion_graphs(read_contents(path))}
    if name is None:
        return list(graphs.values())
    if name not in graphs:
        near = nearest(name, graphs)
        hint = f"did you mean '{near[0]}'?" if near else f"the graphs are {', '.join(graphs)}"
        raise NameProblem(f"there is no graph '{name}' in {path}", hint=hint)
    return [graphs[name]]


def _states(args: Namespace, ledger: Ledger, run: Run) -> list[Picture]:
    from msgspec.structs import replace

    from coarsest.api import model as api
    from coarsest.model.machine import PropertyKind
    from coarsest.render.picture.pictures_of_states import picture_of_states

    model = api.load(args.model, format=args.format)
    for warning in model.warnings:
        ledger.warn(warning.message, warning.show())
    marked = [model.formula(text) for text in args.mark]
    for text, claim in zip(args.mark, marked):
        if claim.kind is not PropertyKind.INVARIANT:
            raise InputError(f"'{text}' is no condition on states", hint="--mark takes conditions without temporal operators")
    picture = picture_of_states(model.machine, run, marked=[claim.formula for claim in marked], most=args.most)
    return [replace(picture, title=_title(args))]


def _title(args: Namespace) -> str:
    return "standard input" if args.model == "-" else Path(args.model).name


command = Command(_parser, _run)
