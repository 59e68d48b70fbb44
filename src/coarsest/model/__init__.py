"""Models: what every input language is lowered to."""
