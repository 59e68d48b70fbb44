"""Makes `random_machines`, `random_expressions` and `oracles` importable from every test, and all tests equally wide."""

import os

# Text is wrapped to the terminal, and some test runners pretend to have one.
os.environ["COLUMNS"] = "100"
