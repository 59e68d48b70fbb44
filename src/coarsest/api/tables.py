"""Graphs in tables: minimising them, writing quotient and partition, and confirming the partition by SQL."""

from __future__ import annotations

import shutil
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from coarsest.api.options import COLUMNS, REDUCE_TABLES, TableOptions
from coarsest.api.results import Confirmation, ReductionFacts, Sizes
from coarsest.errors import EvidenceRejected, InputError
from coarsest.files import STANDARD_INPUT
from coarsest.lts.relations import relations
from coarsest.lts.tables.confirm_by_sql import Files, classes_that_could_be_one, objections
from coarsest.lts.tables.in_duckdb import DuckDB
from coarsest.lts.tables.minimise import ReducedTables, minimise_tables, open_database, require_database
from coarsest.lts.tables.numbering import present
from coarsest.lts.tables.scratch import Scratch
from coarsest.lts.tables.tables import EdgeTable, StateTable, kind_of, require_columns, require_files
from coarsest.lts.tables.text_tables import unchanged
from coarsest.options.option import Confirm
from coarsest.run import Run

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords


def reduce_tables(
    path: str,
    *,
    columns: str = COLUMNS,
    states: str | None = None,
    format: str | None = None,
    output: str | None = None,
    threads: int | None = None,
    session: Any = None,
    run: Run | None = None,
    **options: Unpack[keywords.TableWords],
) -> ReductionFacts:
    """Minimise a graph in a table with a row for each transition, in a file or in many files given by a pattern.

    `columns` names the columns of source, action and target, or of source and target; `states` is a table of labels and initial
    states. The quotient, a table or a graph, is written to `output`. With a `format`, the file may have another suffix, or be
    standard input. The engine "spark" uses `session` if it is given.
    """
    how = REDUCE_TABLES.read(TableOptions, options)
    require_database(database_of(how.engine))
    edges, listed = edge_table(path, columns), None if states is None else StateTable((states,))
    reduced = partial(reduce_files, states=listed, output=output, threads=threads, session=session, run=run, **options)
    if format is None:
        return reduced(edges)
    with Scratch(how.scratch) as folder:
        return reduced(replace(edges, paths=(_under_a_known_name(path, format, folder),)))


def edge_table(path: str, columns: str = COLUMNS) -> EdgeTable:
    """A table of transitions with columns separated by commas."""
    names = [name.strip() for name in columns.split(",")]
    if len(names) not in (2, 3) or not all(names):
        raise InputError(f"--columns names two or three columns; found '{columns}'", hint="source,action,target or source,target")
    return EdgeTable((path,), names[0], names[1] if len(names) == 3 else None, names[-1])


def _under_a_known_name(path: str, format: str, folder: Path) -> str:
    """A link to a table, or a copy of standard input, with the suffix of its format."""
    named = folder / f"edges.{format}"
    if path == STANDARD_INPUT:
        with named.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
    else:
        named.symlink_to(Path(path).resolve())
    return str(named)


def reduce_files(
    edges: EdgeTable,
    states: StateTable | None = None,
    *,
    output: str | None = None,
    threads: int | None = None,
    session: Any = None,
    run: Run | None = None,
    **options: Unpack[keywords.TableWords],
) -> ReductionFacts:
    """Minimise by strong bisimulation. `output` takes the quotient, a table or a graph; `partition` the class of each state.

    The facts count all classes or, if a graph was written, those in the graph; the partition is confirmed by SQL.
    """
    run, how = Run.given(run), REDUCE_TABLES.read(TableOptions, options)
    engine = database_of(how.engine)
    confirm = how.confirm is not Confirm.NEVER  # in SQL, this costs no more than the reduction
    with unchanged(*edges.paths, *(() if states is None else states.paths)), Scratch(how.scratch) as folder:
        kept = str(folder / "partition.parquet")
        with open_database(engine, run, scratch=how.scratch, threads=threads, session=session) as database:
            reduced = minimise_tables(database, edges, states, initial=how.initial)
            written = None if output is None else _write_quotient(reduced, output)
            if how.partition is not None:
                reduced.write_partition(how.partition)
            if confirm:
                reduced.write_partition(kept)
            classes, transitions = (reduced.classes, reduced.transitions) if written is None else written
            facts = ReductionFacts(
                states=Sizes(reduced.source.states, classes), transitions=Sizes(reduced.source.transitions, transitions),
                relation="bisimulation", algorithm="signature-rounds", preserves=relations()["bisimulation"].preserves,
                engine=engine, confirmed=confirm, statistics={"rounds": reduced.rounds},
            )  # fmt: skip
        if confirm:
            run.step("confirm the partition")
            found = confirm_files(edges, kept, reduced.states, scratch=how.scratch, threads=threads, run=run)
            if found:
                raise EvidenceRejected(f"the partition did not confirm: {'; '.join(found)}")
    return facts


def database_of(engine: str) -> str:
    """The database of an engine."""
    return "duckdb" if engine == "auto" else engine


def _write_quotient(reduced: ReducedTables, path: str) -> tuple[int, int]:
    """Write a table of all classes, or a graph of the reachable ones; returns the numbers of states and transitions."""
    from coarsest import formats

    if formats.kind_of(path) is formats.FileKind.TABLE:
        reduced.write_edges(path)
        return reduced.classes, reduced.transitions
    graph = reduced.graph()
    formats.write_graph(graph, path)
    return graph.states, graph.transitions


def confirm_table(
    path: str,
    partition: str,
    *,
    columns: str = COLUMNS,
    states: str | None = None,
    coarsest: bool = False,
    scratch: str | None = None,
    run: Run | None = None,
) -> Confirmation:
    """Is a table of states and classes a bisimulation of the graph in another table, and the coarsest?"""
    require_database("duckdb")
    listed = None if states is None else StateTable((states,))
    wrong = confirm_files(edge_table(path, columns), partition, listed, coarsest=coarsest, scratch=scratch, run=run)
    shows = "the partition is the coarsest bisimulation" if coarsest else "the partition is a bisimulation"
    return Confirmation("partition", not wrong, "; ".join(wrong) or None, shows)


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
    """Objections of SQL to a table of states and classes; none if it is a bisimulation or, with `coarsest`, the coarsest one."""
    require_files((*edges.paths, partition, *(() if states is None else states.paths)))
    with unchanged(*edges.paths, partition, *(() if states is None else states.paths)), Scratch(scratch) as folder:
        database = DuckDB(folder, Run.given(run), threads=threads)  # for its limits only: the queries are separate SQL
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
    """The tables for the confirmation."""

    def named(**columns: str | None) -> dict[str, str]:
        return {ours: theirs for ours, theirs in columns.items() if theirs is not None}

    listed: Files | None = None
    if states is not None:
        listed = Files(states.paths, named(state=states.state, label=states.label))
    transitions = Files(edges.paths, named(source=edges.source, action=edges.action, target=edges.target))
    return transitions, Files((partition,), {"state": "state", "class": "class"}), listed
