"""Options that have no part in what is to be checked are refused: nobody shall believe that they had an effect.

In a file with several properties, each is checked as far as an option concerns it; that none is concerned is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import fields

from coarsest.check.decide.which import searched_as_invariant
from coarsest.check.setting.workshop import CheckOptions
from coarsest.errors import InputError
from coarsest.model.machine import Machine, Property
from coarsest.options import engines
from coarsest.options.engines import FIRST_OF, ON_BITS, engine_named, engines_named
from coarsest.options.methods import BuildOptions, GsteOptions
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.model.assertion_graph_claim import AssertionGraphClaim

INVARIANTS = frozenset({"invariant"})
LINEAR = frozenset({"ltl", "psl", "automaton"})
OF_TABLEAUX = frozenset({"ltl", "automaton"})
ON_PATHS = LINEAR | {"ctl", "ctl*", "compute"}
DECIDED = {
    engines.INVARIANTS: INVARIANTS, engines.LINEAR: LINEAR, engines.BRANCHING: frozenset({"ctl", "ctl*"}),
    engines.QUANTITIES: frozenset({"compute"}), engines.ALONG: frozenset({"graph"}),
}  # fmt: skip
"""The kinds of properties that engines of each kind of claim are for."""

ENCODED = "applies to an automaton that is encoded in variables: choose the LTL method 'automaton'"
OF_BDDS = ("relation", "bdd", "order", "reorder", "threads")
OF_SYMMETRIES = ("algorithm", "generators", "wrong_generators", "representatives", "subset", "hint", "rounds")
SETS_ARE = {"explicit": "states are listed one by one", "smt": "sets of states are formulas"}

WORDS = {
    "invariant": "invariants (also AG p, and G p unless LTL gets a method of its own, without fairness)",
    "ctl": "CTL", "ctl*": "CTL*", "ltl": "LTL", "psl": "PSL", "compute": "COMPUTE",
    "automaton": "automata",
}  # fmt: skip


def insist_options_used(
    options: CheckOptions, build: BuildOptions, machine: Machine, claims: Sequence[Property], *, carrier: str
) -> None:
    """Raise InputError for an option that was chosen and concerns none of the properties, or another choice keeps from effect."""
    ways = {_way_of(claim, machine, options) for claim in claims}
    for option, value, concerned in _chosen(options, by_formulas=carrier == "smt"):
        asked = {str(claim.kind) for claim in claims} if option == "safety" else ways  # what is bad of G p is a prefix, too
        if asked and asked.isdisjoint(concerned):
            users = ", ".join(words for way, words in WORDS.items() if way in concerned)
            raise _refusal(option, value, f"applies only to {users}, and no such property is checked")
    if carrier == "smt" and ways == INVARIANTS:  # what is not an invariant is checked on a quotient, with BDDs
        insist_build_options_used(build, carrier)
    on_bits = INVARIANTS | LINEAR if options.on_bits else INVARIANTS
    if ways <= on_bits and build.carrier in SETS_ARE and _engine(options) in ON_BITS:
        raise _refusal("carrier", build.carrier, f"is about sets of states, and the engine '{options.engine}' uses none")
    if carrier == "explicit":
        _insist_listable(options)
    insist_unguided(machine, options.search)
    if ways == INVARIANTS and options.search != "auto":
        _insist_rings(options)
    _insist_fitting(options, build)
    _insist_symmetric(options, carrier)


def _insist_symmetric(options: CheckOptions, carrier: str) -> None:
    """What is about symmetries has a part only where they reduce, and they have algorithms of their own."""
    if options.reduce != "symmetry":
        for name in OF_SYMMETRIES:
            default = next(field.default for field in fields(CheckOptions) if field.name == name)
            if getattr(options, name) != default:
                raise _refusal(name, getattr(options, name), "applies only with --reduce symmetry")
    elif options.hint and options.algorithm != "hints-sym":
        raise _refusal("hint", options.hint[0], "applies only to the algorithm 'hints-sym'")
    elif options.engine != "auto":
        raise _refusal("engine", options.engine, "decides on the model itself, and symmetries have algorithms of their own")
    elif carrier == "explicit":
        for name in ("algorithm", "wrong_generators", "rounds"):
            default = next(field.default for field in fields(CheckOptions) if field.name == name)
            if getattr(options, name) != default:
                raise _refusal(name, getattr(options, name), f"applies to BDDs, and here {SETS_ARE[carrier]}")
    elif carrier == "smt":
        raise InputError(f"symmetries permute states of finite sets, and here {SETS_ARE[carrier]}", hint="use --carrier bdd")


def insist_unguided(machine: Machine, search: str) -> None:
    """Raise InputError for a search that was chosen where hints guide it."""
    if machine.hints and search != "auto":
        raise _refusal("search", search, "would replace the search that the hints guide")


def _insist_rings(options: CheckOptions) -> None:
    from coarsest.check.invariants.measured_invariant import ON_THE_FLY

    if _engine(options) in ON_THE_FLY:
        raise _refusal("search", options.search, f"does not apply to the engine '{options.engine}', which splits sets of states")


def insist_build_options_used(build: BuildOptions, carrier: str, run: Run | None = None) -> None:
    """Raise InputError for an option of BDDs, or a limit of them, where there are none."""
    if carrier not in SETS_ARE:
        return
    reason = f"applies to BDDs, and here {SETS_ARE[carrier]}"
    for field in fields(BuildOptions):
        value = getattr(build, field.name)
        if field.name in OF_BDDS and value != field.default:
            raise _refusal(field.name, value, reason)
    if run is not None and run.limits.nodes is not None:
        raise _refusal("nodes", run.limits.nodes, reason)


def _insist_listable(options: CheckOptions) -> None:
    """Where states are listed, there are neither parts of the transition relation nor variables beside those of the model."""
    insist_listed_search(options.search)
    if options.ltl_method in ("automaton", "tableau"):
        option, value = ("ltl", options.ltl) if options.ltl != "auto" else ("engine", options.engine)
        hint = "use 'partitioned', or leave the option out"
        message = f"'{value}' for '{option}' adds variables to those of the model, and here {SETS_ARE['explicit']}"
        raise InputError(message, hint=hint)


def insist_listed_search(search: str) -> None:
    """Raise InputError for a search that needs parts of the transition relation, which a graph of listed states has not."""
    if search == "chaining":
        raise _refusal("search", search, f"uses parts of the transition relation, and here {SETS_ARE['explicit']}")


def insist_all_states(towards: str | None) -> None:
    """Raise InputError for the states from which others can be reached, where only reachable ones are listed."""
    if towards is not None:
        raise _refusal("towards", towards, "asks about all states, and here only the reachable ones are listed")


def insist_graph_options_used(
    how: GsteOptions, build: BuildOptions, claims: Sequence[AssertionGraphClaim], *, carrier: str
) -> None:
    """The same for assertion graphs; the search with unknown bits has BDDs of its own."""
    if how.abstraction != "none" and build.carrier in SETS_ARE:
        raise _refusal("carrier", build.carrier, "does not apply to a search with unknown bits")
    if how.abstraction == "none":
        insist_build_options_used(build, carrier)
    chosen = {"fair": how.fair != "auto", "prune": how.prune != "late", "relation": build.relation != "auto"}
    for option in [name for name, is_chosen in chosen.items() if is_chosen and how.abstraction == "ternary"]:
        raise InputError(f"'{option}' would have no effect on a search with unknown bits", hint=f"leave '{option}' out")
    if how.fair != "auto" and {str(claim.semantics) for claim in claims} == {"finite"}:
        raise _refusal("fair", how.fair, "applies only to the fair semantics, and all graphs are checked on finite paths")


def _engine(options: CheckOptions) -> str:
    """The full name of the engine that was chosen, if one was."""
    return options.engine if options.engine in ("auto", FIRST_OF) else engine_named(options.engine).name


def _decided_by(engine: str) -> frozenset[str]:
    if engine in ("auto", FIRST_OF):
        return INVARIANTS | LINEAR
    if engine_named(engine).name == "tableau":
        return OF_TABLEAUX
    return frozenset().union(*(DECIDED[entry.decides] for entry in engines_named(engine)))


def _way_of(claim: Property, machine: Machine, options: CheckOptions) -> str:
    return "invariant" if searched_as_invariant(claim, machine, options) is not None else str(claim.kind)


def _chosen(options: CheckOptions, *, by_formulas: bool) -> Iterator[tuple[str, object, frozenset[str]]]:
    """The options that are not left to us, each with what it concerns."""
    searches = ON_PATHS | (frozenset() if by_formulas else INVARIANTS)
    concerned = {
        "engine": _decided_by(options.engine),
        "search": searches,
        "ltl": OF_TABLEAUX if options.ltl == "tableau" else LINEAR,
        "fair": ON_PATHS,
        "property_variables": LINEAR,
        "encoding": LINEAR,
        "safety": frozenset({"ltl", "automaton"}),
        "traces": INVARIANTS,
    }
    for field in fields(CheckOptions):
        value = getattr(options, field.name)
        if field.name in concerned and value != field.default:
            yield field.name, value, concerned[field.name]


def _insist_fitting(options: CheckOptions, build: BuildOptions) -> None:
    """Does one choice leave room for another?"""
    if options.engine == FIRST_OF and options.reduce != "none":
        raise _refusal("engine", FIRST_OF, "applies to the model itself; a quotient is checked by one engine")
    if options.jobs > 1 and build.save_order is not None:
        raise _refusal("save_order", build.save_order, "applies to the diagrams of one process, and each job has its own")
    method = options.ltl_method
    by_engine = {"smc": "automaton", "partitioned": "partitioned", "tableau": "tableau"}.get(options.engine, method)
    if by_engine != method:
        raise _refusal("engine", options.engine, f"contradicts '{options.ltl}' for 'ltl'")
    if options.on_bits and options.safety:
        raise _refusal("safety", True, f"applies to sets of states, and the engine '{options.engine}' uses none")
    if options.property_variables != "auto" and method not in ("automaton", "tableau"):
        raise _refusal("property_variables", options.property_variables, ENCODED)
    if options.encoding != "binary" and method != "automaton":
        raise _refusal("encoding", options.encoding, ENCODED)


def _refusal(option: str, value: object, reason: str) -> InputError:
    shown = option.replace("_", "-")
    choice = f"'--{shown}'" if isinstance(value, bool) else f"'{value}' for '{shown}'"
    return InputError(f"{choice} would have no effect: it {reason}", hint=f"leave '{shown}' out")
