"""Models compared by fair simulations on sets of pairs of their states, without quotients and strategies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.modular.fair_comparison import ON_PAIRS, OnPairs, below_on_pairs, look_of
from coarsest.errors import EvidenceRejected, InputError, LimitExceeded, Unsupported
from coarsest.evidence.replay.plays import is_lost
from coarsest.lts.compare.comparison import Comparison, Pairs
from coarsest.options.option import Confirm
from coarsest.reduce.partition.observation import observe
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.api.model import Model
    from coarsest.api.options import CompareOptions


def few_classes() -> dict[str, int]:
    """The limits of a minimiser for quotients that are made unasked."""
    return dict.fromkeys(("blocks", "values"), tuning.CLASSES_FOR_A_GAME)


def require_pairs(how: CompareOptions, *, models: bool) -> None:
    """Raise InputError for systems or relations that cannot be compared on sets of pairs."""
    if not models or how.by not in ON_PAIRS:
        what = f"{how.by} between models" if models else "graphs and automata"
        hint = f"two models can be compared in this way by {', '.join(ON_PAIRS)}"
        raise InputError(f"sets of pairs are not for {what}", hint=hint)


def compare_on_pairs(
    models: Sequence[Model], how: CompareOptions, on_quotients: Callable[[], Comparison], run: Run
) -> Comparison:
    """Is the first below the second and, unless `preorder` is set, conversely? `on_quotients` confirms the answer."""
    both = [observe(model.machine, model.observed(how.observe)) for model in models]
    positions, confirmed = 0, False
    comparison: Comparison | None = None
    for way, (one, other) in enumerate([both, both[::-1]][: 1 if how.preorder else 2]):
        below = below_on_pairs(one, other, how.by, run)
        positions += below.positions
        if not below.below:
            look = look_of(one, other, how.by)
            confirmed = how.confirm is not Confirm.NEVER and below.play is not None
            confirmed = confirmed and is_lost(one.machine, other.machine, look, below.play)  # type: ignore[arg-type]
            comparison = Comparison(how.by, how.preorder, pairs=_lost(below, way, replayed=confirmed))
            break
    if comparison is None:
        comparison = Comparison(how.by, how.preorder, pairs=Pairs(positions))
    if not confirmed and how.confirm is not Confirm.NEVER:
        confirmed = _agree(comparison, on_quotients, run, always=how.confirm is Confirm.ALWAYS)
    return replace(comparison, confirmed=confirmed, statistics={"pairs": positions})


def _lost(lost: OnPairs, way: int, *, replayed: bool) -> Pairs:
    play = () if lost.play is None else lost.play.states, () if lost.play is None else lost.play.answers
    return Pairs(lost.positions, way, lost.unanswered, *play, replayed)


def _agree(comparison: Comparison, on_quotients: Callable[[], Comparison], run: Run, *, always: bool) -> bool:
    """Do games between quotients give the same, confirmed answer? False if the quotients are large."""
    other = None
    with suppress(Unsupported, LimitExceeded), run.within(most={} if always else few_classes()):
        other = on_quotients()
    if other is None:
        return False
    if other.related != comparison.related:
        raise EvidenceRejected(f"sets of pairs and games between quotients disagree about {comparison.relation}")
    return other.confirmed
