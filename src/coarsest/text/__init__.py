"""Places in texts, and messages that point at them."""

from coarsest.text.source import Diagnostic, Source, Span

__all__ = ["Diagnostic", "Source", "Span"]
