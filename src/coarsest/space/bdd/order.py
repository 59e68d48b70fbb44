"""The order of a machine's variables from the structure of the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from coarsest import tuning
from coarsest.bdd.order.static_order import best_order, dependency, force
from coarsest.encode.layout import Bit, bits_in_order, bits_of
from coarsest.files import read_text
from coarsest.logic.expr import Apply, Constant, Expr, Name, conjuncts, names, subexpressions
from coarsest.logic.operators import BOOLEAN_CONNECTIVES
from coarsest.model.machine import Machine
from coarsest.phases import CLOCK
from coarsest.space.bdd.order_words import interleaved

FEWEST_EDGES_OF_A_HUB: Final = 6
FEWEST_EDGES_STEERED: Final = 4
MOST_EVENTS: Final = 5000
"""A condition with more alternatives was probably written out from shared parts, and counts as one."""
STRUCTURE = BOOLEAN_CONNECTIVES | {"case", "next"}


def hyperedges(machine: Machine) -> list[tuple[str, ...]]:
    """The sets of variables that occur together in one conjunct of the machine, each in order of declaration."""
    position = {name: i for i, name in enumerate(machine.variables)}
    edges: list[tuple[str, ...]] = []

    def add(variables: set[str]) -> None:
        if len(variables) > 1:
            edges.append(tuple(sorted(variables, key=position.__getitem__)))

    for equations in (machine.next_values, machine.current_values):
        for name, expr in equations.items():
            add(machine.variables_of(expr) | {name})
    for part in (part for constraint in machine.invariant_constraints for part in conjuncts(constraint)):
        add(machine.variables_of(part))
    for part in (part for constraint in machine.transition_constraints for part in conjuncts(constraint)):
        for variables in events(machine, part) if says_what_stays(part) else [machine.variables_of(part)]:
            add(variables)
    return edges


def says_what_stays(part: Expr) -> bool:
    """Does `next(x) = x` occur in it? Then it lists what may happen, and what stays as it is meanwhile."""
    return any(_stays(inner) for inner in subexpressions(part))


def _stays(expr: Expr) -> bool:
    match expr:
        case Apply("=" | "iff", (Apply("next", (Name(before),)), Name(after)) | (Name(after), Apply("next", (Name(before),)))):
            return before == after
    return False


def events(machine: Machine, part: Expr) -> list[set[str]]:
    """For each alternative of a condition on steps, the variables that it depends on or changes."""
    remembered: dict[int, list[set[str]]] = {}

    def alternatives(part: Expr) -> list[set[str]]:
        if id(part) not in remembered:
            several = split(part)
            remembered[id(part)] = several if len(several) <= MOST_EVENTS else [machine.variables_of(part)]
        return remembered[id(part)]

    def split(part: Expr) -> list[set[str]]:
        match part:
            case Apply("or", args):
                return [variables for arg in args for variables in alternatives(arg)]
            case Apply("case", args):
                chosen = [(machine.variables_of(condition), result) for condition, result in zip(args[::2], args[1::2])]
                return [read | changed for read, result in chosen for changed in alternatives(result)]
            case Apply("and", args):
                of_args = [alternatives(arg) for arg in args]
                common = set[str]().union(*(several[0] for several in of_args if len(several) == 1))
                return [variables | common for several in of_args if len(several) > 1 for variables in several] or [common]
        return [set()] if _stays(part) else [machine.variables_of(part)]

    return alternatives(part)


def local_hyperedges(machine: Machine) -> list[tuple[str, ...]]:
    """As `hyperedges`, but a definition is an edge of its own: a condition on the whole system binds its variables once."""
    direct = []
    for equations in (machine.next_values, machine.current_values, machine.definitions):
        direct += [{name, *names(expr)} for name, expr in equations.items()]
    for constraint in (*machine.transition_constraints, *machine.invariant_constraints):
        direct += [set(names(part)) for part in conjuncts(constraint)]
    edges = [tuple(variable for variable in machine.variables if variable in mentioned) for mentioned in direct]
    return [edge for edge in edges if len(edge) > 1]


def compared_hyperedges(machine: Machine) -> list[tuple[str, ...]]:
    """The sets of variables whose values are compared, or of which one is given the value of others, wherever that is said."""
    position = {name: i for i, name in enumerate(machine.variables)}
    together: list[set[str]] = []
    for equations in (machine.next_values, machine.current_values):
        together += [{name} | machine.variables_of(result) for name, expr in equations.items() for result in _results(expr)]
    constraints = (*machine.transition_constraints, *machine.invariant_constraints)
    equations_and_definitions = (machine.next_values, machine.current_values, machine.definitions)
    for expr in (*constraints, *(expr for group in equations_and_definitions for expr in group.values())):
        together += [machine.variables_of(atom) for atom in _atoms(expr)]
    return [tuple(sorted(variables, key=position.__getitem__)) for variables in together if len(variables) > 1]


def _atoms(expr: Expr) -> Iterator[Expr]:
    """The largest parts below connectives and cases, without names and constants; each shared part once."""
    yield from (part for part in _below(expr, STRUCTURE, lambda part: part.args) if isinstance(part, Apply))


def _results(expr: Expr) -> Iterator[Expr]:
    """What a value may be, in any case."""
    return _below(expr, {"case"}, lambda part: part.args[1::2])


def _below(expr: Expr, operators: Collection[str], operands: Callable[[Apply], tuple[Expr, ...]]) -> Iterator[Expr]:
    """The parts with another operator, or none, below those with one of these."""
    waiting, visited = [expr], set[int]()
    while waiting:
        part = waiting.pop()
        if id(part) in visited:
            continue
        visited.add(id(part))
        if isinstance(part, Apply) and part.op in operators:
            waiting += operands(part)
        else:
            yield part


def depends_on(machine: Machine) -> dict[str, list[str]]:
    """For each variable, the variables its equations mention."""
    position = {name: i for i, name in enumerate(machine.variables)}
    result: dict[str, list[str]] = {name: [] for name in machine.variables}
    for equations in (machine.next_values, machine.current_values):
        for name, expr in equations.items():
            result[name] += sorted(machine.variables_of(expr) - {name}, key=position.__getitem__)
    return result


def hubs(edges: Sequence[Sequence[str]]) -> list[str]:
    """The variables that most edges meet in, such as a scheduler: they go to the top, and do not pull the others together."""
    count = Counter(name for edge in edges for name in edge)
    fewest = tuning.HUB_SHARE * len(edges)
    return [name for name, degree in count.items() if len(edges) >= FEWEST_EDGES_OF_A_HUB and degree > fewest]


def selectors(machine: Machine) -> list[str]:
    """The variables whose value says which of many others is meant, such as the index of an array, if they are few.

    Below those that they select from, the values of all of these would have to be remembered.
    """
    selected: dict[str, set[str]] = {}
    equations = (machine.next_values, machine.current_values, machine.definitions)
    for expr in (expr for group in equations for expr in group.values()):
        for part in subexpressions(expr):
            if isinstance(part, Apply) and part.op == "case":
                for condition, result in zip(part.args[::2], part.args[1::2]):
                    match condition, result:
                        case Apply("=", (Name(selector), Constant())), Name(one):
                            selected.setdefault(selector, set()).add(one)
    for part in (part for constraint in machine.invariant_constraints for part in conjuncts(constraint)):
        match part:
            case Apply("implies" | "iff", (Apply("=", (Name(selector), Constant())), Name(one))):
                selected.setdefault(selector, set()).add(one)
            case Apply("iff", (Name(one), Apply("=", (Name(selector), Constant())))):
                selected.setdefault(selector, set()).add(one)
    many = [name for name, others in selected.items() if name in machine.variables and len(others) >= tuning.SELECTED_VARIABLES]
    return many if len(many) <= tuning.HUBS else []


def steering(machine: Machine, edges: Sequence[Sequence[str]], compared: Sequence[Sequence[str]]) -> list[str]:
    """The inputs that many variables depend on, such as a command: for each of their values, the step is a simple one."""
    count = Counter(name for edge in edges for name in edge)
    data = {name for edge in compared for name in edge}
    fewest = max(FEWEST_EDGES_STEERED, tuning.STEERED_SHARE * len(edges))
    return [variable.name for variable in machine.input_variables if variable.name not in data and count[variable.name] >= fewest]


@CLOCK.phase("order")
def choose_order(
    machine: Machine, order: str, *, top: Sequence[str] = (), bottom: Sequence[str] = (), like: Sequence[Bit] = ()
) -> list[Bit]:
    """The bits from the top of the order down: by a rule, or as an order file says; some may be put first or last."""
    place = dict.fromkeys(top, -1) | dict.fromkeys(bottom, 1)
    return sorted(_as_in(like, _by_rule(machine, order)), key=lambda bit: place.get(bit[0], 0))  # the rest keeps its order


def _as_in(other: Sequence[Bit], order: Sequence[Bit]) -> list[Bit]:
    """The bits that another order has, too, as they are there; the others behind those that they were behind.

    >>> _as_in([("x", 0), ("y", 0)], [("y", 0), ("w", 0), ("x", 0)])
    [('x', 0), ('y', 0), ('w', 0)]
    """
    level = {bit: number for number, bit in enumerate(other)}
    levels, latest = [], -1
    for bit in order:
        latest = level.get(bit, latest)
        levels.append(latest)
    return [bit for _, bit in sorted(zip(levels, order, strict=True), key=lambda pair: pair[0])]


def _by_rule(machine: Machine, order: str) -> list[Bit]:
    variables = list(machine.variables)
    if order in ("auto", "force"):
        widths = {v.name: bits_of(v.type) for v in machine.variables.values()}
        edges = hyperedges(machine)
        hub = hubs(edges)
        if len(hub) > tuning.HUBS:
            local = local_hyperedges(machine)
            if 0 < len(hubs(local)) <= tuning.HUBS:
                edges, hub = local, hubs(local)
            elif 2 * len(hub) > len(variables):  # everything depends on everything
                compared = compared_hyperedges(machine)
                if len(hubs(compared)) <= tuning.HUBS:
                    edges, hub = compared, [*steering(machine, edges, compared), *hubs(compared)]
        hub = list(dict.fromkeys((*hub, *selectors(machine))))
        others = [name for name in variables if name not in hub]
        rule = best_order if order == "auto" else force
        between = [[name for name in edge if name not in hub] for edge in edges]
        variables = hub + rule(others, [edge for edge in between if 1 < len(edge) < len(others)], widths=widths)
    elif order == "depth-first":
        from coarsest.space.bdd.order_depth_first import depth_first

        variables = depth_first(machine)
    elif order == "dependency":
        variables = dependency(variables, depends_on(machine))
    elif order != "declaration":
        return _order_of_file(machine, order)
    return interleaved(machine, variables) if order == "auto" else bits_in_order(machine, variables)


def _order_of_file(machine: Machine, path: str) -> list[Bit]:
    from coarsest.bdd.order.order_file import parse_order

    bits = {f"{name}.{bit}": (name, bit) for name, bit in bits_in_order(machine, machine.variables)}
    return [bits[name] for name in parse_order(read_text(path), list(bits)).names]
