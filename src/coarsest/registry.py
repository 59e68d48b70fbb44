"""Every algorithm: what it is for, how it is chosen, and which paper it comes from.

One line per algorithm. The reference is read from the header of the algorithm's own file, so that it is written once.
"""

from __future__ import annotations

import ast
from pathlib import Path

from msgspec import Struct


class Algorithm(Struct, frozen=True):
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
    Algorithm(
        "lee-yannakakis", "check invariants", "check --engine lee-yannakakis", "check/invariant_by_lee_yannakakis.py"
    ),
    Algorithm(
        "bouajjani-fernandez-halbwachs", "check invariants", "check --engine bfh",
        "check/invariant_by_bouajjani_fernandez_halbwachs.py",
    ),
    Algorithm("paige-tarjan", "check invariants", "check --engine paige-tarjan", "check/invariant_by_paige_tarjan.py"),
    Algorithm("breadth-first", "find reachable states", "--search breadth-first", "check/reachability.py"),
    Algorithm("chaining", "find reachable states", "--search chaining", "check/reachability.py"),
    Algorithm("formulas", "find reachable states", "check --carrier smt", "system/smt.py"),
    Algorithm("prime-cubes", "keep formulas small", "check --carrier smt", "system/smt_cubes.py"),
    Algorithm("inductive-bounds", "leave out unreachable states", "reduce --carrier smt", "system/smt_bounds.py"),
    Algorithm("both-ends", "check invariants", "check --carrier smt", "check/decide_invariant_by_formulas.py"),
    Algorithm("monolithic", "compute images", "--relation monolithic", "system/relation/monolithic.py"),
    Algorithm("clustered", "compute images", "--relation clustered", "system/relation/early_quantification.py"),
    Algorithm("disjunctive", "compute images", "--relation disjunctive", "system/relation/disjunctive.py"),
    Algorithm("functions", "compute preimages", "--relation functions", "system/relation/functions.py"),
    Algorithm("quantification-schedule", "order conjuncts", "", "system/relation/schedule.py"),
    Algorithm("ctl-fixpoints", "check CTL", "", "check/ctl_fixpoints.py"),
    Algorithm("backward-until", "check CTL", "", "check/until.py"),
    Algorithm("one-way", "find fair states", "check --fair one-way", "check/fair_states_one_way.py"),
    Algorithm("emerson-lei", "find fair states", "check --fair emerson-lei", "check/fair_states_emerson_lei.py"),
    Algorithm("lockstep", "find fair states", "check --fair lockstep", "check/fair_states_lockstep.py"),
    Algorithm("fair-product", "check LTL and PSL", "", "check/ltl.py"),
    Algorithm("ltl-as-ctl", "check LTL and PSL", "check --ltl auto", "logic/ltl_to_ctl.py"),
    Algorithm("automaton", "check LTL and PSL", "check --ltl automaton", "automata/ltl_to_buchi.py"),
    Algorithm(
        "tableau", "check LTL and PSL", "check --ltl tableau", "automata/ltl_tableau_clarke_grumberg_hamaguchi.py"
    ),
    Algorithm("gste", "check assertion graphs", "gste --prune late", "check/gste_yang_seger.py"),
    Algorithm("yang-seger", "find fair states", "gste --fair yang-seger", "check/gste_yang_seger.py"),
    Algorithm("property-driven-partitioning", "check assertion graphs", "gste", "system/graph_product.py"),
    Algorithm("backwards-while-cheap", "check LTL", "check --engine partitioned", "check/ltl_backwards.py"),
    Algorithm("bad-prefixes-of-formulas", "check LTL", "check --safety", "check/ltl_safety.py"),
    Algorithm("gste-ternary", "check assertion graphs", "gste --abstraction ternary", "check/gste_ternary.py"),
    Algorithm("dual-rails", "check assertion graphs", "gste --abstraction ternary", "system/ternary.py"),
    Algorithm("abstract-circuits", "check assertion graphs", "gste --abstraction ternary", "system/ternary_circuit.py"),
    Algorithm("conditions-on-rails", "check assertion graphs", "gste --abstraction ternary", "system/ternary_refine.py"),
    Algorithm("bounded-search", "check assertion graphs", "gste --abstraction ternary", "check/graph_by_bounded_search.py"),
    Algorithm("violations-of-graphs", "translate assertion graphs", "", "automata/assertion_graphs_and_buchi.py"),
    Algorithm("path-formulas-as-labels", "check CTL*", "", "check/ctl_star.py"),
    Algorithm("fewest-and-most-steps", "compute MIN and MAX", "", "check/quantities.py"),
    Algorithm("witnesses", "explain verdicts", "", "check/witness.py"),
    Algorithm("trees-of-reasons", "explain verdicts", "", "check/explain.py"),
    Algorithm("choices-of-steps", "certify verdicts", "check --certificate", "check/certificate_choices.py"),
    Algorithm("removals", "certify verdicts", "check --certificate", "check/certificate_removals.py"),
    Algorithm("local-conditions", "confirm certificates", "confirm", "evidence/certificate_conditions.py"),
    Algorithm("clauses", "confirm certificates", "confirm", "evidence/clauses.py"),
    Algorithm("ltl-watcher", "confirm certificates", "confirm", "evidence/ltl_watcher.py"),
    Algorithm("vacuity", "explain verdicts", "check --no-vacuity to switch it off", "logic/vacuity.py"),
    Algorithm("simplify", "rewrite linear formulas", "automaton", "logic/ltl_simplify.py"),
    Algorithm("linear-factors", "translate linear formulas", "automaton", "automata/linear_factors.py"),
    Algorithm("tableau", "translate linear formulas", "automaton", "automata/tableau.py"),
    Algorithm("partial-derivatives", "translate sequences", "automaton", "automata/sere_derivatives.py"),
    Algorithm("obligations", "translate PSL", "automaton", "automata/psl_obligations.py"),
    Algorithm("psl-to-ltl", "translate PSL", "automaton", "automata/psl_to_ltl.py"),
    Algorithm("bad-prefixes", "translate PSL", "automaton", "automata/psl_to_automaton.py"),
    Algorithm("alternation-removal", "translate PSL", "automaton", "automata/alternation_removal.py"),
    Algorithm("direct-simulation", "shrink automata", "automaton", "automata/direct_simulation.py"),
    Algorithm("weak-minimisation", "shrink automata", "automaton", "automata/weak_minimisation.py"),
    Algorithm("layered-drawing", "draw graphs", "show", "render/layered.py"),
    Algorithm(
        "bouajjani-fernandez-halbwachs", "minimise by bisimulation", "reduce --algorithm bouajjani-fernandez-halbwachs",
        "reduce/bisimulation/bouajjani_fernandez_halbwachs.py",
    ),
    Algorithm(
        "lee-yannakakis", "minimise by bisimulation", "reduce --algorithm lee-yannakakis",
        "reduce/bisimulation/lee_yannakakis.py",
    ),
    Algorithm(
        "paige-tarjan", "minimise by bisimulation", "reduce --algorithm paige-tarjan",
        "reduce/bisimulation/paige_tarjan.py",
    ),
    Algorithm(
        "signatures", "minimise by bisimulation", "reduce --algorithm signatures",
        "reduce/bisimulation/signatures_blom_orzan.py",
    ),
    Algorithm(
        "list-then-refine", "minimise by bisimulation", "reduce --algorithm list-then-refine",
        "reduce/bisimulation/list_then_refine.py",
    ),
    Algorithm(
        "relation", "minimise by bisimulation", "reduce --algorithm relation",
        "reduce/bisimulation/relation_bouali_de_simone.py",
    ),
    Algorithm(
        "reach-then-refine", "minimise by bisimulation", "reduce --algorithm reach-then-refine",
        "reduce/bisimulation/reach_then_refine.py",
    ),
    Algorithm(
        "refine-then-reach", "minimise by bisimulation", "reduce --algorithm refine-then-reach",
        "reduce/bisimulation/refine_then_reach.py",
    ),
    Algorithm("control-automaton", "minimise by bisimulation", "reduce", "reduce/control_automaton.py"),
    Algorithm("control-and-data", "minimise by bisimulation", "reduce -o FILE.c", "model/control_and_data.py"),
    Algorithm("listing", "list states", "reduce --algorithm list-then-refine", "system/listing.py"),
    Algorithm("symbolic-execution", "read programs", "", "formats/program/execute.py"),
    Algorithm("opening-calls", "read Lustre", "", "formats/lustre/lower.py"),
    Algorithm("clocks", "read Lustre", "", "formats/lustre/scope.py"),
    Algorithm("bounds-of-memories", "read Lustre", "", "formats/lustre/ranges.py"),
    Algorithm("intervals", "bound integers", "", "model/intervals.py"),
    Algorithm("signatures", "minimise graphs", "reduce --algorithm signatures", "_kernels/signatures.py"),
    Algorithm("valmari", "minimise graphs", "reduce --algorithm valmari", "_kernels/valmari.py"),
    Algorithm(
        "signature-rounds", "minimise graphs in tables", "reduce --engine duckdb", "reduce/relational/signature_rounds.py"
    ),
    Algorithm(
        "ranzato-tapparo", "find the simulation preorder", "compare --by simulation",
        "reduce/graph_simulation/preorder_ranzato_tapparo.py",
    ),
    Algorithm(
        "bustan-grumberg", "shrink graphs", "reduce --by simulation", "reduce/graph_simulation/smallest_bustan_grumberg.py"
    ),
    Algorithm(
        "branching-bisimulation", "shrink graphs", "reduce --by branching-bisimulation",
        "reduce/graph_branching/branching_bisimulation.py",
    ),
    Algorithm(
        "signature-rounds", "tell graphs apart", "compare --by bisimulation", "reduce/graph_rounds/signatures_blom_orzan.py"
    ),
    Algorithm("cleaveland", "tell graphs apart", "compare --by bisimulation", "reduce/graph_rounds/distinguish_cleaveland.py"),
    Algorithm(
        "simulation-game", "tell graphs apart", "compare --by simulation", "reduce/graph_simulation/distinguish_by_game.py"
    ),
    Algorithm("antichains", "tell graphs apart", "compare --by language", "reduce/graph_language/inclusion_antichains.py"),
    Algorithm("force", "order variables", "--order force", "bdd/force.py"),
    Algorithm("cuthill-mckee", "order variables", "", "bdd/cuthill_mckee.py"),
    Algorithm("sifting", "order variables", "--no-reorder to switch it off", "bdd/sifting.py"),
    Algorithm("cone-of-influence", "shrink a machine", "--no-cone to switch it off", "model/cone_of_influence.py"),
)
