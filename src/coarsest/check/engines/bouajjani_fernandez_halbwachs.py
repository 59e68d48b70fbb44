"""Invariants by a minimiser that stops early (`check/invariants/measured_invariant.py` counts its operations)."""

from __future__ import annotations

from functools import partial

from coarsest.check.invariants.searched import measured

decide = partial(measured, "bouajjani-fernandez-halbwachs")
