"""Numbers in memory without NumPy: short columns and those in pages of their own."""

import pytest

from coarsest._kernels.columns import LARGE_PAGE, Column

LENGTHS = [1, 1000, LARGE_PAGE // 4, LARGE_PAGE // 4 + 1, LARGE_PAGE // 2 + 7, LARGE_PAGE]


@pytest.mark.parametrize("length", LENGTHS)
def test_a_column_is_zero_at_first_and_holds_what_is_put_there(length: int) -> None:
    column = Column("i4", length)
    assert column.to_bytes(4 * length) == bytes(4 * length)
    column[0] = column[length - 1] = 7
    other = Column("i4", length)  # of memory of its own
    assert (other[0], other[length - 1]) == (0, 0)
    assert (column[0], column[length - 1]) == (7, 7)
    other.put(0, column, length)
    assert (other[0], other[length - 1]) == (7, 7)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_part_keeps_the_whole_and_a_view_is_no_copy(length: int) -> None:
    column = Column("u1", length)
    part = column.first(1)
    column[0] = 5
    view = column.view(length)
    column[0] = 6
    assert (view[0], len(view)) == (6, length)
    del column, view
    assert part[0] == 6


def test_values_are_put_behind_others() -> None:
    column = Column("i8", 5)
    column.put(1, Column.of("i8", [1, 2, 3]), 2)
    column.put(3, Column.of("i8", [4, 5]), 2)
    assert column.to_list(5) == [0, 1, 2, 4, 5]
