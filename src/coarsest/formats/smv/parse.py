"""The sections of an SMV file, by recursive descent over the tokens; `logic.parse` reads expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from coarsest.errors import SyntaxProblem, Unsupported
from coarsest.formats.smv.syntax import (
    ArrayLiteral,
    ArraySyntax,
    BooleanSyntax,
    Definition,
    EnumerationSyntax,
    InstanceSyntax,
    RangeSyntax,
    SmvAssignment,
    SmvDeclaration,
    SmvModule,
    Specification,
    TypeSyntax,
    UnboundedSyntax,
    WordSyntax,
)
from coarsest.logic.expr import Expr
from coarsest.logic.operators import SHIFT
from coarsest.logic.parse import Parser
from coarsest.logic.tokens import END, SECTIONS, is_name, is_number, tokenise
from coarsest.model.kinds import PropertyKind, kind_of_section
from coarsest.model.machine import Kind
from coarsest.text import Source, Span
from coarsest.text.near import nearest

_BEGINS_NUMBER = frozenset({"-", "+", "(", "toint", "max", "min", "abs", "count", "sizeof", "case"})


def parse_modules(source: Source) -> list[SmvModule]:
    """The modules of a file, in order."""
    parser = _FileParser(tokenise(source))
    modules: list[SmvModule] = []
    while parser.texts[parser.at] != END:
        modules.append(parser.module())
    return modules


def _in_capitals(word: str) -> str:
    """A hint for a keyword in small letters; empty for all other words."""
    keyword = word.upper()
    is_small = word != keyword and (keyword in SECTIONS or keyword == "MODULE")
    return f"keywords are written in capitals: `{keyword}`" if is_small else ""


class _FileParser(Parser):
    may_be_psl = False  # the word PSLSPEC says where PSL is

    def module(self) -> SmvModule:
        hint = "an SMV file is a list of modules, each beginning with `MODULE name`"
        self.expect("MODULE", hint=_in_capitals(self.texts[self.at]) or hint)
        first = self.at - 1
        name = self.name("the name of the module")
        parameters: list[tuple[str, Span]] = []
        if self.take("("):
            while not self.take(")"):
                if parameters:
                    self.expect(",", hint="parameters are names with commas between them")
                parameters.append((self.name("the name of a parameter"), self.span_from(self.at - 1)))
        module = SmvModule(name, tuple(parameters), self.span_from(first))
        while (section := self.texts[self.at]) not in ("MODULE", END):
            read = _SECTIONS.get(section)
            kind = kind_of_section(section) if read is None else None
            if read is None and kind is None:
                self._no_section()
            self.at += 1
            if read is not None:
                read(self, module)
            elif kind is not None:
                self._specification(module, kind)
        return module

    def _no_section(self) -> NoReturn:
        capitals = _in_capitals(self.texts[self.at])
        if capitals:
            message = f"found `{self.texts[self.at]}`, expected a section (VAR, ASSIGN, DEFINE, …)"
            raise SyntaxProblem(message, self.tokens.span(self.at), hint=capitals)
        close = nearest(self.texts[self.at].upper(), sorted(SECTIONS))
        previous = self.texts[self.at - 1]
        hint = f"did you mean `{close[0]}`?" if close else "is a `;` missing before, or a section keyword such as VAR or ASSIGN?"
        if previous == ";" and not close:
            hint = "a section begins with a keyword such as VAR, ASSIGN or DEFINE"
        self.fail("a section (VAR, ASSIGN, DEFINE, …)", hint)

    # -- declarations ------------------------------------------------------------------------------------------------------

    def _declared_name(self, what: str) -> str:
        """A name, which in flattened files may be a path with numbers: `p.x[0]`, `state.1`."""
        name = self.name(what)
        while True:
            if self.take("."):
                member = self.texts[self.at]
                if not (is_name(member) or is_number(member)):
                        self.fail("the name of a member after `.`")
                self.at += 1
                name += f".{member}"
            elif self.take("["):
                name += f"[{self.integer('a number')}]"
                self.expect("]")
            else:
                return name

    def _at_section_end(self) -> bool:
        token = self.texts[self.at]
        return token in SECTIONS or token == END

    def _variables(self, module: SmvModule, kind: Kind) -> None:
        while not self._at_section_end():
            first = self.at
            name = self._declared_name("the name of a variable")
            span = self.span_from(first)
            if self.texts[self.at] != ":" and _in_capitals(name):
                message = f"found `{name}`, expected the name of a variable or a section"
                raise SyntaxProblem(message, span, hint=_in_capitals(name))
            hint = "a variable is declared `name : type;`"
            if self.texts[self.at] == ",":
                hint = f"each variable has a declaration of its own: `{name} : type; {self.texts[self.at + 1]} : type;`"
            self.expect(":", after="the name of the variable", hint=hint)
            declared = self._type(instances=kind is Kind.STATE)
            module.declarations.append(SmvDeclaration(name, declared, kind, span))
            self.expect(";", after="the declaration")

    def _type(self, *, instances: bool) -> TypeSyntax:
        first = self.at
        token = self.texts[first]
        if token == "boolean":
            self.at += 1
            return BooleanSyntax(self.span_from(first))
        if token in ("integer", "real") and self.texts[first + 1] == ";":
            self.at += 1
            return UnboundedSyntax(token, self.span_from(first))
        if token == "{":
            return self._enumeration()
        if token == "array":
            return self._array(instances=instances)
        if token in ("word", "Word", "unsigned", "signed"):
            return self._word()
        if instances and (token == "process" or (is_name(token) and self.texts[self.at + 1] in ("(", ";"))):
            return self._instance()
        if not (is_name(token) or "0" <= token[:1] <= "9" or token in _BEGINS_NUMBER):
            hint = "did you mean `boolean`?" if token == "bool" else ""
            self.fail("a type (boolean, a range 0..7, {a, b}, word[8], array 0..3 of …, or a module)", hint)
        return self._range()

    def _range(self) -> RangeSyntax:
        first = self.at
        low = self.expression(SHIFT)
        self.expect("..", hint="a type is boolean, a range 0..7, {a, b}, word[8], array 0..3 of …, or a module")
        return RangeSyntax(low, self.expression(SHIFT), self.span_from(first))

    def _word(self) -> WordSyntax:
        first = self.at
        signed = self.texts[self.at] == "signed"
        if self.texts[self.at] in ("signed", "unsigned"):
            self.at += 1
        if not self.take("Word"):
            self.expect("word", hint="words are declared `word[8]`, `unsigned word[8]` or `signed word[8]`")
        self.expect("[", after="`word`", hint="say how many bits: `word[8]`")
        width = self.whole_expression()
        self.expect("]")
        return WordSyntax(width, signed, self.span_from(first))

    def _enumeration(self) -> EnumerationSyntax:
        first = self.at
        self.at += 1
        members: list[str | int | bool] = []
        while True:
            token = self.texts[self.at]
            if token in ("TRUE", "FALSE"):
                self.at += 1
                members.append(token == "TRUE")
            elif token in ("-", "+") or is_number(token):
                members.append(self.integer("a number"))
            else:
                members.append(self.name("a symbol or a number"))
            if self.take("}"):
                return EnumerationSyntax(tuple(members), self.span_from(first))
            self.expect(",", after="a value", hint="an enumeration is written `{a, b, c}`")

    def _array(self, *, instances: bool) -> ArraySyntax:
        first = self.at
        self.at += 1
        if self.texts[self.at] in ("word", "of"):
            kind = "arrays indexed by words" if self.texts[self.at] == "word" else "arrays without bounds"
            raise Unsupported(f"{kind} are not handled", self.tokens.span(first, self.at), hint="declare `array 0..7 of …`")
        bounds = self._range()
        self.expect("of", hint="an array is declared `array 0..7 of boolean`")
        element = self._type(instances=instances)
        if isinstance(element, InstanceSyntax):
            hint = "NuSMV has no arrays of modules either: declare each instance"
            raise Unsupported("arrays of modules are not handled", element.span, hint=hint)
        return ArraySyntax(bounds, element, self.span_from(first))

    def _instance(self) -> InstanceSyntax:
        first = self.at
        process = self.take("process")
        name = self.name("the name of a module")
        arguments: list[Expr] = []
        if self.take("(") and not self.take(")"):
            arguments = [self.whole_expression()]
            while self.take(","):
                arguments.append(self.whole_expression())
            self.expect(")", after="the arguments")
        return InstanceSyntax(name, tuple(arguments), process, self.span_from(first))

    def _constants(self, module: SmvModule) -> None:
        while not self.take(";"):
            if module.constants and self.texts[self.at - 1] != "CONSTANTS":
                self.expect(",", hint="CONSTANTS a, b, c;")
            module.constants.append((self.name("a symbol"), self.span_from(self.at - 1)))

    def _isa(self, module: SmvModule) -> None:
        module.extends.append((self.name("the name of a module"), self.span_from(self.at - 1)))
        self.take(";")

    # -- equations ---------------------------------------------------------------------------------------------------------

    def _definitions(self, module: SmvModule) -> None:
        while not self._at_section_end():
            first = self.at
            name = self._declared_name("the name of a definition")
            span = self.span_from(first)
            self.expect(":=", after="the name", hint="a definition is written `name := expression;`")
            body = self._array_literal() if self.texts[self.at] == "[" else self.whole_expression()
            self.expect(";", after="the definition")
            module.definitions.append(Definition(name, body, span))

    def _array_literal(self) -> ArrayLiteral:
        first = self.at
        self.at += 1
        elements: list[Expr | ArrayLiteral] = []
        while True:
            elements.append(self._array_literal() if self.texts[self.at] == "[" else self.whole_expression())
            if self.take("]"):
                return ArrayLiteral(tuple(elements), self.span_from(first))
            self.expect(",", after="an element", hint="an array is written `[a, b, c]`")

    def _assignments(self, module: SmvModule) -> None:
        while not self._at_section_end():
            first = self.at
            when = self.texts[self.at] if self.texts[self.at] in ("init", "next") else ""
            if when:
                self.at += 1
                self.expect("(", after=f"`{when}`")
            if not (is_name(self.texts[self.at]) or self.texts[self.at] == "self"):
                self.fail("the variable to assign", "an assignment is `init(x) := e;`, `next(x) := e;` or `x := e;`")
            target = self.operand(0)
            if when:
                self.expect(")")
            span = self.span_from(first)
            self.expect(":=", hint="an assignment is `init(x) := e;`, `next(x) := e;` or `x := e;`")
            value = self.whole_expression()
            self.expect(";", after="the assignment")
            module.assignments.append(SmvAssignment(when, target, value, span))

    def _end_of_constraint(self) -> None:
        if not self.take(";") and not self._at_section_end():
            self.fail("an operator, `;` or the next section")
        while self.take(";"):  # NuSMV takes one; more are harmless
            pass

    def _constraint(self, constraints: list[Expr]) -> None:
        constraints.append(self.whole_expression())
        self._end_of_constraint()

    def _compassion(self, module: SmvModule) -> None:
        self.expect("(", hint="COMPASSION (p, q)")
        often = self.whole_expression()
        self.expect(",", hint="COMPASSION (p, q)")
        then_often = self.whole_expression()
        self.expect(")")
        module.compassion.append((often, then_often))
        self._end_of_constraint()

    # -- properties --------------------------------------------------------------------------------------------------------

    def _specification(self, module: SmvModule, kind: PropertyKind) -> None:
        name = ""
        if self.take("NAME"):
            name = self._declared_name("the name of the property")
            self.expect(":=", after="the name of the property")
        first = self.at
        if kind.operators and self.texts[first] not in kind.operators:
            self.fail(" or ".join(f"`{operator} [p, q]`" for operator in kind.operators))
        formula = self._psl() if kind.is_psl else self.whole_expression()
        span, text = self.span_from(first), self.text_from(first)
        context = self.operand(0) if self.take("IN") else None
        self._end_of_constraint()
        module.specifications.append(Specification(kind, formula, name, context, text, span))

    def _psl(self) -> Expr:
        from coarsest.logic.psl.parse_psl import parse_psl

        return parse_psl(self)

    def _functions(self, _module: SmvModule) -> None:
        raise Unsupported("function declarations (FUN) are not handled", self.tokens.span(self.at - 1))


_SECTIONS: dict[str, Callable[[_FileParser, SmvModule], None]] = {
    "VAR": lambda parser, module: parser._variables(module, Kind.STATE),
    "FROZENVAR": lambda parser, module: parser._variables(module, Kind.FROZEN),
    "IVAR": lambda parser, module: parser._variables(module, Kind.INPUT),
    "DEFINE": _FileParser._definitions,
    "MDEFINE": _FileParser._definitions,
    "CONSTANTS": _FileParser._constants,
    "ISA": _FileParser._isa,
    "FUN": _FileParser._functions,
    "ASSIGN": _FileParser._assignments,
    "INIT": lambda parser, module: parser._constraint(module.initial),
    "INVAR": lambda parser, module: parser._constraint(module.invariant),
    "TRANS": lambda parser, module: parser._constraint(module.transition),
    "FAIRNESS": lambda parser, module: parser._constraint(module.justice),
    "JUSTICE": lambda parser, module: parser._constraint(module.justice),
    "COMPASSION": _FileParser._compassion,
}
