"""Properties to verdicts."""
