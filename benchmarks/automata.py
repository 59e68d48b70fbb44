"""`python -m benchmarks.automata`: sizes and times of the automata of the known lists of formulas, beside those of Spot."""

from __future__ import annotations

import csv
import sys
import time
from collections import defaultdict

from tests.spot_syntax import LISTS, formulas

from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi, ltl_to_generalised_buchi
from coarsest.logic.linear.ltl_from_expr import from_expr

COLUMNS = {"generalised": (ltl_to_generalised_buchi, 2), "buchi": (ltl_to_buchi, 10)}
"""The translations, and where the table has Spot's states."""


def main() -> int:
    """Translate every formula of the table once, and print a line per list."""
    with (LISTS / "oracle_spot_automaton_sizes.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    lists = {name: formulas(f"{name}.ltl") for name in {row[0].lstrip("!") for row in rows} if (LISTS / f"{name}.ltl").exists()}
    sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0, 0, 0.0])
    for row in rows:
        name = row[0].lstrip("!")
        if name not in lists:
            continue
        for kind, (translate, column) in COLUMNS.items():
            before = time.process_time()
            formula = from_expr(lists[name][int(row[1]) - 1])
            states = translate(formula.negation if row[0].startswith("!") else formula).states
            spent = time.process_time() - before
            for line in (sums[name, kind], sums["all", kind]):
                line[:] = [line[0] + 1, line[1] + states, line[2] + int(row[column]), line[3] + spent]
    sys.stdout.write(f"{'list':<16} {'kind':<12} {'formulas':>8} {'states':>7} {'Spot':>6} {'ms each':>8}\n")
    for (name, kind), (count, states, spot, seconds) in sorted(sums.items(), key=lambda item: (item[0][0] == "all", item[0])):
        sys.stdout.write(f"{name:<16} {kind:<12} {count:>8} {states:>7} {spot:>6} {1000 * seconds / count:>8.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
