"""Graphs in tables, held by databases."""

KINDS = {".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "csv"}
"""Suffixes of table files."""


def suffixes_of(kind: str) -> tuple[str, ...]:
    """The endings of tables of a kind."""
    return tuple(suffix for suffix, own in KINDS.items() if own == kind)
