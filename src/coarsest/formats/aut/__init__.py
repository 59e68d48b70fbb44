"""Aldébaran text (`.aut`): labelled transition systems of CADP and mCRL2."""
