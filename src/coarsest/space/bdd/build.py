"""From a machine to its symbolic state space: order, manager, encoding, relation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final

from coarsest import tuning
from coarsest.bdd.packages import new_manager
from coarsest.bdd.protocol import Manager
from coarsest.encode.encode import Encoder
from coarsest.encode.layout import Layout, bits_of
from coarsest.errors import InputError
from coarsest.model.machine import Kind, Machine
from coarsest.model.unbounded import require_finite
from coarsest.options.methods import IMAGE_METHODS
from coarsest.options.methods import BuildOptions as BuildOptions
from coarsest.options.option import unknown_word
from coarsest.phases import CLOCK
from coarsest.run import Run
from coarsest.space.bdd.order import choose_order
from coarsest.space.bdd.relation.choice import FunctionsOrRelation
from coarsest.space.bdd.relation.disjunctive import Disjunctive, find_scheduler, union_if_small
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.step import ImageMethod, Step, is_circuit, only_functions, step_of
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace

OPERATIONS_OF_A_STEP: Final = 32
"""Operations of encoding that count as one step of the run."""


@CLOCK.phase("encode")
def build(
    machine: Machine,
    run: Run | None = None,
    options: BuildOptions | None = None,
    *,
    labels: Mapping[str, SymbolicSet[Any]] | None = None,
) -> SymbolicSpace[Any]:
    """Build the symbolic state space of a machine; `labels` are definitions whose meaning is a set of another space."""
    require_finite(machine, "its states cannot be held in BDDs")
    run, options = run or Run(), options or BuildOptions()
    order = choose_order(machine, options.order, top=options.top, bottom=options.bottom, like=options.like)
    bits = sum(bits_of(v.type) for v in machine.variables.values())
    reordering = None
    if options.reorder and bits <= tuning.REORDERING_BITS:
        from coarsest.bdd.sifting import Reordering

        reordering = Reordering(threshold=tuning.REORDERING_NODES_ENCODING)
    manager = new_manager(
        options.bdd, mebibytes=run.limits.mebibytes, node_limit=run.limits.nodes, reorder=reordering, bits=bits,
        threads=options.threads,
    )  # fmt: skip
    manager.spend = run.spend
    layout = Layout.allocate(machine, manager, order)
    encoder = Encoder(manager, layout)
    if reordering is not None:
        reordering.groups, reordering.functions = layout.groups, encoder.functions
    _take_over(encoder, manager, labels or {})
    encoder.between = encoder.operators.between = _attending(manager, run)
    step = step_of(encoder, manager, run)
    encoder.between = lambda: None
    encoder.operators.between = manager.tidy
    if reordering is not None:
        reordering.threshold, reordering.long_run = tuning.REORDERING_NODES, tuning.REORDERING_NODES_MADE
        reordering.functions = tuple
    space = SymbolicSpace(encoder, step, choose_image_method(step, options.relation, run))
    if reordering is not None:
        reordering.functions = space.recent.copy  # of the sets, not of the space: the manager would keep that
    return space


def _take_over(encoder: Encoder[Any], manager: Manager[Any], labels: Mapping[str, SymbolicSet[Any]]) -> None:
    """The sets of other managers that definitions stand for."""
    from coarsest.bdd.transfer import transfer

    for name, states in labels.items():
        (encoder.labels[name],) = transfer([states.function], states.manager, manager)


def _attending(manager: Any, run: Run) -> Callable[[], None]:
    """What is done between the operations of encoding: it may take long, and nodes may become many."""
    operations = count(1)

    def attend() -> None:
        manager.tidy()
        if next(operations) % OPERATIONS_OF_A_STEP == 0:
            run.step("encode", nodes=manager.live_nodes)
        else:
            run.look_at_clock("encode")

    return attend


def choose_image_method(step: Step[Any], method: str, run: Run) -> ImageMethod[Any]:
    """The step relation, held by the given method."""
    match method:
        case "monolithic":
            return Monolithic.of(step, run)
        case "clustered":
            return EarlyQuantification(step, run)
        case "functions" | "inverse" | "expound":
            return _through_functions(step, method, run)
        case "auto" | "disjunctive":
            # A circuit has no scheduler: a bit that leaves others unchanged only enables them, and to look for it takes long.
            # Where every next value is a function, registers choose nothing: an address leaves all but one word as they are.
            alone = method == "auto" and only_functions(step)
            kinds = (Kind.INPUT,) if alone else ()
            looks = method == "disjunctive" or not is_circuit(step)
            scheduler = find_scheduler(step, *kinds, free=method == "auto", alone=alone) if looks else None
            if scheduler is not None:
                whole = union_if_small(step, scheduler[1], run) if method == "auto" else None
                return Disjunctive(step, *scheduler, run, whole=whole)
            if method == "auto":
                return FunctionsOrRelation(step, run)
            raise InputError(
                "no scheduler was found in this model: there is no variable whose choice leaves most of the others unchanged",
                hint="use --relation clustered, or leave the choice to --relation auto",
            )
    raise unknown_word("relation method", method, IMAGE_METHODS)


def _through_functions(step: Step[Any], method: str, run: Run) -> ImageMethod[Any]:
    """Preimages through the next-state functions, in one of three ways."""
    from coarsest.space.bdd.relation.expound_coudert_madre import Expound
    from coarsest.space.bdd.relation.functions import NextStateFunctions, VectorComposition, Way
    from coarsest.space.bdd.relation.inverse_bustan import Inverse

    ways: dict[str, Way[Any]] = {"functions": VectorComposition, "inverse": Inverse, "expound": Expound}
    return NextStateFunctions(step, run, ways[method])
