"""The options of building state spaces and of checking properties and assertion graphs."""

from types import MappingProxyType
from typing import Annotated, Final

from msgspec.structs import replace

from coarsest.options.engines import (
    BY_PARTS,
    ENGINE_WORDS,
    FAIR_ALGORITHMS,
    FIRST_OF,
    LINEAR,
    LTL_METHODS,
    ON_BITS,
    SEARCHES,
    engine_asked_for,
    option_structs,
)
from coarsest.options.option import CONFIRMATIONS, Beside, Confirm, O, Option, Options, choices
from coarsest.options.relations import REDUCTIONS

MOST_THREADS: Final = 256
"""Each thread takes memory when it starts, whether it is used or not."""

SYMMETRY_ALGORITHMS = MappingProxyType(
    {
        "auto": "`sorting`; `symmetry-mc` and `sigma-step` where `--subset`, `--representatives` or `--rounds` is given",
        "sorting": "replaces the states of a set by symmetric ones that come before them, until there are none",
        "symmetry-mc": "for invariants: representatives chosen on the fly",
        "hints-sym": "for invariants: the same, first for the states of each `--hint` in turn, then for all",
        "iterative": "for invariants: builds the relation between states and representatives part by part",
        "sigma-step": "for formulas about paths: decides on the quotient; closes orbits by applying the generators repeatedly",
        "create-xi": "the same, but finds orbits by the relation between representatives and states",
        "orbit-to-xi": "the same, but by the orbit relation, which is usually too large",
        "live-rep": "for formulas about all paths: searches the model restricted to representatives; can only refute",
    }
)
SUBSETS = MappingProxyType(
    {
        "all": "all of them",
        "heavy-branch": "a part with a small BDD: follows the branches with more states",
        "dense": "a part with many states for each node",
    }
)
REPRESENTATIVES = MappingProxyType(
    {
        "first": "the states of the orbit that are met first",
        "smallest": "of these, the states that no generator maps to a smaller one",
    }
)
WRONG_GENERATORS = MappingProxyType(
    {
        "leave-out": "leave it out, with a warning",
        "use": "use it to look for violations, as the paper does; nothing is proved with it",
    }
)
PARTS = MappingProxyType(
    {
        "auto": "instances if there are several, else two halves",
        "instances": "its modules, subcircuits or nodes, recognised by the names of their variables",
        "halves": "two groups of variables that depend little on each other",
    }
)
FAIR_ALGORITHMS_ON_GRAPHS = MappingProxyType(
    {
        "auto": "`yang-seger`; `one-way` if there is compassion",
        "yang-seger": "a hull by the rounds of the paper",
        **{word: line for word, line in FAIR_ALGORITHMS.items() if word != "auto"},
    }
)
IMAGE_METHODS = MappingProxyType(
    {
        "auto": "`disjunctive` if there is a scheduler, else `monolithic` if that is small, else `clustered`; preimages of "
        "small sets by `functions`",
        "monolithic": "one BDD",
        "clustered": "a conjunction of BDDs; variables are quantified as early as possible",
        "disjunctive": "a disjunction, for models in which a scheduler chooses who moves",
        "functions": "a function for the next value of each variable, substituted into the set",
        "inverse": "the same, computed from the leaves of the set's BDD to its root; slower",
        "expound": "the same, computed from the root to the leaves; slower still",
    }
)
ORDERS = MappingProxyType(
    {
        "auto": "`declaration` or `force`, whichever keeps the variables of an equation closer together; the bits of numbers "
        "that are compared or added are interleaved",
        "declaration": "the order of declaration",
        "force": "pulls variables towards those that their equations mention",
        "dependency": "each variable after those that it depends on",
        "depth-first": "the order in which a depth-first search from outputs and next values meets them, deepest first",
    }
)
BDD_PACKAGES = MappingProxyType({"oxidd": "OxiDD", "cudd": "CUDD, which needs `coarsest[cudd]`"})
CARRIERS = MappingProxyType(
    {
        "auto": "`bdd`; `smt` if a variable has no bounds (not for `reach`)",
        "bdd": "a BDD",
        "explicit": "a bit set over listed states",
        "smt": "a formula, which needs `coarsest[smt]`",
    }
)
SEMANTICS = MappingProxyType(
    {"auto": "as stated in each graph", "finite": "paths to a final vertex", "fair": "fair infinite paths"}
)
ABSTRACTIONS = MappingProxyType({"none": "every bit is known", "ternary": "bits may be unknown, and the verdict with them"})
PRUNING = MappingProxyType({"late": "after a violation has been found", "early": "before the search"})
DEADLOCK = MappingProxyType(
    {
        "loop": "it gets a step to itself, and a warning reports it",
        "fail": "it violates a property of its own, which is checked before all others",
        "ignore": "as `loop` without the warning, for models that are meant to end",
    }
)
GENERATORS = Option(
    help="a file of symmetries, one per line, such as 'swap p1 p2' (default: those in comments of the model, or "
    "found in its structure)",
    metavar="FILE",
)
CONFIRM = Option(help="confirm evidence automatically where that is cheap, always or never", words=CONFIRMATIONS)


ON_SYMMETRIES = Beside("reduce", ("symmetry",))
ON_BDDS = Beside("carrier", ("bdd",))
ALL_KNOWN, SOME_UNKNOWN = Beside("abstraction", ("none",)), Beside("abstraction", ("ternary",))
"""A search with unknown bits builds BDDs of its own and has one image method."""

MERGE = Option(help="keep variables that are constant or always equal to another one in large models")


class BuildOptions(Options, frozen=True, kw_only=True):
    """How to build a symbolic state space."""

    carrier: Annotated[
        str,
        Option(
            help="how sets of states are represented: as BDDs, as bit sets over states listed one by one, or as formulas "
            "(needs 'coarsest[smt]')",
            noun="carrier", words=CARRIERS, beside=(ALL_KNOWN,),
        ),
    ] = "auto"  # fmt: skip
    relation: Annotated[
        str,
        Option(help="how images are computed: {words}", noun="relation method", words=IMAGE_METHODS, metavar="FORM",
               beside=(ON_BDDS, ALL_KNOWN)),
    ] = "auto"  # fmt: skip
    bdd: Annotated[
        str, Option(help="BDD package (cudd needs 'coarsest[cudd]')", words=BDD_PACKAGES, beside=(ON_BDDS,))
    ] = "oxidd"
    order: Annotated[
        str,
        Option(help="variable order: {words}, or a file", words=ORDERS, closed=False, metavar="NAME|FILE", beside=(ON_BDDS,)),
    ] = "auto"
    save_order: Annotated[
        str | None,
        Option(help="write the final variable order to a file", metavar="FILE",
               beside=(ON_BDDS, ALL_KNOWN, Beside("jobs", (1,)))),
    ] = None  # fmt: skip
    reorder: Annotated[bool, Option(help="do not change the variable order during the run", beside=(ON_BDDS,))] = True
    threads: Annotated[
        int,
        Option(help="number of threads of the BDD package", metavar="N", least=1, most=MOST_THREADS, beside=(ON_BDDS,)),
    ] = 1
    top: tuple[str, ...] = ()
    """Variables at the top of the order, whatever `order` says; `bottom` likewise."""
    bottom: tuple[str, ...] = ()
    like: tuple[tuple[str, int], ...] = ()
    """The order of bits in another space, which the bits of this space keep."""


class ReachOptions(Options, frozen=True, kw_only=True):
    """How to look for all reachable states."""

    search: Annotated[
        str,
        Option(help="how to look for states", noun="search", words=MappingProxyType({**SEARCHES, "auto": "`breadth-first`"}),
               beside=(BY_PARTS,)),
    ] = "auto"  # fmt: skip
    merge: Annotated[bool, MERGE] = True
    towards: Annotated[
        str | None,
        Option(help="count backwards: all states from which a state that satisfies the condition can be reached",
               metavar="CONDITION", beside=(Beside("carrier", never=("explicit",)),)),
    ] = None  # fmt: skip


class CheckOptions(Options, frozen=True, kw_only=True):
    """How to check properties."""

    engine: Annotated[
        str,
        Option(
            help="what decides properties: {words}", noun="engine", words=ENGINE_WORDS, metavar="NAME",
            beside=(Beside("reduce", never=("symmetry",)), Beside("reduce", ("none",), value=FIRST_OF)),
        ),
    ] = "auto"  # fmt: skip
    reduce: Annotated[
        str,
        Option(help="decide properties on a quotient of the model: {words}", noun="reduction", words=REDUCTIONS,
               metavar="RELATION", beside=(Beside("carrier", ("bdd", "explicit"), value="symmetry"),)),
    ] = "none"  # fmt: skip
    algorithm: Annotated[
        str,
        Option(help="how symmetries are used: {words}", noun="algorithm for symmetries", words=SYMMETRY_ALGORITHMS,
               metavar="NAME", beside=(ON_SYMMETRIES, ON_BDDS)),
    ] = "auto"  # fmt: skip
    generators: Annotated[str | None, replace(GENERATORS, beside=(ON_SYMMETRIES,))] = None
    wrong_generators: Annotated[
        str,
        Option(help="what to do with a generator that is not a symmetry: {words}", noun="use of wrong generators",
               words=WRONG_GENERATORS, metavar="HOW", beside=(ON_SYMMETRIES, ON_BDDS)),
    ] = "leave-out"  # fmt: skip
    representatives: Annotated[
        str,
        Option(help="which states represent an orbit: {words}", noun="choice of representatives", words=REPRESENTATIVES,
               metavar="WHICH", beside=(ON_SYMMETRIES,)),
    ] = "first"  # fmt: skip
    subset: Annotated[
        str,
        Option(help="which of the waiting representatives are expanded next: {words}", noun="choice of a subset", words=SUBSETS,
               metavar="WHICH", beside=(ON_SYMMETRIES,)),
    ] = "all"  # fmt: skip
    hint: Annotated[
        tuple[str, ...],
        Option(help="for 'hints-sym': expand states that satisfy this first; may be repeated", metavar="CONDITION",
               beside=(ON_SYMMETRIES, Beside("algorithm", ("hints-sym",)))),
    ] = ()  # fmt: skip
    rounds: Annotated[
        int,
        Option(help="apply all generators N times, then assume that a set of symmetric states is closed; 0: until it is closed",
               metavar="N", least=0, beside=(ON_SYMMETRIES, ON_BDDS)),
    ] = 0  # fmt: skip
    ltl: Annotated[
        str, Option(help="how LTL is checked: {words}", noun="LTL method", words=LTL_METHODS, metavar="METHOD")
    ] = "auto"
    safety: Annotated[
        bool,
        Option(help="treat LTL formulas as safety properties: look only for bad prefixes, refuse other formulas",
               about=("ltl", "automaton"), beside=(Beside("engine", never=ON_BITS),)),
    ] = False  # fmt: skip
    cone: Annotated[bool, Option(help="keep variables that no property depends on (no cone of influence)")] = True
    merge: Annotated[bool, MERGE] = True
    confirm: Annotated[Confirm, CONFIRM] = Confirm.AUTO
    certificates: Annotated[
        bool, Option(help="make a certificate of every property that holds, whatever it costs", on_command_line=False)
    ] = False
    vacuity: Annotated[bool, Option(help="do not check whether properties hold vacuously")] = True
    deadlock: Annotated[
        str, Option(help="how to treat a reachable state without successor: {words}", noun="use of deadlocks", words=DEADLOCK)
    ] = "loop"
    show: Annotated[
        tuple[str, ...],
        Option(help="show only these variables and expressions along traces", metavar="EXPR", at_once=True),
    ] = ()
    traces: Annotated[
        int,
        Option(help="find up to N counterexamples to an invariant: different final states first, then different paths",
               metavar="N", least=1, about=("invariant",)),
    ] = 1  # fmt: skip
    depth: Annotated[
        int,
        Option(help="look only at paths of up to N steps; a property that they do not decide is unknown; 0: all paths",
               metavar="N", least=0, about=("invariant", "cover", "ltl"),
               beside=(Beside("reduce", ("none",)), Beside("engine", never=(FIRST_OF,)))),
    ] = 0  # fmt: skip
    jobs: Annotated[
        int, Option(help="check properties in parallel, in N processes", metavar="N", least=1, most=MOST_THREADS)
    ] = 1
    race: Annotated[
        bool,
        Option(help="let engines take turns in one process instead of racing in two: slower, but always the same engine answers"),
    ] = True

    of_engines: tuple[Options, ...] = ()
    """The options of engines that differ from their defaults."""

    def of(self, struct: type[O]) -> O:
        """The options of engines in this struct."""
        return next((options for options in self.of_engines if isinstance(options, struct)), None) or struct()

    @property
    def ltl_method(self) -> str:
        """How LTL formulas are checked: as `ltl` says, or by the method of `engine`."""
        asked = engine_asked_for(LINEAR, self.engine)
        return self.ltl if self.ltl != "auto" or asked is None else asked.method or "auto"

    @property
    def on_bits(self) -> bool:
        """Does an engine without sets of states decide LTL?"""
        if self.depth and self.engine == "auto":
            return self.ltl == "auto"
        return self.ltl == "auto" and self.engine in ON_BITS and engine_asked_for(LINEAR, self.engine) is not None

    @property
    def confirms(self) -> bool:
        """Is evidence confirmed?"""
        return self.confirm is not Confirm.NEVER


def check_options(**given: object) -> CheckOptions:
    """How to check properties; options of engines may be among them."""
    structs = ((struct, {choice.name for choice in choices(struct)} & given.keys()) for struct in option_structs())
    of_engines = tuple(struct(**{name: given.pop(name) for name in names}) for struct, names in structs if names)
    return CheckOptions(of_engines=of_engines, **given)  # type: ignore[arg-type]


class GsteOptions(Options, frozen=True, kw_only=True):
    """How to check assertion graphs."""

    semantics: Annotated[
        str,
        Option(
            help="which paths count: finite paths to a final vertex, fair infinite paths, or as stated in each graph",
            noun="semantics", words=SEMANTICS,
        ),
    ] = "auto"  # fmt: skip
    abstraction: Annotated[
        str,
        Option(
            help="ternary: bits may be unknown; this is smaller, but may leave the verdict unknown", noun="abstraction",
            words=ABSTRACTIONS,
        ),
    ] = "none"  # fmt: skip
    precise: Annotated[
        tuple[str, ...],
        Option(help="do not abstract this variable, array or module; may be repeated", metavar="NAME", beside=(SOME_UNKNOWN,)),
    ] = ()
    prune: Annotated[
        str,
        Option(
            help="drop paths that cannot be accepted: late, after a violation has been found, or early, before the search",
            noun="pruning", words=PRUNING, beside=(ALL_KNOWN,),
        ),
    ] = "late"  # fmt: skip
    fair: Annotated[
        str,
        Option(help="how to find states with fair paths: {words}", noun="algorithm for fair states",
               words=FAIR_ALGORITHMS_ON_GRAPHS, metavar="NAME",
               beside=(ALL_KNOWN, Beside("semantics", ("fair",)))),
    ] = "auto"  # fmt: skip
    cone: Annotated[bool, Option(help="keep variables that no graph depends on (no cone of influence)")] = True
    confirm: Annotated[Confirm, CONFIRM] = Confirm.AUTO
    vacuity: Annotated[bool, Option(help="do not report vertices that are never reached")] = True

    @property
    def for_check(self) -> CheckOptions:
        """The options that checks of all kinds of properties share."""
        return CheckOptions(cone=self.cone, confirm=self.confirm, vacuity=self.vacuity)
