"""Broken SMV: whatever the text, the answer is a machine or an InputError, never another exception."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from broken_texts import answers
from coarsest.errors import InputError
from coarsest.formats.smv.read import read
from coarsest.logic.tokens import KEYWORDS, tokenise
from coarsest.model.query.formula import parse_formula
from coarsest.text import Source

SEED_TEXTS = [
    """
    MODULE main
    VAR s : {idle, busy, 3}; n : -1..2; w : word[4]; v : signed word[3]; a : array 0..2 of array 1..2 of boolean;
    VAR m : cell(n, a[0]);
    IVAR i : boolean; FROZENVAR f : {1, 2}; CONSTANTS lost;
    DEFINE d := s = idle; row := [1, n, 3]; e := row[n] > 1 ? d : s in {busy, 3}; k := sizeof(w) - 2;
    ASSIGN init(s) := idle; next(s) := case i : {busy, idle}; n > 0 & next(n) < 2 : 3; TRUE : s; esac; a[0][1] := !a[1][2];
    INIT n = 0 TRANS next(n) = n + 1 mod 2 | toint(w[k:0]) >= abs(n) INVAR resize(w, 3) :: 0ub1_1 != unsigned(v) :: w[3:3]
    FAIRNESS d COMPASSION (d, e)
    SPEC NAME one := AG (d -> A [d U E [e BU 1..2 d]]) LTLSPEC G [0, 3] (d S Y e) IN m; INVARSPEC count(d, e, i) <= 2
    PSLSPEC always {d; e[*2..3]; d[+]} |=> next! e; COMPUTE MIN [d, e]
    MODULE cell(p, q) VAR x : boolean; ASSIGN next(x) := q[1] xor p = 0; DEFINE d := x; e := self.x <-> d;
    """,
    """
    MODULE main VAR x : boolean; p : process flip(x); q : process nest(self, 3);
    MODULE flip(v) ISA base ASSIGN next(v) := !v; FAIRNESS running
    MODULE nest(up, k) VAR inner : process flip(up.x); c : 0..k - 1; ASSIGN next(c) := (c + 1) mod k; DEFINE up.z := c = 0;
    MODULE base VAR y : boolean; INVARSPEC y -> y
    """,
]
WORDS = [
    *sorted(KEYWORDS),
    *("x", "d", "n", "w", "a", "main", "0", "1", "-", "99999999999", "0ub4_1010", "0sd3_3", "é", "\x00", "²", '"', "--", "/--"),
    *("(", ")", "[", "]", "{", "}", ";", ":", ",", ".", ":=", "=", "!=", "<", "->", "<->", "&", "|", "!", "?", "+", "*", "/"),
    *("<<", "::", "..", "[*", "|->", "until!"),
]


def mutated(text: str, seed: int) -> str:
    """A few tokens deleted, doubled, swapped or replaced."""
    random = Random(seed)
    tokens = tokenise(Source("t", text)).texts
    for _ in range(random.randint(1, 3)):
        place, other = random.randrange(len(tokens)), random.randrange(len(tokens))
        change = random.randrange(4)
        if change == 0:
            del tokens[place]
        elif change == 1:
            tokens.insert(place, tokens[other])
        elif change == 2:
            tokens[place], tokens[other] = tokens[other], tokens[place]
        else:
            tokens[place] = random.choice(WORDS)
    return " ".join(tokens)


def test_the_seeds_are_right() -> None:
    for text in SEED_TEXTS:
        read(Source("seed.smv", text))


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(SEED_TEXTS), st.integers(0, 2**32))
def test_mutated_tokens(text: str, seed: int) -> None:
    answers(mutated(text, seed), "fuzz.smv", read)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(SEED_TEXTS), st.integers(0, 2**32), st.text(max_size=3))
def test_mutated_characters(text: str, seed: int, inserted: str) -> None:
    random = Random(seed)
    start = random.randrange(len(text))
    answers(text[:start] + inserted + text[start + random.randrange(4) :], "fuzz.smv", read)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_random_words(words: list[str]) -> None:
    answers("MODULE main VAR x : boolean; " + " ".join(words), "fuzz.smv", read)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_random_texts(text: str) -> None:
    answers(text, "fuzz.smv", read)


MACHINE = read(Source("seed.smv", SEED_TEXTS[0]))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=15))
def test_random_formulas(words: list[str]) -> None:
    try:
        parse_formula(" ".join(words), MACHINE)
    except InputError as error:
        assert "<formula>" in str(error)
