"""Invariants by minimisers that stop early (`check/invariants/measured_invariant.py` counts their operations)."""

from __future__ import annotations

from functools import partial

from coarsest.check.invariants.searched import measured

lee_yannakakis = partial(measured, "lee-yannakakis")
bouajjani_fernandez_halbwachs = partial(measured, "bouajjani-fernandez-halbwachs")
paige_tarjan = partial(measured, "paige-tarjan")
paige_tarjan_splitting_marked = partial(measured, "paige-tarjan-splitting-marked")
