"""The three families of models of Sebastiani, Singerman, Tonetta and Vardi 2004, section 4, as SMV text, and one of ours.

The paper describes them in prose only; what it leaves open, and where its tables cannot be meant literally, is told in
experiments/sebastiani/README.md. The fourth family, `lift`, came when all engines were as they are: nothing was tuned on it.
Each model has four LTL properties: `safety_holds` and `liveness_holds` (table I),
`safety_fails` and `liveness_fails` (table II).

>>> import coarsest
>>> [p.name for p in coarsest.loads(mutex(2)).properties]
['safety_holds', 'liveness_holds', 'safety_fails', 'liveness_fails']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final

from coarsest.errors import InputError

LONGEST_LIFE: Final = 100
YOUNGEST_MOTHER: Final = 15
OLDEST_MOTHER: Final = 65

PHILOSOPHER = """
MODULE philosopher(moves, left, right, deadlock)
VAR
  at : {thinking, trying, eating, leaving};
DEFINE
  has_left    := left = as_left;
  has_right   := right = as_right;
  takes_left  := moves & at = trying & left = free;
  takes_right := moves & at = trying & has_left & right in {free, offered};
  gives_way   := moves & deadlock;
  leaves      := moves & at = leaving;
ASSIGN
  init(at) := thinking;
  next(at) := case
    !moves                              : at;
    at = thinking                       : trying;
    deadlock                            : thinking;
    at = trying & has_left & has_right  : eating;
    at = eating                         : leaving;
    at = leaving                        : thinking;
    TRUE                                : at;
  esac;
"""

CHOPSTICK = """
MODULE chopstick(owner, neighbour)
VAR
  is : {free, as_left, as_right, offered};
ASSIGN
  init(is) := free;
  next(is) := case
    owner.takes_left               : as_left;
    neighbour.takes_right          : as_right;
    owner.gives_way                : offered;
    owner.leaves | neighbour.leaves: free;
    TRUE                           : is;
  esac;
"""

WORKER = """
MODULE worker(granted)
VAR
  at : {idle, trying, critical};
DEFINE
  t := at = trying;
  c := at = critical;
ASSIGN
  init(at) := idle;
  next(at) := case
    at = trying & granted : critical;
    at = trying           : trying;
    TRUE                  : {idle, trying};
  esac;
"""

CREATURE = f"""
MODULE creature(is_first, is_born, reset)
VAR
  alive : boolean;
  age   : 0..{LONGEST_LIFE};
IVAR
  dies : boolean;
DEFINE
  fertile  := alive & age in {YOUNGEST_MOTHER}..{OLDEST_MOTHER};
  survives := alive & !dies & age < {LONGEST_LIFE};
ASSIGN
  init(alive) := is_first;
  next(alive) := case
    reset   : is_first;
    is_born : TRUE;
    TRUE    : survives;
  esac;
  init(age) := 0;
  next(age) := case
    reset | is_born | !survives : 0;
    TRUE                        : age + 1;
  esac;
"""

FLOOR = """
MODULE floor(served)
VAR
  called : boolean;
ASSIGN
  init(called) := FALSE;
  next(called) := case
    served : FALSE;
    called : TRUE;
    TRUE   : {FALSE, TRUE};
  esac;
"""


def dining(n: int) -> str:
    """N philosophers, one of whom moves at a time; in a deadlock, the one who moves offers her chopstick to her neighbour."""
    _at_least_two(n)
    people = range(1, n + 1)
    lines = [f"-- {n} dining philosophers with recovery from deadlock.", "MODULE main", "VAR", f"  scheduled : 1..{n};"]
    for i in people:
        following = i % n + 1
        lines.append(f"  c{i} : chopstick(p{i}, p{(i - 2) % n + 1});")
        lines.append(f"  p{i} : philosopher(scheduled = {i}, c{i}.is, c{following}.is, deadlock);")
    lines += [
        "DEFINE",
        f"  deadlock := {_all(f'c{i}.is = as_left' for i in people)};",
        "  p := p1.at = thinking & c1.is = free & c2.is = free;",
        "  r := scheduled = 1;",
        "  e := p1.at = eating;",
        f"  s := {_any(f'p{i}.at = eating' for i in people)};",
    ]
    everybody = _all(f"G F scheduled = {i}" for i in people)
    premise = "p & r & X r & X X r & X X X r"
    lines += _claims(
        f"G ({premise} -> X X X X e)", f"({everybody}) -> G F s", f"G ({premise} -> X X X X !e)", "G F r -> G F e"
    )
    return "\n".join(lines) + "\n" + PHILOSOPHER + CHOPSTICK


def mutex(n: int) -> str:
    """N processes in step; of those that try, the main module lets the next one in, counted round from the last that was in."""
    _at_least_two(n)
    processes = range(1, n + 1)
    lines = [f"-- {n} processes and a critical section.", "MODULE main", "VAR", f"  turn : 1..{n};"]
    lines += [f"  p{i} : worker(granted{i});" for i in processes]
    lines += ["DEFINE", "  none_before1 := TRUE;", "  none_from_turn_before1 := TRUE;"]
    for i in processes:
        lines.append(f"  none_before{i + 1} := none_before{i} & !p{i}.t;")
        lines.append(f"  none_from_turn_before{i + 1} := none_from_turn_before{i} & !(p{i}.t & turn <= {i});")
    for i in processes:
        in_this_round = f"p{i}.t & turn <= {i} & none_from_turn_before{i}"
        lines.append(f"  granted{i} := {in_this_round} | none_from_turn_before{n + 1} & p{i}.t & none_before{i};")
    lines += ["ASSIGN", "  init(turn) := 1;", "  next(turn) := case"]
    lines += [f"    granted{i} : {i % n + 1};" for i in processes]
    lines += ["    TRUE : turn;", "  esac;"]
    alone = _all(["p1.t", *(f"!p{i}.t" for i in processes if i > 1)])
    lines += _claims(
        f"G ({alone} -> X p1.c)",
        f"G ({_all(f'(p{i}.t -> F p{i}.c)' for i in processes)})",
        f"G ({alone} -> X !p1.c)",
        "F (p1.t & G !p1.c)",
    )
    return "\n".join(lines) + "\n" + WORKER


def life(n: int) -> str:
    """At most N creatures are born, at most one in a step; the death of the last one starts the game anew."""
    _at_least_two(n)
    creatures = range(1, n + 1)
    lines = [f"-- A game of life with at most {n} creatures.", "MODULE main", "VAR"]
    lines += [f"  born : 1..{n};", f"  before : 1..{n};", "  wish : boolean;"]
    for i in creatures:
        birth = f"b & born = {i - 1}" if i > 1 else "FALSE"
        lines.append(f"  x{i} : creature({'TRUE' if i == 1 else 'FALSE'}, {birth}, reset);")
    lines += [
        "DEFINE",
        f"  b := wish & born < {n} & ({_any(f'x{i}.fertile' for i in creatures)});",
        f"  reset := !b & {_all(f'!x{i}.survives' for i in creatures)};",
        "  c := born > before;",
        f"  d := count({', '.join(f'x{i}.alive' for i in creatures)}) = 1;",
        "ASSIGN",
        "  init(born) := 1;",
        "  next(born) := case reset : 1; b : born + 1; TRUE : born; esac;",
        "  init(before) := 1;",
        "  next(before) := born;",
    ]
    lines += _claims("G (b -> X c)", "G (G !b -> F G d)", "G (b -> X !c)", "F (G !b & G F !d)")
    return "\n".join(lines) + "\n" + CREATURE


def lift(n: int) -> str:
    """A lift for N floors: it goes on in its direction while somebody calls from there, and turns if not."""
    _at_least_two(n)
    floors = range(1, n + 1)
    lines = [f"-- A lift for {n} floors.", "MODULE main", "VAR", f"  at : 1..{n};", "  open : boolean;", "  upwards : boolean;"]
    lines += [f"  f{i} : floor(at = {i} & open);" for i in floors]
    lines += [
        "DEFINE",
        f"  here := {_any(f'at = {i} & f{i}.called' for i in floors)};",
        f"  above := {_any(f'at < {i} & f{i}.called' for i in floors)};",
        f"  below := {_any(f'at > {i} & f{i}.called' for i in floors)};",
        f"  next_alone := at = 1 & !open & upwards & f2.called & {_all(f'!f{i}.called' for i in floors if i != 2)};",
        "ASSIGN",
        "  init(at) := 1;",
        "  next(at) := case",
        "    open | here                 : at;",
        f"    upwards & above & at < {n}    : at + 1;",
        "    !upwards & below & at > 1   : at - 1;",
        "    TRUE                        : at;",
        "  esac;",
        "  init(open) := FALSE;",
        "  next(open) := here & !open;",
        "  init(upwards) := TRUE;",
        "  next(upwards) := case",
        "    open | here        : upwards;",
        "    upwards & !above   : !below;",
        "    !upwards & !below  : above;",
        "    TRUE               : upwards;",
        "  esac;",
    ]
    lines += _claims(
        "G (next_alone -> X X open)",
        f"G ({_all(f'(f{i}.called -> F (at = {i} & open))' for i in floors)})",
        "G (next_alone -> X X !open)",
        "G F at = 1 -> G F (at = 1 & open)",
    )
    return "\n".join(lines) + "\n" + FLOOR


FAMILIES: Mapping[str, Callable[[int], str]] = MappingProxyType({"dining": dining, "mutex": mutex, "life": life, "lift": lift})
CLAIMS = ("safety_holds", "liveness_holds", "safety_fails", "liveness_fails")


def _claims(*formulas: str) -> list[str]:
    return [f"LTLSPEC NAME {name} := {formula};" for name, formula in zip(CLAIMS, formulas, strict=True)]


def _all(parts: Iterable[str]) -> str:
    return " & ".join(parts)


def _any(parts: Iterable[str]) -> str:
    return " | ".join(parts)


def _at_least_two(n: int) -> None:
    if n < 2:
        raise InputError(f"the models of this family begin at 2, and {n} was asked for")
