"""Hanoi omega-automata: what is written is read by another reader, and back by ours; wrong texts are refused at their place."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from coarsest.automata.automaton import Automaton
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi, ltl_to_generalised_buchi
from coarsest.errors import InputError, Unsupported
from coarsest.files import read_text
from coarsest.formats.hoa.read import read
from coarsest.formats.hoa.write import write
from coarsest.logic.expr import Apply, Constant, Name
from coarsest.logic.letters.alphabet import TruthTables
from coarsest.logic.letters.guards import Alphabet
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.logic.parse import parse_expression
from coarsest.logic.show import show
from coarsest.text import Source
from oracles.automaton_words import accepts
from oracles.hoa_words import accepts as text_accepts
from oracles.hoa_words import parse
from oracles.ltl_words import holds
from random_formulas import FUTURE, PAST, formula, word

LISTS = Path(__file__).parents[4] / "shared" / "benchmarks" / "automata" / "hoa"


def test_an_independent_reader_accepts_the_same_words() -> None:
    rng = random.Random(4)
    for _ in range(60):
        expr = formula(rng, rng.randint(2, 10), operators=rng.choice((FUTURE, FUTURE + PAST)))
        for translate in (ltl_to_buchi, ltl_to_generalised_buchi):
            text = parse(write(translate(from_expr(expr)), name=show(expr), tool="coarsest"))
            for _ in range(3):
                prefix, cycle = word(rng)
                names = [[frozenset(map(show, letter)) for letter in part] for part in (prefix, cycle)]
                assert text_accepts(text, *names) == holds(expr, prefix, cycle), show(expr)


def test_reading_back() -> None:
    rng = random.Random(5)
    for _ in range(60):
        automaton = ltl_to_generalised_buchi(from_expr(formula(rng, rng.randint(2, 12))))
        again = read(Source("back.hoa", write(automaton)))
        assert again.alphabet.atoms == automaton.alphabet.atoms
        assert (again.initial, again.edges, again.sets) == (automaton.initial, automaton.edges, automaton.sets)


def properties(text: str) -> list[str]:
    return parse(write(ltl_to_buchi(from_expr(parse_expression(text))))).properties[4:]


def test_properties() -> None:
    assert properties("G a") == ["deterministic", "weak"]
    assert properties("F a") == ["deterministic", "complete", "weak", "terminal"]
    assert properties("F G a") == ["weak"]
    assert properties("G F a") == ["deterministic", "complete"]
    assert properties("TRUE") == ["deterministic", "complete", "weak", "terminal"]


def test_names_are_quoted() -> None:
    alphabet = TruthTables([Name('say "a\\b"'), Apply("=", (Name("x"), Constant(1)))])
    automaton = Automaton(alphabet, (0,), [[(alphabet.full, 0, 0)]])
    text = write(automaton, name='the "best"')
    assert 'AP: 2 "say \\"a\\\\b\\"" "x = 1"' in text
    assert read(Source("x.hoa", text)).alphabet.atoms == alphabet.atoms


EVERYTHING = """HOA: v1 /* a comment */
name: "odd" States: 3
Start: 0 Start: 2
AP: 2 "a" "b"
Alias: @both 0&1
acc-name: generalized-Buchi 2
Acceptance: 2 (Inf(1) & Inf(0))
properties: explicit-labels
tool: "by hand" "1"
controllable-AP: 0
--BODY--
State: 0 "first" {0}
  [@both | !0] 1 {1}
  [f] 2
State: [!(0 | @both)] 1
  0 2 {0 1}
State: 2
  0 1 2 2
--END--
"""


def test_what_the_format_allows() -> None:
    automaton = read(Source("odd.hoa", EVERYTHING))
    letters: Alphabet = automaton.alphabet
    a, b = letters.atom(0), letters.atom(1)
    first, second, third = automaton.edges
    assert automaton.initial == (0, 2)
    assert first == [((a & b) | letters.complement(a), 0b11, 1)]
    assert second == [(letters.complement(a), 0, 0), (letters.complement(a), 0b11, 2)]
    assert [(letters.pick(guard), target) for guard, _, target in third] == [(0, 0), (1, 1), (2, 2), (3, 2)]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("HOA: v1", "HOA: v2", "version v2"),
        ("HOA: v1", "HAO: v1", "expected `HOA: v1`"),
        ("States: 3", "States: three", "found `three`, expected the number of states"),
        ("States: 3", "States: 2", "there is no state 2"),
        ("States: 3", "States: 30000000000", "30000000000 states are announced, but 3 are described"),
        ("Start: 2", "Start: 1&2", "alternation"),
        ('AP: 2 "a" "b"', 'AP: 3 "a" "b"', "3 atomic propositions are announced, but 2 are listed"),
        ('AP: 2 "a" "b"', 'AP: 2 "a" "a"', '`"a"` is listed twice'),
        ('"b"', '"b', "never closed"),
        ("/* a comment */", "/* a comment", "never closed by `*/`"),
        ("Acceptance: 2 (Inf(1) & Inf(0))", "Acceptance: 2 Inf(0)|Inf(1)", "`|` in the acceptance condition"),
        ("Acceptance: 2 (Inf(1) & Inf(0))", "Acceptance: 2 Fin(0)&Inf(1)", "`Fin` in the acceptance condition"),
        ("Acceptance: 2 (Inf(1) & Inf(0))", "Acceptance: 2 Inf(0)", "set 1 is not used"),
        ("Acceptance: 2 (Inf(1) & Inf(0))", "Acceptance: 9999999999999999999 Inf(0)", "9999 are announced, and 1 are used"),
        ("Acceptance: 2 (Inf(1) & Inf(0))", f"Acceptance: {'9' * 5000} Inf(0)", "a number of 5000 digits"),
        ("Acceptance: 2 (Inf(1) & Inf(0))", "", "there is no `Acceptance:`"),
        ("controllable-AP: 0", "Forall: 0", "`Forall:` changes the meaning of the automaton"),
        ("[@both", "[@none", "the alias `@none` is not defined"),
        ("[@both", "[2", "there is no proposition 2"),
        ("[@both", "[&", "found `&`, expected a label"),
        ("{0 1}", "{0 7}", "there is no acceptance set 7"),
        ("{0 1}", "{0 x}", "found `x`, expected the number of an acceptance set"),
        ("State: [!(0 | @both)] 1", "State: 0", "state 0 is described twice"),
        ("  0 2 {0 1}", "  [0] 2", "the state has a label"),
        ("  0 1 2 2", "  0 1 2", "3 edges without labels, but there are 4 letters"),
        ("--END--", "", "expected `State:` or `--END--`"),
        ("--BODY--", "--ABORT--", "gave up"),
        ("--END--\n", "--END--\nHOA: v1", "more than one automaton"),
        ("State: 2", "State; 2", "found `;`"),
    ],
)
def test_wrong_texts(old: str, new: str, complaint: str) -> None:
    assert old in EVERYTHING
    with pytest.raises(InputError) as caught:
        read(Source("wrong.hoa", EVERYTHING.replace(old, new, 1)))
    assert complaint in str(caught.value)
    assert "wrong.hoa:" in str(caught.value)


@pytest.mark.skipif(not LISTS.is_dir(), reason="shared benchmarks not present")
def test_automata_of_other_tools() -> None:
    files = sorted(LISTS.glob("*/*.hoa"))
    rng = random.Random(6)
    refused = 0
    for file in files[::3]:
        try:
            automaton = read(read_text(file))
        except Unsupported:  # other kinds of acceptance, alternation
            refused += 1
            continue
        again = read(Source("again.hoa", write(automaton)))
        atoms = automaton.alphabet.atoms
        prefix, cycle = [[frozenset(atom for atom in atoms if rng.random() < 0.5) for _ in range(2)] for _ in range(2)]
        assert accepts(automaton, prefix, cycle) == accepts(again, prefix, cycle)
    assert refused < len(files) / 6
