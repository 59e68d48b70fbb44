"""Makes `random_machines`, `random_expressions` and `oracles` importable from every test, and all tests equally wide."""

import os

from hypothesis import HealthCheck, settings

# Text is wrapped to the terminal, and some test runners pretend to have one.
os.environ["COLUMNS"] = "100"

# How long an example takes says something about the machine and its load, and nothing about the code.
settings.register_profile("coarsest", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("coarsest")
