"""LTL with next() inside conditions: the verdict agrees with all short lassos, evaluated from the definition."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

import coarsest
from coarsest.errors import InputError
from coarsest.evidence.replay.lasso import truth_along
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.model.parts.watch import WATCH
from coarsest.model.query.formula import parse_formula
from coarsest.model.trace import Trace

VALUES = 4
CONDITIONS = (
    "x = next(x)", "x < next(x)", "next(x) = 0", "x = 1 & next(x) != 2", "stays", "b", "next(b) xor b", "i -> next(x) > x",
)  # fmt: skip
SHAPES = (
    "F ({0})", "G ({0})", "F G ({0})", "G F ({0})", "({0}) U ({1})", "G (({0}) -> X ({1}))", "{0}", "G (({0}) -> O ({1}))",
    "Y ({0}) | F ({1})",
)  # fmt: skip


def random_model(random: Random) -> str:
    ways = [sorted(random.sample(range(VALUES), random.randint(1, 2))) for _ in range(VALUES)]
    cases = " ".join(f"x = {value} : {{{', '.join(map(str, way))}}};" for value, way in enumerate(ways))
    fairness = "FAIRNESS x != 2" if random.random() < 0.3 else ""
    forbidden = "TRANS x = 0 -> next(b)" if random.random() < 0.3 else ""
    return f"""
        MODULE main
        VAR x : 0..{VALUES - 1}; b : boolean;
        IVAR i : boolean;
        DEFINE stays := next(x) = x & b;
        ASSIGN init(x) := 0; next(x) := case {cases} TRUE : x; esac; next(b) := i ? b : {{TRUE, FALSE}};
        {forbidden}
        {fairness}
    """


def lassos(interpreter: Interpreter, longest: int) -> Iterator[Trace]:
    """All lassos without a state more than twice, up to a length."""

    def extend(states: list, inputs: list) -> Iterator[Trace]:
        for given, after in interpreter.successors(states[-1]):
            for loop, state in enumerate(states):
                if state == after:
                    yield Trace(tuple(states), (*inputs, given), loop)
            if len(states) < longest and states.count(after) < 2:
                yield from extend([*states, after], [*inputs, given])

    for state in interpreter.initial_states():
        yield from extend([state], [])


def random_case(seed: int) -> tuple[coarsest.Model, Property]:
    random = Random(seed)
    model = coarsest.loads(random_model(random))
    text = random.choice(SHAPES).format(random.choice(CONDITIONS), random.choice(CONDITIONS))
    return model, parse_formula(text, model.machine, kind=PropertyKind.LTL)


@pytest.mark.parametrize("seed", range(60))
def test_the_verdict_agrees_with_short_lassos(seed: int) -> None:
    model, claim = random_case(seed)
    (answer,) = model.check(claim).answers
    if isinstance(answer.verdict, Fails):
        assert answer.confirmed
        assert not any(name.startswith(WATCH) for name in answer.verdict.trace.states[0])
        return
    assert isinstance(answer.verdict, Holds), answer.verdict
    interpreter = Interpreter(model.machine)
    for lasso in islice(lassos(interpreter, 4), 3000):
        around = lasso.states[lasso.loop :]
        if all(any(interpreter.satisfies(p, state) for state in around) for p in model.machine.justice):
            assert truth_along(claim.formula, lasso, interpreter)[0], (claim.text, lasso)


def test_both_verdicts_occur() -> None:
    verdicts = set()
    for seed in range(60):
        model, claim = random_case(seed)
        verdicts.add(type(model.check(claim).answers[0].verdict))
    assert verdicts == {Holds, Fails}


def test_a_condition_on_steps_is_not_taken_for_one_on_states() -> None:
    """Once `F x = next(x)` held here: no state was asked for its step."""
    model = coarsest.loads("MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 4};")
    assert isinstance(model.check("F x = next(x)").answers[0].verdict, Fails)


def test_without_successor_nobody_knows() -> None:
    model = coarsest.loads("MODULE main VAR x : 0..3; INIT x = 0 TRANS next(x) = x + 1")
    for text in ("G next(x) > x", "F x = next(x)"):
        verdict = model.check(text).answers[0].verdict
        assert isinstance(verdict, Unknown)
        assert "successor" in verdict.because


@pytest.mark.parametrize("text", ["always x = next(x)", "never {d; d}"])
def test_psl_has_a_next_of_its_own(text: str) -> None:
    model = coarsest.loads("MODULE main VAR x : 0..3; DEFINE d := next(x) = x;")
    with pytest.raises(InputError, match=r"cannot stand in a comparison|its definition has next"):
        parse_formula(text, model.machine, kind=PropertyKind.PSL)
