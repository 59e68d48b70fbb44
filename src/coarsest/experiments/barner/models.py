"""The models of Barner and Grumberg 2003, section 9, as SMV text: Futurebus, arbiter, covering suites; and two small ones.

The paper describes them in prose only: these are ours. All components are alike, and no variable holds the number of one: who
moves says so itself, and a constraint keeps the others from moving. So any two components may change places, as the comment
above the model says.

>>> import coarsest
>>> [p.name for p in coarsest.loads(mutex(3)).properties]
['exclusive', 'one_and_two', 'one_and_three', 'can_get_in', 'gets_in']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, product
from types import MappingProxyType

from coarsest.errors import InputError

WORKER = """
MODULE worker(lock)
VAR
  at : {idle, waiting, critical};
IVAR
  moves : boolean;
DEFINE
  takes  := moves & at = waiting & !lock;
  leaves := moves & at = critical;
ASSIGN
  init(at) := idle;
  next(at) := case
    takes             : critical;
    leaves            : idle;
    moves & at = idle : {idle, waiting};
    TRUE              : at;
  esac;
"""

CACHE = """
MODULE cache(alone, others_own, others_wait, bus, moved)
VAR
  line   : {invalid, shared, exclusive, modified, awaits_copy, awaits_line};
  issues : {nothing, read_shared, read_modified, upgrade, take, write_back};
  owes   : boolean;
DEFINE
  waits := line in {awaits_copy, awaits_line};
  owns  := line in {exclusive, modified};
  may_issue := case
    issues = nothing                       : TRUE;
    issues in {read_shared, read_modified} : line = invalid;
    issues = upgrade                       : line = shared & !others_wait;
    issues = take                          : waits;
    TRUE                                   : line = modified & !owes;
  esac;
INVAR may_issue;
ASSIGN
  init(line) := invalid;
  next(line) := case
    issues = read_shared & !others_own     : alone ? exclusive : shared;
    issues = read_shared                   : awaits_copy;
    issues = read_modified & !others_own   : modified;
    issues = read_modified                 : awaits_line;
    issues = upgrade                       : modified;
    issues = take & line = awaits_copy     : shared;
    issues = take                          : modified;
    issues = write_back                    : {invalid, shared};
    waits                                  : line;
    bus = read_shared & line = exclusive   : shared;
    bus = read_modified & line = modified  : modified;
    bus in {read_modified, upgrade}        : invalid;
    bus = take & moved                     : invalid;
    bus = take & owns                      : shared;
    line = exclusive & bus = nothing       : {exclusive, modified};
    TRUE                                   : line;
  esac;
  init(owes) := FALSE;
  next(owes) := case
    line = modified & issues = nothing & bus in {read_shared, read_modified} : TRUE;
    issues = take & line = awaits_line                                       : others_wait;
    bus = take & issues = nothing                                            : FALSE;
    TRUE                                                                     : owes;
  esac;
"""


CLIENT = """
MODULE client(free, waiting, served)
VAR
  at    : {off, idle, asking, using};
  joins : boolean;
  place : 0..LAST;
  left  : 0..3;
DEFINE
  starts := at = asking & place = 0 & free;
  ends   := at = using & left = 0;
INVAR joins -> at = idle;
ASSIGN
  init(at) := off;
  next(at) := case
    joins     : asking;
    starts    : using;
    ends      : {idle, off};
    at = off  : {off, idle};
    TRUE      : at;
  esac;
  init(place) := 0;
  next(place) := case
    joins              : served ? waiting - 1 : waiting;
    place > 0 & served : place - 1;
    TRUE               : place;
  esac;
  init(left) := 0;
  next(left) := case
    starts   : 0..3;
    left > 0 : left - 1;
    TRUE     : 0;
  esac;
"""


def toggles(n: int) -> str:
    """N switches, one of which is thrown at a time: 2^N states, of which those with equally many switches on are alike."""
    _at_least_two(n)
    switches = range(1, n + 1)
    thrown = ", ".join(f"next(b{i}) != b{i}" for i in switches)
    lines = [f"-- {n} switches, one of which is thrown at a time.", f"-- symmetry: permute b1..b{n}", "MODULE main", "VAR"]
    lines += [f"  b{i} : boolean;" for i in switches]
    lines += ["ASSIGN", *(f"  init(b{i}) := FALSE;" for i in switches), f"TRANS count({thrown}) = 1;"]
    on = f"count({', '.join(f'b{i}' for i in switches)})"
    lines += [
        f"INVARSPEC NAME not_all_on := {on} < {n};",
        f"INVARSPEC NAME never_more := {on} <= {n};",
        f"CTLSPEC NAME can_be_on := AG EF {on} = {n};",
        f"LTLSPEC NAME off_again := G F {on} = 0;",
    ]
    return "\n".join(lines) + "\n"


def mutex(n: int) -> str:
    """N processes and a lock; one of them moves at a time, and looks at the lock and takes it in one step."""
    _at_least_two(n)
    processes = range(1, n + 1)
    lines = [f"-- {n} processes and a lock.", f"-- symmetry: permute p1..p{n}", "MODULE main", "VAR", "  lock : boolean;"]
    lines += [f"  p{i} : worker(lock);" for i in processes]
    lines += ["ASSIGN", "  init(lock) := FALSE;", "  next(lock) := case"]
    lines += [f"    {_any(f'p{i}.takes' for i in processes)} : TRUE;", f"    {_any(f'p{i}.leaves' for i in processes)} : FALSE;"]
    lines += ["    TRUE : lock;", "  esac;", *_at_most_one("TRANS", (f"p{i}.moves" for i in processes)),
              f"TRANS {_any(f'p{i}.moves' for i in processes)};"]
    inside = f"count({', '.join(f'p{i}.at = critical' for i in processes)})"
    waiting = _any(f"p{i}.at = waiting" for i in processes)
    lines += [
        f"INVARSPEC NAME exclusive := {inside} <= 1;",
        "INVARSPEC NAME one_and_two := !(p1.at = critical & p2.at = critical);",
        f"INVARSPEC NAME one_and_three := !(p1.at = critical & p{min(n, 3)}.at = waiting);",
        f"CTLSPEC NAME can_get_in := AG EF {inside} = 1;",
        f"LTLSPEC NAME gets_in := G (({waiting}) -> F {inside} = 1);",
    ]
    return "\n".join(lines) + "\n" + WORKER


def futurebus(n: int) -> str:
    """N caches of one line on one bus, after the idea of the Futurebus protocol: requests may have to wait for the owner of the
    line, and while somebody waits others may begin to wait. Without fairness nobody has to write, ever."""
    _at_least_two(n)
    caches = range(1, n + 1)
    lines = [f"-- {n} caches of one line on one bus.", f"-- symmetry: permute p1..p{n}", "MODULE main", "VAR"]
    for i in caches:
        others = [j for j in caches if j != i]
        arguments = (f"alone{i}", f"own{i}", f"wait{i}", "bus", "moved")
        lines.append(f"  p{i} : cache({', '.join(arguments)});")
        lines += ["DEFINE", f"  alone{i} := {_all(f'p{j}.line = invalid' for j in others)};",
                  f"  own{i} := {_any(f'p{j}.line = modified' for j in others)} | {_any(f'p{j}.waits' for j in others)};",
                  f"  wait{i} := {_any(f'p{j}.waits' for j in others)};", "VAR"]  # fmt: skip
    del lines[-1]
    lines += ["  bus := case"]
    for command in ("read_shared", "read_modified", "upgrade", "take", "write_back"):
        lines.append(f"    {_any(f'p{i}.issues = {command}' for i in caches)} : {command};")
    lines += ["    TRUE : nothing;", "  esac;"]
    lines.append(f"  moved := {_any(f'p{i}.issues = take & p{i}.line = awaits_line' for i in caches)};")
    lines += _at_most_one("INVAR", (f"p{i}.issues != nothing" for i in caches))
    writer = _any(f"p{i}.line = modified" for i in caches)
    owners = f"count({', '.join(f'p{i}.owns' for i in caches)})"
    copies = _any(f"p{i}.line = shared" for i in caches)
    lines += [
        f"INVARSPEC NAME one_owner := {owners} <= 1;",
        f"INVARSPEC NAME no_stale_copy := {owners} = 0 | !({copies});",
        f"CTLSPEC NAME can_write := AG EF ({writer});",
        f"CTLSPEC NAME writes_again := AG AF ({writer});",
        f"LTLSPEC NAME writes_for_ever := G F ({writer});",
    ]
    return "\n".join(lines) + "\n" + CACHE


def arbiter(n: int) -> str:
    """N clients of an arbiter, which lets one of them use the bus for some cycles: the first in the queue.

    Clients are switched on and off; those that ask know their place. The property that fails needs three clients that are on."""
    _at_least_two(n)
    clients = range(1, n + 1)
    lines = [f"-- {n} clients of an arbiter.", f"-- symmetry: permute p1..p{n}", "MODULE main", "VAR"]
    lines += [f"  p{i} : client(free, waiting, served);" for i in clients]
    lines += [
        "DEFINE",
        f"  free := {_all(f'(p{i}.at = using -> p{i}.left = 0)' for i in clients)};",
        f"  waiting := count({', '.join(f'p{i}.at = asking' for i in clients)});",
        "  served := waiting > 0 & free;",
        f"  ends := {_any(f'p{i}.ends' for i in clients)};",
        *_at_most_one("INVAR", (f"p{i}.joins" for i in clients)),
        "PSLSPEC NAME bounded_use := never {served; {!ends}[*4]};",
        "PSLSPEC NAME a_pause_after_two := never {served[*3]};",
        f"INVARSPEC NAME one_at_a_time := count({', '.join(f'p{i}.at = using' for i in clients)}) <= 1;",
    ]
    return "\n".join(lines) + "\n" + CLIENT.replace("LAST", str(n - 1))


def covering(k: int) -> str:
    """Tests of a program with K boolean inputs, one in each step; for each two inputs, which pairs of values were tested before.

    As in the paper, K variables for the test and 4 for each pair of inputs. A path of N states is a suite of N tests, and one
    that violates the invariant covers all pairs of values: the shortest has as many as the covering suite number says.
    """
    _at_least_two(k)
    inputs = range(1, k + 1)
    lines = [f"-- Suites of tests for {k} boolean inputs.", *(f"-- symmetry: {_exchanged(i, k)}" for i in inputs[:-1])]
    lines += ["MODULE main", "VAR"]
    equations, covered = ["ASSIGN"], []
    for j in inputs:  # each input behind what is remembered of it and those before: a good order for BDDs
        for i, a, b in product(range(1, j), (0, 1), (0, 1)):
            name, tested = f"c{i}_{j}_{a}{b}", f"{'' if a else '!'}x{i} & {'' if b else '!'}x{j}"
            lines.append(f"  {name} : boolean;")
            equations += [f"  init({name}) := FALSE;", f"  next({name}) := {name} | {tested};"]
            covered.append(f"({name} | {tested})")
        lines.append(f"  x{j} : boolean;")
    lines += [*equations, "DEFINE", f"  covered := {_all(covered)};", "INVARSPEC NAME not_covered := !covered;"]
    return "\n".join(lines) + "\n"


def sorted_suites(k: int, *, values: bool) -> str:
    """Representatives of the states of suites: of two neighbouring inputs, the first test that tells them apart has FALSE for the
    first one. Where values may change places, too: the first test has FALSE for all inputs.

    Every suite becomes one of these by exchanging inputs, or values, once; and then all that it was before its last tests are.
    """
    conditions = [f"(c{i}_{i + 1}_01 | !c{i}_{i + 1}_10 & (x{i} -> x{i + 1}))" for i in range(1, k)]
    if values:
        untested = "!c{0}_{1}_01 & !c{0}_{1}_10 & !c{0}_{1}_11"
        conditions += [f"(c{i}_{i + 1}_00 | !x{i} & !x{i + 1} & {untested.format(i, i + 1)})" for i in range(1, k)]
    return _all(conditions)


def cells(n: int) -> str:
    """N cells of four bits each, of which nothing is known: all states of N like processes, as figure 13 has them."""
    _at_least_two(n)
    bits = [[f"{letter}{i}" for i in range(1, n + 1)] for letter in "abcd"]
    together = ", ".join(f"{letter}1..{letter}{n}" for letter in "abcd")
    lines = [f"-- {n} cells.", f"-- symmetry: permute {together}", "MODULE main", "VAR"]
    return "\n".join([*lines, *(f"  {name} : boolean;" for row in bits for name in row), ""])


def _exchanged(i: int, k: int) -> str:
    """Two neighbouring inputs change places, and with them what was tested of each with another input."""
    pairs = [f"x{i} x{i + 1}", f"c{i}_{i + 1}_01 c{i}_{i + 1}_10"]
    for other in range(1, k + 1):
        for a, b in ((a, b) for a in (0, 1) for b in (0, 1) if other not in (i, i + 1)):
            pairs.append(" ".join(f"c{other}_{j}_{a}{b}" if other < j else f"c{j}_{other}_{a}{b}" for j in (i, i + 1)))
    return f"swap {', '.join(pairs)}"


FAMILIES: Mapping[str, Callable[[int], str]] = MappingProxyType(
    {"toggles": toggles, "mutex": mutex, "futurebus": futurebus, "arbiter": arbiter, "covering": covering}
)


def _all(parts: Iterable[str]) -> str:
    return " & ".join(parts)


def _any(parts: Iterable[str]) -> str:
    return " | ".join(parts)


def _at_most_one(section: str, parts: Iterable[str]) -> Iterator[str]:
    """Two by two, so that the interpreter sees early what cannot be."""
    return (f"{section} !({one} & {other});" for one, other in combinations(parts, 2))


def _at_least_two(n: int) -> None:
    if n < 2:
        raise InputError(f"the models of this family begin at 2, and {n} was asked for")
