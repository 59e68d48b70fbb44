"""Statements and declarations of Verilog."""

from __future__ import annotations

from coarsest.errors import Unsupported
from coarsest.formats.vis.parsing.expressions import ExpressionParser, is_identifier
from coarsest.formats.vis.parsing.preprocess import Words
from coarsest.formats.vis.parsing.syntax import (
    NOTHING,
    Branch,
    Case,
    IndexRange,
    Loop,
    Statement,
    StatementBlock,
    TaskCall,
    VerilogAssignment,
    VerilogDeclaration,
    VerilogIf,
)
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.parse import DEEPEST, too_deep

DECLARING = frozenset(
    ("input", "output", "inout", "wire", "reg", "integer", "parameter", "tri", "wand", "wor", "supply0", "supply1", "signed")
)
_CASES = ("case", "casex", "casez")
_UNTIMED = frozenset(("wait", "fork", "forever", "disable", "force", "release", "deassign"))


class StatementParser(ExpressionParser):
    """A parser of statements; `types` are the enumerated types that have been declared."""

    def __init__(self, words: Words) -> None:
        super().__init__(words)
        self.types: dict[str, tuple[str, ...]] = {}

    # -- declarations ------------------------------------------------------------------------------------------------------

    def declares(self) -> bool:
        """Does a declaration begin here?"""
        word = self.texts[self.at]
        return word in DECLARING or (word in self.types and self.texts[self.at + 1] in DECLARING)

    def declared(self) -> list[VerilogDeclaration]:
        """A declaration, with all its names, up to `;`."""
        declarations = [self.declaration()]
        first = declarations[0]
        while self.take(","):
            declarations.append(self._one(first.type, first.words, first.bounds))
        self.expect(";", after="the declaration")
        return declarations

    def declaration(self) -> VerilogDeclaration:
        """The words of a declaration with the first of its names."""
        kind = ""
        words: set[str] = set()
        while (word := self.texts[self.at]) in DECLARING or (word in self.types and not kind):
            if word in self.types:
                if is_identifier(self.texts[self.at + 1]) or self.texts[self.at + 1] in DECLARING:
                    kind = word
                else:
                    break
            else:
                words.add(word)
            self.at += 1
        return self._one(kind, frozenset(words), self.bounds())

    def _one(self, kind: str, words: frozenset[str], bounds: IndexRange | None) -> VerilogDeclaration:
        first = self.at
        name = self.name("a name to declare").removeprefix("\\")
        span = self.span_from(first)
        array = self.bounds()
        value = self.expression() if self.take("=") else None
        return VerilogDeclaration(name, words, span, kind, bounds, array, value)

    def bounds(self) -> IndexRange | None:
        if not self.take("["):
            return None
        left = self.expression()
        self.expect(":", hint="bounds are written [high:low]")
        right = self.expression()
        self.expect("]")
        return IndexRange(left, right)

    # -- statements --------------------------------------------------------------------------------------------------------

    def statement(self) -> Statement:
        self.depth += 1
        if self.depth > DEEPEST:
            raise too_deep(self.spans[self.at])
        result = self._statement()
        self.depth -= 1
        return result

    def _statement(self) -> Statement:
        first, word = self.at, self.texts[self.at]
        self._delay()
        self.take("assign")  # inside a block, this word changes nothing
        if self.take(";"):
            return NOTHING
        if self.take("begin"):
            return self._block()
        if self.take("if"):
            return self._if(first)
        if word in _CASES:
            return self._case()
        if word in ("for", "while", "repeat"):
            return self._loop()
        if word in _UNTIMED or word == "@":
            message = f"`{word}` in a sequence of statements is not handled"
            raise Unsupported(message, self.spans[self.at], hint="a block runs once for each step of the clock")
        if word[:1] == "$":
            return self._system_task()
        return self._assignment_or_call()

    def _delay(self) -> None:
        """Skip delays: they are shorter than a step of the clock."""
        while self.take("#"):
            if self.take("("):
                self.expression()
                self.expect(")")
            else:
                self.expression(100)

    def _block(self) -> StatementBlock:
        name = ""
        if self.take(":"):
            name = self.name("the name of the block")
        declarations: list[VerilogDeclaration] = []
        statements: list[Statement] = []
        while not self.take("end"):
            if self.declares():
                declarations += self.declared()
            else:
                statements.append(self.statement())
        return StatementBlock(tuple(statements), tuple(declarations), name)

    def _if(self, first: int) -> VerilogIf:
        self.expect("(", after="`if`")
        condition = self.expression()
        self.expect(")")
        span = self.span_from(first)
        then = self.statement()
        return VerilogIf(condition, then, self.statement() if self.take("else") else NOTHING, span)

    def _case(self) -> Case:
        first = self.at
        self.at += 1
        self.expect("(", after="`case`")
        subject = self.expression()
        self.expect(")")
        span = self.span_from(first)
        branches: list[Branch] = []
        while not self.take("endcase"):
            labels: list[Expr] = []
            if self.take("default"):
                self.take(":")
            else:
                labels.append(self.expression())
                while self.take(","):
                    labels.append(self.expression())
                self.expect(":", after="the label", hint="every case ends with `endcase`")
            branches.append(Branch(tuple(labels), self.statement()))
        return Case(subject, tuple(branches), span)

    def _loop(self) -> Loop:
        first, word = self.at, self.texts[self.at]
        self.at += 1
        self.expect("(", after=f"`{word}`")
        begin: Statement = NOTHING
        step: Statement = NOTHING
        if word == "for":
            begin = self._assignment()
            self.expect(";")
        condition = self.expression()
        if word == "for":
            self.expect(";")
            step = self._assignment()
        self.expect(")")
        span = self.span_from(first)
        return Loop(begin, condition, step, self.statement(), span, counted=word == "repeat")

    def _system_task(self) -> Statement:
        """Skip a call of the simulator, such as $display, which has no effect on a model."""
        self.at += 1
        if self.take("("):
            depth = 1
            while depth and self.texts[self.at]:
                depth += (self.texts[self.at] == "(") - (self.texts[self.at] == ")")
                self.at += 1
        self.expect(";")
        return NOTHING

    def _assignment_or_call(self) -> Statement:
        first = self.at
        if is_identifier(self.texts[first]) and self.texts[first + 1] in ("(", ";"):
            name = self.path()
            arguments = self.listed(")") if self.take("(") else []
            self.expect(";", after="the call")
            return TaskCall(name, tuple(arguments), self.span_from(first))
        assignment = self._assignment()
        self.expect(";", after="the assignment")
        return assignment

    def _assignment(self) -> VerilogAssignment:
        first = self.at
        target = self.target()
        blocking = self.texts[self.at] == "="
        if not self.take("=") and not self.take("<="):
            self.fail("`=` or `<=`", "an assignment is written `x = value;`")
        self._delay()
        return VerilogAssignment(target, self.expression(), self.span_from(first), blocking)

    def target(self) -> Expr:
        """The target of an assignment: a signal, a part of a signal, or a concatenation of targets."""
        if self.texts[self.at] != "{":
            if not is_identifier(self.texts[self.at]):
                self.fail("a statement")
            return self.reference()
        first = self.at
        self.at += 1
        parts = [self.target()]
        while self.take(","):
            parts.append(self.target())
        self.expect("}")
        return Apply("{}", tuple(parts), self.span_from(first))
