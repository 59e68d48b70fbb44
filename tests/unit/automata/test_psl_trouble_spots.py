"""Where other tools for PSL and SVA went wrong, by hand: the automata and the definition agree with what is written here.

A word is letters with blanks between them, a letter is its true atoms (`-` for none), brackets are around what repeats for ever.
The sources: change log of EBMC 5.1 to 6.1; GHDL issues 1321, 1322, 1654, 1708, 1721, 2157, 2336, 2373, 2392.
"""

import pytest

from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.automata.psl.psl_to_automaton import psl_to_automaton
from coarsest.automata.psl.psl_to_ltl import psl_to_ltl
from coarsest.logic.expr import Name
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from oracles.automaton_words import accepts
from oracles.sere_words import Lasso, satisfies
from random_sequences import parse


def letters(text: str) -> list[frozenset]:
    return [frozenset(map(Name, letter.replace("-", ""))) for letter in text.split()]


def verdicts(formula: str, word: str) -> set[bool]:
    """The answers of everything that can answer; they ought to be one."""
    before, _, rest = word.partition("(")
    prefix, cycle = letters(before), letters(rest.rstrip(")"))
    tree = parse(formula)
    psl = psl_from_expr(tree)
    found = {satisfies(Lasso(tuple(prefix), tuple(cycle)), tree)}
    found.add(accepts(psl_to_automaton(psl, negated=False), prefix, cycle))
    found.add(not accepts(psl_to_automaton(psl, negated=True), prefix, cycle))
    linear = psl_to_ltl(psl)
    if linear is not None:
        found.add(accepts(ltl_to_buchi(linear), prefix, cycle))
    return found


CASES = {
    "empty matches do not start an overlapping implication": [
        ("{a[*]} |-> b", "(-)", True),
        ("{a[*]} |-> b", "a (-)", False),
        ("{a[*]} |-> b", "ab a (-)", False),
        ("{a[*]} |-> b", "ab ab (-)", True),
        ("{[*0]} |-> FALSE", "(-)", True),
        ("{a[*0]} |-> b", "a (-)", True),
    ],
    "empty matches do start a non-overlapping implication": [
        ("{[*0]} |=> b", "b (-)", True),
        ("{[*0]} |=> b", "(-)", False),
        ("{a[*]} |=> b", "(-)", False),
        ("{a[*]} |=> b", "b (-)", True),
        ("{a[*]} |=> b", "ab (-)", False),
        ("{a[*]} |=> b", "ab b (-)", True),
        ("{a[+]} |=> b", "a (-)", False),
        ("{a[+]} |=> b", "- (-)", True),
    ],
    "overlapping and not": [
        ("{a; b} |-> c", "a bc (-)", True),
        ("{a; b} |-> c", "a b (c)", False),
        ("{a; b} |=> c", "a b c (-)", True),
        ("{a; b} |=> c", "a bc (-)", False),
        ("{a; b} |-> {c; c}", "a bc c (-)", True),
        ("{a; b} |=> {c; c}", "a b c (-)", False),
    ],
    "every match counts, not only the first": [
        ("{a; b[*]} |-> c", "ac bc b (-)", False),
        ("{a; b[*]; d} |-> c", "a bd bdc (-)", False),
        ("{a[->]} |-> c", "- a (-)", False),
        ("{a[->2]} |-> c", "a - a (-)", False),
        ("{a[->2]} |-> c", "a - ac (a)", True),
    ],
    "weak and strong sequences": [
        ("{a; b[*]; c}", "a (b)", True),
        ("{a; b[*]; c}!", "a (b)", False),
        ("{a; b[*]; c}", "a b (-)", False),
        ("{a; b[*]; c}!", "a b c (-)", True),
        ("{[*]; c}", "(-)", True),
        ("{[*]; c}!", "(-)", False),
        ("{a[*]}", "(-)", False),
        ("{a[*]}!", "a (-)", True),
        ("{[*0]}", "(a)", False),
        ("{a[*]; FALSE}", "(a)", True),
        ("{a[*]; FALSE}", "a (-)", False),
        ("{a; FALSE}", "(a)", False),
        ("always {a; b}", "(ab)", True),
        ("always {a; b}", "ab (a)", False),
        ("eventually! {a; b}", "- - a b (-)", True),
        ("eventually! {a; b[*]; c}", "a (b)", False),
    ],
    "weak goto and non-consecutive repetition": [
        ("{a[->2]}", "(-)", True),
        ("{a[->2]}!", "(-)", False),
        ("{a[->2]}", "a (-)", True),
        ("{a[->2]}!", "a - a (-)", True),
        ("{a[=2]; b}", "a a (-)", True),
        ("{a[=2]; b}!", "a a (-)", False),
        ("{a[=2]; b}", "a a - b (-)", True),
        ("{a[=2]; b}!", "a a a (b)", False),
        ("{a[=2]}!", "a (-)", False),
        ("{a[->1:3]; b}!", "a - ab b (-)", True),
        ("{{a}[->2]; b}!", "a a b (-)", True),
        ("never {a[=3]}", "a - a - a (-)", False),
        ("never {a[->3]}", "a - a (-)", True),
    ],
    "ranges of steps": [
        ("{a} |-> {TRUE; [*1:2]; b}!", "a - b (-)", True),
        ("{a} |-> {TRUE; [*1:2]; b}!", "a b - (-)", False),
        ("{a} |-> {TRUE; [*1:2]; b}!", "a - - b (-)", True),
        ("{a} |-> {TRUE; [*1:2]; b}!", "a - - - (b)", False),
        ("{a; [*0:1]; b} |-> c", "a b b (-)", False),
        ("{a; [*0:1]; b} |-> c", "a bc bc (b)", True),
    ],
    "sequences of different lengths": [
        ("{{a; b} && {a}}", "(ab)", False),
        ("{{a; b} && {a}} |-> FALSE", "(ab)", True),
        ("{{a; b} & {c}}!", "ac b (-)", True),
        ("{{a; b} & {c}}!", "a b (-)", False),
        ("{{a[*]} && {b[*2]}; c}!", "ab ab c (-)", True),
        ("{{a[*]} && {b[*2]}; c}!", "ab c (-)", False),
        ("{{a; a} within {b[*3]}; c}!", "b ab ab c (-)", True),
        ("{{a; a} within {b[*3]}; c}!", "ab b ab c (-)", False),
    ],
    "contradictions in the structure": [
        ("{{b; b}[*] && {b; {b; b}[*]}}", "(b)", False),
        ("{a[*]; {{b; b}[*] && {b; {b; b}[*]}}}", "(a)", False),
        ("!{{b; b}[*] && {b; {b; b}[*]}}", "(b)", True),
        ("{a[*]; {{b; b} && {b}}}", "(a)", False),
        ("{{b; b}[*] && {b; {b; b}[*]}} |-> FALSE", "(b)", True),
    ],
    "fusion": [
        ("{{a; b} : {b; c}}!", "a b c (-)", True),
        ("{{a; b} : {c}}!", "a b c (-)", False),
        ("{{a[*]} : {b[*]}; c}!", "b c (-)", False),
        ("{{a[*]} : {b[*]}; c}!", "ab c (-)", True),
        ("{{[*0]} : {a}}!", "(a)", False),
    ],
    "one or more": [
        ("{a[+]} |-> b", "ab a (-)", False),
        ("{a[*1:inf]} |-> b", "ab a (-)", False),
        ("{{a; b}[+]; c}!", "a b a b c (-)", True),
        ("{{a; b}[+]; c}!", "c (-)", False),
        ("{{a; b}[*]; c}!", "c (-)", True),
        ("{{a; b}[*]; c} |-> d", "a b a b c (-)", False),
        ("{a[+]} |=> {b}", "- (a)", True),
    ],
    "without always, only the first state starts": [
        ("{a; b} |-> {c}", "- a b (-)", True),
        ("always ({a; b} |-> {c})", "- a b (-)", False),
        ("never {a; b; c}", "- a b c (-)", False),
        ("never {a; b; c}", "a b (-)", True),
    ],
    "next and events": [
        ("always (a -> next_e[3:5] (b))", "- - a - - b (-)", True),
        ("always (a -> next_e[3:5] (b))", "- - a - - - b (-)", True),
        ("always (a -> next_e[3:5] (b))", "- - a - - - - b (-)", True),
        ("always (a -> next_e[3:5] (b))", "- - a - b - - - b (-)", False),
        ("always ((a & b) -> next_event_a(c)[1:4] (b))", "b ab - - - bc b - - bc bc bc - (-)", True),
        ("always ((a & b) -> next_event_a(c)[1:4] (b))", "b ab - - - bc b - - bc c bc - (-)", False),
        ("next_event(a)[2] (b)", "- a - ab (-)", True),
        ("next_event(a)[2] (b)", "- ab - a (-)", False),
        ("next_event(a) (b)", "ab (-)", True),
        ("next_event(a) (b)", "(-)", True),
        ("next_event!(a) (b)", "(-)", False),
        ("next_event_e(a)[1:2] (b)", "a (-)", True),
        ("next_event_e!(a)[1:2] (b)", "a (-)", False),
        ("next_event_e!(a)[1:2] (b)", "a - ab (-)", True),
        ("always (a -> next[3] (b))", "a - - b (-)", True),
    ],
    "until and before, inclusive": [
        ("a until!_ b", "a ab (-)", True),
        ("a until!_ b", "a b (-)", False),
        ("a until! b", "a b (-)", True),
        ("a until!_ b", "(a)", False),
        ("a until_ b", "(a)", True),
        ("a before b", "- ab (-)", False),
        ("a before_ b", "- ab (-)", True),
        ("a before b", "(-)", True),
        ("a before! b", "(-)", False),
        ("a before! b", "a (b)", True),
    ],
    "abort": [
        ("(always ({a} |=> {b; c}!)) abort r", "a r (-)", True),
        ("(always ({a} |=> {b; c}!)) abort r", "a - r (-)", False),
        ("(always a) abort r", "a a r (-)", True),
        ("(always a) abort r", "a - r (-)", False),
        ("always (a -> ((eventually! b) abort r))", "a - r a (-)", False),
        ("always (a -> ((eventually! b) abort r))", "a - r a b (-)", True),
        ("!((always a) abort r)", "a r (-)", False),
        ("{a; b; c}! abort r", "a b r (-)", True),
        ("{a; b; c}! abort r", "a - r (-)", False),
        ("{a; FALSE}! abort r", "a r (-)", True),
        ("!({a; FALSE}! abort r)", "a r (-)", False),
        ("(!((always a) abort b)) abort r", "a b (-)", False),
        ("(!((always a) abort b)) abort r", "a br (-)", True),
        ("((always a) abort b) abort r", "a a b (-)", True),
    ],
    "the bad prefix of RCTL": [
        ("{[*]; a; b[*]; c} (FALSE)", "- a b b c (-)", False),
        ("{[*]; a; b[*]; c} (FALSE)", "- a b b (b)", True),
        ("always ({a; b} (next c))", "- a b c (-)", True),
        ("always ({a; b} (next c))", "- a b (-)", False),
    ],
}


ALL_CASES = [pytest.param(*case, id=f"{case[0]} on {case[1]}") for cases in CASES.values() for case in cases]


@pytest.mark.parametrize(("formula", "word", "expected"), ALL_CASES)
def test_trouble_spots(formula: str, word: str, expected: bool) -> None:
    assert verdicts(formula, word) == {expected}
