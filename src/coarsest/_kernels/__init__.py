"""Loops over arrays, compiled on first use and kept on disk; each module `m` has a twin `m_pure` that needs no compiler."""
