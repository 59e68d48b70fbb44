"""Hanoi omega-automata text, version 1, to automata: generalised Büchi acceptance on states or edges, any kind of label.

Reference: Babiak, Blahoudek, Duret-Lutz, Klein, Křetínský, Müller, Parker, Strejček, The Hanoi omega-automata format, 2015.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NoReturn

from coarsest.automata.automaton import Automaton, Edge
from coarsest.errors import InputError, ModelProblem, NameProblem, SyntaxProblem, Unsupported
from coarsest.formats.hoa.tokens import Token, tokenise
from coarsest.logic.expr import Expr, Name
from coarsest.logic.letters.alphabet import alphabet_over
from coarsest.logic.letters.guards import Alphabet
from coarsest.logic.parse import parse_expression
from coarsest.model.machine import Machine
from coarsest.text import Source

MOST_DIGITS: Final = 20
MOST_UNDESCRIBED: Final = 1_000_000
"""The limit for the number of states that are announced and not described."""


def read(source: Source, machine: Machine | None = None) -> Automaton:
    """The automaton that a text describes; with a machine, the atomic propositions are conditions on its states."""
    reader = _Reader(tokenise(source), _atom if machine is None else _over(machine))
    automaton = reader.automaton()
    if reader.token.kind != "end":
        raise Unsupported("the text has more than one automaton", reader.token.span, hint="put each into a file of its own")
    return automaton


class _Reader:
    def __init__(self, tokens: list[Token], atom: Callable[[Token], Expr]) -> None:
        self._tokens = tokens
        self._atom = atom
        self._at = 0
        self._states: int | None = None
        self._announced = tokens[0]
        self._starts: list[int] = []
        self._alphabet: Alphabet = alphabet_over(())
        self._has_atoms = False
        self._aliases: dict[str, Any] = {}
        self._sets: int | None = None
        self._edges: dict[int, list[Edge]] = {}
        self._mentioned: list[tuple[int, Token]] = []

    # -- tokens ------------------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self._tokens[self._at]

    def _take(self, text: str) -> bool:
        if self.token.text == text:
            self._at += 1
            return True
        return False

    def _expect(self, kind: str, meaning: str) -> Token:
        token = self.token
        if token.kind != kind:
            self._fail(meaning)
        self._at += 1
        return token

    def _number(self, meaning: str) -> int:
        return _value(self._expect("number", meaning))

    def _close(self, text: str) -> None:
        if not self._take(text):
            self._fail(f"`{text}`")

    def _fail(self, expected: str, hint: str = "") -> NoReturn:
        raise SyntaxProblem(f"found {self.token.shown}, expected {expected}", self.token.span, hint=hint)

    # -- header ------------------------------------------------------------------------------------------------------------

    def automaton(self) -> Automaton:
        if self.token.text != "HOA:":
            self._fail("`HOA: v1`", "a Hanoi omega-automaton begins with `HOA: v1`")
        first = self.token.span
        while self.token.kind == "header":
            self._header()
        if self._take("--ABORT--"):
            raise ModelProblem("the automaton ends with --ABORT--: its writer gave up", self._tokens[self._at - 1].span)
        if not self._take("--BODY--"):
            self._fail("a header item or `--BODY--`")
        if self._sets is None:
            raise ModelProblem("there is no `Acceptance:`", first, hint="for example `Acceptance: 1 Inf(0)`")
        while self._take("State:"):
            self._state()
        if not self._take("--END--"):
            self._fail("`State:` or `--END--`")
        return self._finished()

    def _header(self) -> None:
        header = self.token
        self._at += 1
        match header.text:
            case "HOA:":
                version = self._expect("word", "the version `v1`")
                if version.text != "v1":
                    raise Unsupported(f"version {version.text} of the format", version.span, hint="version 1 is read")
            case "States:":
                self._announced = self.token
                self._states = self._number("the number of states")
            case "Start:":
                self._starts.append(self._target("the number of an initial state"))
            case "AP:":
                self._atoms(header)
            case "Alias:":
                name = self._expect("alias", "a name that begins with `@`")
                self._aliases[name.text] = self._label()
            case "Acceptance:":
                self._acceptance()
            case _:
                if header.text[0].isupper():
                    raise Unsupported(f"`{header.text}` changes the meaning of the automaton, and is not known", header.span)
                while self.token.kind not in ("header", "mark", "end"):
                    self._at += 1

    def _atoms(self, header: Token) -> None:
        if self._has_atoms:
            raise NameProblem("a second list of atomic propositions", header.span)
        self._has_atoms = True
        count = self._number("the number of atomic propositions")
        atoms: dict[Expr, None] = {}
        while self.token.kind == "string":
            token = self._expect("string", "a name")
            atom = self._atom(token)
            if atom in atoms:
                raise NameProblem(f"{token.shown} is listed twice", token.span)
            atoms[atom] = None
        if len(atoms) != count:
            raise ModelProblem(f"{count} atomic propositions are announced, but {len(atoms)} are listed", header.span)
        self._alphabet = alphabet_over(atoms)

    def _acceptance(self) -> None:
        """Read the number of sets, and a condition: `t`, or a conjunction of Inf over all sets."""
        announced = self.token.span
        self._sets = self._number("the number of acceptance sets")
        first = self.token.span
        needed = self._condition()
        unused = next(index for index in range(len(needed) + 1) if index not in needed)
        if unused < self._sets:
            message = f"the condition is not the conjunction of all sets: set {unused} is not used"
            raise Unsupported(message, announced, hint=f"{self._sets} are announced, and {len(needed)} are used")
        if len(needed) > self._sets:
            raise Unsupported("the condition is not the conjunction of all sets: a set is used that is not announced", first)

    def _condition(self) -> set[int]:
        needed = self._condition_part()
        while self._take("&"):
            needed |= self._condition_part()
        if self.token.text == "|":
            self._unsupported_acceptance()
        return needed

    def _condition_part(self) -> set[int]:
        if self._take("("):
            needed = self._condition()
            self._close(")")
            return needed
        if self._take("t"):
            return set()
        if not self._take("Inf"):
            if self.token.text in ("Fin", "f"):
                self._unsupported_acceptance()
            self._fail("an acceptance condition")
        self._close("(")
        if self.token.text == "!":
            self._unsupported_acceptance()
        acceptance_set = self._number("the number of an acceptance set")
        self._close(")")
        return {acceptance_set}

    def _unsupported_acceptance(self) -> NoReturn:
        message = f"`{self.token.text}` in the acceptance condition: only generalised Büchi acceptance is handled"
        raise Unsupported(message, self.token.span, hint="Büchi is `1 Inf(0)`, generalised Büchi `2 Inf(0)&Inf(1)` and so on")

    # -- labels ------------------------------------------------------------------------------------------------------------

    def _label(self) -> Any:
        guard = self._label_conjunction()
        while self._take("|"):
            guard = guard | self._label_conjunction()
        return guard

    def _label_conjunction(self) -> Any:
        guard = self._literal()
        while self._take("&"):
            guard = guard & self._literal()
        return guard

    def _literal(self) -> Any:
        token = self.token
        self._at += 1
        if token.text == "!":
            return self._alphabet.complement(self._literal())
        if token.text == "(":
            guard = self._label()
            self._close(")")
            return guard
        if token.text in ("t", "f"):
            return self._alphabet.full if token.text == "t" else self._alphabet.empty
        if token.kind == "alias":
            if token.text not in self._aliases:
                raise NameProblem(f"the alias {token.shown} is not defined", token.span)
            return self._aliases[token.text]
        if token.kind != "number":
            self._at -= 1
            self._fail("a label: a number of an atomic proposition, `t`, `f`, `!`, `(` or an alias")
        index, listed = _value(token), len(self._alphabet.atoms)
        if index >= listed:
            raise NameProblem(f"there is no proposition {index}", token.span, hint=f"`AP:` lists {listed}, counted from 0")
        return self._alphabet.atom(index)

    # -- body --------------------------------------------------------------------------------------------------------------

    def _state(self) -> None:
        label = self._bracketed_label()
        token = self.token
        state = self._number("the number of a state")
        self._mentioned.append((state, token))
        if state in self._edges:
            raise NameProblem(f"state {state} is described twice", token.span)
        if self.token.kind == "string":
            self._at += 1
        marks = self._marks()
        edges = self._edges[state] = []
        letters = 1 << len(self._alphabet.atoms)
        implicit = 0
        first = self.token
        while self.token.text == "[" or self.token.kind == "number":
            guard = self._bracketed_label()
            if guard is None and label is None:
                if implicit == letters:
                    raise ModelProblem("more edges without labels than there are letters", first.span)
                guard = self._alphabet.of_cube((implicit, ~implicit))
                implicit += 1
            elif guard is not None and label is not None:
                raise SyntaxProblem("the state has a label, so its edges must not", first.span)
            target = self._target("the number of a state")
            edges.append((label if guard is None else guard, marks | self._marks(), target))
        if implicit and implicit != letters:
            raise ModelProblem(f"{implicit} edges without labels, but there are {letters} letters", first.span)

    def _bracketed_label(self) -> Any:
        if not self._take("["):
            return None
        label = self._label()
        self._close("]")
        return label

    def _target(self, meaning: str) -> int:
        token = self.token
        state = self._number(meaning)
        if self.token.text == "&":
            raise Unsupported("alternation (`&` between states)", self.token.span)
        self._mentioned.append((state, token))
        return state

    def _marks(self) -> int:
        marks = 0
        if self._take("{"):
            while not self._take("}"):
                token = self.token
                mark = self._number("the number of an acceptance set or `}`")
                if mark >= (self._sets or 0):
                    raise NameProblem(f"there is no acceptance set {mark}", token.span, hint=f"{self._sets} are announced")
                marks |= 1 << mark
        return marks

    def _finished(self) -> Automaton:
        count = self._states
        if count is None:
            count = 1 + max((state for state, _ in self._mentioned), default=-1)
        for state, token in self._mentioned:
            if state >= count:
                raise NameProblem(f"there is no state {state}", token.span, hint=f"{count} are announced, counted from 0")
        if count > MOST_UNDESCRIBED + len(self._edges):
            message = f"{count} states are announced, but {len(self._edges)} are described"
            raise ModelProblem(message, self._announced.span, hint="is the file complete?")
        edges = [[edge for edge in self._edges.get(state, ()) if edge[0]] for state in range(count)]
        return Automaton(self._alphabet, tuple(dict.fromkeys(self._starts)), edges, self._sets or 0)


def _value(token: Token) -> int:
    if len(token.text) > MOST_DIGITS:
        raise ModelProblem(f"a number of {len(token.text)} digits", token.span, hint="it must be a mistake")
    return int(token.text)


def _atom(quoted: Token) -> Expr:
    """An atom as an expression; text that is not an expression is read as a name."""
    text = _unquoted(quoted)
    try:
        return parse_expression(text)
    except InputError:
        return Name(text)


def _over(machine: Machine) -> Callable[[Token], Expr]:
    """A function that reads an atom as a condition on the states of a machine."""
    from coarsest.model.query.conditions import Conditions

    conditions = Conditions(machine)

    def atom(quoted: Token) -> Expr:
        source = Source("<atomic proposition>", _unquoted(quoted))
        try:
            return conditions.resolve(parse_expression(source), "an atomic proposition")
        except InputError as problem:  # report the whole atom: characters may be escaped in the file
            raise type(problem)(problem.diagnostic.message, quoted.span, hint=problem.diagnostic.hint) from None

    return atom


def _unquoted(quoted: Token) -> str:
    return re.sub(r"\\(.)", r"\1", quoted.text[1:-1], flags=re.DOTALL)
