"""Boolean functions: engines behind one protocol, and the orders of their variables."""
