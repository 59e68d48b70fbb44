"""Engines made of engines: side by side, in turns, on a quotient, on representatives."""
