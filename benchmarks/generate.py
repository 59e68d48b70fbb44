"""Families of SMV models over N, written here: philosophers, mutex, bakery, ring, counters.

>>> from benchmarks.generate import FAMILIES
>>> print(FAMILIES["counters"](2).text(["invariant"]))
MODULE main
VAR
  b0 : boolean;
  b1 : boolean;
DEFINE
  c0 := b0;
  c1 := c0 & b1;
ASSIGN
  init(b0) := FALSE;
  next(b0) := !b0;
  init(b1) := FALSE;
  next(b1) := b1 xor c0;
INVARSPEC c1 -> b0
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations

from msgspec import Struct

KINDS = {"invariant": "INVARSPEC", "ctl": "CTLSPEC", "ltl": "LTLSPEC"}


class Generated(Struct, frozen=True, kw_only=True):
    """One model of a family: its body, and its specifications by kind."""

    body: str
    invariant: Sequence[str]
    ctl: Sequence[str]
    ltl: Sequence[str]

    def text(self, kinds: Collection[str] = tuple(KINDS)) -> str:
        """The model as SMV text with the specifications of these kinds only."""
        lines = [f"{word} {formula}" for kind, word in KINDS.items() if kind in kinds for formula in getattr(self, kind)]
        return "\n".join([self.body, *lines, ""])


def _sections(**sections: Iterable[str]) -> str:
    return "\n".join(["MODULE main"] + [f"{name}\n" + "\n".join(f"  {line}" for line in body) for name, body in sections.items()])


def _case(target: str, *branches: str) -> str:
    lines = "".join(f"    {branch};\n" for branch in branches)
    return f"next({target}) := case\n{lines}  esac;"


def _justice(*groups: Iterable[str]) -> str:
    return "".join(f"\nJUSTICE {condition}" for group in groups for condition in group)


def philosophers(n: int) -> Generated:
    """Dining philosophers who take the left fork first, one step of one of them at a time; they can deadlock."""
    seats = range(n)
    body = _sections(
        VAR=[f"run : 0..{n - 1};"] + [f"p{i} : {{think, hungry, one, eat}};" for i in seats],
        DEFINE=[f"free{i} := !(p{i} in {{one, eat}} | p{(i - 1) % n} = eat);" for i in seats],
        ASSIGN=[line for i in seats for line in (f"init(p{i}) := think;", _case(
            f"p{i}", f"run != {i} : p{i}", f"p{i} = think : {{think, hungry}}", f"p{i} = hungry & free{i} : one",
            f"p{i} = one & free{(i + 1) % n} : eat", f"p{i} = eat : {{eat, think}}", f"TRUE : p{i}"))],
    )  # fmt: skip
    body += _justice((f"run = {i}" for i in seats), (f"p{i} != eat" for i in seats))
    apart = " & ".join(f"!(p{i} = eat & p{(i + 1) % n} = eat)" for i in seats)
    stuck = " & ".join(f"p{i} = one" for i in seats)
    return Generated(
        body=body,
        invariant=[apart],
        ctl=[f"AG ({apart})", "AG EF p0 = eat", f"EF ({stuck})", "AG (p0 = hungry -> EF p0 = eat)"],
        ltl=[f"G ({apart})", "G (p0 = hungry -> F p0 = eat)", "G F p0 != eat"],
    )


def mutex(n: int) -> Generated:
    """Mutual exclusion by a turn that whoever is not interested passes on, one step of one process at a time."""
    processes = range(n)
    passing = [f"run = {i} & turn = {i} & p{i} = n : {(i + 1) % n}" for i in processes]
    body = _sections(
        VAR=[f"run : 0..{n - 1};", f"turn : 0..{n - 1};"] + [f"p{i} : {{n, t, c}};" for i in processes],
        ASSIGN=["init(turn) := 0;", _case("turn", *passing, "TRUE : turn")]
        + [line for i in processes for line in (f"init(p{i}) := n;", _case(
            f"p{i}", f"run != {i} : p{i}", f"p{i} = n : {{n, t}}", f"p{i} = t & turn = {i} : c", f"p{i} = c : {{c, n}}",
            f"TRUE : p{i}"))],
    )  # fmt: skip
    body += _justice((f"run = {i}" for i in processes), (f"p{i} != c" for i in processes))
    alone = _never_two([f"p{i} = c" for i in processes])
    return Generated(
        body=body,
        invariant=[alone],
        ctl=[f"AG ({alone})", "AG (p0 = t -> AF p0 = c)", "AG EF p0 = c"],
        ltl=[f"G ({alone})", "G (p0 = t -> F p0 = c)", "(G F p0 = t) -> (G F p0 = c)"],
    )


def bakery(n: int) -> Generated:
    """Mutual exclusion by order of arrival: d_i_j says that i waits for j. The number of bits grows with the square of N."""
    processes = range(n)
    pairs = [(i, j) for i in processes for j in processes if i != j]
    steps = [line for i in processes for line in (f"init(p{i}) := idle;", _case(
        f"p{i}", f"run != {i} : p{i}", f"p{i} = idle : {{idle, wait}}", f"p{i} = wait & go{i} : crit",
        f"p{i} = crit : {{crit, idle}}", f"TRUE : p{i}"))]  # fmt: skip
    waits = [line for i, j in pairs for line in (f"init(d_{i}_{j}) := FALSE;", _case(
        f"d_{i}_{j}", f"run = {i} & p{i} = idle : next(p{i}) = wait & p{j} != idle",
        f"run = {j} & p{j} = crit & next(p{j}) = idle : FALSE", f"TRUE : d_{i}_{j}"))]  # fmt: skip
    body = _sections(
        VAR=[f"run : 0..{n - 1};"]
        + [f"p{i} : {{idle, wait, crit}};" for i in processes]
        + [f"d_{i}_{j} : boolean;" for i, j in pairs],
        DEFINE=[f"go{i} := !({' | '.join(f'd_{i}_{j}' for j in processes if j != i)});" for i in processes],
        ASSIGN=steps + waits,
    )
    body += _justice((f"run = {i}" for i in processes), (f"p{i} != crit" for i in processes))
    alone = _never_two([f"p{i} = crit" for i in processes])
    return Generated(
        body=body,
        invariant=[alone],
        ctl=[f"AG ({alone})", "AG (p0 = wait -> AF p0 = crit)"],
        ltl=[f"G ({alone})", "G (p0 = wait -> F p0 = crit)"],
    )


def ring(n: int) -> Generated:
    """A token goes round a ring of stations that all move at once; whoever has it may use it for a while."""
    stations = range(n)
    held = [f"token = {i} & s{i} != use & next(s{i}) != use : {(i + 1) % n}" for i in stations]
    body = _sections(
        VAR=[f"token : 0..{n - 1};"] + [f"s{i} : {{idle, want, use}};" for i in stations],
        ASSIGN=["init(token) := 0;", _case("token", *held, "TRUE : token")]
        + [line for i in stations for line in (f"init(s{i}) := idle;", _case(
            f"s{i}", f"s{i} = idle : {{idle, want}}", f"s{i} = want & token = {i} : use", f"s{i} = want : want",
            "TRUE : {use, idle}"))],
    )  # fmt: skip
    body += _justice(f"s{i} != use" for i in stations)
    alone = _never_two([f"s{i} = use" for i in stations])
    return Generated(
        body=body,
        invariant=[alone],
        ctl=[f"AG ({alone})", "AG (s0 = want -> AF s0 = use)", "AG EF s0 = use"],
        ltl=[f"G ({alone})", "G (s0 = want -> F s0 = use)", "G F token = 0"],
    )


def counters(n: int) -> Generated:
    """N bits that count: few nodes, and as many steps to the last state as there are states."""
    bits = range(n)
    body = _sections(
        VAR=[f"b{i} : boolean;" for i in bits],
        DEFINE=["c0 := b0;"] + [f"c{i} := c{i - 1} & b{i};" for i in bits[1:]],
        ASSIGN=["init(b0) := FALSE;", "next(b0) := !b0;"]
        + [line for i in bits[1:] for line in (f"init(b{i}) := FALSE;", f"next(b{i}) := b{i} xor c{i - 1};")],
    )
    full = f"c{n - 1}"
    return Generated(body=body, invariant=[f"{full} -> b0"], ctl=[f"AG AF {full}"], ltl=[f"G F {full}"])


def _never_two(conditions: Sequence[str]) -> str:
    return " & ".join(f"!({one} & {other})" for one, other in combinations(conditions, 2))


FAMILIES: dict[str, Callable[[int], Generated]] = {
    family.__name__: family for family in (philosophers, mutex, bakery, ring, counters)
}
