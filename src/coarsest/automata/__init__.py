"""Formulas to automata and tableaux."""
