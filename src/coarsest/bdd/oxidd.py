"""The default package: OxiDD's binary decision diagrams with complement edges.

Facts of OxiDD this file relies on:

* The node capacity is fixed but only committed when used; the apply cache is touched at once, and every collection and every
  reordering walks over all of it. Collecting is therefore left to `tidy`, which does it seldom.
* A collector thread of OxiDD's own starts at 95 % of the capacity. While it works, `gc()` returns at once having done nothing;
  a call that takes the manager's lock exclusively (adding no variables) waits for it.
* A reordering that runs out of nodes aborts the whole process: `set_order` goes in steps that certainly fit.
* Functions hash by address, so a set of functions has no reproducible order; nothing here iterates over one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from coarsest import tuning
from coarsest.bdd.capacity import GROWTH_OF_A_JUMP
from coarsest.bdd.oxidd_native import BCDDFunction, BCDDManager, BCDDSubstitution, BooleanOperator, DDDMPFile, DDMemoryError
from coarsest.bdd.protocol import OutOfNodes, no_meter
from coarsest.phases import CLOCK
from coarsest.run import WORK_OF_A_NODE

if TYPE_CHECKING:
    from coarsest.bdd.sifting import Reordering

DEFAULT_NODES: Final = 1 << 26
DEFAULT_CACHE: Final = 1 << 18


class OxiddManager:
    """Functions as `oxidd.bcdd.BCDDFunction`."""

    memory_error: type[BaseException] = DDMemoryError

    def __init__(
        self,
        *,
        nodes: int = DEFAULT_NODES,
        cache: int = DEFAULT_CACHE,
        threads: int = 1,
        node_limit: int | None = None,
        reorder: Reordering | None = None,
    ) -> None:
        self.capacity = nodes
        self.cache, self.node_limit, self.reorder = cache, node_limit, reorder
        self._inner = BCDDManager(nodes, cache, threads)
        self.true: BCDDFunction = self._inner.true()
        self.false: BCDDFunction = self._inner.false()
        self._names: list[str] = []
        self._variables: list[BCDDFunction] = []
        self._peak = 0
        self._live = 0
        """After the last collection."""
        self._created = 0
        """Nodes made up to the last collection."""
        self.spend: Callable[[float], None] = no_meter
        self._reported = 0
        """Nodes made that `spend` has heard of."""
        self._look_at = 0 if reorder is None else reorder.threshold
        """How many nodes must have been made when it is next asked whether to reorder."""
        self._reorder_at = 0
        self._spent = 0
        """Effort of all reorderings, less their rewards."""

    # Variables

    def add_variables(self, names: Sequence[str]) -> range:
        numbers = self._inner.add_named_vars(names)
        self._names.extend(names)
        self._variables.extend(self._inner.var(number) for number in numbers)
        return numbers

    def var(self, number: int) -> BCDDFunction:
        return self._variables[number]

    @property
    def names(self) -> Sequence[str]:
        return self._names

    # Operations

    def ite(self, condition: BCDDFunction, then: BCDDFunction, otherwise: BCDDFunction) -> BCDDFunction:
        return condition.ite(then, otherwise)

    def implies(self, f: BCDDFunction, g: BCDDFunction) -> BCDDFunction:
        return f.imp(g)

    def iff(self, f: BCDDFunction, g: BCDDFunction) -> BCDDFunction:
        return f.equiv(g)

    def included(self, f: BCDDFunction, g: BCDDFunction) -> bool:
        return f.imp(g).valid()

    def cube(self, variables: Iterable[int]) -> BCDDFunction:
        result = self.true
        for number in self._bottom_up(variables):
            result = self._variables[number] & result
        return result

    def exists(self, f: BCDDFunction, variables: BCDDFunction) -> BCDDFunction:
        return f.exists(variables)

    def forall(self, f: BCDDFunction, variables: BCDDFunction) -> BCDDFunction:
        return f.forall(variables)

    def and_exists(self, f: BCDDFunction, g: BCDDFunction, variables: BCDDFunction) -> BCDDFunction:
        return f.apply_exists(BooleanOperator.AND, g, variables)

    def substitution(self, replacements: Mapping[int, BCDDFunction]) -> BCDDSubstitution:
        return BCDDFunction.make_substitution(replacements.items())

    def substitute(self, f: BCDDFunction, substitution: BCDDSubstitution) -> BCDDFunction:
        return f.substitute(substitution)

    def restrict(self, f: BCDDFunction, literals: Mapping[int, bool]) -> BCDDFunction:
        # The relational product with the cube of literals was 1 to 60 times as fast as substituting constants.
        variables = cube = self.true
        for number in self._bottom_up(literals):
            variable = self._variables[number]
            variables = variable & variables
            cube = (variable if literals[number] else ~variable) & cube
        return f.apply_exists(BooleanOperator.AND, cube, variables)

    def _bottom_up(self, variables: Iterable[int]) -> list[int]:
        """Lowest level first: a conjunction built in this order takes one step per variable. Duplicates are dropped."""
        return sorted(set(variables), key=self._inner.var_to_level, reverse=True)

    # Questions

    def support(self, f: BCDDFunction) -> set[int]:
        """A walk over some nodes, half a microsecond each, which ends early when every variable was seen.

        Whether a large function depends on those that were not seen is asked by quantifying them.
        """
        variables: set[int] = set()
        visited: set[BCDDFunction] = {f}
        waiting = [f]
        while waiting and len(variables) < len(self._variables):
            if len(visited) > tuning.NODES_WALKED_IN_PYTHON:
                return variables | self._depends_on(f, [v for v in range(len(self._variables)) if v not in variables])
            function = waiting.pop()
            cofactors = function.cofactors()
            if cofactors is None:
                continue
            variables.add(function.node_var())  # type: ignore[arg-type]  # only constants have no variable
            for cofactor in cofactors:
                if cofactor not in visited:
                    visited.add(cofactor)
                    waiting.append(cofactor)
        return variables

    def _depends_on(self, f: BCDDFunction, candidates: list[int]) -> set[int]:
        """The candidates that f depends on: probably few, so that halves of them are asked about together."""
        if self.exists(f, self.cube(candidates)) == f:
            return set()
        if len(candidates) == 1:
            return set(candidates)
        half = len(candidates) // 2
        return self._depends_on(f, candidates[:half]) | self._depends_on(f, candidates[half:])

    def size(self, *functions: BCDDFunction) -> int:
        return sum(function.node_count() for function in functions)

    def count(self, f: BCDDFunction, variables: int) -> int:
        # OxiDD gives the terminal the weight 2^variables and halves at every node on the way up: exact whatever other
        # variables the manager has, as long as no path is longer than `variables`.
        return f.sat_count(variables)

    def pick(self, f: BCDDFunction) -> dict[int, bool] | None:
        values = f.pick_cube()
        if values is None:
            return None
        return {number: value for number, value in enumerate(values) if value is not None}

    def evaluate(self, f: BCDDFunction, values: Mapping[int, bool]) -> bool:
        return f.eval(values.items())

    def children(self, f: BCDDFunction) -> tuple[int, BCDDFunction, BCDDFunction] | None:
        cofactors = f.cofactors()
        if cofactors is None:
            return None
        return f.node_var(), *cofactors  # type: ignore[return-value]  # only constants have no variable

    # Order and room

    @property
    def order(self) -> list[int]:
        return [self._inner.level_to_var(level) for level in range(len(self._variables))]

    def set_order(self, order: Sequence[int], *, most_nodes: int | None = None) -> None:
        """Raises OutOfNodes, with the order as it was, when there may be too little room on the way, or more nodes than wanted.

        Variables jump up to their places from the top down, as many at once as there is certainly room for.
        """
        if sorted(order) != list(range(len(self._variables))):
            raise ValueError("an order must name every variable once")
        now = self.order
        if now == list(order):
            return
        self.collect()
        passed = [now]
        while now != list(order):
            jumps = self._safe_jumps()
            if jumps == 0 or (most_nodes is not None and self.live_nodes > most_nodes):
                for earlier in reversed(passed):  # where it did fit it fits again, and so does all between
                    self._inner.set_var_order(earlier)
                raise OutOfNodes(f"too little room to reorder {self.live_nodes} of {self.capacity} nodes")
            now = _jumped(now, order, jumps)
            self._inner.set_var_order(now)
            passed.append(now)

    def exchange(self, upper: Sequence[int], lower: Sequence[int], *, nodes_after: int | None = None) -> None:
        """Exchange two adjacent blocks of variables, given from the top down.

        Costs no collection, and leaves no dead nodes behind. Raises OutOfNodes, having done nothing, when there may be too
        little room. Faster with a large lower block if it is known how many nodes there will be: the way is then also the
        way of the upper block jumping up from there.
        """
        if nodes_after is not None and GROWTH_OF_A_JUMP ** len(upper) * max(nodes_after, self.live_nodes) <= self.capacity:
            self._inner.set_var_order([*lower, *upper])
            return
        done = 0
        while done < len(lower):
            jumps = self._safe_jumps()
            if jumps == 0:
                self._inner.set_var_order([*upper, *lower[:done]])
                raise OutOfNodes
            self._inner.set_var_order([*lower[done : done + jumps], *upper])
            done += jumps

    def _safe_jumps(self) -> int:
        """How many variables may jump up before the nodes are counted again.

        When a variable jumps up over others, each of their nodes becomes at most two cofactors and one node of the variable, so
        the nodes at most triple, and for a moment there are those of one level in addition; and every order on the way lies
        within as many jumps.
        """
        nodes, jumps = GROWTH_OF_A_JUMP * max(self._inner.num_inner_nodes(), 1), 0
        while nodes <= self.capacity:
            nodes, jumps = GROWTH_OF_A_JUMP * nodes, jumps + 1
        return jumps

    @property
    def live_nodes(self) -> int:
        return self._inner.num_inner_nodes()

    @property
    def peak_nodes(self) -> int:
        return self._peak

    @property
    def made_nodes(self) -> int:
        return self._created + max(0, self.live_nodes - self._live)

    def collect(self) -> None:
        self._created += max(0, self.live_nodes - self._live)
        # Wait for a collector that started before the last function was dropped; then collect; then wait for one that
        # got in before us.
        self._inner.add_vars(0)
        self._inner.gc()
        self._inner.add_vars(0)
        self._live = self.live_nodes

    def tidy(self) -> None:
        nodes = self._inner.num_inner_nodes()
        self._peak = max(self._peak, nodes)
        made = self.made_nodes
        self.spend(WORK_OF_A_NODE * (made - self._reported))
        self._reported = made
        limit = self.node_limit
        look = self.reorder is not None and self._created + nodes - self._live >= self._look_at
        if look or nodes >= self._collect_at() or (limit is not None and nodes > limit):
            self.collect()
        if look and self.reorder is not None:
            # In steps of half of all the work done: on the way to an explosion often, in a long quiet run seldom.
            self._look_at = self._created + self._created // 2
            if self._live >= self._reorder_at and self.reorder.is_due(self._live, self._created):
                self._sift(self.reorder)
        if limit is not None and nodes > limit and self.live_nodes > limit:
            raise OutOfNodes(f"{self.live_nodes} nodes are in use; the limit is {limit}")

    def _collect_at(self) -> float:
        """A collection also forgets what the apply cache knows, which costs more than the collection itself: the sets of one
        search are alike, and with a full cache the next image costs a tenth."""
        fewest = max(tuning.NODES_WORTH_COLLECTING, self.cache)
        return max(1.25 * self._live, min(4 * self._live + fewest, 0.75 * self.capacity))

    @CLOCK.phase("order")
    def _sift(self, reordering: Reordering) -> None:
        from coarsest.bdd.sifting import reorder

        before = self._live
        effort = min(reordering.effort, self._created - self._spent)
        if effort < before:  # not enough to move even one group
            return
        # A reward is for going on, not for the next time, when there may be nothing to save.
        self._spent += max(0, reorder(self, reordering, effort=int(reordering.share * effort)))
        self._live = self.live_nodes
        # If it did not pay, wait twice as long before the next.
        self._reorder_at = int(self._live * reordering.growth * (1 if self._live < 0.9 * before else 2))

    # Files

    def export_dot(self, path: str) -> None:
        """Write all nodes of the manager, level by level from the top, in the format of Graphviz."""
        self._inner.dump_all_dot(path)

    def export_dddmp(self, path: str, functions: Sequence[BCDDFunction], *, text: bool = False) -> None:
        """Write functions in the DDDMP format, as numbers in a text or in fewer bytes."""
        self._inner.export_dddmp(path, functions, ascii=text)

    def import_dddmp(self, path: str, renumber: Callable[[int], int]) -> list[BCDDFunction] | None:
        """Read functions back, with other numbers for the variables; None when their order here differs from the file's."""
        with DDDMPFile(path) as file:
            numbers = [renumber(variable) for variable in file.support_var_order]
            levels = [self._inner.var_to_level(number) for number in numbers]
            return self._inner.import_dddmp(file, numbers) if levels == sorted(levels) else None
        raise AssertionError("unreachable")  # the type of DDDMPFile says that it may swallow exceptions


def _jumped(now: Sequence[int], order: Sequence[int], jumps: int) -> list[int]:
    """The order after the next variables that are not in their places have jumped up to them.

    >>> _jumped([0, 1, 2, 3], [2, 0, 3, 1], 1)
    [2, 0, 1, 3]
    """
    after = list(now)
    for level, variable in enumerate(order):
        if jumps > 0 and after[level] != variable:
            after.remove(variable)
            after.insert(level, variable)
            jumps -= 1
    return after
