"""Automata from the text of a formula: linear temporal logic, or PSL where the text is not."""

from __future__ import annotations

from coarsest.automata.automaton import Automaton
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi, ltl_to_generalised_buchi, with_one_set
from coarsest.errors import InputError, SyntaxProblem
from coarsest.logic.linear.ltl import Ltl
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.logic.linear.parse_spin_spot import Ambiguous, parse_spin_spot, with_words_of_others
from coarsest.logic.parse import parse_expression
from coarsest.logic.psl.psl import Psl
from coarsest.run import Run
from coarsest.text import Source, Span


def automaton_of(text: str | Source, *, kind: str = "buchi", negated: bool = False, run: Run | None = None) -> Automaton:
    """An automaton for the words that satisfy a formula, or (`negated`) for those that do not.

    The atoms are whatever the formula compares or names; nothing needs to be declared. A kind is "buchi", with accepting states,
    or "generalised", with any number of acceptance sets of edges.

    >>> automaton_of("G (p0 = eat -> F p0 = think)").states
    2
    >>> automaton_of("always {request; busy[*]; grant} |=> idle").states
    4
    """
    formula = read_formula(text if isinstance(text, Source) else Source("<formula>", text))
    return automaton_of_formula(formula, kind=kind, negated=negated, run=run)


def automaton_of_formula(formula: Ltl | Psl, *, kind: str = "buchi", negated: bool = False, run: Run | None = None) -> Automaton:
    """The same for a parsed formula."""
    if isinstance(formula, Ltl):
        translate = ltl_to_buchi if kind == "buchi" else ltl_to_generalised_buchi
        return translate(formula.negation if negated else formula, run)
    from coarsest.automata.psl.psl_to_automaton import psl_to_automaton

    return with_one_set(psl_to_automaton(formula, negated=negated, run=run))


def read_formula(source: Source) -> Ltl | Psl:
    """The formula in a text. Where all logics refuse it, the error is from the one that got furthest."""
    try:
        expr = parse_expression(source)
    except SyntaxProblem as complaint:
        try:
            expr = parse_spin_spot(source)
        except Ambiguous:
            raise
        except SyntaxProblem as other:
            try:
                return _psl(source)
            except InputError as error:
                raise max(complaint, other, error, key=_place) from None
    return from_expr(with_words_of_others(expr))


def read_formulas(source: Source) -> list[tuple[Source, Ltl | Psl]]:
    """The formulas of a text, one a line, each with the text of its line; empty lines and those that begin with `#` are skipped.

    >>> [str(formula) for _, formula in read_formulas(Source("list.ltl", "G a\\n# not\\n\\n[]<>b\\n"))]
    ['G a', 'G F b']
    """
    formulas: list[tuple[Source, Ltl | Psl]] = []
    start = 0
    for line in source.text.splitlines(keepends=True):
        text = line.strip()
        if text and not text.startswith("#"):
            own = Source(source.name, text)
            try:
                formulas.append((own, read_formula(own)))
            except InputError as problem:  # reported at its place in the whole text
                diagnostic = problem.diagnostic
                offset = start + line.index(text)
                place = diagnostic.span or Span(own, 0, len(text))
                span = Span(source, offset + place.start, offset + place.end)
                raise type(problem)(diagnostic.message, span, hint=diagnostic.hint) from None
        start += len(line)
    return formulas


def _place(error: InputError) -> int:
    span = error.diagnostic.span
    return -1 if span is None else span.start


def _psl(source: Source) -> Psl:
    from coarsest.logic.psl.psl_from_expr import psl_from_text

    return psl_from_text(source)
