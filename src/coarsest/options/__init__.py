"""The options of all tasks, each written once."""
