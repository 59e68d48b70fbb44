"""Searches, reductions, comparisons and confirmations as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import UNSET

from coarsest.model.types import show_value
from coarsest.options.option import Confirm
from coarsest.text.printable import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from coarsest.api.results import Confirmation, ReachFacts, ReductionFacts
    from coarsest.logic.expr import Value
    from coarsest.lts.certificates import AttackCertificate, Lasso, LassoCertificate, StrategyCertificate
    from coarsest.lts.compare.comparison import Comparison, Difference, Pairs

MOST_CLASSES_SHOWN: Final = 100
LONGEST_FORMULA: Final = 4000
MOST_DIGITS_SHOWN: Final = 60
WORDS = "the accepted words"
MOST_POSITIONS_SHOWN: Final = 12


def reduction_to_text(facts: ReductionFacts, output: str | None = None) -> str:
    """The sizes of a reduction, the preserved logic, and the output file."""
    if facts.reason is not None:
        return f"unknown: {facts.reason}\n"
    sizes = {"states": facts.states, "transitions": facts.transitions}
    lines = [f"{name:<11}  {'?' if size.before is None else size.before} -> {size.after}" for name, size in sizes.items()]
    if facts.counted_with:
        lines.append(f"counted      states together with the value of {', '.join(facts.counted_with)}")
    if facts.symmetries is not None:
        lines.append(f"symmetries   {facts.symmetries} that keep what is observed")
    lines.append(f"preserves    {facts.preserves}{'' if facts.preserves == WORDS else ' over what is observed'}")
    if facts.data == "variables":
        lines.append("data         in variables of the code: numbers are not part of the states (--reactions makes them part)")
    if facts.data == "none":
        lines.append("data         left out: comparisons of numbers are inputs, and steps show what is computed")
    if facts.confirmed:
        checked = "all words" if facts.preserves == WORDS else "every state" if facts.classes is None else "every class"
        lines.append(f"confirmed    by an independent check of {checked}")
    elif facts.preserves == WORDS:
        lines.append("not confirmed: comparing all words takes long, or was not requested (--confirm always does it)")
    if facts.classes is not None and len(facts.classes) <= MOST_CLASSES_SHOWN:
        lines += [f"class {number:<6} {states}" for number, states in enumerate(facts.classes)]
    if output is not None:
        lines.append(f"written      {Path(output)}")
    return "\n".join(lines) + "\n"


def reach_to_text(facts: ReachFacts) -> str:
    """The number of states, their diameter and the size of their BDD; or why they are unknown."""
    if not facts.complete:
        return f"unknown: {facts.reason}\n"
    transitions = None if facts.transitions is UNSET else facts.transitions
    rows = {"states": _count(facts.states or 0), "diameter": facts.diameter, "transitions": transitions, "nodes": facts.nodes}
    width = len("diameter" if transitions is None else "transitions")
    return "".join(f"{name:<{width}}  {value}\n" for name, value in rows.items() if value is not None)


def _count(states: int) -> str:
    digits = str(states)
    if len(digits) > MOST_DIGITS_SHOWN:
        return f"about {digits[0]}.{digits[1:4]}e{len(digits) - 1} (all {len(digits)} digits with --json)"
    return digits


def comparison_to_text(
    comparison: Comparison, names: Sequence[str], *, confirm: Confirm = Confirm.AUTO, quiet: bool = False
) -> str:
    """The verdict of a comparison with its evidence; `names` are those of the systems."""
    relation = f"{comparison.relation} preorder" if comparison.preorder else comparison.relation
    unsure = "not confirmed" if confirm is Confirm.NEVER else ""
    if comparison.pairs is not None:
        return "\n".join(_pairs_to_lines(comparison, comparison.pairs, names, confirm, quiet=quiet)) + "\n"
    if comparison.related:
        where = unsure or ("confirmed" if comparison.confirmed else "confirmed on the quotients")
        summary = "" if comparison.certificate is None else comparison.certificate.summary
        evidence = "" if quiet else f"    evidence: {summary} ({where})\n"
        return f"related by {relation}\n{evidence}"
    lines = [f"not related by {relation}"]
    if not quiet:
        where = unsure or ("confirmed on both" if comparison.confirmed else "confirmed on both quotients")
        if comparison.difference is not None:
            lines += _difference_to_lines(comparison.difference, names, where)
        if comparison.refutation is not None:
            way = comparison.refutation.way
            lines += _refutation_to_lines(comparison.refutation, _Sides.of(comparison, names, way), where)
            if comparison.path_formula and len(comparison.path_formula) <= LONGEST_FORMULA:
                checked = f"is true in {names[way]}, false in {names[1 - way]} (checked on both)"
                lines += [f"    {comparison.path_formula}", f"    {checked}"]
    return "\n".join(lines) + "\n"


def _pairs_to_lines(
    comparison: Comparison, pairs: Pairs, names: Sequence[str], confirm: Confirm, *, quiet: bool
) -> list[str]:
    """The winner on sets of pairs of states, and a losing play if there is one."""
    relation = f"{comparison.relation} preorder" if comparison.preorder else comparison.relation
    lines = [f"{'related' if comparison.related else 'not related'} by {relation}"]
    if quiet:
        return lines
    unsure = "not confirmed" if confirm is Confirm.NEVER else "not confirmed: the quotients are large (--confirm always)"
    judge = "replay" if pairs.replayed else "games between quotients"
    where = f"confirmed by {judge}" if comparison.confirmed else unsure
    if pairs.begins is None:
        return [*lines, f"    evidence: the duplicator wins from {_count(pairs.positions)} pairs of states ({where})"]
    one, other = names[pairs.way], names[1 - pairs.way]
    lines.append(f"    from {_state(pairs.begins)} of {one}, the spoiler wins against {other} ({where})")
    for state, answer in zip(pairs.states, pairs.answers):
        lines.append(f"    {_state(state)} is answered by {_state(answer)}")
    if pairs.states:
        lines.append(f"    {_state(pairs.states[-1])} has no answer")
    else:
        lines.append("    each step can be answered, but not so that fair paths are answered in time")
    return lines


def _state(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{name} = {show_value(value)}" for name, value in values.items())


def _difference_to_lines(difference: Difference, names: Sequence[str], where: str) -> list[str]:
    from coarsest.logic.modal.hennessy_milner import action_text, show

    one, other = names[difference.true_in], names[1 - difference.true_in]
    sees_labels = any(node.kind == "label" for node in difference.formula.nodes)
    if difference.trace is not None and not sees_labels:
        words = " ".join(map(action_text, difference.trace))
        if difference.refusal is not None:
            refused = ", ".join(map(action_text, difference.refusal))
            shown = f"    {words or 'the empty trace'}, then {{{refused}}} refused"
            return [shown, f"    is possible in {one}, not in {other} ({where})"]
        return [f"    {words or 'the empty trace'}", f"    is a trace of {one}, not of {other} ({where})"]
    text, depth = show(difference.formula), difference.formula.depth
    if len(text) > LONGEST_FORMULA:
        text = f"{text[:100]} … (a formula of depth {depth} with {len(text):,} characters: --json shows all of it)"
    return [f"    {text}", f"    is true in {one}, false in {other} ({where})"]


class _Sides(NamedTuple):
    """The systems of the spoiler and the duplicator, and the names of the states there; values are in braces."""

    one: str
    other: str
    first_states: int
    state_names: Sequence[Mapping[int, str]]

    @classmethod
    def of(cls, comparison: Comparison, names: Sequence[str], way: int) -> _Sides:
        return cls(names[way], names[1 - way], comparison.sizes[0].states, comparison.state_names)

    def state(self, number: int) -> str:
        side = int(number >= self.first_states)
        own = number - side * self.first_states
        name = printable(self.state_names[side].get(own, str(own)))
        return f"{{{name}}}" if " = " in name else name


def _refutation_to_lines(
    refutation: StrategyCertificate | LassoCertificate | AttackCertificate, sides: _Sides, where: str
) -> list[str]:
    from coarsest.lts.certificates import AttackCertificate, LassoCertificate

    if isinstance(refutation, AttackCertificate):
        return _attacks_to_lines(refutation, sides, where)

    if isinstance(refutation, LassoCertificate):
        return _lassos_to_lines(refutation, sides, where)
    return _strategy_to_lines(refutation, sides, where)


def _attacks_to_lines(refutation: AttackCertificate, sides: _Sides, where: str) -> list[str]:
    """The steps to show, those first on which others rely least."""
    from coarsest.logic.modal.hennessy_milner import action_text

    begins = f"state {sides.state(refutation.begins)} of {sides.one}"
    lines = [f"    {begins}, with {refutation.ahead} steps ahead, is below no initial state of {sides.other} ({where})"]
    for attack in refutation.attacks[::-1][:MOST_POSITIONS_SHOWN]:
        steps = " ".join(f"{action_text(name) if name else 'to'} {sides.state(state)}" for name, state in attack.steps)
        lines.append(f"    {sides.state(attack.state)} {steps} has no answer from {sides.state(attack.against)}")
    if len(refutation.attacks) > MOST_POSITIONS_SHOWN:
        lines.append(f"    … and {len(refutation.attacks) - MOST_POSITIONS_SHOWN} more: --json shows all of them")
    return lines if refutation.attacks else [*lines, "    because no initial state there fits"]


def _strategy_to_lines(refutation: StrategyCertificate, sides: _Sides, where: str) -> list[str]:
    """How the spoiler wins, with the names of states in each graph."""
    from coarsest.logic.modal.hennessy_milner import action_text

    strategy = refutation.strategies[0]
    pairs = [f"{sides.state(own)} against {sides.state(other)}" for own, other in strategy.positions]
    lines = [f"    from state {sides.state(strategy.begins)} of {sides.one}, the spoiler wins against {sides.other} ({where})"]
    if not pairs:
        lines.append("    because no initial state there fits")
    for pair, (action, target), following in list(zip(pairs, strategy.steps, strategy.after))[:MOST_POSITIONS_SHOWN]:
        answers = ", or ".join(pairs[place] for place in following)
        step = f"{action_text(action)} to {sides.state(target)}" if action else f"to {sides.state(target)}"
        lines.append(f"    at {pair}: {step}; {f'then at {answers}' if answers else 'there is no answer'}")
    if len(pairs) > MOST_POSITIONS_SHOWN:
        lines.append(f"    … and {len(pairs) - MOST_POSITIONS_SHOWN} more positions: --json shows all of them")
    return lines


def _lassos_to_lines(refutation: LassoCertificate, sides: _Sides, where: str) -> list[str]:
    """A lasso for each initial state with the label of the spoiler's state, and the lassos on which they rely."""
    from coarsest.logic.modal.hennessy_milner import action_text

    told = [f"{action_text(name)} " if name else "" for name in refutation.action_names]
    if refutation.relation == "words":
        (lasso,) = refutation.lassos
        stem, loop = _lasso_to_text(lasso, told, sides)
        return [f"    {stem} ({loop})^w is a fair path of {sides.one}; its word is none of {sides.other} ({where})"]
    begins = f"state {sides.state(refutation.begins)} of {sides.one}"
    lines = [f"    {begins} is not below an initial state of {sides.other} ({where})"]
    for lasso in sorted(refutation.lassos, key=lambda one: -one.level)[:MOST_POSITIONS_SHOWN]:
        stem, loop = _lasso_to_text(lasso, told, sides)
        earlier = " but through those below" if lasso.level > 1 else ""
        against = sides.state(lasso.against)
        lines.append(f"    {stem} ({loop})^w is a fair path; no fair path from {against} goes with it{earlier}")
    if len(refutation.lassos) > MOST_POSITIONS_SHOWN:
        lines.append(f"    … and {len(refutation.lassos) - MOST_POSITIONS_SHOWN} more: --json shows all of them")
    return lines if refutation.lassos else [*lines, "    because no initial state there has its label"]


def _lasso_to_text(lasso: Lasso, told: Sequence[str], sides: _Sides) -> tuple[str, str]:
    steps = [f"{told[action]}{sides.state(state)}" for action, state in (*lasso.steps, *lasso.loop)]
    return " ".join([sides.state(lasso.state), *steps[: len(lasso.steps)]]), " ".join(steps[len(lasso.steps) :])


def confirmation_to_text(confirmation: Confirmation) -> str:
    """The outcome of a confirmation, with its claim or the objection."""
    if confirmation.accepted:
        return f"confirmed: {confirmation.shows}\n"
    return f"{'unknown' if confirmation.accepted is None else 'rejected'}: {printable(confirmation.reason or '')}\n"
