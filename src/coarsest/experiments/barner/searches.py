"""The models of Barner and Grumberg 2003 by their algorithms, and by those that they are compared with.

The order of variables is that of the model text, and it is not changed; `seconds` are CPU seconds of building BDDs and searching.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import Any

from coarsest.api.model import loads
from coarsest.automata.psl.psl_to_automaton import psl_to_automaton
from coarsest.check.answers import Checker
from coarsest.check.products.ltl import automaton_product
from coarsest.experiments.barner.models import FAMILIES, cells, sorted_suites
from coarsest.experiments.points import Facts
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.model.machine import Machine
from coarsest.model.query.formula import parse_formula
from coarsest.options.methods import BuildOptions, CheckOptions
from coarsest.options.option import Confirm
from coarsest.reduce.symmetry.group.declared import declared
from coarsest.reduce.symmetry.group.movers import mover
from coarsest.reduce.symmetry.hints_barner_grumberg import hints_sym
from coarsest.reduce.symmetry.iterative_barner_grumberg import iterative_sym
from coarsest.reduce.symmetry.orbit_relation_jha import orbit_to_xi
from coarsest.reduce.symmetry.quotient import path_among_orbits
from coarsest.reduce.symmetry.representative_relation import create_xi
from coarsest.reduce.symmetry.smallest import smallest_states
from coarsest.run import Run
from coarsest.search.paths import path_to
from coarsest.search.reachability import BreadthFirst
from coarsest.space.bdd.build import build

AS_WRITTEN = BuildOptions(reorder=False, order="declaration")


def futurebus(n: int, algorithm: str, *, run: Run) -> Facts:
    """Somebody writes again and again: refuted on the model, or on the model restricted to representatives."""
    machine = loads(FAMILIES["futurebus"](n)).machine
    options = CheckOptions(vacuity=False, confirm=Confirm.NEVER)
    if algorithm:
        options = CheckOptions(
            vacuity=False, confirm=Confirm.NEVER, reduce="symmetry", algorithm=algorithm, representatives="smallest"
        )
    claims = [claim for claim in machine.properties if claim.name == "writes_again"]
    started = process_time()
    (answer,) = Checker(machine, AS_WRITTEN, options, run).answers(claims)
    return {
        "holds": answer.verdict.word != "fails", "seconds": process_time() - started,
        "peak_nodes": int(answer.statistics["peak_nodes"]), "representatives": int(answer.statistics.get("representatives", 0)),
    }  # fmt: skip


def arbiter(n: int, claim: str, column: str, *, run: Run) -> Facts:
    """A sequence that must not be, watched by its automaton beside the model: the satellite of the paper."""
    machine = loads(FAMILIES["arbiter"](n)).machine
    (formula,) = [prop.formula for prop in machine.properties if prop.name == claim]
    violating = psl_to_automaton(psl_from_expr(formula), negated=True, run=run, smallest=False)
    started = process_time()
    product = automaton_product(machine, violating, AS_WRITTEN, run, place="bottom")
    space, bad = product.space, product.bad
    assert bad is not None and product.start == space.initial
    if column == "on-the-fly":
        violated = BreadthFirst(space, space.initial).meet(bad, run) is not None
    else:
        off = [[f"p{i}.at = off" for i in range(few + 1, n + 1)] for few in range(1, n)]
        hints = [space.where(parse_formula(" & ".join(others), space.machine).formula) for others in off]
        movers = [mover(space, one) for one in declared(machine)] if column == "Hints_Sym" else []
        violated = hints_sym(space, bad, movers, hints, run, rounds=1, once=True).path is not None
    return {"holds": not violated, "seconds": process_time() - started, "peak_nodes": space.manager.peak_nodes}


def representative_relation(n: int, algorithm: str, *, run: Run) -> Facts:
    """ξ for the smallest states of N cells, directly or by way of the orbit relation."""
    space: Any = build(loads(cells(n)).machine, run, AS_WRITTEN)
    generators = declared(space.machine)
    started = process_time()
    if algorithm == "Create_ξ":
        xi = create_xi(space, generators, smallest_states(space, generators), run)
    else:
        xi = orbit_to_xi(space, generators, run)
    return {"seconds": process_time() - started, "nodes": xi.nodes, "peak_nodes": space.manager.peak_nodes}


def covering(k: int, column: str, *, run: Run) -> Facts:
    """The shortest suite of tests that covers all pairs of values of K inputs."""
    machine = loads(FAMILIES["covering"](k)).machine
    started = process_time()
    if column == "SAT":
        (answer,) = Checker(machine, AS_WRITTEN, CheckOptions(engine="bmc", vacuity=False), run).answers(machine.properties)
        states: Sequence[Any] = answer.verdict.trace.states  # type: ignore[union-attr]
        return {**_suite(states, k), "seconds": process_time() - started}
    space: Any = build(machine, run, AS_WRITTEN)
    bad = space.states - space.where(machine.properties[0].formula)
    if column == "on-the-fly":
        rings = BreadthFirst(space, space.initial).meet(bad, run)
        path: Sequence[Any] | None = None if rings is None else path_to(space, rings, bad)
    else:
        rep = space.where(_parsed(sorted_suites(k, values=column.endswith("values")), machine))
        # With a limit of 0, ξ is the identity on representatives: of these suites, all that comes before is one of them.
        iterated = iterative_sym(space, bad, declared(machine), run, rep=rep, limit=0)
        path = path_among_orbits(space, iterated.rings or (), iterated.reached & bad)
    assert path is not None, "some suite covers everything"
    facts = _suite([space.describe(state) for state in path], k)
    return {**facts, "seconds": process_time() - started, "peak_nodes": space.manager.peak_nodes}


def _parsed(text: str, machine: Machine) -> Any:
    return parse_formula(text, machine).formula


def _suite(states: Sequence[Any], k: int) -> dict[str, Any]:
    """The tests, and whether they cover: looked at afresh."""
    tests = ["".join("1" if state[f"x{i}"] else "0" for i in range(1, k + 1)) for state in states]
    pairs = {(i, j, test[i], test[j]) for test in tests for j in range(k) for i in range(j)}
    return {"tests": len(tests), "covers": len(pairs) == 2 * k * (k - 1), "suite": " ".join(tests)}
