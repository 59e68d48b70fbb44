"""Reductions: smaller systems with the same behaviour, and the way back."""
