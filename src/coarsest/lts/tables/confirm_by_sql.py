"""Is a table of states and classes a bisimulation of a graph in tables, and the coarsest one? SQL over the files answers.

This shares nothing with the code that computes partitions: it has no hash, no Ibis, no numbering, and counts differently. It is
one pass over the transitions; that no coarser bisimulation exists is decided on the quotient, by refining it with exact sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class Files(Struct, frozen=True):
    """The files of a table and the names of its columns. All paths of one table have the same suffix."""

    paths: tuple[str, ...]
    columns: dict[str, str] = field(default_factory=dict)
    """Our names for columns, and the names in the files."""


def objections(connection: DuckDBPyConnection, edges: Files, partition: Files, states: Files | None = None) -> list[str]:
    """The reasons why the partition is no bisimulation; there are none if it is one.

    `edges` has the columns source, target, perhaps action; `partition` has state and class; `states` has state, perhaps label.
    """
    _views(connection, edges, partition, states)
    questions = {
        "states without a class, or with two": """
            SELECT count(*) FROM (SELECT state FROM given GROUP BY state HAVING count(*) <> 1 OR count(class) <> 1)""",
        "states of the graph that are not in the partition": """
            SELECT count(*) FROM members ANTI JOIN given ON members.state = given.state""",
        "states of the partition that are not in the graph": """
            SELECT count(*) FROM given ANTI JOIN members ON given.state = members.state""",
        "classes whose states have different labels": """
            SELECT count(*) FROM (
                SELECT class FROM given LEFT JOIN labels ON given.state = labels.state
                GROUP BY class HAVING count(DISTINCT coalesce(label, '')) > 1)""",
    }
    problems = [f"{count:,} {problem}" for problem, sql in questions.items() if (count := _number(connection, sql))]
    if problems:
        return problems
    lacking = _states_that_lack_a_transition(connection)
    return [f"{lacking:,} states lack a transition that another state of their class has"] if lacking else []


# If every state has as many different (action, class) as its whole class together, all states of the class have all of them.
# These are tables, not one large statement, so that only one of them has to fit into memory at a time.
STEPS = {
    "steps": """
        SELECT DISTINCT graph.source, graph.action, there.class AS next
        FROM graph JOIN given AS there ON there.state = graph.target""",
    "together": """
        SELECT class, count(*) AS steps FROM (
            SELECT DISTINCT here.class, steps.action, steps.next FROM steps JOIN given AS here ON here.state = steps.source)
        GROUP BY class""",
    "alone": "SELECT source, count(*) AS steps FROM steps GROUP BY source",
    "compared": """
        SELECT given.class, coalesce(alone.steps, 0) AS steps FROM given LEFT JOIN alone ON alone.source = given.state""",
}
LACKING = "SELECT count(*) FROM compared JOIN together ON together.class = compared.class WHERE together.steps <> compared.steps"


def _states_that_lack_a_transition(connection: DuckDBPyConnection) -> int:
    for name, sql in STEPS.items():
        connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {sql}")
    lacking = _number(connection, LACKING)
    for name in STEPS:
        connection.execute(f"DROP TABLE {name}")
    return lacking


def classes_that_could_be_one(connection: DuckDBPyConnection, edges: Files, partition: Files, states: Files | None = None) -> int:
    """The number of classes that a bisimulation has too many: 0 if it is the coarsest. It takes as many rounds as the quotient is
    deep."""
    _views(connection, edges, partition, states)
    connection.execute("""
        CREATE OR REPLACE TEMP TABLE small AS SELECT DISTINCT here.class AS source, graph.action, there.class AS target
        FROM graph JOIN given AS here ON here.state = graph.source JOIN given AS there ON there.state = graph.target""")
    connection.execute("""
        CREATE OR REPLACE TEMP TABLE kind AS
        SELECT class, dense_rank() OVER (ORDER BY any_value(coalesce(label, ''))) AS kind
        FROM given LEFT JOIN labels ON labels.state = given.state GROUP BY class""")
    before, now, classes = -1, _number(connection, KINDS), _number(connection, "SELECT count(*) FROM kind")
    while before < now < classes:
        connection.execute(REFINEMENT)
        before, now = now, _number(connection, KINDS)
    return classes - now


KINDS = "SELECT count(DISTINCT kind) FROM kind"
REFINEMENT = """
    CREATE OR REPLACE TEMP TABLE kind AS
    WITH sets AS (
        SELECT small.source AS class, list_sort(list(DISTINCT {'a': small.action, 'k': kind.kind})) AS steps
        FROM small JOIN kind ON kind.class = small.target GROUP BY small.source)
    SELECT kind.class, dense_rank() OVER (ORDER BY kind.kind, sets.steps) AS kind
    FROM kind LEFT JOIN sets ON sets.class = kind.class"""


def _views(connection: DuckDBPyConnection, edges: Files, partition: Files, states: Files | None) -> None:
    """Make views of the files with our names. Identifiers are compared as integers if all of them are, and otherwise as texts."""
    keys = [(edges, "source"), (edges, "target"), (partition, "state")] + ([] if states is None else [(states, "state")])
    kinds = {_kind(connection, files, key) for files, key in keys}
    as_text = not kinds <= {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"}

    def column(files: Files, name: str) -> str:
        quoted = '"' + files.columns.get(name, name).replace('"', '""') + '"'
        text = (as_text and name in ("source", "target", "state")) or name == "label"
        if name == "action":  # the internal action has two names
            return f"CASE WHEN CAST({quoted} AS VARCHAR) = 'tau' THEN 'i' ELSE CAST({quoted} AS VARCHAR) END AS action"
        return f"CAST({quoted} AS VARCHAR) AS {name}" if text else f"{quoted} AS {name}"

    action = column(edges, "action") if "action" in edges.columns else "'' AS action"
    views = {
        "graph": f"SELECT {column(edges, 'source')}, {action}, {column(edges, 'target')} FROM {_scan(edges)}",
        "given": f"SELECT {column(partition, 'state')}, {column(partition, 'class')} FROM {_scan(partition)}",
    }
    listed = "SELECT source AS state, '' AS label FROM graph WHERE false"
    if states is not None:
        label = column(states, "label") if "label" in states.columns else "'' AS label"
        listed = f"SELECT {column(states, 'state')}, {label} FROM {_scan(states)}"
    views["labels"] = listed
    views["members"] = "SELECT source AS state FROM graph UNION SELECT target FROM graph UNION SELECT state FROM labels"
    for name, sql in views.items():
        connection.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS {sql}")


def _scan(files: Files) -> str:
    paths = ", ".join("'" + path.replace("'", "''") + "'" for path in files.paths)
    if files.paths[0].lower().endswith((".parquet", ".pq")):
        return f"read_parquet([{paths}])"
    return f"read_csv([{paths}], header = true, all_varchar = true)"


def _kind(connection: DuckDBPyConnection, files: Files, key: str) -> str:
    quoted = files.columns.get(key, key).replace('"', '""')
    described: Any = connection.execute(f'DESCRIBE SELECT "{quoted}" FROM {_scan(files)}').fetchall()
    return str(described[0][1])


def _number(connection: DuckDBPyConnection, sql: str) -> int:
    row: Any = connection.execute(sql).fetchone()
    return int(row[0])
