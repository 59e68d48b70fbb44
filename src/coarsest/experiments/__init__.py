"""The tables and figures of the papers, measured again: generators of models and the runs over them."""
