"""The naive modular algorithm: parts are reduced and composed by twos, and every composition is reduced again.

Reference: Shiple 1996, as in Bustan 2002, sections 1.5 and 5.3.
Symbols:   –
Invariant: the reduced composition so far is bisimulation equivalent to that of its parts, with respect to all that others read.
Deviates:  the next part is the one after which least is still read across; latches that nobody reads any more are hidden.
Cost:      that of building each composition, and of reducing it.
"""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.reduce.modular.moore import Moore, compose
from coarsest.reduce.modular.ordinary_hopcroft import Smaller, reduction, standing_for
from coarsest.reduce.modular.parts import Atom, parted
from coarsest.run import Run


def naive(whole: Moore, parts: Sequence[Sequence[Atom]], run: Run) -> Smaller:
    """The quotient of a machine, part by part."""

    def read_across(machine: Moore) -> int:
        outside = set[int]().union(*(other.inputs for other in waiting if other is not machine))
        return len({*machine.wires, *made.machine.wires} & outside)

    waiting = parted(whole, parts) if len(parts) > 1 else [whole.with_outputs(whole.outputs)]
    made = _reduced(waiting.pop(0), waiting, run)
    while waiting:
        following = min(waiting, key=read_across)
        waiting.remove(following)
        reduced = _reduced(following, [made.machine, *waiting], run)
        both = compose(made.machine, reduced.machine)
        small = _reduced(both, waiting, run)
        made = Smaller(small.machine, whole.bench.substituted(small.classes, {**made.classes, **reduced.classes}))
    return standing_for(whole, made)


def _reduced(machine: Moore, others: Sequence[Moore], run: Run) -> Smaller:
    """The quotient with respect to its outputs, and to what others read of it."""
    read = set[int]().union(*(other.inputs for other in others))
    return reduction(machine.with_outputs(machine.outputs, read), run)
