"""From tables with any identifiers to tables of numbers.

Integers that are small enough remain; all other identifiers are numbered in their order. Actions and labels are numbered in the
order of their names, so that the numbers depend neither on the database nor on the order of the rows. The internal action has
two names and one number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from coarsest.errors import InputError, ModelProblem, NameProblem, Unsupported
from coarsest.lts.labelled import INTERNAL
from coarsest.lts.tables.database import Database
from coarsest.lts.tables.tables import EdgeTable, StateTable, kind_of, require_columns
from coarsest.lts.tables.text_tables import line_without, local_files

if TYPE_CHECKING:
    from ibis.expr.types import Column, Table

LARGEST: Final = 2**62
"""All numbers are smaller, so that they fit into 64 bits."""
LARGEST_IDENTIFIER: Final = 2**40
"""Larger identifiers are numbered anew, to leave room for the numbers of blocks."""
MOST_NAMES: Final = 1_000_000
"""Columns with more different names, and more initial states, are refused: they are read into memory."""
INTEGER = r"^(0|-?[1-9][0-9]{0,17})$"


class Numbered(Struct, frozen=True):
    """A graph in tables of numbers: `edges` (source, action, target) without repetitions, and `blocks` (state, block) by labels.

    `names` (name, state) has the names of states in the input, or is None where numbers are their names.
    """

    edges: Table
    blocks: Table
    names: Table | None
    initial: tuple[int, ...]
    action_names: tuple[str, ...]
    label_names: tuple[str, ...]
    states: int
    transitions: int
    label_blocks: int
    bound: int
    """All numbers of states are smaller."""


def number(database: Database, edges: EdgeTable, states: StateTable | None = None, *, initial: tuple[str, ...] = ()) -> Numbered:
    """Read a graph into the database. `initial` names initial states, besides those of the table of states."""
    return _Numbering(database, edges, states, initial).numbered()


class _Numbering:
    def __init__(self, database: Database, edges: EdgeTable, states: StateTable | None, initial: tuple[str, ...]) -> None:
        self._database = database
        self._named_initial = initial
        self._edges = _columns(database, edges.paths, {"source": edges.source, "action": edges.action, "target": edges.target})
        self._states: Table | None = None
        if states is not None:
            columns: dict[str, str | None] = {"state": states.state, "label": states.label, "initial": states.initial}
            self._states = _columns(database, states.paths, columns)

    def numbered(self) -> Numbered:
        import ibis

        database = self._database
        self._identify()
        members = database.put("members", self._members())
        names = self._names(members)
        words = (self._values(self._edges, "action") if "action" in self._edges.columns else ()) or ("",)
        actions, numbers = _one_internal(words)
        edges = database.put("edges", self._numbered_edges(names, words, numbers).distinct())
        labelled = self._states is not None and "label" in self._states.columns
        labels = ("", *(name for name in self._values(self._states, "label") if name)) if labelled else ("",)
        states = members.select(state="name") if names is None else names.select("state")
        blocks = states.mutate(block=ibis.literal(0, "int64"))
        if labelled:
            blocks = self._labelled(states, names, labels)
        blocks = database.put("labelled", blocks)
        facts = database.row(blocks.aggregate(states=blocks.count(), blocks=blocks.block.nunique(), last=blocks.state.max()))
        initial = self._initial(names, blocks)
        database.drop("members")
        return Numbered(
            edges, blocks, names, initial, actions, labels,
            int(facts["states"]), database.count(edges), int(facts["blocks"]), int(facts["last"] or 0) + 1,
        )  # fmt: skip

    def _identify(self) -> None:
        """Bring all identifiers to one type: integers if all of them are, and otherwise texts."""
        columns = [self._edges.source, self._edges.target] + ([] if self._states is None else [self._states.state])
        texts = [column for column in columns if column.type().is_string()]
        are_numbers = not texts or (len(texts) == len(columns) and all(self._all_match(column) for column in texts))
        kind = "int64" if are_numbers else "string"
        self._edges = self._edges.mutate(source=self._edges.source.cast(kind), target=self._edges.target.cast(kind))
        if self._states is not None:
            self._states = self._states.mutate(state=self._states.state.cast(kind))

    def _all_match(self, column: Column) -> bool:
        table = column.as_table().rename(name=column.get_name())
        return self._database.count(table.filter(~table.name.re_search(INTEGER)).limit(1)) == 0

    def _members(self) -> Table:
        """All identifiers of states, once each."""
        named = self._edges.select(name="source").union(self._edges.select(name="target"))
        if self._states is not None:
            named = named.union(self._states.select(name="state"))
        return named.distinct()

    def _names(self, members: Table) -> Table | None:
        """Numbers for the identifiers, unless these can serve as numbers."""
        import ibis

        if members.name.type().is_integer():
            facts = self._database.row(members.aggregate(first=members.name.min(), last=members.name.max()))
            if (facts["first"] or 0) >= 0 and (facts["last"] or 0) < LARGEST_IDENTIFIER:
                return None
        numbers = ibis.row_number().over(order_by=members.name)
        return self._database.put("names", members.mutate(state=numbers.cast("int64")))

    def _values(self, table: Table | None, column: str) -> tuple[str, ...]:
        """The different texts of a column, in their order."""
        assert table is not None
        different = table.select(value=table[column]).distinct().limit(MOST_NAMES + 1)
        values = sorted(str(row["value"]) for row in self._database.rows(different) if row["value"] is not None)
        if len(values) > MOST_NAMES:
            raise Unsupported(f"more than {MOST_NAMES:,} different values in the column of {column}s",
                              hint="is this the right column?")  # fmt: skip
        return tuple(values)

    def _numbered_edges(self, names: Table | None, words: tuple[str, ...], numbers: tuple[int, ...]) -> Table:
        import ibis

        edges = self._edges
        if len(words) > 1:
            kinds = {"word": "string", "number": "int64"}
            table = self._database.put_rows("actions", {"word": words, "number": numbers}, kinds)
            edges = edges.join(table, edges.action == table.word).select("source", "target", action="number")
        else:
            edges = edges.select("source", "target", action=ibis.literal(0, "int64"))
        if names is None:
            return edges.select("source", "action", "target")
        heads = names.view()
        joined = edges.join(names, edges.source == names.name).select(edges.target, edges.action, source=names.state)
        joined = joined.join(heads, joined.target == heads.name)
        return joined.select(source=joined.source, action=joined.action, target=heads.state)

    def _numbered_states(self, names: Table | None) -> Table:
        """The rows of the table of states, with numbers instead of identifiers."""
        assert self._states is not None
        if names is None:
            return self._states
        others = [column for column in self._states.columns if column != "state"]
        joined = self._states.rename(name="state").join(names, "name")
        return joined.select("state", *others)

    def _labelled(self, states: Table, names: Table | None, labels: tuple[str, ...]) -> Table:
        table = {"word": labels, "number": range(len(labels))}
        words = self._database.put_rows("labels", table, {"word": "string", "number": "int64"})
        rows = self._numbered_states(names)
        given = rows.join(words, rows.label == words.word).select("state", block="number").distinct()
        given = self._database.put("given", given)
        twice = given.group_by("state").aggregate(labels=lambda group: group.count())
        if self._database.count(twice.filter(twice.labels > 1).limit(1)):
            raise ModelProblem("a state has two labels", hint="the table of states must give each state one label")
        joined = states.left_join(given, "state")
        return joined.select(state=states.state, block=given.block.fill_null(0))

    def _initial(self, names: Table | None, blocks: Table) -> tuple[int, ...]:
        """The numbers of the initial states."""
        states: set[int] = set()
        if self._states is not None and "initial" in self._states.columns:
            rows = self._numbered_states(names)
            marked = rows.filter(rows.initial).select("state").distinct().limit(MOST_NAMES + 1)
            states = {int(row["state"]) for row in self._database.rows(marked)}
            if len(states) > MOST_NAMES:
                raise Unsupported(f"more than {MOST_NAMES:,} initial states")
        for name in self._named_initial:
            states.add(self._state_called(name, names, blocks))
        return tuple(sorted(states))

    def _state_called(self, name: str, names: Table | None, blocks: Table) -> int:
        table = blocks.select("state", name="state") if names is None else names
        value: int | str = name
        if table.name.type().is_integer():
            if not name.strip().lstrip("-").isdigit():
                raise InputError(f"states are named by numbers, and '{name}' is not a number")
            value = int(name)
        rows = self._database.rows(table.filter(table.name == value).select("state").limit(1))
        if not rows:
            raise NameProblem(f"there is no state '{name}'", hint="initial states are named as in the tables")
        return int(rows[0]["state"])


def _one_internal(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The names of actions, and for each word its number: the two words for the internal action have the same number.

    >>> _one_internal(("a", "i", "tau", "z"))
    (('a', 'i', 'z'), (0, 1, 1, 2))
    """
    first = next((word for word in INTERNAL if word in words), "")
    numbers: dict[str, int] = {}
    moved = tuple(numbers.setdefault(first if word in INTERNAL else word, len(numbers)) for word in words)
    return tuple(numbers), moved


def present(database: Database, states: StateTable) -> StateTable:
    """The table of states, restricted to the columns that it has."""
    return states.among(tuple(database.read(kind_of(states.paths), states.paths).columns))


def _columns(database: Database, paths: tuple[str, ...], columns: dict[str, str | None]) -> Table:
    """The columns under our names and of the right types. Missing columns and missing values are errors."""
    file = f"'{paths[0]}'" if len(paths) == 1 else f"'{paths[0]}' …"
    table = database.read(kind_of(paths), paths)
    require_columns(tuple(table.columns), tuple(columns.values()), file)
    table = table.select(**{ours: theirs for ours, theirs in columns.items() if theirs is not None})
    for column in table.columns:
        table = _typed(table, column, file)
    empty = {name: table[name].isnull().sum() for name in table.columns if name != "label"}
    for name, rows in database.row(table.aggregate(**empty)).items():
        if rows:
            raise ModelProblem(f"{file}: {_without(paths, rows, name, columns[name])}", hint="every row needs one")
    return table


def _without(paths: tuple[str, ...], rows: int, name: str, column: str | None) -> str:
    """A message with the number of rows without a value in a column, and the line of the first, where there are lines."""
    lines = [line_without(path, str(column)) for path in local_files(paths)] if kind_of(paths) == "csv" else []
    line = next((line for line in lines if line is not None), None)
    where = "" if line is None else f" (line {line})" if rows == 1 else f" (the first in line {line})"
    return f"{rows:,} {'row has' if rows == 1 else 'rows have'} no {name}{where}"


def _typed(table: Table, column: str, file: str) -> Table:
    kind = table[column].type()
    match column:
        case "action" | "label":
            return table.mutate(**{column: table[column].cast("string")})
        case "initial" if kind.is_string():
            return table.mutate(initial=table.initial.lower().isin(["1", "true", "t", "yes"]))
        case "initial":
            return table.mutate(initial=table.initial.cast("boolean"))
    if not (kind.is_integer() or kind.is_string()):
        raise Unsupported(f"{file}: the column of {column}s holds values of type {kind}", hint="integers or texts name states")
    return table
