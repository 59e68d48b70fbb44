"""Random boolean programs."""

from random import Random


class Programs:
    """Random programs that never leave a range."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def condition(self, depth: int = 2) -> str:
        if depth == 0:
            return self.random.choice(["x", "y", "z", "n = 1", "n < k", "m = idle", "m != busy", "true", "k <= 0"])
        one, other = self.condition(depth - 1), self.condition(depth - 1)
        joined = [f"({one}) {op} ({other})" for op in ("and", "or", "xor", "=>", "<=>")]
        return self.random.choice([*joined, f"not ({one})", f"if {one} then {other} else x"])

    def statement(self, depth: int, *, in_loop: bool) -> str:
        random = self.random
        plain = [
            f"x := {self.condition()}", f"y := {self.condition(1)}", "read(x, n)", "read(z)", "z := y", "n := 2 - n",
            "k := n - 1", "if n < 2 then n := n + 1; end", "m := if x then idle else stop", "read(m)", "skip",
            f"assume x or ({self.condition(1)})",
        ]  # fmt: skip
        if in_loop:
            plain += ["write(x)", "write(n + 1, m)"]
        if depth and random.random() < 0.4:
            inner = [self.block(depth - 1, in_loop=in_loop) for _ in range(3)]
            tail = random.choice(["", f" else {inner[2]}", f" elsif {self.condition(1)} then {inner[1]} else {inner[2]}"])
            return f"if {self.condition(1)} then {inner[0]}{tail} end"
        return random.choice(plain)

    def block(self, depth: int, *, in_loop: bool) -> str:
        return " ".join(self.statement(depth, in_loop=in_loop) + ";" for _ in range(self.random.randint(0, 3)))

    def text(self) -> str:
        declarations = "var x, y, z : boolean; n : 0..2; k : -1..1; m : {idle, busy, stop}; "
        settled = self.random.choice(["m := idle; k := 0;", "n := 2; k := 1;", "m := stop; n := 0;"])
        return f"{declarations}{settled}{self.block(1, in_loop=False)} loop {self.block(2, in_loop=True)} end;"
