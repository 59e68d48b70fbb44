"""assume: does a model have a property in every environment that satisfies a formula, or that another model simulates?
maximal_model: the model that simulates exactly those models which satisfy a formula of ACTL.

>>> import coarsest
>>> model = coarsest.loads('''
... MODULE main
... IVAR step : 0..2;
... VAR n : 0..9;
... ASSIGN init(n) := 0; next(n) := n + step <= 9 ? n + step : 0;
... ''')
>>> model.check("n mod 2 = 0").holds, assume("AG step != 1", model, "n mod 2 = 0").holds
(False, True)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from coarsest.api.drawings.drawing import Drawing, drawing_of
from coarsest.api.model import Model, load_model
from coarsest.api.options import DrawOptions
from coarsest.api.results import Report
from coarsest.errors import InputError, NameProblem
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.verdict import Answer, Fails, Holds
from coarsest.files import write_whole
from coarsest.logic.branching.actl import require_universal, universal
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, names
from coarsest.logic.expr import replace as substituted
from coarsest.logic.show import show
from coarsest.model.composition.dead_ends import with_all_paths_fair
from coarsest.model.machine import Kind, Machine, Property, Variable
from coarsest.model.parts.part import beside
from coarsest.model.query.assumed import where_paths_start
from coarsest.model.types import Boolean
from coarsest.run import Run, Statistic
from coarsest.text import Source

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords

NO_BEHAVIOUR = "no behaviour of the model satisfies the assumption, so every claim holds"
NOTHING_SHARED = "the assumption and the model have no name in common, so they do not influence each other"

AS_ACTL = "an assumption is a condition or a formula of ACTL, that is, CTL about all paths: AG (p -> AF q)"


def assume(
    assumption: str | os.PathLike[str] | Model,
    model: Model,
    *formulas: str | Property,
    run: Run | None = None,
    on_answer: Callable[[Answer], None] | None = None,
    on_warning: Callable[[str], None] | None = None,
    **options: Unpack[keywords.CheckWords],
) -> Report:
    """Check formulas, or all properties of the model, on the composition with an assumption: a formula of ACTL, the file of a
    model, or a model. They then hold in every environment that satisfies the formula, or that the model simulates.

    The assumption drives the inputs that it mentions. Otherwise this is `Model.check`.
    """
    run, given = Run.given(run), [model.formula(f) if isinstance(f, str) else f for f in formulas or model.properties]
    claims = list(map(stated, given))
    together, warnings = composed(assumption, model, [claim.formula for claim in claims], run)
    say = on_warning or (lambda text: None)
    for text in warnings:
        say(text)

    def tell(answer: Answer) -> None:
        if on_answer is not None:
            on_answer(seen_on(answer, together))

    def warn(text: str) -> None:
        for message in relevant(text):
            if message not in warnings:
                warnings.append(message)
                say(message)

    answers: list[Answer] = []
    statistics: dict[str, Statistic] = {}
    for machine, group in groupby(zip(given, claims), key=lambda pair: where_checked(together, pair[0])):
        report = Model(machine).check(
            *(where_paths_start(claim) for _, claim in group), run=run, on_answer=tell, on_warning=warn, **options
        )
        answers += [seen_on(answer, together) for answer in report.answers]
        statistics |= report.statistics
    return Report(tuple(answers), tuple(warnings), statistics, model.name, tuple(claims))


def where_checked(together: Machine, given: Property) -> Machine:
    """The machine to check a property on: conditions in every state on an infinite path, everything else on fair paths."""
    if not given.kind.is_invariant:
        return together
    everywhere = with_all_paths_fair(together)
    return together if (everywhere.justice, everywhere.compassion) == (together.justice, together.compassion) else everywhere


def composed(
    assumption: str | os.PathLike[str] | Model, model: Model, claims: Collection[Expr], run: Run
) -> tuple[Machine, list[str]]:
    """The composition of the model with an assumption, and warnings about it."""
    from coarsest.check.modular.dead_ends_stay import staying
    from coarsest.model.composition.compose import compose

    environment = assumption if isinstance(assumption, Model) else _model_named(assumption)
    if environment is None:
        assumed = assumed_formula(model, str(assumption))
        alone = staying(model.machine, "model", run)
        return in_environments(alone.machine, assumed, claims), [alone.warning] * bool(alone.warning)
    one, other = environment.machine, model.machine
    parts = staying(one, "environment", run), staying(other, "model", run)
    together = compose(*(part.machine for part in parts))
    shared = {*one.variables, *one.definitions} & {*other.variables, *other.definitions}
    return together, [*(part.warning for part in parts if part.warning), *([] if shared else [NOTHING_SHARED])]


def in_environments(machine: Machine, assumption: Expr, claims: Collection[Expr]) -> Machine:
    """T_ψ ‖ M. The inputs that the assumption or the claims mention belong to the environment, as parts of its states."""
    from coarsest.model.composition.actl_tableau_grumberg_long import under_assumption
    from coarsest.model.parts.promote_inputs import inputs_mentioned, promote

    return under_assumption(promote(machine, inputs_mentioned(machine, claims)), assumption)


def _model_named(assumption: str | os.PathLike[str]) -> Model | None:
    path = Path(assumption)
    return structure_of(path) if path.suffix and os.path.isfile(path) else None  # a long formula is not a file name


def structure_of(path: Path) -> Model:
    """Read the model of a file. Graphs are refused, because they have actions instead of variables."""
    from coarsest.formats import GRAPHS, kind_of

    if kind_of(str(path)) in GRAPHS:
        hint = "name a model, for example .smv, with variables that the other model also has"
        message = f"'{path.name}' is a graph, which has actions but no variables"
        raise InputError(message, hint=hint)
    return load_model(path)


def assumed_formula(model: Model, text: str) -> Expr:
    """An assumption over the names of a model, as a formula of ACTL."""
    from coarsest.logic.branching.ltl_to_ctl import deterministic_as_ctl

    claim = model.formula(text)
    formula = claim.formula if claim.kind.is_ctl else None
    if claim.kind.is_invariant:
        formula = Apply("AG", (claim.formula,), claim.span)
    elif claim.kind.is_ltl:
        formula = deterministic_as_ctl(claim.formula)
    if formula is None:
        raise InputError(f"'{text}' cannot be assumed", claim.span, hint=AS_ACTL)
    universal(formula)
    return formula


def stated(claim: Property) -> Property:
    """The claim about all systems that a composition stands for, on all paths from their initial states."""
    if claim.kind.is_invariant:
        return claim.as_ctl(Apply("AG", (claim.formula,), claim.span))
    require_universal(claim.formula, linear=not claim.kind.is_branching)
    return claim


def relevant(warning: str) -> list[str]:
    """The warnings about a composition. Initial states without a path matter only if there are no others."""
    from coarsest.check.setting.model_warnings import NO_FAIR_PATH, NO_INITIAL_STATE

    if warning in (NO_FAIR_PATH, NO_INITIAL_STATE):
        return [NO_BEHAVIOUR]
    return [] if warning.startswith("no fair path starts in some initial states") else [warning]


def seen_on(answer: Answer, together: Machine) -> Answer:
    """An answer about a composition, without the variables of the tableau in its traces."""
    others = {name: variable for name, variable in together.variables.items() if not variable.added}
    back = beside(together, replace(together, variables=others)).back

    def explained(explanation: Explanation | None) -> Explanation | None:
        if explanation is None:
            return None
        parts = tuple((place, part) for place, inner in explanation.parts if (part := explained(inner)) is not None)
        return replace(explanation, trace=back(explanation.trace), parts=parts)

    match answer.verdict:
        case Fails(trace=trace, explanation=explanation):
            shown = None if trace is None else back(trace)
            return replace(answer, verdict=replace(answer.verdict, trace=shown, explanation=explained(explanation)))
        case Holds(explanation=explanation):
            return replace(answer, verdict=replace(answer.verdict, explanation=explained(explanation)))
    return answer


class MaximalModel(Struct, frozen=True):
    """The tableau of a formula, as a model over the names in the formula, each of which is a boolean variable."""

    formula: str
    model: Model
    promises: Mapping[str, str]
    """What the further variables stand for: where one is true, its formula is satisfied."""

    def __repr__(self) -> str:
        return f"<MaximalModel: {self.formula}>"

    def to_smv(self) -> str:
        """The model as SMV, with a comment on each variable of its own."""
        title = f"-- the maximal model of {' '.join(self.formula.split())}"
        return "\n".join([title, *(f"-- {name} promises {text}" for name, text in self.promises.items()), self.model.to_smv()])

    def draw(self, *, to: str = "svg", run: Run | None = None) -> Drawing:
        """A picture; the states that satisfy the fairness constraints are coloured, each constraint in a colour of its own."""
        marks = tuple(map(show, self.model.machine.justice))
        return drawing_of([self.model], to, self.formula, DrawOptions(mark=marks), Run.given(run), named=True)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the model as SMV, whole or not at all."""
        write_whole(os.fspath(path), self.to_smv())

    @property
    def facts(self) -> dict[str, Any]:
        """By their names in JSON."""
        machine = self.model.machine
        return {
            "formula": self.formula, "atoms": [name for name in machine.variables if name not in self.promises],
            "promises": dict(self.promises), "fairness": [show(constraint) for constraint in machine.justice],
        }  # fmt: skip


def maximal_model(formula: str, *, run: Run | None = None) -> MaximalModel:
    """The maximal model of a formula of ACTL, of a condition that shall always hold, or of LTL that says the same as ACTL.

    A model satisfies the formula if and only if the maximal one simulates it, by game simulation; provided that a fair path
    starts in each of its reachable states.

    >>> largest = maximal_model("A [a U b]")
    >>> largest.promises
    {'assumed.1': 'AX A [a U b]'}
    >>> largest.model.check("A [a U b]").holds, largest.model.check("EG !b").holds
    (True, False)
    """
    from coarsest.check.modular.maximal_model import maximal_model
    from coarsest.logic.parse import parse_expression

    atoms = tuple(sorted(names(parse_expression(Source("<formula>", formula)))))
    for name in atoms:
        if name in ("true", "false"):
            raise NameProblem(f"`{name}` would be an atom", hint=f"the boolean constant is written {name.upper()}")
    labels = Model(Machine("labels", {name: Variable(name, Boolean(), Kind.STATE) for name in atoms}))
    machine, promises = maximal_model(atoms, assumed_formula(labels, formula), Run.given(run))
    return MaximalModel(formula, Model(machine), {name: show(substituted(meaning, _usual)) for name, meaning in promises.items()})


def _usual(part: Expr) -> Expr | None:
    """Operators of the normal form as people write them."""
    match part:
        case Apply("AU", (p, q)) if p == TRUE:
            return Apply("AF", (substituted(q, _usual),))
        case Apply("AR", (p, q)) if p == FALSE:
            return Apply("AG", (substituted(q, _usual),))
        case Apply("AR", (p, q)):
            return Apply("not", (Apply("EU", (_negated(substituted(p, _usual)), _negated(substituted(q, _usual)))),))
    return None


def _negated(part: Expr) -> Expr:
    return part.args[0] if isinstance(part, Apply) and part.op == "not" else Apply("not", (part,))
