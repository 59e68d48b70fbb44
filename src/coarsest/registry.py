"""Every algorithm: what it is for, how it is chosen, and which paper it comes from.

One line per algorithm. The reference is read from the header of the algorithm's own file, so that it is written once.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An algorithm of ours."""

    name: str
    task: str
    option: str
    """The command-line words that choose it; empty where it is always used."""
    file: str
    """Relative to the package."""

    @property
    def summary(self) -> str:
        """The first sentence of the file's header."""
        return self._header().split("\n", 1)[0]

    @property
    def reference(self) -> str:
        """The paper, from the `Reference:` field of the header."""
        lines = iter(self._header().splitlines())
        for line in lines:
            if line.startswith("Reference:"):
                parts = [line.removeprefix("Reference:").strip()]
                for more in lines:
                    if not more.startswith(" "):
                        break
                    parts.append(more.strip())
                return " ".join(parts)
        return ""

    def _header(self) -> str:
        text = (Path(__file__).parent / self.file).read_text(encoding="utf-8")
        return ast.get_docstring(ast.parse(text)) or ""


ALGORITHMS = (
    Algorithm("forward", "check invariants", "check --engine forward", "check/invariant.py"),
    Algorithm("backward", "check invariants", "check --engine backward", "check/invariant.py"),
    Algorithm("breadth-first", "find reachable states", "--search breadth-first", "check/reachability.py"),
    Algorithm("chaining", "find reachable states", "--search chaining", "check/reachability.py"),
    Algorithm("monolithic", "compute images", "--relation monolithic", "system/relation/monolithic.py"),
    Algorithm("clustered", "compute images", "--relation clustered", "system/relation/early_quantification.py"),
    Algorithm("disjunctive", "compute images", "--relation disjunctive", "system/relation/disjunctive.py"),
    Algorithm("functions", "compute preimages", "--relation functions", "system/relation/functions.py"),
    Algorithm("quantification-schedule", "order conjuncts", "", "system/relation/schedule.py"),
    Algorithm("linear-factors", "translate linear formulas", "automaton", "automata/linear_factors.py"),
    Algorithm("tableau", "translate linear formulas", "automaton", "automata/tableau.py"),
    Algorithm("simplify", "rewrite linear formulas", "automaton", "logic/ltl_simplify.py"),
    Algorithm("direct-simulation", "shrink automata", "automaton", "automata/direct_simulation.py"),
    Algorithm("weak-minimisation", "shrink automata", "automaton", "automata/weak_minimisation.py"),
    Algorithm("degeneralise", "translate linear formulas", "automaton --kind buchi", "automata/degeneralise.py"),
    Algorithm("cone-of-influence", "shrink a machine", "--no-cone to switch it off", "model/cone_of_influence.py"),
)
