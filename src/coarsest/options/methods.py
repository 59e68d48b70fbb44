"""How state spaces are built, and properties and assertion graphs are checked: words, defaults and help."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from coarsest.errors import InputError
from coarsest.options.engines import ENGINE_WORDS, LINEAR, ON_BITS, engine_asked_for
from coarsest.options.option import CONFIRMATIONS, Confirm, Option, Options
from coarsest.options.relations import REDUCTIONS

MOST_THREADS = 256
"""Each thread takes memory when it starts, needed or not."""

SHORT_NAMES: Mapping[str, str] = MappingProxyType({"bfh": "bouajjani-fernandez-halbwachs"})
"""Algorithms that have a second name."""

SYMMETRY_ALGORITHMS = MappingProxyType(
    {
        "auto": "invariants and safety by `symmetry-mc`, everything else by `sigma-step`",
        "symmetry-mc": "for invariants: representatives chosen on the fly",
        "hints-sym": "for invariants: the same, states of each `--hint` in turn, then all",
        "iterative": "for invariants: parts of the relation between states and representatives, one after another",
        "sigma-step": "for formulas about paths: on the quotient, orbits by applying the generators again and again",
        "create-xi": "the same, orbits by the relation between representatives and states",
        "orbit-to-xi": "the same, by the orbit relation, which is mostly too large",
        "live-rep": "for formulas about all paths: in the model with representatives alone, which only refutes",
    }
)
SUBSETS = MappingProxyType(
    {
        "all": "all of them",
        "heavy-branch": "a part with a small BDD, by the branches with more states",
        "dense": "a part with many states for each node",
    }
)
REPRESENTATIVES = MappingProxyType(
    {
        "first": "all that are met first",
        "smallest": "of these, those that no generator takes to a smaller one",
    }
)
WRONG_GENERATORS = MappingProxyType(
    {
        "leave-out": "left out, and told",
        "use": "used to look for violations, as the paper does: nothing is proved with them",
    }
)
PARTS = MappingProxyType(
    {
        "auto": "its instances, if there are several, or else two halves",
        "instances": "its modules, subcircuits or nodes, by the names of their variables",
        "halves": "variables in two groups that read little of each other",
    }
)
SEARCHES = MappingProxyType(
    {
        "auto": "by `chaining` where a scheduler splits the transition relation, else, and backwards, `breadth-first`",
        "breadth-first": "ring by ring, with distances",
        "chaining": "one part of the transition relation after the other, without distances",
    }
)
LTL_METHODS = MappingProxyType(
    {
        "auto": "as CTL where that means the same, else by how large the automaton is",
        "partitioned": "a set of states for each state of an automaton",
        "automaton": "an automaton in variables beside the model",
        "tableau": "a tableau of the formula in variables beside the model",
    }
)
FAIR_ALGORITHMS = MappingProxyType(
    {
        "auto": "`one-way`",
        "one-way": "a hull of the components, from one side",
        "emerson-lei": "a hull by nested fixpoints",
        "lockstep": "strongly connected components, from both sides in step",
    }
)
FAIR_ALGORITHMS_ON_GRAPHS = MappingProxyType(
    {
        "auto": "`yang-seger`, or with compassion `one-way`",
        "yang-seger": "a hull by the rounds of the paper",
        **{word: told for word, told in FAIR_ALGORITHMS.items() if word != "auto"},
    }
)
IMAGE_METHODS = MappingProxyType(
    {
        "auto": "`disjunctive` if there is a scheduler, else `monolithic` if that is small or `clustered`; preimages by "
        "`functions`, where that takes less",
        "monolithic": "one BDD",
        "clustered": "a conjunction of BDDs, with variables forgotten as early as possible",
        "disjunctive": "a disjunction, where a scheduler chooses who moves",
        "functions": "a function for the next value of each variable, put into the set",
        "inverse": "the same, from the leaves of the set's BDD to its root; slower",
        "expound": "the same, from the root to the leaves; slower still",
    }
)
ORDERS = MappingProxyType(
    {
        "auto": "as declared or by `force`, whichever keeps variables of one equation closer; words that are compared or "
        "added bit by bit",
        "declaration": "as the variables are declared",
        "force": "variables are pulled to the others that their equations mention",
        "dependency": "each variable after those that it depends on",
        "depth-first": "as a search from outputs and next values through all gates meets them, what is deepest first",
    }
)
BDD_PACKAGES = MappingProxyType({"oxidd": "OxiDD", "cudd": "CUDD, which needs `coarsest[cudd]`"})
CARRIERS = MappingProxyType(
    {
        "auto": "`bdd`; for all but `reach`, `smt` where a variable has no bounds",
        "bdd": "a BDD",
        "explicit": "a bit set over states that are listed one by one",
        "smt": "a formula, which needs `coarsest[smt]`",
    }
)
PLACES = MappingProxyType({"auto": "wherever the order puts them", "top": "above all others", "bottom": "below all others"})
ENCODINGS = MappingProxyType({"binary": "as the binary number of its state", "one-hot": "a variable for each state"})
SEMANTICS = MappingProxyType(
    {"auto": "as each graph is written", "finite": "paths to a final vertex", "fair": "fair infinite paths"}
)
ABSTRACTIONS = MappingProxyType({"none": "every bit is known", "ternary": "bits may be unknown, and so may be the verdict"})
PRUNING = MappingProxyType({"late": "after a violation is found", "early": "before looking for one"})
DEADLOCK = MappingProxyType(
    {
        "loop": "a state without successor is given a step to itself, and a warning tells of it",
        "fail": "that every reachable state has a successor is a property, checked before all others",
        "ignore": "as `loop`, without a warning: the model is meant to end",
    }
)
GENERATORS = Option(
    help="the symmetries, a line each, as 'swap p1 p2' (default: those in comments of the model, or what its structure shows)",
    metavar="FILE",
)
CONFIRM = Option(help="check the evidence where that is cheap, always or never", words=CONFIRMATIONS)


MERGE = Option(help="keep variables that are constant, or always equal to another, in large models")


class BuildOptions(Options, frozen=True, kw_only=True):
    """How to build a symbolic state space."""

    carrier: Annotated[
        str,
        Option(
            help="what a set of states is: a BDD, a bit set over states listed one by one, or a formula, which needs "
            "'coarsest[smt]'",
            noun="carrier", words=CARRIERS,
        ),
    ] = "auto"  # fmt: skip
    relation: Annotated[
        str, Option(help="form of the transition relation: {words}", noun="relation method", words=IMAGE_METHODS, metavar="FORM")
    ] = "auto"
    bdd: Annotated[str, Option(help="BDD package; cudd needs 'coarsest[cudd]'", words=BDD_PACKAGES)] = "oxidd"
    order: Annotated[
        str, Option(help="variable order: {words}, or a file", words=ORDERS, closed=False, metavar="NAME|FILE")
    ] = "auto"
    save_order: Annotated[str | None, Option(help="write the final variable order there", metavar="FILE")] = None
    reorder: Annotated[bool, Option(help="keep the order while running")] = True
    threads: Annotated[int, Option(help="threads of the BDD package", metavar="N", least=1, most=MOST_THREADS)] = 1
    top: tuple[str, ...] = ()
    """Variables that go to the top of the order, whatever it is."""
    bottom: tuple[str, ...] = ()
    like: tuple[tuple[str, int], ...] = ()
    """Bits in an order that was found for another space: those that are here, too, are in the same."""


class ReachOptions(Options, frozen=True, kw_only=True):
    """How to look for all reachable states."""

    search: Annotated[
        str,
        Option(help="how to look for states", noun="search", words=MappingProxyType({**SEARCHES, "auto": "`breadth-first`"})),
    ] = "auto"
    merge: Annotated[bool, MERGE] = True
    towards: Annotated[
        str | None,
        Option(help="the other way round: of all states, those from which one with this condition can be reached",
               metavar="CONDITION"),
    ] = None  # fmt: skip


class CheckOptions(Options, frozen=True, kw_only=True):
    """How to check properties."""

    search: Annotated[str, Option(help="how to look for states", noun="search", words=SEARCHES)] = "auto"
    engine: Annotated[
        str,
        Option(
            help="for invariants forward, backward, both-ends, a minimiser that stops early (lee-yannakakis, bfh, "
            "paige-tarjan), bmc, k-induction or ic3 on SAT; for LTL smc, partitioned, tableau, bmc, "
        "k-induction or ic3; or several, first-of",
            noun="engine", words=ENGINE_WORDS, metavar="NAME",
        ),
    ] = "auto"  # fmt: skip
    reduce: Annotated[
        str,
        Option(help="decide properties on the quotient of the model: {words}", noun="reduction", words=REDUCTIONS,
               metavar="RELATION"),
    ] = "none"  # fmt: skip
    algorithm: Annotated[
        str,
        Option(help="how symmetries are used: {words}", noun="algorithm for symmetries", words=SYMMETRY_ALGORITHMS,
               metavar="NAME"),
    ] = "auto"  # fmt: skip
    generators: Annotated[str | None, GENERATORS] = None
    wrong_generators: Annotated[
        str,
        Option(help="what to do with a generator that is no symmetry: {words}", noun="use of wrong generators",
               words=WRONG_GENERATORS, metavar="HOW"),
    ] = "leave-out"  # fmt: skip
    representatives: Annotated[
        str,
        Option(help="which states of an orbit represent it: {words}", noun="choice of representatives", words=REPRESENTATIVES,
               metavar="WHICH"),
    ] = "first"  # fmt: skip
    subset: Annotated[
        str,
        Option(help="what of the representatives that wait is expanded next: {words}", noun="choice of a subset", words=SUBSETS,
               metavar="WHICH"),
    ] = "all"  # fmt: skip
    hint: Annotated[
        tuple[str, ...],
        Option(help="states that are expanded first, for 'hints-sym'; may be repeated: one after another", metavar="CONDITION"),
    ] = ()
    rounds: Annotated[
        int,
        Option(help="rounds of applying all generators before a set of symmetric states counts as closed; 0: until it is",
               metavar="N", least=0),
    ] = 0  # fmt: skip
    ltl: Annotated[
        str, Option(help="what watches the model for LTL: {words}", noun="LTL method", words=LTL_METHODS, metavar="METHOD")
    ] = "auto"
    fair: Annotated[
        str,
        Option(help="how to find states with fair paths: {words}", noun="algorithm for fair states", words=FAIR_ALGORITHMS,
               metavar="NAME"),
    ] = "auto"  # fmt: skip
    property_variables: Annotated[
        str,
        Option(
            help="where in the order the variables of an encoded automaton or a tableau go", noun="place for property variables",
            words=PLACES,
        ),
    ] = "auto"  # fmt: skip
    encoding: Annotated[str, Option(help="how an automaton is encoded in variables", noun="encoding", words=ENCODINGS)] = "binary"
    safety: Annotated[
        bool, Option(help="LTL formulas are of safety: look for bad prefixes alone, and refuse other formulas")
    ] = False
    cone: Annotated[bool, Option(help="keep what no property depends on")] = True
    merge: Annotated[bool, MERGE] = True
    confirm: Annotated[Confirm, CONFIRM] = Confirm.AUTO
    certificates: Annotated[
        bool, Option(help="make a certificate of every property that holds, whatever it costs", on_command_line=False)
    ] = False
    vacuity: Annotated[bool, Option(help="do not look for parts of a property that do not matter")] = True
    deadlock: Annotated[
        str, Option(help="what a reachable state without successor is: {words}", noun="use of deadlocks", words=DEADLOCK)
    ] = "loop"
    show: Annotated[
        tuple[str, ...],
        Option(help="along traces show these variables and expressions, and nothing else", metavar="EXPR", at_once=True),
    ] = ()
    traces: Annotated[
        int,
        Option(help="so many counterexamples to an invariant, with other ends, or else by other paths, as far as there are some",
               metavar="N", least=1),
    ] = 1  # fmt: skip
    jobs: Annotated[
        int, Option(help="decide properties side by side in so many processes", metavar="N", least=1, most=MOST_THREADS)
    ] = 1

    @property
    def ltl_method(self) -> str:
        """How LTL formulas are checked: as `ltl` says, or as the engine does it."""
        by_engine = {"smc": "automaton", "partitioned": "partitioned", "tableau": "tableau"}
        return by_engine.get(self.engine, "auto") if self.ltl == "auto" else self.ltl

    @property
    def on_bits(self) -> bool:
        """Are linear formulas decided by an engine that has no sets of states?"""
        return self.ltl == "auto" and self.engine in ON_BITS and engine_asked_for(LINEAR, self.engine) is not None

    @property
    def confirms(self) -> bool:
        """Is evidence confirmed?"""
        return self.confirm is not Confirm.NEVER


class GsteOptions(Options, frozen=True, kw_only=True):
    """How to check assertion graphs."""

    semantics: Annotated[
        str,
        Option(
            help="paths to a final vertex, fair infinite paths, or as each graph is written", noun="semantics", words=SEMANTICS
        ),
    ] = "auto"  # fmt: skip
    abstraction: Annotated[
        str,
        Option(
            help="ternary: bits may be unknown, which is smaller, and may leave the verdict unknown", noun="abstraction",
            words=ABSTRACTIONS,
        ),
    ] = "none"  # fmt: skip
    precise: Annotated[
        tuple[str, ...],
        Option(help="a variable that is not abstracted, or all of an array or module; may be repeated", metavar="NAME"),
    ] = ()
    prune: Annotated[
        str,
        Option(
            help="leave paths that cannot be accepted out after a violation is found, or before looking", noun="pruning",
            words=PRUNING,
        ),
    ] = "late"  # fmt: skip
    fair: Annotated[
        str,
        Option(help="how to find states with fair paths: {words}", noun="algorithm for fair states",
               words=FAIR_ALGORITHMS_ON_GRAPHS, metavar="NAME"),
    ] = "auto"  # fmt: skip
    cone: Annotated[bool, Option(help="keep what no graph depends on")] = True
    confirm: Annotated[Confirm, CONFIRM] = Confirm.AUTO
    vacuity: Annotated[bool, Option(help="do not say which vertices are never reached")] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.precise and self.abstraction == "none":
            raise InputError("without an abstraction everything is precise", hint="say --abstraction ternary, too")

    @property
    def for_check(self) -> CheckOptions:
        """What checks of all kinds of properties have in common."""
        return CheckOptions(cone=self.cone, confirm=self.confirm, vacuity=self.vacuity)
