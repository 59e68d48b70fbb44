"""Sequences: random ones on random words against the definition, printing, construction, wrong ones."""

from random import Random

import pytest

from coarsest.automata.psl.psl_to_ltl import formulas_for
from coarsest.automata.psl.sere_to_automaton import SereAutomaton, sere_to_automaton
from coarsest.errors import InputError, ModelProblem, SyntaxProblem, Unsupported
from coarsest.logic.expr import Expr, Name
from coarsest.logic.linear.ltl_from_expr import read_formula
from coarsest.logic.psl.psl import Sequence
from coarsest.logic.psl.sere import ANYTHING, EMPTY, VOID, Sere, StateCondition, lengths, nullable, size
from coarsest.logic.psl.sere_construction import concatenation, core, fusion, intersection, repeated, union
from coarsest.logic.psl.sere_from_expr import sere_from_expr
from coarsest.logic.psl.show_sere import show_sere
from oracles.sere_words import TOP, ends, matches, states_bound
from random_sequences import parse, sere

ATOMS = (Name("p0"), Name("p1"))
LETTERS = [frozenset(), frozenset(ATOMS[:1]), frozenset(ATOMS[1:]), frozenset(ATOMS)]


def tree_of(text: str) -> Expr:
    return parse("{" + text + "}").args[0]


def automaton_of(sequence: Sere):
    table = formulas_for(Sequence(concatenation(sequence, repeated(union(*map(StateCondition, ATOMS)), 0, 1)), strong=True))
    return sere_to_automaton(sequence, lambda condition: read_formula(condition, table).guard), table.alphabet


def match_ends(automaton: SereAutomaton, alphabet, word) -> set[int]:
    found = set()
    states = {0}
    for end, letter in enumerate(word, start=1):
        number = sum(1 << place for place, atom in enumerate(alphabet.atoms) if atom in letter)
        taken = [
            move for state in states for move in automaton.moves[state] if alphabet.contains(move[0], number)
        ]
        states = {target for _, target, _ in taken}
        if any(ends_here for _, _, ends_here in taken):
            found.add(end)
    return found


def check_sequence(text: str, rng: Random, words: int) -> None:
    tree = tree_of(text)
    sequence = sere_from_expr(tree)
    assert sere_from_expr(tree_of(show_sere(sequence))) == sequence, text
    assert nullable(sequence) == nullable(core(sequence)) == matches(tree, ()), text
    automaton, alphabet = automaton_of(sequence)
    least, most = lengths(sequence)
    for _ in range(words):
        word = [rng.choice(LETTERS) for _ in range(rng.randrange(8))]
        expected = ends(tree, word, 0)
        assert match_ends(automaton, alphabet, word) == expected - {0}, (text, word)
        assert all(least <= end and (most is None or end <= most) for end in expected), (text, word)
    can_match = any(end > 0 for end in ends(tree, [TOP] * min(60, 2 + states_bound(tree)), 0))
    assert automaton.can_go_on[0] == can_match, text


@pytest.mark.parametrize("operators", range(6))
def test_random_sequences(operators: int) -> None:
    rng = Random(operators)
    for _ in range(80):
        check_sequence(sere(rng, operators), rng, words=6)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_many_random_sequences(seed: int) -> None:
    rng = Random(500 + seed)
    for _ in range(600):
        check_sequence(sere(rng, rng.randrange(8)), rng, words=10)


@pytest.mark.parametrize(
    ("text", "words", "others"),
    [
        ("[*0]", [""], ["0", "00"]),
        ("p0[*0]", [""], ["1"]),
        ("p0[*]", ["", "1", "11"], ["0", "10"]),
        ("p0[+]", ["1", "11"], ["", "10"]),
        ("[*2]", ["00", "31"], ["0", "000"]),
        ("p0[*1:2]; p1", ["12", "112", "32"], ["2", "1112", "1"]),
        ("p0[*2:inf]; p1", ["112", "1112"], ["12"]),
        ("p0; [*0]; p1", ["12"], ["1", "2", "102"]),
        ("{p0; p1} : {p1; p0}", ["121", "131"], ["1221", "12", "1"]),
        ("p0 : p1", ["3"], ["1", "2", "12"]),
        ("{[*0]} : {p0}", [], ["", "1", "11"]),
        ("{p0[*]} : {p1[*]}", ["3", "13", "132"], ["", "1", "2", "12"]),
        ("{p0; p1} && {p0}", [], ["1", "12"]),
        ("{p0[*]} && {p1[*2]}", ["33"], ["3", "13", "333"]),
        ("{p0; p1} & {p1}", ["32"], ["3", "12", "320"]),
        ("{p0} & {p1[*3]}", ["322"], ["3", "32", "122", "3222"]),
        ("{p0; p0} within {p1[*4]}", ["3322", "2332", "2233"], ["3232", "332", "1133"]),
        ("p0[->2]", ["11", "0101", "101"], ["1", "0110", "1010", "111"]),
        ("p0[->]", ["1", "0001"], ["", "10", "11"]),
        ("p0[->0:1]", ["", "1", "01"], ["0", "11", "10"]),
        ("p0[->2:inf]", ["11", "111", "01011"], ["1", "110"]),
        ("p0[=2]", ["11", "0101", "01010", "110"], ["1", "111", "0"]),
        ("p0[=0]", ["", "0", "00"], ["1", "01"]),
        ("p0[=1:2]", ["1", "0110", "010"], ["", "0", "111"]),
        ("{p0 | p1}", ["1", "2", "3"], ["0", "12"]),
        ("{p0} | {p1; p1}", ["1", "22"], ["2", "11"]),
        ("{{p0}[*]; p1}[*2]", ["22", "1212", "212"], ["2", "2221"]),
    ],
)
def test_by_hand(text: str, words: list[str], others: list[str]) -> None:
    """Letters are numbers of two bits: the lower is p0, the upper p1."""
    tree = tree_of(text)
    automaton, alphabet = automaton_of(sere_from_expr(tree))
    for written in (*words, *others):
        word = [LETTERS[int(letter)] for letter in written]
        expected = written in words
        assert matches(tree, word) == expected, written
        found = len(word) in match_ends(automaton, alphabet, word) if word else nullable(sere_from_expr(tree))
        assert found == expected, written


def test_simplifications_keep_what_only_top_can_match() -> None:
    a = StateCondition(Name("a"))
    assert intersection(concatenation(a, a), a) == VOID
    assert fusion(EMPTY, a) == VOID
    assert concatenation(a, VOID) == VOID
    assert union(VOID, a) == a
    assert repeated(VOID, 0, None) == EMPTY
    assert intersection(ANYTHING, a) == a
    assert repeated(repeated(a, 1, None), 0, None) == repeated(a, 0, None)
    false = sere_from_expr(tree_of("FALSE; a"))
    assert false != VOID and size(false) == 2


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("{a[*5:3]}", ModelProblem, "the range 5:3 is empty"),
        ("{a[*30000]}", Unsupported, "30000 steps"),
        ("{{a[*200]}[*200]; b}", Unsupported, "40000 steps"),
        ("{{a[*300]} && {{b[*2]; c}[*100]}}", Unsupported, "steps"),
        ("{a[=30000]}", Unsupported, "60000 steps"),
        ("{a[*b]}", SyntaxProblem, "found `b` as a count"),
        ("{{a; b}[->2]}", SyntaxProblem, "counts states with a condition"),
        ("{a; next b}", SyntaxProblem, "inside a sequence"),
        ("{(a & {b; c})}", SyntaxProblem, "a sequence inside a condition"),
        ("{a; {b}!}", SyntaxProblem, "a strong sequence inside a sequence"),
        ("{a @ clk; b}", Unsupported, "clocked"),
    ],
)
def test_wrong_sequences_are_pointed_at(text: str, kind: type[InputError], words: str) -> None:
    with pytest.raises(kind) as raised:
        sere_from_expr(parse(text).args[0])
    assert words in str(raised.value)
    assert "^" in str(raised.value)
