"""Minimisation of graphs in tables, by relational rounds on a database: past the memory of one machine."""
