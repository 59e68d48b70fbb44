"""Makes `random_machines`, `random_expressions` and `oracles` importable from every test."""
