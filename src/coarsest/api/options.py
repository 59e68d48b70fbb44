"""The options of every task of the interface; those that lower rooms need are in `coarsest.options`.

Annotations are evaluated when a task is asked for its options, because a command needs those of one task only.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

from msgspec.structs import replace

from coarsest.options.engines import SHORT_NAMES, option_structs
from coarsest.options.methods import (
    CONFIRM,
    GENERATORS,
    PARTS,
    BuildOptions,
    CheckOptions,
    GsteOptions,
    ReachOptions,
)
from coarsest.options.option import Beside, Confirm, Option, Options, Task
from coarsest.options.relations import MODELS_REDUCED_BY, QUOTIENTS

MODULAR_MINIMISERS = MappingProxyType(
    {
        "ordinary": "Hopcroft's algorithm on next-state functions, for all inputs at once",
        "naive": "compose the parts of the model two at a time, and reduce each composition",
        "improved": "reduce each part together with what it sees of the others",
        "improved2": "reduce the model for each half of the outputs",
        "improved3": "reduce the model for each output, and compose the results",
    }
)
"""Algorithms that divide a model: by instances or, without instances, by dependencies."""
MINIMISERS = MappingProxyType(
    {
        "auto": "`bfh`; another one if there are many classes",
        "bouajjani-fernandez-halbwachs": "refine only the blocks that are reachable",
        "lee-yannakakis": "search the reachable blocks, each by one of its states, and split only those",
        "paige-tarjan": "split by a part of a compound block and by its rest",
        "signatures": "split all blocks at once by the blocks that their states can enter",
        "list-then-refine": "list the reachable states, then refine the graph of single states",
        "relation": "the bisimulation or simulation itself, as a set of pairs",
        "reach-then-refine": "find all reachable states, then refine them",
        "refine-then-reach": "refine all states, then find the classes that can be reached",
        **MODULAR_MINIMISERS,
        **{short: f"short for `{name}`" for short, name in SHORT_NAMES.items()},
    }
)
SIMULATION_MINIMISERS = MappingProxyType(
    {
        "partition": "refine the classes and their order together, by one state of each class",
        "splitters": "the same, but split by all states that can enter what is above a class",
        "bisimulation-first": "the quotient by bisimulation, then the preorder of its classes",
    }
)
"""Further words, for `by="simulation"`; `auto`, `relation` and `reach-then-refine` are words for it, too."""
ORBIT_ALGORITHMS = MappingProxyType(
    {
        "orbit-by-orbit": "search the reachable orbits, each by one representative",
        "list-then-join": "list the reachable states, and join those that symmetries exchange",
    }
)
"""Further words, for `by="symmetry"`."""
DATABASES = MappingProxyType({"auto": "DuckDB", "duckdb": "DuckDB", "spark": "Spark, for many machines"})
GRAPH_ENGINES = MappingProxyType(
    {
        "auto": "a GPU, if there is one and it is worth it",
        "cpu": "the processor",
        "gpu": "a GPU, in rounds over whole arrays; the processor if the graph does not fit",
    }
)
"""The hardware that reduces explicit graphs by bisimulation."""
COLUMNS = "source,action,target"
OBSERVE = Option(
    help="what an observer sees of a state: expressions of any type, or formulas, for their boolean parts "
    "(default: the outputs of the model, else its properties)",
    metavar="EXPR", at_once=True,
)  # fmt: skip
RESULT = Option(help="check the result automatically where that is cheap, always or never", words=CONFIRM.words, metavar="WHEN")

WORDS = MappingProxyType(
    {
        "direct": "Büchi automata whose states match each other's steps and accept whenever the other accepts",
        "delay": "the same, but a state may accept later than the other",
        "words": "Büchi automata that accept the same words",
    }
)
"""The relations by which Büchi automata are reduced."""


def compared_by() -> Mapping[str, str]:
    """The relations between graphs. Their table is imported here, because most commands do not need it."""
    from coarsest.lts.relations import words

    return words()


def graphs_reduced_by() -> Mapping[str, str]:
    """The relations and transformations by which graphs are reduced."""
    from coarsest.lts.relations import reductions

    return reductions()


def of_graphs() -> Mapping[str, str]:
    """The algorithms that reduce graphs."""
    from coarsest.lts.relations import algorithms

    return algorithms()


def of_models_and_graphs() -> Mapping[str, str]:
    """The algorithms that reduce models, and those that only reduce graphs."""
    of_simulation = {word: f"by simulation: {line}" for word, line in SIMULATION_MINIMISERS.items()}
    of_symmetry = {word: f"by symmetry: {line}" for word, line in ORBIT_ALGORITHMS.items()}
    more = {word: f"graphs: {line}" for word, line in of_graphs().items() if word not in MINIMISERS}
    return {**MINIMISERS, **of_simulation, **of_symmetry, **more}


def of_tables_and_graphs() -> Mapping[str, str]:
    """The databases, and the hardware for explicit graphs."""
    return {**DATABASES, **{word: f"graphs: {line}" for word, line in GRAPH_ENGINES.items() if word not in DATABASES}}


QUOTIENT = Option(
    help="what is made of the classes of simulation: {words}", noun="quotient", words=QUOTIENTS,
    beside=(Beside("by", ("simulation", "ready-simulation", "finite-simulation")),),
)  # fmt: skip
LOOKAHEAD = Option(
    help="how many steps the game shows before one is matched; more make the result smaller and take longer, and of graphs and "
    "models they preserve LTL only; 0 means 1, or 4 for words",
    metavar="K", least=0, most=64,
)  # fmt: skip
OF_FAIR = replace(LOOKAHEAD, beside=(Beside("by", ("direct", "delay")),))
OF_ORBITS = replace(GENERATORS, beside=(Beside("by", ("symmetry",)),))


class ReduceOptions(Options, frozen=True, kw_only=True):
    """How to reduce a model. There are more algorithms for graphs, which the command line chooses by the same option."""

    by: Annotated[
        str,
        Option(help="the relation between states that are merged: {words}", noun="relation between the states of a model",
               words=MODELS_REDUCED_BY),
    ] = "bisimulation"  # fmt: skip
    observe: Annotated[tuple[Any, ...], OBSERVE] = ()
    """Texts, or parsed expressions."""
    actions: Annotated[
        tuple[str, ...], Option(help="inputs whose values an observer sees at each step", metavar="INPUT", at_once=True)
    ] = ()
    algorithm: Annotated[str, Option(help="one of {words}", words=of_models_and_graphs, metavar="NAME")] = "auto"
    parts: Annotated[
        str, Option(help="into which parts a modular algorithm divides the model: {words}", noun="kind of parts", words=PARTS,
                    beside=(Beside("algorithm", tuple(MODULAR_MINIMISERS)),))
    ] = "auto"  # fmt: skip
    generators: Annotated[str | None, OF_ORBITS] = None
    quotient: Annotated[str, QUOTIENT] = "smallest"
    lookahead: Annotated[int, OF_FAIR] = 0
    every_state: Annotated[bool, Option(help="take every state for an initial state, as in designs without reset")] = False
    cone: Annotated[bool, Option(help="keep variables that nothing observed depends on")] = True
    count: Annotated[bool, Option(help="do not count the states and transitions of MODEL")] = True
    confirm: Annotated[Confirm, RESULT] = Confirm.AUTO


class GraphReduceOptions(Options, frozen=True, kw_only=True):
    """How to reduce an explicit graph."""

    by: Annotated[str, Option(help="the relation: {words}", words=graphs_reduced_by)] = "bisimulation"
    algorithm: Annotated[str, Option(help="one of {words}", words=of_graphs)] = "auto"
    engine: Annotated[
        str, Option(help="where it is reduced by bisimulation: {words}", noun="engine for explicit graphs", words=GRAPH_ENGINES)
    ] = "auto"
    quotient: Annotated[str, QUOTIENT] = "smallest"
    lookahead: Annotated[int, OF_FAIR] = 0
    keep_unreachable: Annotated[bool, Option(help="keep states that cannot be reached from an initial state")] = False
    confirm: Annotated[Confirm, RESULT] = Confirm.AUTO


class AutomatonReduceOptions(Options, frozen=True, kw_only=True):
    """How to reduce an automaton on infinite words."""

    by: Annotated[
        str, Option(help="the relation: {words}", words=WORDS, noun="relation between automata", on_command_line=False)
    ] = "delay"
    lookahead: Annotated[int, LOOKAHEAD] = 0
    confirm: Annotated[Confirm, RESULT] = Confirm.AUTO


class TableOptions(Options, frozen=True, kw_only=True):
    """How to reduce a graph in tables."""

    engine: Annotated[
        str, Option(help="the database that does the work; for graphs, the processor or a GPU", words=of_tables_and_graphs)
    ] = "auto"
    initial: Annotated[tuple[str, ...], Option(help="initial states", metavar="STATE", at_once=True)] = ()
    partition: Annotated[
        str | None, Option(help="write the class of each state to a file, as a certificate", metavar="FILE")
    ] = None
    scratch: Annotated[str | None, Option(help="directory for intermediate tables", metavar="DIR")] = None
    confirm: Annotated[Confirm, RESULT] = Confirm.AUTO


COMPARED_ON = MappingProxyType(
    {
        "auto": "`quotients` if they are small, else `pairs`",
        "quotients": "games between their quotients by bisimulation, with strategies",
        "pairs": "sets of pairs of states as BDDs, without strategies",
    }
)


class CompareOptions(Options, frozen=True, kw_only=True):
    """How to compare two systems."""

    by: Annotated[str, Option(help="one of {words}", words=compared_by, metavar="RELATION")] = "bisimulation"
    preorder: Annotated[bool, Option(help="ask only whether A is below B")] = False
    lookahead: Annotated[
        int,
        Option(
            help="for direct: how many steps the game shows before one is matched; more come closer to language inclusion",
            metavar="K", least=1, most=64, beside=(Beside("algorithm", never=("pairs",)),),
        ),
    ] = 1  # fmt: skip
    observe: Annotated[
        tuple[str, ...],
        Option(
            help="what an observer sees of a state of either model: expressions of any type, or formulas, for "
            "their boolean parts (default: the outputs of the models, else their properties)",
            metavar="EXPR", at_once=True, about=("models",),
        ),
    ] = ()  # fmt: skip
    actions: Annotated[
        tuple[str, ...],
        Option(help="inputs whose values an observer sees at each step (default: none; steps are internal)", metavar="INPUT",
               at_once=True, about=("models",), beside=(Beside("algorithm", never=("pairs",)),)),
    ] = ()  # fmt: skip
    algorithm: Annotated[
        str, Option(help="how models are compared by direct, delay or game: {words}", noun="algorithm", words=COMPARED_ON)
    ] = "auto"
    confirm: Annotated[Confirm, CONFIRM] = Confirm.AUTO


class SimulateOptions(Options, frozen=True, kw_only=True):
    """How to walk at random."""

    steps: Annotated[int, Option(help="number of random steps", metavar="N", least=0)] = 10
    seed: Annotated[int, Option(help="seed of all random choices", metavar="N")] = 0
    constraint: Annotated[
        tuple[str, ...],
        Option(
            help="walk only where this condition on states, inputs or next values holds; may be repeated", metavar="CONDITION"
        ),
    ] = ()
    show: Annotated[
        tuple[str, ...],
        Option(help="show only these variables and expressions of a model", metavar="EXPR", at_once=True),
    ] = ()


class AutomatonOptions(Options, frozen=True, kw_only=True):
    """Which automaton to make of a formula."""

    negated: Annotated[bool, Option(help="translate the negation of the formula", flag="--negate")] = False
    kind: Annotated[
        str,
        Option(
            help="acceptance by states, or by sets of edges",
            words=MappingProxyType({"buchi": "accepting states", "generalised": "any number of acceptance sets of edges"}),
        ),
    ] = "buchi"  # fmt: skip


class SymmetryOptions(Options, frozen=True, kw_only=True):
    """Which symmetries to use, and what to count."""

    generators: Annotated[str | None, GENERATORS] = None
    count: Annotated[bool, Option(help="also count the reachable states and their orbits", flag="--count")] = False


LARGE = MappingProxyType(
    {
        "quotient": "classes of states that behave alike, or a sample if there are too many of these",
        "sample": "the first states that are reached",
        "refuse": "no picture",
    }
)
LAYOUTS = MappingProxyType({"layered": "in layers", "graphviz": "by Graphviz, if it is installed"})


class DrawOptions(Options, frozen=True, kw_only=True):
    """What to draw of a system, and how."""

    mark: Annotated[
        tuple[str, ...], Option(help="colour the states where this condition holds", metavar="CONDITION", about=("models",))
    ] = ()
    graph: Annotated[
        str | None,
        Option(help="draw only this one of several assertion graphs", metavar="NAME", about=("files with assertion graphs",)),
    ] = None
    most: Annotated[
        int, Option(help="the largest number of states in a picture", metavar="N", least=0, about=("models", "explicit graphs"))
    ] = 100
    large: Annotated[
        str,
        Option(help="what to draw if there are more: {words}", noun="picture of what is large", words=LARGE,
               about=("models", "explicit graphs")),
    ] = "quotient"  # fmt: skip
    observe: Annotated[
        tuple[str, ...],
        Option(help="draw classes of states that an observer of these expressions cannot distinguish", metavar="EXPR",
               at_once=True, about=("models",)),
    ] = ()  # fmt: skip
    property: Annotated[
        str | None,
        Option(help="step through the counterexample or witness of this property (a name, number or formula) on the page",
               metavar="PROPERTY", about=("models",)),
    ] = None  # fmt: skip
    layout: Annotated[
        str, Option(help="the layout: in layers, or by Graphviz if it is installed", noun="layout", words=LAYOUTS)
    ] = "layered"


IN_TABLES = ("graphs in tables",)


class ConfirmOptions(Options, frozen=True, kw_only=True):
    """What evidence needs beside the system, and the tables of a graph."""

    automata: Annotated[
        tuple[str | os.PathLike[str], ...],
        Option(
            help="the automaton (.hoa) that was given to check when it found the trace; may be repeated",
            flag="--automaton", metavar="FILE", about=("traces",),
        ),
    ] = ()  # fmt: skip
    columns: Annotated[
        str,
        Option(help="the columns of source, action and target, or of source and target", metavar="NAMES", about=IN_TABLES),
    ] = COLUMNS
    states: Annotated[
        str | None, Option(help="a table with the columns state and label", metavar="FILE", about=IN_TABLES)
    ] = None
    coarsest: Annotated[bool, Option(help="also check that no two classes could be merged", about=IN_TABLES)] = False
    scratch: Annotated[str | None, Option(help="directory for intermediate tables", metavar="DIR", about=IN_TABLES)] = None


class ControllerOptions(Options, frozen=True, kw_only=True):
    """Which control automaton to make of a model."""

    observe: Annotated[tuple[str, ...], OBSERVE] = ()
    cone: Annotated[bool, Option(help="keep variables that nothing observed depends on")] = True
    data: Annotated[
        str,
        Option(
            help="where numbers are kept", noun="way to keep data", on_command_line=False,
            words=MappingProxyType(
                {
                    "states": "in the states of the automaton", "variables": "where possible, in code of C",
                    "none": "nowhere: their comparisons become inputs, for automata that people only look at",
                }
            ),
        ),
    ] = "states"  # fmt: skip
    count: Annotated[bool, Option(help="count the states of the model, too", on_command_line=False)] = False


CHECK = Task((BuildOptions, CheckOptions), further=option_structs)
ASSUME = Task((BuildOptions, CheckOptions), without=("deadlock",), further=option_structs)
GSTE = Task((BuildOptions, GsteOptions))
REACH = Task((ReachOptions, BuildOptions))
REDUCE = Task((ReduceOptions, BuildOptions))
REDUCE_GRAPH = Task((GraphReduceOptions,))
REDUCE_AUTOMATON = Task((AutomatonReduceOptions,))
REDUCE_TABLES = Task((TableOptions,))
COMPARE = Task((CompareOptions,))
SPECTRUM = Task((CompareOptions,), without=("by", "preorder", "lookahead", "algorithm"))
SIMULATE = Task((SimulateOptions,))
AUTOMATON = Task((AutomatonOptions,))
DRAW = Task((DrawOptions,))
CONFIRM_EVIDENCE = Task((ConfirmOptions,))
SYMMETRY = Task((SymmetryOptions, BuildOptions), without=("carrier", "save_order"))
CONTROLLER = Task((ControllerOptions, BuildOptions), without=("carrier", "relation", "save_order", "reorder"))
