"""prove: proof scripts, which verify a system one component at a time, without building the system."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from coarsest.api.assume import assumed_formula, in_environments, relevant, seen_on, stated, structure_of, where_checked
from coarsest.api.model import Model
from coarsest.api.results import Report
from coarsest.check.modular.dead_ends_stay import staying
from coarsest.check.modular.derivation import Derivation, Fact
from coarsest.check.modular.refinement import Refinement, refinement
from coarsest.errors import InputError, LimitExceeded, NameProblem
from coarsest.evidence.confirmation import UNASKED, ByParts, Confirmation, Unconfirmed
from coarsest.evidence.proof import Stated
from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown, Verdict
from coarsest.files import read_contents
from coarsest.formats.proof_script.read import Conclusion, ProofScript, ScriptComponent, ScriptStep, in_one_line, read
from coarsest.logic.branching.actl import universal
from coarsest.logic.branching.ltl_to_ctl import deterministic_as_ctl
from coarsest.logic.expr import TRUE, Expr, Value, conjunction, names
from coarsest.logic.show import show
from coarsest.model.composition.compose import compose
from coarsest.model.composition.dead_ends import PREFIX
from coarsest.model.composition.rename import free_variables, knowing, renamed
from coarsest.model.machine import Machine, Property, ctl
from coarsest.model.query.assumed import where_paths_start
from coarsest.model.query.formula import kind_of
from coarsest.model.types import show_value
from coarsest.run import Run
from coarsest.text import Span

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords

T = TypeVar("T")

ON_FAIR_PATHS = "the condition holds on all fair paths; states on no fair path may violate it"
STRATEGY = "there are too many positions to examine one by one"


def opened(path: str | os.PathLike[str]) -> ProofScript:
    """Read a script without its components; standard input can be read only once."""
    return read(read_contents(path).text())


def prove(
    path: str | os.PathLike[str] | ProofScript,
    *,
    run: Run | None = None,
    on_answer: Callable[[Answer], None] | None = None,
    **options: Unpack[keywords.CheckWords],
) -> Report:
    """Check the steps of a proof script, and whether its conclusions follow: an answer for each, in the order of the script.

    A conclusion that does not follow is unknown, and the answer says what is missing.
    """
    script = path if isinstance(path, ProofScript) else opened(path)
    prover = Prover(script, Path(script.name).parent, Run.given(run), options)
    answers: list[Answer] = []
    for make in prover.claims():
        answers.append(make())
        if on_answer is not None:
            on_answer(answers[-1])
    return Report(tuple(answers), model=script.name)


class Prover:
    """A script whose components have been read."""

    def __init__(self, script: ProofScript, folder: Path, run: Run, options: keywords.CheckWords) -> None:
        self.script, self.run, self.options = script, run, options
        parts = {component.name.text: staying(_machine_of(component, folder), component.name.text, run)
                 for component in script.components}  # fmt: skip
        self.machines = {name: part.machine for name, part in parts.items()}
        self._dead_ends = {name: f"{name}: {part.warning}" for name, part in parts.items() if part.warning}
        self._answers: list[Answer] = []
        self._facts: list[Fact] = []
        self.names = compose(*self.machines.values())
        """The composition of all components, for the names in formulas; its states are never explored."""

    def claims(self) -> list[Callable[[], Answer]]:
        """The functions that give the answers, in the order of the script; conclusions come last, since they need all steps."""
        steps = [lambda step=step, number=number: self._step(step, number) for number, step in enumerate(self.script.steps, 1)]
        return [*steps, *(lambda c=c: self._conclusion(c) for c in self.script.conclusions)]

    # Steps

    def _step(self, step: ScriptStep, number: int) -> Answer:
        started = monotonic()
        try:
            answer = self._refined(step, number) if step.relation == "<=" else self._satisfied(step, number)
        except LimitExceeded as limit:
            answer = Answer("", "", "", Unknown(str(limit)))
        parts = [name.text for name in (step.component, step.claim, step.assumption) if name is not None]
        dead_ends = tuple(self._dead_ends.pop(name) for name in parts if name in self._dead_ends)
        answer = replace(answer, warnings=(*dead_ends, *answer.warnings))
        text, seconds = in_one_line(step.whole), monotonic() - started
        self._answers.append(replace(answer, name=f"step {number}", kind="step", formula=text, seconds=seconds))
        return self._answers[-1]

    def _refined(self, step: ScriptStep, number: int) -> Answer:
        left, right = (self.machines[span.text] for span in (step.component, step.claim))
        if not _names_in(left) & _names_in(right):
            message = f"'{step.component.text}' and '{step.claim.text}' have no name in common"
            raise NameProblem(message, step.whole, hint="a simulation is about the variables that both have")
        game = refinement(left, right, self.run)
        self._facts.append(Fact(number, step.component.text, step.claim.text, holds=game.holds))
        confirmation = _judged(game, self.options, self.run)
        if game.unanswered is not None:
            message = f"the adversary wins the game of simulation from the initial state with {_shown(game.unanswered)}"
            return Answer("", "", "", Fails(confirmation=confirmation), warnings=(message, *_play(game, self.options)))
        proof = Stated(f"the protagonist wins the game of simulation from {game.positions} positions")
        return Answer("", "", "", Holds(proof, confirmation=confirmation))

    def _satisfied(self, step: ScriptStep, number: int) -> Answer:
        component = step.component.text
        given, claim = _claimed(step.claim, self.names)
        assumption: Expr | str | None = None
        if step.assumption is not None:
            is_name = step.assumption.text in self.machines
            assumption = step.assumption.text if is_name else self._assumption(step.assumption)
        answer = self._checked(component, assumption, claim, given)
        self._facts.append(Fact(number, component, claim.formula, assumption, isinstance(answer.verdict, Holds)))
        return answer

    def _checked(self, component: str, assumption: Expr | str | None, claim: Property, given: Property) -> Answer:
        """Check T_ψ ‖ M ⊨ φ, with warnings that undermine it; `claim` is `given` as a formula of ACTL."""
        formulas = [claim.formula, *([] if assumption is None or isinstance(assumption, str) else [assumption])]
        machine = knowing(self.machines[component], self.names, formulas)
        if isinstance(assumption, str):
            together = compose(self.machines[assumption], machine)
        else:
            together = in_environments(machine, TRUE if assumption is None else assumption, [claim.formula])
        machine = where_checked(together, given)
        report = Model(machine).check(where_paths_start(claim), run=self.run, **self.options)
        doubts = [text for warning in report.warnings for text in relevant(warning)]
        answer = seen_on(report.answers[0], together)
        return replace(answer, warnings=(*answer.warnings, *doubts))

    def _assumption(self, span: Span) -> Expr:
        return _in_script(span, lambda: assumed_formula(Model(self.names), span.text))

    def _conclusion(self, conclusion: Conclusion) -> Answer:
        started = monotonic()
        components = [span.text for span in conclusion.components]
        system = _System({name: self.machines[name] for name in components}, self.run)
        given, claim = _claimed(conclusion.claim, system.whole)
        usable = [fact for fact in self._facts if not self._stranger(fact, system)]
        try:
            derivation = Derivation(components, usable, system.implied, self._lasting)
            reasons = derivation.reasons(claim.formula)
            verdict = self._missing(derivation, system) if reasons is None else self._follows(reasons, derivation)
        except LimitExceeded as limit:
            verdict = Unknown(str(limit))
        fair = any(self.machines[name].justice or self.machines[name].compassion for name in components)
        doubts = (ON_FAIR_PATHS,) if fair and given.kind.is_invariant and isinstance(verdict, Holds) else ()
        return Answer("conclusion", "conclusion", in_one_line(conclusion.whole), verdict, monotonic() - started, warnings=doubts)

    def _stranger(self, fact: Fact, system: _System) -> str:
        """A name in a step that is not in the system, or means something else there; empty if there is none."""
        own = _names_in(self.machines[fact.component])
        if isinstance(fact.claim, str):  # a simulation is about the common names
            return next((name for name in sorted(_names_in(self.machines[fact.claim])) if name in system.names - own), "")
        formulas = [f for f in (fact.claim, fact.assumption) if isinstance(f, Expr)]
        mentioned = [name for formula in formulas for name in self._opened(formula, own)]
        strange = [n for n in mentioned if n not in system.names or not (n in own or system.means(n, self.names))]
        return next(iter(strange), "")

    def _opened(self, formula: Expr, own: Collection[str]) -> Iterator[str]:
        """The names in a formula, and in definitions of other components that it uses."""
        waiting, opened = sorted(names(formula)), set[str]()
        while waiting:
            name = waiting.pop()
            if name not in opened:
                opened.add(name)
                yield name
                waiting += [] if name in own else sorted(names(self.names.definitions.get(name, TRUE)))

    def _follows(self, reasons: frozenset[int], derivation: Derivation) -> Verdict:
        circle = reasons & derivation.in_circles
        text = f"it follows from {_steps(reasons)}"
        if circle:
            text += f"; {_steps(circle)} assume one another, and each claim lasts longer than its assumption"
        doubtful = [number for number in sorted(reasons) if number not in circle and not self._answers[number - 1].confirmed]
        confirmation: Confirmation = ByParts(len(reasons))
        if doubtful:
            confirmation = Unconfirmed(f"{_steps(doubtful)} {'are' if len(doubtful) > 1 else 'is'} not confirmed")
        return Holds(Stated(text), confirmation=confirmation)

    def _missing(self, derivation: Derivation, system: _System) -> Verdict:
        failing = [fact.number for fact in self._facts if not fact.holds]
        because = [f"{_steps(failing)} {'do' if len(failing) > 1 else 'does'} not hold"] if failing else []
        for fact in self._facts:
            if not fact.holds:
                continue
            if name := self._stranger(fact, system):
                because.append(f"step {fact.number} mentions '{name}', which is not in the system")
            elif fact.component not in derivation.above or derivation.assumed(fact) is None:
                because.append(derivation.missing(fact))
        shown = ", ".join(map(show, derivation.formulas))
        because.append(f"the proved formulas do not imply it: {shown}" if shown else "nothing is shown of the system")
        return Unknown("; ".join(because))

    def _lasting(self, fact: Fact, assumed: Sequence[Expr], formula: Expr) -> bool:
        claim = ctl(formula)
        answer = self._checked(fact.component, conjunction(list(assumed)), claim, claim)
        return isinstance(answer.verdict, Holds)


class _System:
    """The composition that a conclusion is about. It gives meanings to names; its states are never explored."""

    def __init__(self, machines: Mapping[str, Machine], run: Run) -> None:
        self.whole = compose(*machines.values())
        self.names = _names_in(self.whole)
        self._run = run

    def means(self, name: str, everything: Machine) -> bool:
        """Does a name mean the same here as in the composition of all components?"""
        return self.whole.definitions.get(name) == everything.definitions.get(name)

    def implied(self, formulas: Sequence[Expr], goal: Expr) -> Sequence[Expr] | None:
        """Some of the formulas of a system that imply the goal; only formulas of ACTL are used."""
        mentioned, premises = self.whole.variables_of(goal), list[Expr]()
        waiting = [formula for formula in formulas if _is_actl(formula)]
        while related := [formula for formula in waiting if self.whole.variables_of(formula) & mentioned]:
            premises += related
            if self._do_imply(premises, goal):
                return self._needed(premises, goal)
            waiting = [formula for formula in waiting if formula not in related]
            mentioned = mentioned.union(*map(self.whole.variables_of, related))
        return None

    def _needed(self, premises: list[Expr], goal: Expr) -> list[Expr]:
        """A minimal subset of the premises that implies the goal."""
        for premise in premises:
            fewer = [other for other in premises if other != premise]
            if fewer and self._do_imply(fewer, goal):
                premises = fewer
        return premises

    def _do_imply(self, premises: Sequence[Expr], goal: Expr) -> bool:
        """Does every system that satisfies the premises satisfy the goal?"""
        together = in_environments(free_variables(self.whole, [*premises, goal]), conjunction(list(premises)), [goal])
        claim = where_paths_start(Property(kind_of(goal), goal))
        return Model(together).check(claim, run=self._run, vacuity=False, confirm="never").holds


def _names_in(machine: Machine) -> set[str]:
    return {name for name in (*machine.variables, *machine.definitions) if not name.startswith(PREFIX)}


def _claimed(span: Span, machine: Machine) -> tuple[Property, Property]:
    """A formula of the script, and its claim; LTL that is also expressible in ACTL becomes ACTL."""
    given = _in_script(span, lambda: Model(machine).formula(span.text))
    claim = _in_script(span, lambda: stated(given))
    formula = deterministic_as_ctl(claim.formula) if claim.kind.is_ltl else None
    return given, claim if formula is None else claim.as_ctl(formula)


def _judged(game: Refinement, options: keywords.CheckWords, run: Run) -> Confirmation:
    """The confirmation of a refinement, or of its absence."""
    from coarsest.evidence.enumeration.simulation_by_enumeration import confirm_simulation

    if options.get("confirm") in ("never", False):
        return UNASKED
    judge = None
    if game.played_on is not None:
        judge = confirm_simulation(*game.played_on, game.shared, holds=game.holds, run=run)
    return judge or Unconfirmed(STRATEGY)


FOREVER = "its steps can be answered forever, but not in such a way that fair paths answer fair paths"


def _play(game: Refinement, options: keywords.CheckWords) -> Iterator[str]:
    """A warning with a play that the adversary wins, replayed on both machines; none if hidden inputs take part in it."""
    from coarsest.evidence.play import ObservedPairs
    from coarsest.evidence.replay.plays import is_lost

    if game.played_on is None:
        return
    if game.play is None:
        yield FOREVER
        return
    look = ObservedPairs.by_names(game.shared)
    replayed = options.get("confirm") not in ("never", False) and is_lost(*game.played_on, look, game.play)
    *rounds, last = map(_shown, game.play.states)
    rounds_shown = [f"{state} is answered by {answer}; then " for state, answer in zip(rounds, map(_shown, game.play.answers))]
    why = "" if rounds_shown else ", because no initial state has the same labels"
    yield f"a play: {''.join(rounds_shown)}{last} has no answer{why}{' (confirmed by replay)' if replayed else ''}"


def _shown(state: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} = {show_value(value)}" for name, value in state.items())


def _is_actl(formula: Expr) -> bool:
    try:
        universal(formula)
    except InputError:
        return False
    return True


def _machine_of(component: ScriptComponent, folder: Path) -> Machine:
    """The machine of a component, with its names in the script."""
    name = component.name.text
    machine = _in_script(component.file, lambda: structure_of(folder / component.file.text)).machine
    if component.renamed is None:
        return replace(machine, name=name, properties=())
    table = {old.text: new.text for old, new in component.renamed}
    for old, _ in component.renamed:
        if old.text not in machine.variables and old.text not in machine.definitions:
            raise NameProblem(f"'{component.file.text}' has no variable '{old.text}'", old)
    return replace(renamed(machine, lambda one: table.get(one, f"{name}.{one}")), name=name)


def _in_script(span: Span, make: Callable[[], T]) -> T:
    """The result of `make` on a part of the script; errors are shown at this part."""
    try:
        return make()
    except InputError as problem:
        place = problem.diagnostic.span
        if place is not None and place.source.name != "<formula>":
            raise
        start, end = (span.start, span.end) if place is None else (span.start + place.start, span.start + place.end)
        raise type(problem)(problem.diagnostic.message, Span(span.source, start, end), hint=problem.diagnostic.hint) from None


def _steps(numbers: Sequence[int] | frozenset[int]) -> str:
    ordered = [str(number) for number in sorted(numbers)]
    if len(ordered) == 1:
        return f"step {ordered[0]}"
    return f"steps {', '.join(ordered[:-1])} and {ordered[-1]}"
