"""Expressions and formulas: what can be said about a state, a step, a path."""
