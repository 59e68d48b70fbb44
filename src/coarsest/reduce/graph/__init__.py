"""Reductions of explicit graphs, by kernels."""
