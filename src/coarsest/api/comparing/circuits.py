"""compare, for circuits: do two of them have the same outputs, whatever the inputs are?

>>> import coarsest
>>> toggles = [coarsest.loads(f"INPUT(go)\\nOUTPUT(y)\\nq = DFF(d)\\nd = {gate}(go, q)\\ny = NOT(q)", format="bench")
...            for gate in ("XOR", "OR")]
>>> found = compare_circuits(*toggles)
>>> found.related, found.differing, [step["go"] for step in found.moments]
(False, ('y',), [True, True, False])
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from coarsest.evidence.verdict import Fails, Holds, shown_trace
from coarsest.logic.expr import Expr, Name, Value
from coarsest.options.option import Confirm
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.api.model import Model
    from coarsest.evidence.verdict import Answer
    from coarsest.model.composition.side_by_side import Pair
    from coarsest.model.trace import Trace

CIRCUITS = ("aiger", "blif", "blif-mv", "bench")
"""The formats of circuits, which are compared by their inputs and outputs."""


class CircuitComparison(Struct, frozen=True):
    """Do two circuits have the same outputs for all inputs? If not, a shortest sequence of inputs after which they differ."""

    related: bool | None
    """None if this is undecided."""
    confirmed: bool
    evidence: str
    """The evidence that they are related, or the reason why this is undecided, in words."""
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    moments: tuple[dict[str, Value], ...] = ()
    """The values at each moment: inputs, and outputs of both circuits (`first.…`, `second.…`), which differ at the last one."""
    differing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    statistics: dict[str, Any] = {}


def are_circuits(*paths: str, format: str | None = None) -> bool:
    """Are the files circuits?

    >>> are_circuits("adder.blif", "adder.aig"), are_circuits("adder.blif", "adder.smv")
    (True, False)
    """
    from coarsest.formats import format_of

    names = [(format or "").partition(":")[0] or getattr(format_of(path), "name", "") for path in paths]
    return all(name in CIRCUITS for name in names)


def compare_circuits(
    first: Model, second: Model, *, confirm: str | Confirm = Confirm.AUTO, run: Run | None = None
) -> CircuitComparison:
    """Compare two circuits by an invariant of their product: the outputs are equal."""
    from coarsest.api.model import Model as AnyModel
    from coarsest.model.composition.side_by_side import side_by_side

    pair = side_by_side(first.machine, second.machine)
    product = AnyModel(pair.machine)
    (answer,) = product.check(pair.claim, confirm=Confirm(confirm), run=run)
    trace = shown_trace(answer) if isinstance(answer.verdict, Fails) else None
    moments, differing = ((), ()) if trace is None else _moments(pair, trace)
    several = "with several initial states or choices, a difference between two paths does not distinguish the circuits"
    related: bool | None = isinstance(answer.verdict, Holds)
    evidence = _evidence(answer)
    if not isinstance(answer.verdict, Holds) and (trace is None or not pair.decides):
        related, evidence, moments, differing = None, evidence if trace is None else several, (), ()
    return CircuitComparison(
        related, answer.confirmed, evidence, tuple(v.name for v in pair.machine.input_variables), tuple(pair.outputs), moments,
        differing, pair.notes, dict(answer.statistics),
    )  # fmt: skip


def _evidence(answer: Answer) -> str:
    if isinstance(answer.verdict, Holds):
        return "" if answer.verdict.proof is None else answer.verdict.proof.summary
    return "" if isinstance(answer.verdict, Fails) else answer.verdict.because


def _moments(pair: Pair, trace: Trace) -> tuple[tuple[dict[str, Value], ...], tuple[str, ...]]:
    """The inputs and the outputs of both circuits at each moment, up to the first difference that matters; and the outputs that
    differ."""
    from coarsest.model.interpret.interpret import Interpreter
    from coarsest.model.interpret.values import ValueChoice

    interpreter = Interpreter(pair.machine)
    state = interpreter.complete_initial(trace.states[0])
    moments: list[dict[str, Value]] = []
    differing: tuple[str, ...] = ()
    for number in range(len(trace)):
        given = dict(trace.inputs[number]) if number < len(trace.inputs) else {}
        inputs = {v.name: given.get(v.name, next(iter(v.type.values()))) for v in pair.machine.input_variables}

        def value(expr: Expr, state: Mapping[str, Value] = state, inputs: Mapping[str, Value] = inputs) -> Value:
            found = interpreter.value(expr, state, inputs=inputs)
            assert not isinstance(found, ValueChoice), "outputs are functions"
            return found

        seen = {f"{side}.{output}": value(Name(name)) for output, names in pair.outputs.items()
                for side, name in zip(("first", "second"), names)}  # fmt: skip
        moments.append({**inputs, **seen})
        differing = tuple(output for output in pair.outputs if seen[f"first.{output}"] != seen[f"second.{output}"]
                          and (output not in pair.free or value(pair.free[output]) is False))  # fmt: skip
        if differing:
            break
        _, state = interpreter.complete_step(state, inputs, {})
    return tuple(moments), differing
