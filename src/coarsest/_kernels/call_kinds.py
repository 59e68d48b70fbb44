"""The kinds of arguments with which kernels are called: the library has code for these.

If a kernel is called with other kinds, as for graphs of 2^31 states or more, its twin does the work.
"""

from __future__ import annotations

from collections.abc import Iterator

LETTERS = {
    "i": "i8", "b": "b1", "n": "i4.1C", "N": "i8.1C", "h": "u8.1C", "m": "b1.1C", "s": "i1.1C", "t": "u1.1C", "q": "i4.2C",
    "w": "i8.2C", "r": "u8.2C", "M": "b1.2C", "W": "i8.3C",
}  # fmt: skip
"""A letter for a number, a truth value, arrays of narrow and wide numbers, hashes, marks, small numbers and text, and
matrices."""

CALLED_WITH = {
    "branching.branching.coarsest_partition": "nnninnNi NnninnNi",
    "csr.count_rows": "nn Nn nN",
    "csr.gather_rows": "nnnnnn NnNNNN nNnnnn",
    "diagrams.signatures.collected": "mnhhhN",
    "diagrams.signatures.entered": "nnnNnhhN",
    "diagrams.signatures.moved": "hh",
    "diagrams.signatures.pairs": "iihhqq",
    "diagrams.signatures.rebuilt": "NqnnhhN",
    "diagrams.signatures.signatures": "iininhhN",
    "games.attractor.attract": "NNNNsmiNimNN NnNnsmiNimNN",
    "games.positions.reach_positions": "nnnnNNNNNWMNN",
    "judge.quotients.is_quotient": "nnnninnnn",
    "partition.numbering.breadth_first": "nnnnnb Nnnnnb",
    "partition.numbering.tell_apart": "nnnnhi Nnnnhi",
    "partition.quotient.block_rows": "nnnnnnnnn NnnnnnNnn",
    "partition.quotient.first_deviation": "nnnnnnnnni NnnnnnNnni",
    "partition.quotient.first_members": "nn",
    "partition.quotient.follow": "nn",
    "partition.signature_rounds.refine_rounds": "NnnNnniNNNNNi",
    "partition.signatures.coarsest_partition": "nnnnNi NnnnNi",
    "partition.silent_components.components": "nnmn nnmN NnmN NNmN",
    "partition.silent_components.mark_action": "nim",
    "partition.silent_components.outer_transitions": "nnnmnqm NnnmNwm",
    "partition.valmari.coarsest_partition": "nnnnNi NnnnNi",
    "paths.closures.breadth_first": "Nnmmnin NNmmNiN",
    "paths.closures.keep_with_successor": "NnNnmn",
    "paths.product.list_steps": "NNniNNiNNiNN",
    "paths.product.reach_pairs": "NNniNNiNNiN",
    "paths.saturation.silent_rows": "NniNNN",
    "paths.saturation.weak_rows": "NNNNNNNiNNNN",
    "paths.state_table.enter": "rrhiNi",
    "paths.state_table.move_over": "hh",
    "paths.state_table.targets_by_source": "NNNn NNNN",
    "paths.unions.unite_along": "Nnr",
    "simulation.delay.grow_answers": "NNNNNNNNNrrrhrsi",
    "simulation.delay.shrink_answers": "NNNNNNNNNrrhmrsi",
    "simulation.listed_rows.gather_classes": "NNnN",
    "simulation.listed_rows.refine_listed": "NnnNNnNrNNNNNnNwNwNNi",
    "simulation.little_brothers.mark_kept": "NnrNNnm",
    "simulation.lookahead.add_paying": "NNNhmrrriiN",
    "simulation.lookahead.close_transitively": "rii",
    "simulation.lookahead.remove_attacked": "NNNrMrriiN",
    "simulation.lookahead.remove_attacked_later": "NNNhmrrriiN",
    "simulation.simulation.refine_simulation": "NnnnNNNNNrrNii",
    "text.aut_lines.write_lines": "nnntNtN NnntNtN",
    "text.aut_text.parse_lines": "tiiinnnwN",
    "text.ba_text.parse_lines": "tiinnnnwwN",
}
"""Each kernel has a word for each way to call it, with a letter for each argument. Graphs of 2^31 transitions or more have wide
offsets: only the kernels for reading, bisimulation, branching bisimulation and writing are compiled for these."""


def called_with(module: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The functions of a module and the kinds of their arguments.

    >>> next(called_with("csr"))
    ('count_rows', ('i4.1C', 'i4.1C'))
    """
    for name, words in CALLED_WITH.items():
        if name.rpartition(".")[0] == module:
            for word in words.split():
                yield name.rpartition(".")[2], tuple(LETTERS[letter] for letter in word)


def modules() -> list[str]:
    """The modules that have kernels."""
    return sorted({name.rpartition(".")[0] for name in CALLED_WITH})
