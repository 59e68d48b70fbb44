"""Invariants on representatives: which algorithm, and what its findings are worth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct

from coarsest.check.invariants.invariant import InvariantResult
from coarsest.check.invariants.searched import finding_of
from coarsest.check.questions.finding import Finding, Proved, Reached, Undecided
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.session import Session
from coarsest.errors import Unsupported
from coarsest.evidence.proof import QuotientClasses
from coarsest.model.query.formula import parse_formula
from coarsest.options.methods import CheckOptions
from coarsest.reduce.symmetry.closing import Closure, sigma_step
from coarsest.reduce.symmetry.group.group import Group
from coarsest.reduce.symmetry.group.movers import Mover, mover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.quotient import path_among_orbits
from coarsest.reduce.symmetry.symmetry_mc_barner_grumberg import Subset, symmetry_mc
from coarsest.run import Statistic

LIMIT: Final = 300
"""Parts of the representative relation have this many nodes at first. A large part cannot be made larger, and little is lost by
many small ones: the limit is doubled only where they lead nowhere."""

SPURIOUS = "a path of representatives leads to a violation, but no path of the model goes the same way"


class Searched(Struct, frozen=True):
    """A path of the model to a bad state, if there is one; else representatives of all that was reached."""

    path: tuple[Any, ...] | None
    representatives: Any
    facts: dict[str, Statistic]
    because: str = ""
    """Why the search does not decide the invariant; empty if it does."""


def invariant_finding(
    question: Question[Invariant], session: Session, space: Any, own: Sequence[Permutation], doubt: str
) -> Finding:
    """What a search over representatives finds. `doubt` is why nothing is proved by it."""
    movers: list[Mover[Any]] = [mover(space, one) for one in own]
    bad = space.states - space.where(question.claim.good)
    by_sorting = sorts(session.options, doubt)
    search = {"iterative": _iterative, "hints-sym": _by_hints}.get(session.options.algorithm, _on_the_fly)
    searched = (_sorted if by_sorting else search)(session, space, bad, own, movers)
    facts: dict[str, Statistic] = {
        "symmetries": Group(own, session.run).order, "representatives": space.count(searched.representatives), **searched.facts,
    }  # fmt: skip
    if searched.path is not None:
        return finding_of(session, question, space, InvariantResult(searched.path, None), facts)
    if searched.because or doubt:
        return Undecided(f"no violation was found, but {searched.because or doubt}", facts)
    close = partial(sigma_step, space, searched.representatives, movers, session.run)
    closure: Closure[Any] | None = None
    if not by_sorting or session.options.confirm == "always" or session.options.certificates:
        closure = close()
    elif session.options.confirms:
        closure = session.evidence.unless_long(session.run, close)
    if closure is None:
        representatives = searched.representatives
        return Proved(QuotientClasses(space.count(representatives), "symmetry"), Reached(space, representatives, False), facts)
    return finding_of(session, question, space, InvariantResult(None, closure.states, exact=True), facts)


def sorts(options: CheckOptions, doubt: str = "") -> bool:
    """Are representatives found by sorting? Not where something is asked for that other searches have alone."""
    if options.algorithm == "sorting" and doubt:
        raise Unsupported(f"sets are sorted by symmetries alone, and {doubt}", hint="use --algorithm symmetry-mc")
    plain = options.subset == "all" and options.representatives == "first" and not options.rounds
    return options.algorithm == "sorting" or (options.algorithm == "auto" and plain and not doubt)


def _sorted(session: Session, space: Any, bad: Any, own: Sequence[Permutation], movers: Sequence[Mover[Any]]) -> Searched:
    from coarsest.reduce.symmetry.sorting import Sorter, search_sorted

    sort = session.once(space, f"sorted by {[str(one) for one in own]}", lambda: Sorter(space, own, session.run))
    explored = search_sorted(space, bad, sort, movers, session.run)
    layers = len(explored.layers)
    return Searched(explored.path, explored.representatives, {"iterations": layers, "images": layers})


def _on_the_fly(session: Session, space: Any, bad: Any, own: Sequence[Permutation], movers: Sequence[Mover[Any]]) -> Searched:
    options = session.options
    explored = symmetry_mc(
        space, bad, movers, session.run, under=subset_of(space, options.subset),
        thin=thinning_of(space, own, options.representatives), rounds=options.rounds or None,
    )  # fmt: skip
    layers = len(explored.layers)
    return Searched(explored.path, explored.representatives, {"iterations": layers, "images": layers})


def _by_hints(session: Session, space: Any, bad: Any, own: Sequence[Permutation], movers: Sequence[Mover[Any]]) -> Searched:
    from coarsest.reduce.symmetry.hints_barner_grumberg import hints_sym

    hints = [space.where(parse_formula(text, space.machine).formula) for text in session.options.hint]
    explored = hints_sym(space, bad, movers, hints, session.run, rounds=session.options.rounds or None, once=True)
    layers = len(explored.layers)
    return Searched(explored.path, explored.representatives, {"iterations": layers, "images": layers})


def _iterative(session: Session, space: Any, bad: Any, own: Sequence[Permutation], movers: Sequence[Mover[Any]]) -> Searched:
    from coarsest.reduce.symmetry.iterative_barner_grumberg import iterative_sym
    from coarsest.reduce.symmetry.smallest import smallest_states

    rep = smallest_states(space, own)
    iterated = iterative_sym(space, bad, own, session.run, rep=rep, limit=LIMIT)
    facts: dict[str, Statistic] = {"iterations": iterated.iterations, "xi_nodes": iterated.nodes}
    if iterated.rings is None:
        return Searched(None, iterated.reached, facts)
    path = path_among_orbits(space, iterated.rings, iterated.reached & bad)  # orbits are larger, and may not be needed
    if path is None:
        orbits = [sigma_step(space, ring, movers, session.run).states for ring in iterated.rings]
        path = path_among_orbits(space, orbits, iterated.reached & bad)
    return Searched(path, iterated.reached, facts, SPURIOUS if path is None else "")


def subset_of(space: Any, word: str) -> Subset[Any]:
    """What is expanded of the waiting states."""
    from coarsest.reduce.symmetry import subsets

    by_word = {"heavy-branch": subsets.heavy_branch, "dense": subsets.densest}
    return partial(by_word[word], space) if word in by_word else lambda waiting: waiting


def thinning_of(space: Any, own: Sequence[Permutation], word: str) -> Subset[Any]:
    """Which of the states of an orbit that are met together become representatives."""
    from coarsest.reduce.symmetry.smallest import Thinning

    return Thinning(space, own) if word == "smallest" else lambda states: states
