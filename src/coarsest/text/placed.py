"""What has a place in a text, which is no part of what it says."""

from __future__ import annotations

from msgspec import Struct


class Placed(Struct, frozen=True, eq=False):
    """What was written somewhere: its field `span` says where, and is no part of what it says: neither compared nor shown."""

    def __eq__(self, other: object) -> bool:
        return other.__class__ is self.__class__ and self._said() == other._said()

    def __ne__(self, other: object) -> bool:  # that of records compares all fields, and does not ask `__eq__`
        return not self == other

    def __hash__(self) -> int:
        return hash(self._said())

    def __repr__(self) -> str:
        names = (name for name in self.__struct_fields__ if name != "span")
        return f"{self.__class__.__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    def _said(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__struct_fields__ if name != "span")
