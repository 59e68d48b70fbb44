"""Apache Spark: in this process's own JVM, or on the cluster of a session that the caller gives."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coarsest.errors import FileProblem, InputError
from coarsest.lts.tables.database import Database
from coarsest.run import Run

if TYPE_CHECKING:
    from ibis.expr.types import Table


class Spark(Database):
    """Tables are stored as files of a Spark database, so that no plan grows from round to round."""

    name = "spark"
    hash_function = "xxhash64"
    hash_type = "int64"

    def __init__(self, folder: Path, run: Run, *, threads: int | None = None, session: Any = None) -> None:
        import ibis

        self._own = session is None
        self.session = session if session is not None else _local_session(folder, run, threads)
        super().__init__(ibis.pyspark.connect(self.session), run)
        self._database = f"coarsest_{os.getpid()}_{id(self)}"
        self.session.sql(f"CREATE DATABASE {self._database}")
        self.session.catalog.setCurrentDatabase(self._database)
        self._views = 0

    def read(self, kind: str, paths: tuple[str, ...]) -> Table:
        with self.stoppable():
            if kind == "parquet":
                frame = self.session.read.parquet(*paths)
            else:
                separator = "\t" if paths[0].lower().endswith(".tsv") else ","
                frame = self.session.read.csv(list(paths), header=True, sep=separator, escape='"')
            self._views += 1
            frame.createOrReplaceTempView(f"file_{self._views}")
            return self.connection.table(f"file_{self._views}")

    def write(self, table: Table, path: str) -> None:
        """Write one file. Spark writes directories, so a single task writes one part, which becomes the file."""
        parts = Path(path).with_name(f"{Path(path).name}.parts")
        with self.stoppable():
            writer = self.session.sql(self.connection.compile(table)).coalesce(1).write
            try:
                if Path(path).suffix.lower() in (".csv", ".tsv"):
                    separator = "\t" if path.lower().endswith(".tsv") else ","
                    writer.csv(str(parts.absolute()), header=True, sep=separator, escape='"')
                else:
                    writer.parquet(str(parts.absolute()))
                (part,) = parts.glob("part-*")
                part.replace(path)
            finally:
                shutil.rmtree(parts, ignore_errors=True)

    def interrupt(self) -> None:
        self.session.sparkContext.cancelAllJobs()

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """As in every database; Ctrl-C also ends the jobs, which Python alone would leave running."""
        try:
            with super().stoppable():
                yield
        except KeyboardInterrupt:
            self.interrupt()
            raise

    def complaint(self, error: Exception) -> Exception:
        from pyspark.errors import AnalysisException

        if not isinstance(error, AnalysisException):
            return error
        line = str(error).split("\n", 1)[0]
        return FileProblem(line) if "PATH_NOT_FOUND" in line else InputError(line)

    def close(self) -> None:
        self.session.catalog.setCurrentDatabase("default")
        self.session.sql(f"DROP DATABASE {self._database} CASCADE")
        if self._own:
            self.session.stop()


def _local_session(folder: Path, run: Run, threads: int | None) -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise InputError("the engine 'spark' needs PySpark", hint="pip install 'coarsest[spark]', and Java 17 or newer") from None
    parallel = threads or min(8, os.cpu_count() or 1)
    builder = (
        SparkSession.builder.master(f"local[{parallel}]")
        .appName("coarsest")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", str(2 * parallel))
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.local.dir", str(folder / "spill"))
        .config("spark.driver.extraJavaOptions", f"-Dderby.system.home={folder} -Dlog4j2.configurationFile={_quiet_log(folder)}")
        .config("spark.sql.catalogImplementation", "in-memory")
    )
    if run.limits.mebibytes is not None:
        builder = builder.config("spark.driver.memory", f"{run.limits.mebibytes}m")
    with _restoring_the_interrupt_handler():
        return builder.getOrCreate()


@contextmanager
def _restoring_the_interrupt_handler() -> Iterator[None]:
    """Restore the handler of Ctrl-C, which a Spark context replaces for good: once the context has stopped, its handler fails."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _quiet_log(folder: Path) -> Path:
    """A configuration in which Spark writes nothing but errors to standard error."""
    settings = folder / "log4j2.properties"
    lines = {
        "appender.screen.type": "Console", "appender.screen.name": "screen", "appender.screen.target": "SYSTEM_ERR",
        "rootLogger.level": "error", "rootLogger.appenderRef.screen.ref": "screen",
    }  # fmt: skip
    settings.write_text("".join(f"{name} = {value}\n" for name, value in lines.items()), encoding="ascii")
    return settings
