"""Lustre programs as machines react as the definition of the language says."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from campaigns import blocks
from coarsest.formats.lustre.parse import parse
from coarsest.formats.lustre.read import read
from coarsest.formats.smv.read import read as read_smv
from coarsest.formats.smv.write import write
from coarsest.logic.expr import Name
from coarsest.model.interpret.interpret import Interpreter
from coarsest.space.smt.smt import SmtSpace
from coarsest.text import Source
from oracles.lustre_streams import NIL, outputs
from random_lustre import GrowingPrograms, LustrePrograms

INSTANTS = 10
PROGRAMS_THAT_WERE_REFUSED = (16, 30, 44)


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32))
def test_machines_react_as_the_language_says(seed: int) -> None:
    reacts(Source("m.lus", LustrePrograms(seed).text()), seed)


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32))
def test_machines_with_integers_without_bounds_do_too(seed: int) -> None:
    """Ranges are inferred for some of their memories, and none of them refuses the program."""
    reacts(Source("m.lus", GrowingPrograms(seed).text()), seed)


def reacts(source: Source, seed: int) -> None:
    machine = read(source, main="main")
    if seed % 8 == 0:
        outputs_of = machine.outputs
        machine = replace(read_smv(Source("m.smv", write(machine))), outputs=outputs_of)
    random = Random(seed)
    stimuli = [{"a": random.random() < 0.5, "b": random.random() < 0.5, "n": random.randint(-2, 2)} for _ in range(INSTANTS)]
    expected = outputs(parse(source), "main", stimuli)
    interpreter = Interpreter(machine)
    state: dict[str, Any] = next(interpreter.initial_states())
    for t, inputs in enumerate(stimuli):
        for name in machine.outputs:
            found = interpreter.value(Name(name), state, inputs=inputs)
            assert expected[t][name] in (NIL, found), f"{name} at instant {t} of\n{source.text}"
        _, state = interpreter.complete_step(state, inputs, {})


@pytest.mark.parametrize("block", blocks(20, by_day=1))
def test_an_inferred_range_refuses_no_program(block: int) -> None:
    """Formulas look at all values of all types, also at those that are never taken."""
    for seed in (PROGRAMS_THAT_WERE_REFUSED if block == 0 else range(20 * block, 20 * block + 20)):
        SmtSpace(read(Source("m.lus", GrowingPrograms(seed).text()), main="main"))
