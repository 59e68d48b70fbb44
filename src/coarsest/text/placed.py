"""Records that know their position in a text."""

from __future__ import annotations

from msgspec import Struct


class Placed(Struct, frozen=True, eq=False):
    """A record with its position in a text, `span`, which is not part of its meaning: it is neither compared nor shown."""

    def __eq__(self, other: object) -> bool:
        return other.__class__ is self.__class__ and self._meaning() == other._meaning()

    def __ne__(self, other: object) -> bool:  # the inherited method compares all fields and ignores `__eq__`
        return not self == other

    def __hash__(self) -> int:
        return hash(self._meaning())

    def __repr__(self) -> str:
        names = (name for name in self.__struct_fields__ if name != "span")
        return f"{self.__class__.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    def _meaning(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__struct_fields__ if name != "span")
