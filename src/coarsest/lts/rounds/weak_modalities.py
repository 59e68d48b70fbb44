"""Formulas about weak steps: <<a>>φ with silent steps after the action, too, and <<i>>φ for silent steps alone; or about
delayed steps, which end with the action."""

from __future__ import annotations

from coarsest.logic.modal.hennessy_milner import Builder
from coarsest.lts.labelled import INTERNAL


class WeakModalities(Builder):
    """Its diamonds speak of weak steps. The action `mark` stands for silent steps that go on for ever.

    >>> make = WeakModalities(mark="∞")
    >>> print(make.formula(make.diamond("a", make.conjunction([make.label("p"), make.diamond("∞", make.true)]))))
    <<a>><<i>>(label "p" & diverges(true))
    """

    mark: str | None = None
    silent: str = INTERNAL[0]

    def diamond(self, action: str, part: int) -> int:
        """Weak steps lead to a state with the part."""
        if action == self.mark:
            return self.diverges(self.silently(part))
        return self.silently(part) if action in INTERNAL else self.until(self.true, action, self.silently(part))

    def silently(self, part: int) -> int:
        """Silent steps, perhaps none, lead to a state with the part."""
        node = self.nodes[part]
        if node.kind == "true" or (node.kind == "until" and self.nodes[node.parts[0]].kind == "true"):
            return part
        return self.until(self.true, self.silent, part)


class DelayModalities(Builder):
    """Its diamonds speak of delayed steps."""

    def diamond(self, action: str, part: int) -> int:
        """Silent steps, and an action."""
        return self.until(self.true, action, part)
