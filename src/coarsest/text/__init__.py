"""Places in texts, and messages that point at them."""

from coarsest.text.source import MOST_COUNTED, Diagnostic, Source, Span

__all__ = ["MOST_COUNTED", "Diagnostic", "Source", "Span"]
