"""DuckDB: tables in a file of its own, which may be larger than memory."""

from __future__ import annotations

import os
from contextlib import suppress
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from coarsest.errors import FileProblem, InputError, LimitExceeded, SyntaxProblem
from coarsest.lts.tables.database import Database
from coarsest.lts.tables.text_tables import local_files, separator_of, wrong_row
from coarsest.memory_use import most_mebibytes
from coarsest.run import Run

if TYPE_CHECKING:
    from ibis.expr.types import Table

OWN_MEBIBYTES: Final = 320
"""The memory of this process that DuckDB does not count: that of Python, Ibis and Arrow."""
COUNTED_PART: Final = 0.75
"""The part of its memory that DuckDB counts: its limit covers tables and hash tables, but not the reserves of its allocator."""
LEAST_MEBIBYTES: Final = 128
NO_ROOM = (ENOSPC, EDQUOT, EFBIG)


class DuckDB(Database):
    """An embedded database in a scratch directory."""

    name = "duckdb"
    hash_function = "hash"
    hash_type = "uint64"

    def __init__(self, folder: Path, run: Run, *, threads: int | None = None) -> None:
        import ibis

        settings: dict[str, Any] = {"temp_directory": str(folder / "spill"), "preserve_insertion_order": False}
        counted = int((most_mebibytes(run.limits.mebibytes) - OWN_MEBIBYTES) * COUNTED_PART)
        settings["memory_limit"] = f"{max(LEAST_MEBIBYTES, counted)}MiB"
        if threads is not None:
            settings["threads"] = threads
        try:
            connection = ibis.duckdb.connect(folder / "tables.duckdb", **settings)
        except Exception as error:
            raise self.complaint(error) from error
        super().__init__(connection, run)
        self._texts: dict[str, str] = {}
        self.connection.raw_sql("SET enable_progress_bar = false")  # we show progress ourselves

    def read(self, kind: str, paths: tuple[str, ...]) -> Table:
        with self.stoppable():
            if kind == "parquet":
                return self.connection.read_parquet(list(paths))
            files = local_files(paths)
            for path in files:
                if path not in self._texts:
                    self._texts[path] = separator_of(path)
            how = {"sep": self._texts[files[0]], "quote": '"', "escape": '"', "skip": 0} if files else {}
            return self.connection.read_csv(list(paths), header=True, all_varchar=True, **how)

    def write(self, table: Table, path: str) -> None:
        with self.stoppable():
            if Path(path).suffix.lower() in (".csv", ".tsv"):
                table.to_csv(path, header=True, delimiter="\t" if path.lower().endswith(".tsv") else ",")
            else:
                table.to_parquet(path)

    def interrupt(self) -> None:
        self.connection.con.interrupt()

    def complaint(self, error: Exception) -> Exception:
        import duckdb

        line = str(error).split("\n", 1)[0]
        match error:
            case duckdb.InterruptException():
                return KeyboardInterrupt()  # type: ignore[return-value]
            case duckdb.OutOfMemoryException():
                return LimitExceeded("memory", f"DuckDB ran out of memory or disk: {line}")
            case duckdb.Error() if any(os.strerror(reason) in str(error) for reason in NO_ROOM):  # it has many classes for this
                return FileProblem(f"no room for tables: {line}", hint="name a directory with room: --scratch DIR")
            case duckdb.IOException() | duckdb.HTTPException():
                return FileProblem(line)
            case duckdb.InvalidInputException() | duckdb.ConversionException():
                general = SyntaxProblem(line.partition(": ")[2] or line, hint="tables are Parquet, CSV or TSV files")
                return next((complaint for complaint in map(wrong_row, self._texts) if complaint is not None), general)
            case duckdb.PermissionException():
                return InputError(line)
        return error

    def close(self) -> None:
        import duckdb

        with suppress(duckdb.Error):  # the tables are not needed any more, and earlier errors have been reported
            self.connection.disconnect()
