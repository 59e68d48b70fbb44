"""Random small designs in VIS Verilog: registers, wires, choices, an instance, a function; written as text, as people do."""

from random import Random

WIDTHS = (1, 2, 3)
LITERALS = ("0", "1", "2'd2", "3'b101", "1'b1", "3")


class RandomDesign:
    """The text of a design over a few signals of a few bits."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.others: list[str] = []
        """What can be read beside registers and inputs: wires in clocked blocks, calls and choices in wires."""
        self.widths = {name: self.random.choice(WIDTHS) for name in ("x", "y", "i", "w", "v")}

    def text(self) -> str:
        sensitive = self.random.random() < 0.5
        result = f"[{self.widths['w'] - 1}:0]"
        body = f"f = {self.expression(1)}; if (a > 1) f = a + f;"
        combinational = f"always @(x or y or i) begin v = {self.expression(1)}; {self.statement(1, ('v',))} end"
        self.others = ["f(x)", "f(i)", "$ND(0, 1)", "$ND(1, x)"]
        wire = self.expression(2)
        self.others = ["w", "v", "w", "v"]
        blocks = [
            f"always @(posedge clk) begin {self.statement(3, ('x',))} {self.statement(2, ('x',))} end",
            f"always @(posedge clk) {self.statement(3, ('y', 'mem', 's'))}",
        ]
        return "\n".join(
            [
                "typedef enum {RED, GREEN, BLUE} colour;",
                "module main (clk, i);",
                f"input clk; input {self.bounds('i')} i; wire {self.bounds('w')} w;",
                f"{'reg' if sensitive else 'wire'} {self.bounds('v')} v;",
                f"reg {self.bounds('x')} x; reg {self.bounds('y')} y; reg [1:0] mem [0:2]; colour reg s; integer k;",
                f"function {result} f; input [1:0] a; begin {body} end endfunction",
                f"assign w = {wire};",
                combinational if sensitive else f"inner #({self.random.randrange(4)}) sub (.in(x), .out(v));",
                "initial begin x = 1; y = 0; s = GREEN; for (k = 0; k < 3; k = k + 1) mem[k] = k; end",
                *blocks,
                "endmodule",
                "module inner (in, out);",
                f"parameter N = 0; input {self.bounds('x')} in; output {self.bounds('v')} out;",
                "assign out = in + N;",
                "endmodule",
            ]
        )  # fmt: skip

    def bounds(self, name: str) -> str:
        return f"[{self.widths[name] - 1}:0]"

    def expression(self, depth: int) -> str:
        random = self.random
        if depth == 0 or random.random() < 0.2:
            return self.leaf()
        one, other = self.expression(depth - 1), self.expression(depth - 1)
        match random.randrange(6):
            case 0:
                return f"({one} {random.choice(('+', '-', '*', '&', '|', '^', '~^', '<<', '>>'))} {other})"
            case 1:
                return f"({one} {random.choice(('==', '!=', '<', '<=', '>', '>=', '&&', '||'))} {other})"
            case 2:
                return f"{random.choice(('~', '!', '-', '&', '|', '^', '~&', '~^'))}({one})"
            case 3:
                return f"(({one}) ? {other} : {self.leaf()})"
            case 4:
                return f"{{x, {self.random.choice(('y', 'i', 'x[0]'))}, 2'b01}}"
        return f"{{2{{{self.random.choice(('x', 'y', 'i'))}}}}}"

    def leaf(self) -> str:
        return self.random.choice(["x", "y", "i", "mem[1]", "mem[y]", "x[0]", "y[x]", "(s == RED)", *LITERALS, *self.others])

    def statement(self, depth: int, targets: tuple[str, ...]) -> str:
        random = self.random
        if depth == 0 or random.random() < 0.3:
            return self.assignment(random.choice(targets))
        one, other = self.statement(depth - 1, targets), self.statement(depth - 1, targets)
        match random.randrange(5):
            case 0:
                return f"if ({self.expression(1)}) {one}"
            case 1:
                return f"if ({self.expression(1)}) {one} else {other}"
            case 2:
                return f"begin {one} {other} end"
            case 3 if "v" not in targets:
                return f"case ({random.choice(('x', 'y', 'i'))}) 0: {one} 1, 2: {other} endcase"
            case 4 if "v" not in targets:
                return f"casex (i) 3'b1?0: {one} default: {other} endcase"
        return f"begin {one} {other} end"

    def assignment(self, target: str) -> str:
        random = self.random
        if target == "s":
            return f"s = {random.choice(('RED', 'GREEN', 'BLUE', '(x[0] ? RED : s)'))};"
        if target == "mem":
            return f"mem[{random.choice(('0', 'x', 'i', '1'))}] = {self.expression(2)};"
        sign = "<=" if target == "y" else "="
        place = random.choice((target, f"{target}[0]", f"{target}[i]")) if target != "v" else target
        return f"{place} {sign} {self.expression(2)};"
