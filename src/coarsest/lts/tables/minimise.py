"""From tables to their quotient: open a database, refine, check, and write the result."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from coarsest.errors import InputError
from coarsest.lts.tables.database import Database
from coarsest.lts.tables.numbering import Numbered, number, present
from coarsest.lts.tables.quotient import canonical_graph, quotient, quotient_graph
from coarsest.lts.tables.scratch import Scratch
from coarsest.lts.tables.signature_rounds import TableRounds
from coarsest.lts.tables.tables import EdgeTable, StateTable, require_files
from coarsest.run import Run

if TYPE_CHECKING:
    from ibis.expr.types import Table

    from coarsest.lts.labelled import Graph


@contextmanager
def open_database(
    name: str = "duckdb", run: Run | None = None, *, scratch: str | None = None, threads: int | None = None, session: Any = None
) -> Iterator[Database]:
    """A database for the duration of the context. `scratch` is a directory with room; `session` is a Spark session to use."""
    run = run or Run()
    require_database(name)
    with Scratch(scratch) as folder:
        database: Database
        if name == "duckdb":
            from coarsest.lts.tables.in_duckdb import DuckDB

            database = DuckDB(folder, run, threads=threads)
        else:
            from coarsest.lts.tables.in_spark import Spark

            database = Spark(folder, run, threads=threads, session=session)
        try:
            yield database
        finally:
            database.close()


def require_database(name: str) -> None:
    """Refuse an unknown database, or a missing library, before the work begins."""
    from importlib.util import find_spec

    needed = {"duckdb": ("ibis", "duckdb"), "spark": ("ibis", "pyspark")}
    if name not in needed:
        raise InputError(f"there is no engine '{name}' for tables", hint=f"the engines are {', '.join(needed)}")
    if any(find_spec(module) is None for module in needed[name]):
        raise InputError(f"the engine '{name}' needs {' and '.join(needed[name])}", hint=f"pip install 'coarsest[{name}]'")


class ReducedTables(Struct, frozen=True):
    """The quotient of a graph in tables, valid while its database is open. Classes are named by their least states."""

    database: Database
    states: StateTable | None
    source: Numbered
    partition: Table
    edges: Table
    classes: int
    transitions: int
    rounds: int

    def named_partition(self) -> Table:
        """The table (state, class), with the names of the input."""
        table = self.partition.select("state", **{"class": "least"})
        return _named(table, ("state", "class"), self.source.names)

    def named_edges(self) -> Table:
        """The table (source, action, target) between classes, with the names of the input."""
        table, words = self.edges, self.source.action_names
        if words != ("",):
            numbers = {"word": words, "number": range(len(words))}
            actions = self.database.put_rows("words", numbers, {"word": "string", "number": "int64"})
            table = table.join(actions, table.action == actions.number).select("source", "target", action="word")
            return _named(table, ("source", "target"), self.source.names).select("source", "action", "target")
        return _named(table.select("source", "target"), ("source", "target"), self.source.names)

    def write_partition(self, path: str) -> None:
        """Write the certificate: one row for each state."""
        self._write(self.named_partition().order_by("state"), path)

    def write_edges(self, path: str) -> None:
        """Write the quotient: one row for each transition between classes."""
        table = self.named_edges()
        self._write(table.order_by(*table.columns), path)

    def graph(self) -> Graph:
        """The quotient in memory, reachable from the initial states, with the numbers that the kernels would give it."""
        whole = quotient_graph(self.database, self.source, self.partition, self.edges, self.transitions)
        return canonical_graph(whole, self.database.run)

    def _write(self, table: Table, path: str) -> None:
        """Write a file completely or not at all: it has another name until it is complete."""
        final = Path(path)
        unfinished = final.with_name(f".{final.stem}-{os.getpid()}{final.suffix}")
        try:
            self.database.write(table, str(unfinished))
            unfinished.replace(final)
        finally:
            unfinished.unlink(missing_ok=True)


def minimise_tables(
    database: Database, edges: EdgeTable, states: StateTable | None = None, *, initial: tuple[str, ...] = (),
    run: Run | None = None,
) -> ReducedTables:  # fmt: skip
    """The quotient of a graph in tables by the coarsest strong bisimulation. If hashes collide, the rounds continue."""
    run = run or database.run
    require_files(edges.paths + (() if states is None else states.paths))
    states = None if states is None else present(database, states)
    graph = number(database, edges, states, initial=initial)
    rounds = TableRounds.begin(database, graph, run)
    while True:
        rounds.until_nothing_moves()
        smallest = quotient(database, graph, rounds.blocks)
        if smallest.stable:
            break
    transitions = database.count(smallest.edges)
    return ReducedTables(database, states, graph, smallest.partition, smallest.edges, rounds.count, transitions, rounds.number)


def _named(table: Table, columns: tuple[str, ...], names: Table | None) -> Table:
    """The table, with the names of states instead of their numbers in some columns."""
    if names is None:
        return table
    for column in columns:
        view = names.view()
        others = [other for other in table.columns if other != column]
        joined = table.join(view, table[column] == view.state)
        table = joined.select(*[table[other] for other in others], **{column: view.name})
    return table.select(*columns, *[other for other in table.columns if other not in columns])
