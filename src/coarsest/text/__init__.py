"""Places in texts, and messages that point at them."""

from coarsest.text.diagnostic import Diagnostic
from coarsest.text.source import Placed, Source, Span

__all__ = ["Diagnostic", "Placed", "Source", "Span"]
