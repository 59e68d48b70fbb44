"""State spaces: sets of states and what can be asked of them, over several carriers."""
