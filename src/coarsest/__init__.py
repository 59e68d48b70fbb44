"""coarsest: checks finite-state systems and shrinks them."""

__version__ = "0.1.0"
