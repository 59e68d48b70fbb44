"""Positions in texts, and messages that point at them."""

from coarsest.text.source import MOST_COUNTED, Diagnostic, Excerpt, Source, Span, excerpt

__all__ = ["MOST_COUNTED", "Diagnostic", "Excerpt", "Source", "Span", "excerpt"]
