"""The operations that the rounds need from a database: reading files, storing tables, and interrupting statements.

Everything else is written in Ibis, once for all databases. A database names only two functions that Ibis does not have for
all of them: a hash of 64 bits, and the exclusive or of a group.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from coarsest.errors import LimitExceeded
from coarsest.run import Run

if TYPE_CHECKING:
    import numpy as np
    from ibis.expr.types import Column, IntegerColumn, IntegerScalar, Scalar, Table
    from numpy.typing import NDArray

DATABASES = ("duckdb", "spark")
SECONDS_BETWEEN_INTERRUPTS: Final = 0.2
"""After the time limit, statements are interrupted repeatedly, for one may begin just after an interrupt."""


class Database(ABC):
    """Tables by role: storing a role again replaces its table once the new one is complete."""

    name: str
    hash_function: str
    hash_type: str

    def __init__(self, connection: Any, run: Run) -> None:
        import ibis

        scalar, aggregate, bits = ibis.udf.scalar.builtin, ibis.udf.agg.builtin, self.hash_type
        self.connection = connection
        self.run = run
        self._hash: Any = scalar(lambda code: code, name=self.hash_function, signature=(("int64",), bits))
        self._exclusive_or: Any = aggregate(lambda codes: codes, name="bit_xor", signature=((bits,), bits))
        self._at_greatest: Any = aggregate(lambda value, key: value, name="max_by", signature=(("int64", "int64"), "int64"))
        self._names: dict[str, str] = {}
        self._stored = 0

    def hash(self, code: IntegerColumn) -> IntegerColumn:
        """64 bits that look random, from a number."""
        return self._hash(code)

    def exclusive_or(self, codes: IntegerColumn) -> IntegerScalar:
        """The exclusive or of all codes in a group."""
        return self._exclusive_or(codes)

    def at_greatest(self, value: Column, key: Column) -> Scalar:
        """The value of a row of the group whose key is greatest."""
        return self._at_greatest(value, key)

    def put(self, role: str, table: Table) -> Table:
        """Compute a table and store it."""
        self._stored += 1
        name = f"{role}_{self._stored}"
        with self.stoppable():
            stored = self.connection.create_table(name, table)
        self.drop(role)
        self._names[role] = name
        return stored

    def put_rows(self, role: str, rows: dict[str, Sequence[Any]], types: dict[str, str]) -> Table:
        """Store a small table from memory."""
        import ibis

        columns = [rows[column] for column in types]
        return self.put(role, ibis.memtable([dict(zip(types, row)) for row in zip(*columns)], schema=types))

    def put_arrays(self, role: str, columns: dict[str, NDArray[np.int64]]) -> Table:
        """Store a table of numbers from memory."""
        import ibis
        import pyarrow

        return self.put(role, ibis.memtable(pyarrow.table(columns)))

    def table(self, role: str) -> Table:
        """The table that is stored in a role."""
        return self.connection.table(self._names[role])

    def drop(self, role: str) -> None:
        """Drop the table of a role."""
        name = self._names.pop(role, None)
        if name is not None:
            with self.stoppable():
                self.connection.raw_sql(f"DROP TABLE {name}")

    def row(self, table: Table) -> dict[str, Any]:
        """The only row of a small result; no value where it is null."""
        rows = self.rows(table)
        assert len(rows) == 1
        return rows[0]

    def rows(self, table: Table) -> list[dict[str, Any]]:
        """All rows of a small result."""
        with self.stoppable():
            rows: list[dict[str, Any]] = table.to_pyarrow().to_pylist()
        return rows

    def columns(self, table: Table, names: Sequence[str]) -> list[NDArray[np.int64]]:
        """Whole columns of numbers, in memory."""
        with self.stoppable():
            columns = table.select(*names).to_pyarrow()
        return [columns[name].to_numpy() for name in names]

    def count(self, table: Table) -> int:
        return int(self.row(table.aggregate(rows=table.count()))["rows"])

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """Interrupt the database in this block when the time of the run is over, and turn its errors into ours."""
        over = threading.Event()
        limit = self.run.limits.seconds
        if limit is not None:
            threading.Thread(target=self._stop_in_time, args=(over, limit), name="time limit", daemon=True).start()
        try:
            yield
        except Exception as error:
            if limit is not None and self.run.seconds > limit:
                raise LimitExceeded("time", f"the time limit of {limit:g} s was reached") from None
            complaint = self.complaint(error)
            if complaint is error:
                raise
            raise complaint from error
        finally:
            over.set()

    def _stop_in_time(self, over: threading.Event, limit: float) -> None:
        over.wait(max(0.0, limit - self.run.seconds))
        while not over.wait(SECONDS_BETWEEN_INTERRUPTS):
            self.interrupt()

    @abstractmethod
    def read(self, kind: str, paths: tuple[str, ...]) -> Table:
        """A table in files. All columns of CSV files are texts."""

    @abstractmethod
    def write(self, table: Table, path: str) -> None:
        """Write a table into one new file, by its suffix."""

    @abstractmethod
    def interrupt(self) -> None:
        """Stop the current statement of the database; called from another thread."""

    @abstractmethod
    def complaint(self, error: Exception) -> Exception:
        """Our error for an error of the database; the error itself if it is not the user's fault."""

    @abstractmethod
    def close(self) -> None:
        """Release all resources."""
