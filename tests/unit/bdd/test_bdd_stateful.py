"""Random sequences of operations on every engine against truth tables, with reordering, collecting and full managers in between.

A truth table of six variables is an integer of 64 bits: bit number i is the value where variable v has the value of bit v of i.
"""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from coarsest.bdd.oxidd import OxiddManager
from coarsest.bdd.packages import new_manager
from coarsest.bdd.sifting import Reordering, reorder
from coarsest.bdd.transfer import transfer

VARIABLES = 6
ROWS = 1 << VARIABLES
ALL = (1 << ROWS) - 1
VARIABLE = [sum(1 << row for row in range(ROWS) if row >> v & 1) for v in range(VARIABLES)]

variables = st.integers(0, VARIABLES - 1)
sets_of_variables = st.sets(variables)
picks = st.integers(0, 10**6)


def cofactor(table, v, *, value):
    """The table where v has this value, in all rows."""
    shift = 1 << v
    if value:
        half = table & VARIABLE[v]
        return half | half >> shift
    half = table & ~VARIABLE[v]
    return half | half << shift


def quantified(table, over, *, every):
    for v in over:
        low, high = cofactor(table, v, value=False), cofactor(table, v, value=True)
        table = low & high if every else low | high
    return table


def substituted(table, replacements):
    """Row by row, from the definition."""
    result = 0
    for row in range(ROWS):
        source = sum(1 << v for v in range(VARIABLES) if (replacements[v] >> row if v in replacements else row >> v) & 1)
        result |= (table >> source & 1) << row
    return result


class Operations(RuleBasedStateMachine):
    """`pool` holds functions with their tables."""

    engine = "oxidd"

    def new_manager(self):
        return new_manager(self.engine)

    @initialize()
    def start(self):
        self.manager = self.new_manager()
        self.manager.add_variables([f"v{v}" for v in range(VARIABLES)])
        self.pool = [(self.manager.true, ALL), (self.manager.false, 0)]

    def at(self, pick):
        return self.pool[pick % len(self.pool)]

    def keep(self, compute, table):
        """Compute a function and remember it with its table; if the manager is full, forget half of the pool."""
        try:
            function = compute()
        except self.manager.memory_error:
            del self.pool[2::2]
            self.manager.collect()
            return
        self.pool.append((function, table & ALL))

    @rule(v=variables)
    def variable(self, v):
        self.keep(lambda: self.manager.var(v), VARIABLE[v])

    @rule(a=picks, b=picks, operator=st.sampled_from(["and", "or", "xor", "implies", "iff"]))
    def binary(self, a, b, operator):
        (f, s), (g, t) = self.at(a), self.at(b)
        m = self.manager
        match operator:
            case "and":
                self.keep(lambda: f & g, s & t)
            case "or":
                self.keep(lambda: f | g, s | t)
            case "xor":
                self.keep(lambda: f ^ g, s ^ t)
            case "implies":
                self.keep(lambda: m.implies(f, g), ~s | t)
            case "iff":
                self.keep(lambda: m.iff(f, g), ~(s ^ t))

    @rule(a=picks)
    def complement(self, a):
        f, s = self.at(a)
        self.keep(lambda: ~f, ~s)

    @rule(a=picks, b=picks, c=picks)
    def conditional(self, a, b, c):
        (f, s), (g, t), (h, u) = self.at(a), self.at(b), self.at(c)
        self.keep(lambda: self.manager.ite(f, g, h), s & t | ~s & u)

    @rule(a=picks, over=sets_of_variables, every=st.booleans())
    def quantify(self, a, over, every):
        f, s = self.at(a)
        m = self.manager
        self.keep(
            lambda: (m.forall if every else m.exists)(f, m.cube(over)),
            quantified(s, over, every=every),
        )

    @rule(a=picks, b=picks, over=sets_of_variables)
    def relational_product(self, a, b, over):
        (f, s), (g, t) = self.at(a), self.at(b)
        self.keep(lambda: self.manager.and_exists(f, g, self.manager.cube(over)), quantified(s & t, over, every=False))

    @rule(a=picks, replacements=st.dictionaries(variables, picks, max_size=3))
    def substitute(self, a, replacements):
        f, s = self.at(a)
        m = self.manager
        chosen = {v: self.at(pick) for v, pick in replacements.items()}
        self.keep(
            lambda: m.substitute(f, m.substitution({v: g for v, (g, _) in chosen.items()})),
            substituted(s, {v: t for v, (_, t) in chosen.items()}),
        )

    @rule(a=picks, literals=st.dictionaries(variables, st.booleans()))
    def restrict(self, a, literals):
        f, s = self.at(a)
        for v, value in literals.items():
            s = cofactor(s, v, value=value)
        self.keep(lambda: self.manager.restrict(f, literals), s)

    @rule(order=st.permutations(range(VARIABLES)))
    def set_order(self, order):
        try:
            self.manager.set_order(order)
        except self.manager.memory_error:
            return
        assert self.manager.order == list(order)

    @rule()
    def collect(self):
        self.manager.collect()

    @rule()
    def tidy(self):
        self.manager.tidy()

    @rule(a=picks)
    @precondition(lambda self: len(self.pool) > 2)
    def forget(self, a):
        del self.pool[2 + a % (len(self.pool) - 2)]

    @rule()
    def move_to_another_manager(self):
        other = self.new_manager()
        other.add_variables([f"v{v}" for v in range(VARIABLES)])
        try:
            functions = transfer([f for f, _ in self.pool], self.manager, other)
        except other.memory_error:
            return
        self.pool = [(f, s) for f, (_, s) in zip(functions, self.pool, strict=True)]
        self.manager = other

    @rule(a=picks, b=picks)
    def compare(self, a, b):
        (f, s), (g, t) = self.at(a), self.at(b)
        assert (f == g) == (s == t)
        assert s != t or hash(f) == hash(g)
        try:
            assert self.manager.included(f, g) == (s & ~t == 0)
        except self.manager.memory_error:
            self.manager.collect()

    @rule(a=picks)
    def examine(self, a):
        f, s = self.at(a)
        m = self.manager
        for row in range(0, ROWS, 5):
            assert m.evaluate(f, {v: bool(row >> v & 1) for v in range(VARIABLES)}) == bool(s >> row & 1)
        depends = {v for v in range(VARIABLES) if cofactor(s, v, value=True) != cofactor(s, v, value=False)}
        assert m.support(f) == depends
        assert m.count(f, VARIABLES) == s.bit_count()
        assert m.count(f, len(depends)) == s.bit_count() >> (VARIABLES - len(depends))
        picked = m.pick(f)
        assert (picked is None) == (s == 0)
        for v, value in (picked or {}).items():
            s = cofactor(s, v, value=value)
        assert s in (0, ALL)

    @invariant()
    def constants_stay(self):
        if hasattr(self, "pool"):
            assert self.manager.true == self.pool[0][0]
            assert self.manager.false == self.pool[1][0]


class TinyOxidd(Operations):
    """Full all the time, and then usable again."""

    def new_manager(self):
        return OxiddManager(nodes=60, cache=64)



class ReorderingOxidd(Operations):
    """Sifted now and then."""

    @rule(pairs=st.booleans())
    def sift(self, pairs):
        order = self.manager.order
        groups = [order[i : i + 2] for i in range(0, VARIABLES, 2)] if pairs else []
        reorder(self.manager, Reordering(groups=groups))


class Cudd(Operations):
    engine = "cudd"

    @rule()
    def sift(self):
        self.manager.sift()


class Autoref(Operations):
    engine = "autoref"


def case(machine, examples):
    machine.TestCase.settings = settings(
        max_examples=examples, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
    )
    return machine.TestCase


TestTinyOxidd = case(TinyOxidd, 60)
TestReorderingOxidd = case(ReorderingOxidd, 60)
TestCudd = case(Cudd, 40)
TestAutoref = case(Autoref, 30)
