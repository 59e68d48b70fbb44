"""Random models of like components: each looks at itself, at a shared variable, and at how many others are as it is or may be."""

from __future__ import annotations

from random import Random


def symmetric_model(rng: Random, n: int, claims: int = 0) -> str:
    """N components with values 0 … 2 and a shared flag; one component moves at a time, or all do.

    Half of them have fairness. There are as many claims about them as are asked for."""
    together = rng.random() < 0.3
    names = [f"p{i}" for i in range(1, n + 1)]
    lines = [f"-- symmetry: permute p1..p{n}", "MODULE main", "VAR", "  flag : boolean;"]
    lines += [f"  {name} : part(flag, crowd);" for name in names]
    value = rng.randrange(3)
    lines += ["DEFINE", f"  crowd := count({', '.join(f'{name}.x = {value}' for name in names)}) >= {rng.randrange(1, n + 1)};"]
    lines += [f"  many := count({', '.join(f'{name}.x = 1' for name in names)}) >= 2;"]
    lines += [f"  some := {' | '.join(f'{name}.x = 2' for name in names)};"]
    flag = rng.choice(["!flag", "crowd", "some", "many xor flag", "{FALSE, TRUE}"])
    lines += ["ASSIGN", "  init(flag) := FALSE;", f"  next(flag) := {flag};"]
    if not together:
        lines += [f"TRANS count({', '.join(f'{name}.moves' for name in names)}) <= 1;"]
    if rng.random() < 0.5:
        lines.append(f"JUSTICE {rng.choice(['some', '!some', 'flag', '!crowd', 'p1.x = 0'])};")
    lines += symmetric_claims(rng, claims)
    part = ["MODULE part(flag, crowd)", "VAR", "  x : 0..2;", "IVAR", "  moves : boolean;", "ASSIGN"]
    if rng.random() < 0.8:
        part.append(f"  init(x) := {rng.choice(['0', '{0, 1}'])};")
    part += ["  next(x) := case", "    !moves : x;"]
    for now in range(3):
        for condition in (rng.choice(["flag", "crowd", "flag & crowd", "!flag"]), "TRUE"):
            part.append(f"    x = {now} & {condition} : {rng.choice(['0', '1', '2', '{0, 1}', '{1, 2}', 'x'])};")
    return "\n".join([*lines, *part, "    TRUE : x;", "  esac;", ""])


ATOMS = ("flag", "crowd", "many", "some", "p1.x = 2", "!(p1.x = 1 & p2.x = 1)", "p1.x = p3.x", "p2.x = 0")
SHAPES = (
    ("INVARSPEC", "!({a} & {b})"), ("INVARSPEC", "{a} | {b}"), ("CTLSPEC", "AG EF ({a})"), ("CTLSPEC", "AG (({a}) -> AF ({b}))"),
    ("CTLSPEC", "EF EG ({a})"), ("CTLSPEC", "A [({a}) U ({b})]"), ("LTLSPEC", "G (({a}) -> F ({b}))"), ("LTLSPEC", "F G ({a})"),
    ("LTLSPEC", "G (({a}) -> X (({b}) | X ({a})))"), ("PSLSPEC", "never {{{a}; {b}; {a}}}"),
)  # fmt: skip


def symmetric_claims(rng: Random, number: int) -> list[str]:
    """Specifications, some of which keep all symmetries, some only those that leave p1, or p1 and p2, alone."""
    specs = []
    for _ in range(number):
        word, shape = rng.choice(SHAPES)
        specs.append(f"{word} {shape.format(a=rng.choice(ATOMS), b=rng.choice(ATOMS))};")
    return specs
