"""Tables in, tables out: minimise, write the quotient and the partition, and have SQL confirm it against the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from coarsest.api.options import REDUCE_TABLES, TableOptions
from coarsest.errors import EvidenceRejected
from coarsest.lts.tables.confirm_by_sql import Files, classes_that_could_be_one, objections
from coarsest.lts.tables.duckdb_engine import DuckDB
from coarsest.lts.tables.minimise import ReducedTables, minimise_tables, open_engine
from coarsest.lts.tables.numbering import present
from coarsest.lts.tables.scratch import Scratch
from coarsest.lts.tables.tables import EdgeTable, StateTable, kind_of, require_columns, require_files
from coarsest.options.option import Confirm
from coarsest.run import Run

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords


class Report(Struct, frozen=True):
    """What was found: all classes, or where a graph was written, those in it.

    `confirmed` says that SQL has found nothing wrong with the partition.
    """

    states_before: int
    states: int
    transitions_before: int
    transitions: int
    rounds: int
    confirmed: bool


def reduce_files(
    edges: EdgeTable,
    states: StateTable | None = None,
    *,
    output: str | None = None,
    threads: int | None = None,
    run: Run | None = None,
    **options: Unpack[keywords.TableWords],
) -> Report:
    """Minimise by strong bisimulation. `output` takes the quotient, a table or a graph; `partition` the class of each state."""
    run, how = run or Run(), REDUCE_TABLES.read(TableOptions, options)
    confirm = how.confirm is not Confirm.NEVER  # in SQL, that costs no more than what was done
    with Scratch(how.scratch) as folder:
        kept = str(folder / "partition.parquet")
        with open_engine(database_of(how.engine), run, scratch=how.scratch, threads=threads) as database:
            reduced = minimise_tables(database, edges, states, initial=how.initial)
            written = None if output is None else _write_quotient(reduced, output)
            if how.partition is not None:
                reduced.write_partition(how.partition)
            if confirm:
                reduced.write_partition(kept)
            sizes = (reduced.classes, reduced.transitions) if written is None else written
            report = Report(reduced.source.states, sizes[0], reduced.source.transitions, sizes[1], reduced.rounds, confirm)
        if confirm:
            run.step("confirm the partition")
            found = confirm_files(edges, kept, reduced.states, scratch=how.scratch, threads=threads, run=run)
            if found:
                raise EvidenceRejected(f"the partition did not confirm: {'; '.join(found)}")
    return report


def database_of(engine: str) -> str:
    """Which database is meant."""
    return "duckdb" if engine == "auto" else engine


def _write_quotient(reduced: ReducedTables, path: str) -> tuple[int, int]:
    """Write a table of all classes, or a graph of those that can be reached; how many states and transitions that has."""
    from coarsest import formats

    if formats.kind_of(path) is formats.FileKind.TABLE:
        reduced.write_edges(path)
        return reduced.classes, reduced.transitions
    graph = reduced.graph()
    formats.write_graph(graph, path)
    return graph.states, graph.transitions


def confirm_files(
    edges: EdgeTable,
    partition: str,
    states: StateTable | None = None,
    *,
    coarsest: bool = False,
    scratch: str | None = None,
    threads: int | None = None,
    run: Run | None = None,
) -> list[str]:
    """What is wrong with a table of states and classes, asked in SQL; nothing, if it is a bisimulation, or the coarsest one."""
    require_files((*edges.paths, partition, *(() if states is None else states.paths)))
    with Scratch(scratch) as folder:
        database = DuckDB(folder, run or Run(), threads=threads)  # for its limits: what it is asked is SQL of its own
        try:
            files = _files(edges, partition, None if states is None else present(database, states))
            for table in filter(None, files):
                columns = database.read(kind_of(table.paths), table.paths).columns
                require_columns(tuple(columns), tuple(table.columns.values()), f"'{table.paths[0]}'")
            with database.stoppable():
                found = objections(database.connection.con, *files)
                if coarsest and not found:
                    extra = classes_that_could_be_one(database.connection.con, *files)
                    found = [f"{extra:,} classes could be merged into others"] if extra else []
        finally:
            database.close()
    return found


def _files(edges: EdgeTable, partition: str, states: StateTable | None) -> tuple[Files, Files, Files | None]:
    """The tables as the confirmation knows them."""

    def named(**columns: str | None) -> dict[str, str]:
        return {ours: theirs for ours, theirs in columns.items() if theirs is not None}

    listed: Files | None = None
    if states is not None:
        listed = Files(states.paths, named(state=states.state, label=states.label))
    transitions = Files(edges.paths, named(source=edges.source, action=edges.action, target=edges.target))
    return transitions, Files((partition,), {"state": "state", "class": "class"}), listed
