"""Measurements of coarsest: what is fast, and how we know. See README.md here; run by `python -m benchmarks`."""
