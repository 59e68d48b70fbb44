"""Every algorithm: what it is for, how it is chosen, and which paper it comes from.

One line per algorithm, but for those of relations between graphs, which are named in the table of these. The reference is read
from the header of the algorithm's own file, so that it is written once.
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
    Algorithm("delay-simulation", "shrink automata", "reduce --by delay", "_kernels/preorders/fair_simulations.py"),
    Algorithm("clemente-mayr", "shrink automata", "reduce --by words", "automata/shrink/heavy_clemente_mayr.py"),
    Algorithm("lookahead-simulation", "shrink automata", "reduce --lookahead", "_kernels/preorders/lookahead.py"),
    Algorithm("little-brothers", "shrink automata", "reduce --by delay", "automata/shrink/quotients.py"),
    Algorithm("forward", "check invariants", "check --engine forward", "check/invariants/invariant.py"),
    Algorithm("backward", "check invariants", "check --engine backward", "check/invariants/invariant.py"),
    Algorithm(
        "lee-yannakakis", "check invariants", "check --engine lee-yannakakis", "check/invariants/invariant_by_lee_yannakakis.py"
    ),
    Algorithm(
        "bouajjani-fernandez-halbwachs", "check invariants", "check --engine bfh",
        "check/invariants/invariant_by_bouajjani_fernandez_halbwachs.py",
    ),
    Algorithm("paige-tarjan", "check invariants", "check --engine paige-tarjan", "check/invariants/invariant_by_paige_tarjan.py"),
    Algorithm("breadth-first", "find reachable states", "--search breadth-first", "search/reachability.py"),
    Algorithm("guided", "find reachable states", "--hints", "search/guided_ravi_somenzi.py"),
    Algorithm("chaining", "find reachable states", "--search chaining", "search/reachability.py"),
    Algorithm(
        "one-by-one", "find reachable states", "--carrier explicit, where columns cannot hold the model",
        "space/explicit/enumerate.py",
    ),
    Algorithm("in-columns", "find reachable states", "--carrier explicit", "space/columns/explore.py"),
    Algorithm("explore", "check invariants", "check --engine explore", "space/columns/explore.py"),
    Algorithm("formulas", "find reachable states", "check --carrier smt", "space/smt/smt.py"),
    Algorithm("prime-cubes", "keep formulas small", "check --carrier smt", "space/smt/smt_cubes.py"),
    Algorithm("inductive-bounds", "leave out unreachable states", "reduce --carrier smt", "space/smt/smt_bounds.py"),
    Algorithm("bounded-search", "check invariants", "check --engine bmc", "check/invariants/bounded_search.py"),
    Algorithm("k-induction", "check invariants", "check --engine k-induction", "check/invariants/induction.py"),
    Algorithm("IC3", "check invariants", "check --engine ic3", "check/invariants/ic3.py"),
    Algorithm("equal-gates", "check invariants", "--engine ic3, after some questions", "encode/equal_gates.py"),
    Algorithm("liveness-to-safety", "check LTL", "check --engine ic3", "check/products/liveness_to_safety.py"),
    Algorithm("k-liveness", "check LTL", "check --engine ic3", "check/products/k_liveness.py"),
    Algorithm("both-ends", "check invariants", "check --engine both-ends", "check/engines/both_ends.py"),
    Algorithm("monolithic", "compute images", "--relation monolithic", "space/bdd/relation/monolithic.py"),
    Algorithm("clustered", "compute images", "--relation clustered", "space/bdd/relation/early_quantification.py"),
    Algorithm("disjunctive", "compute images", "--relation disjunctive", "space/bdd/relation/disjunctive.py"),
    Algorithm("functions", "compute preimages", "--relation functions", "space/bdd/relation/functions.py"),
    Algorithm("choice", "compute preimages", "--relation auto", "space/bdd/relation/choice.py"),
    Algorithm("inverse", "compute preimages", "--relation inverse", "space/bdd/relation/inverse_bustan.py"),
    Algorithm("expound", "compute preimages", "--relation expound", "space/bdd/relation/expound_coudert_madre.py"),
    Algorithm("quantification-schedule", "order conjuncts", "", "space/bdd/relation/schedule.py"),
    Algorithm("restrict", "use don't-cares", "", "bdd/care_coudert_madre.py"),
    Algorithm("interleaved-words", "order variables", "", "space/bdd/order_words.py"),
    Algorithm("ctl-fixpoints", "check CTL", "", "search/ctl_fixpoints.py"),
    Algorithm("game", "check ACTL", "check --engine game", "search/fair_simulation/game_piterman_pnueli_saar.py"),
    Algorithm("lost-play", "show why a simulation fails", "prove", "search/fair_simulation/lost_play.py"),
    Algorithm("delay", "simulate models", "compare --algorithm pairs", "search/fair_simulation/delay_etessami_wilke_schuller.py"),
    Algorithm("direct", "simulate models", "compare --algorithm pairs", "search/fair_simulation/direct_dill_hu_wong_toi.py"),
    Algorithm("lookahead", "simulate graphs", "compare --lookahead", "lts/simulation/lookahead_mayr_clemente.py"),
    Algorithm("actl-tableau", "check ACTL", "check --engine game", "model/composition/actl_tableau_grumberg_long.py"),
    Algorithm("composition", "compose machines", "assume", "model/composition/compose.py"),
    Algorithm("backward-until", "check CTL", "", "search/until.py"),
    Algorithm("one-way", "find fair states", "check --fair one-way", "search/fair_states_one_way.py"),
    Algorithm("emerson-lei", "find fair states", "check --fair emerson-lei", "search/fair_states_emerson_lei.py"),
    Algorithm("lockstep", "find fair states", "check --fair lockstep", "search/fair_states_lockstep.py"),
    Algorithm("fair-product", "check LTL and PSL", "", "check/products/ltl.py"),
    Algorithm("ltl-as-ctl", "check LTL and PSL", "check --ltl auto", "logic/branching/ltl_to_ctl.py"),
    Algorithm("automaton", "check LTL and PSL", "check --ltl automaton", "automata/ltl/ltl_to_buchi.py"),
    Algorithm("tableau", "check LTL and PSL", "check --ltl tableau", "automata/ltl/ltl_tableau_clarke_grumberg_hamaguchi.py"),
    Algorithm("gste", "check assertion graphs", "gste --prune late", "check/gste/gste_yang_seger.py"),
    Algorithm("yang-seger", "find fair states", "gste --fair yang-seger", "check/gste/gste_yang_seger.py"),
    Algorithm("property-driven-partitioning", "check assertion graphs", "gste", "space/assertion_graph_product.py"),
    Algorithm("backwards-while-cheap", "check LTL", "check --engine partitioned", "check/products/ltl_backwards.py"),
    Algorithm("bad-prefixes-of-formulas", "check LTL", "check --safety", "check/products/ltl_safety.py"),
    Algorithm("gste-ternary", "check assertion graphs", "gste --abstraction ternary", "check/gste/gste_ternary.py"),
    Algorithm("dual-rails", "check assertion graphs", "gste --abstraction ternary", "space/ternary/ternary.py"),
    Algorithm("abstract-circuits", "check assertion graphs", "gste --abstraction ternary", "space/ternary/ternary_circuit.py"),
    Algorithm("conditions-on-rails", "check assertion graphs", "gste --abstraction ternary", "space/ternary/ternary_refine.py"),
    Algorithm("bounded-search", "check assertion graphs", "gste --abstraction ternary", "check/gste/graph_by_bounded_search.py"),
    Algorithm("violations-of-graphs", "translate assertion graphs", "", "automata/translate/assertion_graphs_and_buchi.py"),
    Algorithm("path-formulas-as-labels", "check CTL*", "", "check/products/ctl_star.py"),
    Algorithm("fewest-and-most-steps", "compute MIN and MAX", "", "search/quantities.py"),
    Algorithm("witnesses", "explain verdicts", "", "search/witness.py"),
    Algorithm("trees-of-reasons", "explain verdicts", "", "check/setting/explain.py"),
    Algorithm("choices-of-steps", "certify verdicts", "check --certificate", "check/certify/certificate_choices.py"),
    Algorithm("removals", "certify verdicts", "check --certificate", "check/certify/certificate_removals.py"),
    Algorithm("local-conditions", "confirm certificates", "confirm", "evidence/sat/certificate_conditions.py"),
    Algorithm("clauses", "confirm certificates", "confirm", "evidence/sat/clauses.py"),
    Algorithm("ltl-watcher", "confirm certificates", "confirm", "evidence/claims/ltl_watcher.py"),
    Algorithm("vacuity", "explain verdicts", "check --no-vacuity to switch it off", "logic/branching/vacuity.py"),
    Algorithm("simplify", "rewrite linear formulas", "automaton", "logic/linear/ltl_simplify.py"),
    Algorithm("linear-factors", "translate linear formulas", "automaton", "automata/ltl/linear_factors.py"),
    Algorithm("tableau", "translate linear formulas", "automaton", "automata/ltl/tableau.py"),
    Algorithm("partial-derivatives", "translate sequences", "automaton", "automata/psl/sere_derivatives.py"),
    Algorithm("obligations", "translate PSL", "automaton", "automata/psl/psl_obligations.py"),
    Algorithm("psl-to-ltl", "translate PSL", "automaton", "automata/psl/psl_to_ltl.py"),
    Algorithm("alternation-removal", "translate PSL", "automaton", "automata/psl/alternation_removal.py"),
    Algorithm("direct-simulation", "shrink automata", "automaton", "automata/shrink/direct_simulation.py"),
    Algorithm("weak-minimisation", "shrink automata", "automaton", "automata/shrink/weak_minimisation.py"),
    Algorithm("automorphisms", "find symmetries", "symmetry", "reduce/symmetry/group/detect.py"),
    Algorithm("refined-colours", "find symmetries", "symmetry", "reduce/symmetry/group/automorphisms.py"),
    Algorithm("schreier-sims", "count symmetries", "symmetry", "reduce/symmetry/group/group.py"),
    Algorithm("equal-relations", "verify symmetries", "symmetry", "reduce/symmetry/group/verify.py"),
    Algorithm("invariance-group", "keep what properties keep", "symmetry", "reduce/symmetry/group/invariance.py"),
    Algorithm("orbits", "shrink models", "reduce --by symmetry", "reduce/symmetry/orbit_partition.py"),
    Algorithm("burnside", "count orbits", "symmetry --count", "reduce/symmetry/group/orbits.py"),
    *(
        Algorithm(name, "check by symmetry", f"check --reduce symmetry{option}", f"reduce/symmetry/{file}.py")
        for name, option, file in (
            ("sorting", "", "sorting"), ("symmetry-mc", " --algorithm symmetry-mc", "symmetry_mc_barner_grumberg"),
            ("hints-sym", " --algorithm hints-sym", "hints_barner_grumberg"),
            ("iterative-sym", " --algorithm iterative", "iterative_barner_grumberg"),
            ("sigma-step", " --algorithm sigma-step", "closing"), ("quotient", " --algorithm sigma-step", "quotient"),
            ("create-xi", " --algorithm create-xi", "representative_relation"),
            ("orbit-to-xi", " --algorithm orbit-to-xi", "orbit_relation_jha"),
            ("high-density", " --subset dense", "subsets"), ("orbit-spaces", " --carrier explicit", "orbit_spaces"),
        )
    ),
    Algorithm("layered-drawing", "draw graphs", "show", "render/picture/layered.py"),
    *(
        Algorithm(name, "minimise by bisimulation", f"reduce --algorithm {name}", f"reduce/bisimulation/{file}.py")
        for name, file in (
            *((name, name.replace("-", "_")) for name in ("bouajjani-fernandez-halbwachs", "lee-yannakakis", "paige-tarjan")),
            ("signatures", "signatures_blom_orzan"), ("list-then-refine", "list_then_refine"),
            ("relation", "relation_bouali_de_simone"), ("reach-then-refine", "reach_then_refine"),
            ("refine-then-reach", "refine_then_reach"),
        )
    ),
    *(
        Algorithm(name, "minimise by simulation", f"reduce --by simulation --algorithm {name}", f"reduce/simulation/{file}.py")
        for name, file in (
            ("partition", "partition_bustan_grumberg"), ("splitters", "splitters_gentilini_piazza_policriti"),
            ("relation", "relation_milner"), ("bisimulation-first", "bisimulation_first"),
        )
    ),
    *(
        Algorithm(name, "minimise by parts", f"reduce --algorithm {name}", f"reduce/modular/{file}.py")
        for name, file in (
            ("ordinary", "ordinary_hopcroft"), ("naive", "naive_shiple"), ("improved", "improved_bustan_grumberg"),
            ("improved2", "improved_bustan_grumberg"), ("improved3", "improved_bustan_grumberg"),
        )
    ),
    Algorithm("low-interaction", "take a model apart", "reduce --algorithm improved", "reduce/modular/parts.py"),
    Algorithm(
        "little-brothers", "minimise by simulation", "reduce --quotient all", "reduce/simulation/quotients_bustan_grumberg.py"
    ),
    Algorithm("control-automaton", "minimise by bisimulation", "reduce", "reduce/controller/control_automaton.py"),
    Algorithm("control-and-data", "minimise by bisimulation", "reduce -o FILE.c", "model/parts/control_and_data.py"),
    Algorithm("listing", "list states", "reduce --algorithm list-then-refine", "space/bdd/listing.py"),
    Algorithm("symbolic-execution", "read programs", "", "formats/program/execute.py"),
    Algorithm("opening-calls", "read Lustre", "", "formats/lustre/lower.py"),
    Algorithm("clocks", "read Lustre", "", "formats/lustre/scope.py"),
    Algorithm("bounds-of-memories", "read Lustre", "", "formats/lustre/ranges.py"),
    Algorithm("intervals", "bound integers", "", "model/checks/intervals.py"),
    Algorithm("modalities", "check formulas on graphs", "check", "check/graphs/ctl_on_graphs.py"),
    Algorithm("closures", "check formulas on graphs", "check", "lts/closures.py"),
    Algorithm("product-with-automaton", "check formulas on graphs", "check", "check/graphs/ltl_on_graphs.py"),
    Algorithm("signature-rounds", "minimise graphs in tables", "reduce --engine duckdb", "lts/tables/signature_rounds.py"),
    Algorithm("spectrum", "tell graphs apart", "compare --spectrum", "lts/spectrum/strong.py"),
    Algorithm("path-observations", "tell graphs apart", "compare --spectrum", "lts/spectrum/path_observations.py"),
    Algorithm("futures", "tell graphs apart", "compare --spectrum", "lts/spectrum/futures.py"),
    Algorithm("weak-paths", "tell graphs apart", "compare --spectrum", "lts/weak/weak_paths.py"),
    Algorithm("force", "order variables", "--order force", "bdd/order/force.py"),
    Algorithm("cuthill-mckee", "order variables", "", "bdd/order/cuthill_mckee.py"),
    Algorithm("sifting", "order variables", "--no-reorder to switch it off", "bdd/sifting.py"),
    Algorithm("cone-of-influence", "shrink a machine", "--no-cone to switch it off", "model/parts/cone_of_influence.py"),
    Algorithm("constant-latches", "shrink a machine", "--no-merge to switch it off", "encode/latches.py"),
    Algorithm("signal-correspondence", "shrink a machine", "--no-merge to switch it off", "encode/correspondence.py"),
)
