"""Random Lustre programs: booleans and small integers, calls, clocks, conditions and restarts, never a circle."""

from random import Random

LIBRARY = """
type mode = enum { red, green, blue };
node edge (x : bool) returns (e : bool); let e = x and not (false -> pre x); tel
node count (x : bool; from : int) returns (n : int; odd : bool);
let n = from -> if x then (pre n + 1) mod 4 else pre n; odd = (n mod 2) = 1; tel
node since (x, y : bool) returns (s : bool); let s = x or ((false -> pre s) and y); tel
node turn (x : bool) returns (m : mode);
let m = red -> if not x then pre m else if pre m = red then green else if pre m = green then blue else red; tel
"""


class LustrePrograms:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.booleans = ["a", "b"]
        self.integers = ["n"]

    def boolean(self, depth: int) -> str:
        choose = self.random.choice
        if depth == 0:
            return choose([*self.booleans, "true", f"{choose(self.integers)} < {self.random.randint(-1, 3)}"])
        one, other, third = (self.boolean(depth - 1) for _ in range(3))
        number = self.integer(depth - 1)
        return choose([
            f"({one} and {other})", f"({one} or {other})", f"({one} xor {other})", f"({one} => {other})", f"not ({one})",
            f"(if {one} then {other} else {third})", f"({one} -> pre ({other}))", f"({one} fby {other})", f"edge({one})",
            f"since({one}, {other})", f"#({one}, {other}, {third})", f"({number} = {self.integer(0)})", f"(turn({one}) = green)",
            f"current (({one}) when ({self.clock()}))", f"condact({one}, since({other}, {third}), {one})",
            f"(restart since every {one})({other}, {third})", f"(({one}) -> ({other}) -> pre ({third}))",
        ])  # fmt: skip

    def clock(self) -> str:
        return f"true -> {self.random.choice(self.booleans)}"

    def integer(self, depth: int) -> str:
        choose = self.random.choice
        if depth == 0:
            return choose([*self.integers, "0", "2", "-1"])
        one, other, condition = self.integer(depth - 1), self.integer(depth - 1), self.boolean(depth - 1)
        clock = choose(self.booleans)
        return choose([
            f"(({one} + {other}) mod 5)", f"(({one} - {other}) mod 3)", f"(({one} * {other}) mod 4)",
            f"(({one} + 7) div 2) mod 5",
            f"(if {condition} then {one} else {other})", f"(({one}) -> pre ({other}))", f"(({one}) fby ({other}))",
            f"merge {clock} (({one}) when {clock}) (({other}) when not {clock})", f"current (({one}) when ({self.clock()}))",
            f"merge {clock} (({one} when {clock}) fby ({other} when {clock})) ({other} when not {clock})",
        ])  # fmt: skip

    def text(self) -> str:
        equations, flows = [], []
        for number in range(self.random.randint(2, 5)):
            kind = self.random.choice(["bool", "bool", "int", "count"])
            if kind == "bool":
                equations.append(f"p{number} = {self.boolean(2)};")
                self.booleans.append(f"p{number}")
                flows.append(f"p{number} : bool")
            elif kind == "int":
                equations.append(f"i{number} = ({self.integer(2)}) mod 6;")
                self.integers.append(f"i{number}")
                flows.append(f"i{number} : int")
            else:
                call = f"count({self.boolean(1)}, {self.random.randint(0, 3)})"
                wrapped = self.random.choice([call, f"(restart count every {self.boolean(1)}){call[5:]}",
                                              f"condact({self.boolean(1)}, {call}, 0, false)"])  # fmt: skip
                equations.append(f"(i{number}, p{number}) = {wrapped};")
                self.booleans.append(f"p{number}")
                self.integers.append(f"i{number}")
                flows.append(f"i{number} : int; p{number} : bool")
        self.random.shuffle(equations)
        head = f"node main (a, b : bool; n : subrange [-2, 2] of int) returns ({'; '.join(flows)});"
        return f"{LIBRARY}{head} let {' '.join(equations)} tel"


class GrowingPrograms(LustrePrograms):
    """With integers that grow or fall without end, and others that depend on where those lie."""

    def text(self) -> str:
        text = super().text()
        flows, equations = [], []
        for number in range(self.random.randint(1, 4)):
            name, choose = f"g{number}", self.random.choice
            step, kept = choose(["+ 1", "+ 2", "- 1", "- 3"]), choose([f"pre {name}", "0"])
            condition = f"{choose([*self.integers, 'n'])} {choose('<>=')} {self.random.randint(-2, 2)}"
            condition = choose([condition, condition, "a", "b", "true"])
            first = self.random.randint(-2, 2)
            equations.append(f"{name} = {first} -> if {condition} then pre {name} {step} else {kept};")
            self.integers.append(name)
            flows.append(f"{name} : int")
        before, head, rest = text.rpartition(" of int) returns (")
        return f"{before}{head}{'; '.join(flows)}; {rest.removesuffix('tel')}{' '.join(equations)} tel"
