"""Places in texts, and messages that point at them."""

from coarsest.text.source import Diagnostic, Placed, Source, Span

__all__ = ["Diagnostic", "Placed", "Source", "Span"]
