"""Declarations of Lustre: types, constants, nodes with their flows and equations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from msgspec.structs import replace

from coarsest.errors import NameProblem, SyntaxProblem, Unsupported
from coarsest.formats.lustre.expression import ExpressionReader, contract
from coarsest.formats.lustre.syntax import (  # fmt: skip
    ConstantDeclaration,
    EnumType,
    File,
    Flow,
    FlowEquation,
    LustreClaim,
    LustreNode,
    NamedType,
    SubrangeType,
    TypeSyntax,
)
from coarsest.logic.expr import Name
from coarsest.logic.tokens import END
from coarsest.text import Source, Span

PRAGMAS = ("--%", "--!")
_DECLARATIONS = ("type", "const", "node", "function")
_UNSUPPORTED_DECLARATIONS = {
    "package": "packages",
    "model": "packages",
    "include": "included files",
    "contract": "contracts",
    "unsafe": "external nodes",
    "extern": "external nodes",
    "open": "included files",
    "datatype": "algebraic data types",
    "transparent": "annotations of nodes",
    "opaque": "annotations of nodes",
    "lemma": "lemmas",
}
_UNSUPPORTED_TYPES = {"^": "arrays", "<": "types with parameters", "{": "refinement types", "|": "types of this form"}
_UNSUPPORTED_STATEMENTS = {
    "automaton": "automata",
    "frame": "frame blocks",
    "if": "conditional blocks of equations",
    "when": "conditional blocks of equations",
    "switch": "conditional blocks of equations",
    "reset": "reset blocks",
    "(*%": "annotations in block comments",
    "(*!": "annotations in block comments",
    "/*%": "annotations in block comments",
    "/*!": "annotations in block comments",
}


def parse(source: Source) -> File:
    """All declarations of a text."""
    return _Reader(source).file()


class _Reader(ExpressionReader):
    """A parser of declarations and of the expressions in them."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        pairs = zip(self.texts, self.texts[1:])
        self._has_node_current = any(word in ("node", "function") and name == "current" for word, name in pairs)

    def is_call_of_current(self) -> bool:
        return self._has_node_current

    def is_name(self, text: str) -> bool:
        return super().is_name(text) or (text == "current" and self._has_node_current)

    def file(self) -> File:
        types: dict[str, tuple[TypeSyntax | None, Span]] = {}
        constants: dict[str, ConstantDeclaration] = {}
        nodes: dict[str, LustreNode] = {}
        while self.texts[self.at] != END:
            if self.take("type"):
                self._types(types)
            elif self.take("const"):
                for constant in self._constants():
                    if constants.setdefault(constant.name, constant) is not constant:
                        raise _twice("constant", constant.name, constant.span, constants[constant.name].span)
            elif self.texts[self.at] in ("node", "function"):
                node = self._node()
                if nodes.setdefault(node.name, node) is not node:
                    raise _twice("node", node.name, node.span, nodes[node.name].span)
            elif not self.take(";"):
                self._no_declaration()
        return File(types, constants, nodes)

    def _no_declaration(self) -> NoReturn:
        token, span = self.texts[self.at], self.tokens.span(self.at)
        if token in _UNSUPPORTED_DECLARATIONS:
            raise Unsupported(f"{_UNSUPPORTED_DECLARATIONS[token]} are not handled", span)
        if token in ("--@", "(*@", "/*@"):
            raise contract(span)
        if token.startswith(PRAGMAS):
            raise SyntaxProblem(f"`{token}` is outside a node", span, hint="it belongs between `let` and `tel`")
        self.fail("a declaration", f"a program consists of {', '.join(f'`{word}`' for word in _DECLARATIONS)}")

    # -- types and constants -----------------------------------------------------------------------------------------------

    def _types(self, types: dict[str, tuple[TypeSyntax | None, Span]]) -> None:
        while True:
            name = self.name("the name of a type")
            span = self.span_from(self.at - 1)
            if name in types:
                raise _twice("type", name, span, types[name][1])
            if self.texts[self.at] == "<":
                raise Unsupported("types with parameters are not handled", self.tokens.span(self.at))
            types[name] = (self._type() if self.take("=") else None), span
            if not self.take(","):
                self.expect(";", after="the type")
            if not (self.is_name(self.texts[self.at]) and self.texts[self.at + 1] in ("=", ";", ",")):
                return

    def _type(self) -> TypeSyntax:
        first, token = self.at, self.texts[self.at]
        if token == "subrange":
            return self._subrange()
        if self.take("enum"):
            self.expect("{", after="`enum`", hint="an enumeration is written `enum { A, B }`")
            members = [self.name("a value of the enumeration")]
            while self.take(","):
                members.append(self.name("a value of the enumeration"))
            self.expect("}")
            syntax: TypeSyntax = EnumType(tuple(members), self.span_from(first))
        elif token in ("struct", "{", "["):
            hint = "give every part a flow of its own"
            raise Unsupported("records and tuples as types are not handled", self.tokens.span(first), hint=hint)
        elif token in ("int", "bool", "real") or self.is_name(token):
            self.at += 1
            syntax = NamedType(token, self.span_from(first))
        else:
            self.fail("a type", "types are bool, int, real, int8 … uint64, `subrange [0, 9] of int`, and declared names")
        if self.texts[self.at] in _UNSUPPORTED_TYPES:
            kind = _UNSUPPORTED_TYPES[self.texts[self.at]]
            raise Unsupported(f"{kind} are not handled", self.tokens.span(self.at), hint="give every element a flow of its own")
        return syntax

    def _subrange(self) -> TypeSyntax:
        first = self.at
        hint = "a subrange is written `subrange [0, 9] of int`"
        self.at += 1
        self.expect("[", after="`subrange`", hint=hint)
        low = None if self.take("*") else self.expression()
        self.expect(",", hint=hint)
        high = None if self.take("*") else self.expression()
        self.expect("]", hint=hint)
        self.expect("of", hint=hint)
        self.expect("int", hint=hint)
        return SubrangeType(low, high, self.span_from(first))

    def _constants(self) -> Iterator[ConstantDeclaration]:
        while True:
            names = [(self.name("the name of a constant"), self.span_from(self.at - 1))]
            while self.take(","):
                names.append((self.name("the name of a constant"), self.span_from(self.at - 1)))
            kind = self._type() if self.take(":") else None
            value = self.top() if self.take("=") else None
            if kind is None and value is None:
                self.fail("`=` or `:`", "a constant is written `const N = 5;`")
            self.expect(";", after="the constant")
            for name, span in names:
                yield ConstantDeclaration(name, kind, value, span)
            if not (self.is_name(self.texts[self.at]) and self.texts[self.at + 1] in ("=", ":", ",")):
                return

    # -- nodes -------------------------------------------------------------------------------------------------------------

    def _node(self) -> LustreNode:
        word = self.texts[self.at]
        self.at += 1
        if self.texts[self.at] in ("imported", "extern"):
            raise Unsupported(f"an imported {word}", self.tokens.span(self.at), hint="write its body in Lustre")
        if self.texts[self.at] == "rec" and self.texts[self.at + 1] != "(":
            raise Unsupported("recursive functions are not handled", self.tokens.span(self.at))
        name = self.name(f"the name of the {word}")
        span = self.span_from(self.at - 1)
        if self.texts[self.at] in ("<<", "<"):
            raise Unsupported("nodes with static parameters are not handled", self.tokens.span(self.at))
        inputs = self._flows_in_parentheses(f"the name of the {word}")
        self.take(";")
        self.expect("returns", after="the inputs", hint="a node is written `node N (a : bool) returns (b : bool); let … tel`")
        outputs = self._flows_in_parentheses("`returns`")
        self.take(";")
        node = LustreNode(name, span, inputs, outputs)
        ends = ("let", "node", "function", "type", "--@", "(*@", "/*@", "con", END)
        end = next(text for text in self.texts[self.at :] if text in ends) if word == "function" else "let"
        if end in ("node", "function", "type", END):  # a function without a body
            return replace(node, is_external=True)
        while self.texts[self.at] in ("var", "const"):
            if self.take("var"):
                node = replace(node, locals=node.locals + tuple(self._locals()))
            else:
                self.at += 1
                node = replace(node, constants=node.constants + tuple(self._constants()))
        if self.texts[self.at] in ("--@", "(*@", "/*@", "con"):
            raise contract(self.tokens.span(self.at))
        self.expect("let", after="the declarations", hint="the equations of a node stand between `let` and `tel`")
        return self._body(node)

    def _flows_in_parentheses(self, after: str) -> tuple[Flow, ...]:
        self.expect("(", after=after)
        flows: list[Flow] = []
        while self.texts[self.at] != ")":
            flows += self._flows()
            if not self.take(";"):
                break
        self.expect(")", hint="inputs and outputs are written `(a, b : bool; n : int)`")
        return tuple(flows)

    def _locals(self) -> Iterator[Flow]:
        while True:
            yield from self._flows()
            self.expect(";", after="the declaration")
            if not (self.is_name(self.texts[self.at]) and self.texts[self.at + 1] in (",", ":")):
                return

    def _flows(self) -> list[Flow]:
        constant = self.take("const")
        if self.texts[self.at] == "(":  # (x : int) when c
            self.at += 1
            flows = self._flows()
            self.expect(")")
        else:
            names = [(self.name("the name of a flow"), self.span_from(self.at - 1))]
            while self.take(","):
                names.append((self.name("the name of a flow"), self.span_from(self.at - 1)))
            self.expect(":", after="the name", hint="flows are declared as in `a, b : bool`")
            kind = self._type()
            flows = [Flow(name, kind, span, constant=constant) for name, span in names]
        if self.take("when"):
            clock = self._clock()
            flows = [replace(flow, clock=clock) for flow in flows]
        return flows

    def _body(self, node: LustreNode) -> LustreNode:
        equations: list[FlowEquation] = []
        claims: list[LustreClaim] = []
        is_main = False
        while not self.take("tel"):
            token, first = self.texts[self.at], self.at
            if token == END:
                self.fail("`tel`", f"the node `{node.name}` is closed by `tel`")
            if token.startswith(PRAGMAS) and token.endswith("MAIN"):
                self.at += 1
                if self.take(":"):
                    self.take("true")
                self.take(";")
                is_main = True
            elif token.startswith(PRAGMAS) or token in ("assert", "check"):
                claims.append(self._claim())
            elif token in ("--@", "(*@", "/*@"):
                raise contract(self.tokens.span(first))
            elif not self.take(";"):
                equations.append(self._equation())
        _ = self.take(";") or self.take(".")
        return replace(node, equations=tuple(equations), claims=tuple(claims), is_main=is_main)

    def _claim(self) -> LustreClaim:
        first, token = self.at, self.texts[self.at]
        self.at += 1
        self.take(":")
        if token == "check" and self.texts[self.at] == "reachable":
            hint = "check the negation, and expect it to fail"
            raise Unsupported("reachability queries are not handled", self.tokens.span(self.at), hint=hint)
        name = ""
        if self.texts[self.at][:1] == '"':
            name = self.texts[self.at].strip('"')
            self.at += 1
        start = self.at
        condition = self.top()
        span = self.span_from(start)
        if self.texts[self.at] == "provided":
            raise Unsupported("`provided` is not handled", self.tokens.span(self.at), hint="write an implication with `=>`")
        # A property needs no `;` at the end of its line.
        ends_line = token.startswith(PRAGMAS) and "\n" in self.source.text[self.starts[first] : self.starts[self.at]]
        if not self.take(";") and not ends_line:
            self.fail("`;`", f"`{token}` ends with `;`")
        return LustreClaim(condition, token == "assert", span, name)

    def _equation(self) -> FlowEquation:
        first, token = self.at, self.texts[self.at]
        if token in _UNSUPPORTED_STATEMENTS and self.texts[first + 1] not in ("=", ","):
            raise Unsupported(f"{_UNSUPPORTED_STATEMENTS[token]} are not handled", self.tokens.span(first))
        parenthesised = self.take("(")
        targets: list[Name] = []
        while not (parenthesised and self.texts[self.at] == ")"):
            targets.append(Name(self.name("a flow on the left of an equation"), self.tokens.span(self.at - 1)))
            if self.texts[self.at] in ("[", "."):
                raise Unsupported("arrays and records are not handled", self.tokens.span(self.at))
            if not self.take(","):
                break
        if parenthesised:
            self.expect(")", after="the flows")
        self.expect("=", after="the left side", hint="an equation is written `x = e;`")
        value = self.top()
        self.expect(";", after="the equation", hint="every equation ends with `;`")
        return FlowEquation(tuple(targets), value, self.span_from(first))


def _twice(kind: str, name: str, span: Span, first: Span) -> NameProblem:
    return NameProblem(f"the {kind} `{name}` is declared twice", span, hint=f"the first time in line {first.line_number}")
