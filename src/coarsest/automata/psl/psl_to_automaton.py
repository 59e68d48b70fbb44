"""PSL formulas to Büchi automata: by LTL if they have no sequences, and by alternating automata otherwise."""

from __future__ import annotations

from coarsest import tuning
from coarsest.automata.automaton import Automaton
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.automata.psl.alternation_removal import remove_alternation
from coarsest.automata.psl.psl_choices import Choices
from coarsest.automata.psl.psl_obligations import Obligations
from coarsest.automata.psl.psl_to_ltl import formulas_for, psl_to_ltl
from coarsest.automata.shrink.bisimulation import merge_bisimilar
from coarsest.automata.shrink.degeneralise import degeneralise
from coarsest.automata.shrink.reduce import reduce_on_edges, reduce_on_states
from coarsest.automata.tidy import tidy
from coarsest.logic.psl.psl import Psl, has_sequences
from coarsest.run import Run


def psl_to_automaton(formula: Psl, *, negated: bool, run: Run | None = None, smallest: bool = True) -> Automaton:
    """A Büchi automaton, with acceptance on states, of the infinite words that satisfy a formula, or (`negated`) falsify it.

    >>> from coarsest.logic.expr import Name
    >>> from coarsest.logic.psl.psl import Always, Sequence
    >>> from coarsest.logic.psl.sere import StateCondition
    >>> psl_to_automaton(Always(Sequence(StateCondition(Name("a")), strong=True)), negated=False).states
    1
    """
    run = run or Run()
    if not has_sequences(formula):
        linear = psl_to_ltl(formula, run)
        assert linear is not None  # only sequences have longer cycles than loops
        return ltl_to_buchi(linear.negation if negated else linear, run, smallest=smallest)
    obligations = Obligations(formulas_for(formula), run)
    automaton = tidy(merge_bisimilar(remove_alternation(Choices(obligations), obligations.of(formula, positive=not negated))))
    if automaton.states > tuning.AUTOMATON_STATES_TO_REFINE:  # repetitions make many states, which do not simulate others
        return degeneralise(automaton)
    return reduce_on_states(degeneralise(reduce_on_edges(automaton, run)), run)
