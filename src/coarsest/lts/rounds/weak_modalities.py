"""Formulas about weak steps: <<a>>φ, where silent steps may follow the action, and <<i>>φ for silent steps alone; or about
delayed steps, which end with the action."""

from __future__ import annotations

from coarsest.logic.modal.hennessy_milner import Builder
from coarsest.lts.labelled import INTERNAL


class WeakModalities(Builder):
    """Makes diamonds of weak steps. The action `mark` stands for silent steps that never end.

    >>> make = WeakModalities(mark="∞")
    >>> print(make.formula(make.diamond("a", make.conjunction([make.label("p"), make.diamond("∞", make.true)]))))
    <<a>><<i>>(label "p" & diverges(true))
    """

    mark: str | None = None
    silent: str = INTERNAL[0]

    def diamond(self, action: str, part: int) -> int:
        """The formula that weak steps lead to a state where the part is true."""
        if action == self.mark:
            return self.diverges(self.silently(part))
        return self.silently(part) if action in INTERNAL else self.until(self.true, action, self.silently(part))

    def silently(self, part: int) -> int:
        """The formula that silent steps, perhaps none, lead to a state where the part is true."""
        node = self.nodes[part]
        if node.kind == "true" or (node.kind == "until" and self.nodes[node.parts[0]].kind == "true"):
            return part
        return self.until(self.true, self.silent, part)


class DelayModalities(Builder):
    """Makes diamonds of delayed steps: silent steps, then an action."""

    def diamond(self, action: str, part: int) -> int:
        return self.until(self.true, action, part)
