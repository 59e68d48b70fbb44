"""The command line."""

import gc

gc.set_threshold(50_000)
"""Objects that are made before cycles among them are looked for: to start makes many, all of which stay, and a search for each
700 of them, as is usual, takes a fifth of the time to start."""
