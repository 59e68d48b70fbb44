"""Proof scripts: components of a system, steps about single components, and conclusions about several components together.

    component arbiter = arbiter.smv                            a file, beside the script
    component one = master.smv with request as request1        renamed; other names of the file get `one.` before them
    step arbiter |= AG !(grant1 & grant2)                      the component satisfies a formula in every environment
    step assume AG AF grant1 : one |= AG AF one.done           … in every environment that satisfies an assumption
    step assume arbiter : one |= AG !one.error                 … in every environment that a component simulates
    step one <= quiet                                          a component is simulated by another component
    conclude arbiter || one |= AG AF one.done                  the conclusion

A statement begins at the left margin, and continues in indented lines; `--` begins a comment. Formulas are read later, when the
components are known; until then, their positions in the script represent them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from coarsest.errors import NameProblem, SyntaxProblem
from coarsest.text import Source, Span
from coarsest.text.near import nearest

FORMS = {
    "component": "component NAME = FILE [with NAME as NAME, …]",
    "step": "step [assume FORMULA :] NAME |= FORMULA, or step NAME <= NAME",
    "conclude": "conclude NAME || NAME |= FORMULA",
}
_NAME = r"[A-Za-z_]\w*"
_COMPONENT = re.compile(rf"component\s+({_NAME})\s*=\s*(\S+)(?:\s+with\s+(\S.*?))?\s*", re.DOTALL)
_RENAMING = re.compile(r"\s*(\S+)\s+as\s+(\S+)\s*")
_STEP = re.compile(rf"step\s+({_NAME})\s*(\|=|<=)\s*(\S.*?)\s*", re.DOTALL)
_ASSUMING = re.compile(rf"step\s+assume\s+(\S.*?)\s*:\s*({_NAME})\s*(\|=)\s*(\S.*?)\s*", re.DOTALL)
_CONCLUSION = re.compile(rf"conclude\s+({_NAME}(?:\s*\|\|\s*{_NAME})*)\s*\|=\s*(\S.*?)\s*", re.DOTALL)


class ScriptComponent(Struct, frozen=True):
    name: Span
    file: Span
    renamed: tuple[tuple[Span, Span], ...] | None = None
    """Names in the file, with their names here; None if all keep their names."""


class ScriptStep(Struct, frozen=True):
    """A claim about one component."""

    whole: Span
    component: Span
    relation: str
    claim: Span
    assumption: Span | None = None


class Conclusion(Struct, frozen=True):
    """A claim about several components together."""

    whole: Span
    components: tuple[Span, ...]
    claim: Span


class ProofScript(Struct, frozen=True):
    """All statements of a script. They use declared names only."""

    components: tuple[ScriptComponent, ...]
    steps: tuple[ScriptStep, ...]
    conclusions: tuple[Conclusion, ...]
    name: str
    """The name of the script's file."""

    @property
    def planned(self) -> list[str]:
        """The texts of its steps and conclusions."""
        return [in_one_line(claim) for claim in (*(s.whole for s in self.steps), *(c.whole for c in self.conclusions))]

    @property
    def files(self) -> list[str]:
        """The paths of its components."""
        return [str(Path(self.name).parent / component.file.text) for component in self.components]


def in_one_line(statement: Span) -> str:
    """A statement without its first word."""
    return " ".join(statement.text.split()).partition(" ")[2]


def read(source: Source) -> ProofScript:
    """The statements of a script."""
    text = re.sub(r"--[^\n]*", lambda comment: " " * len(comment.group()), source.text).replace("\r", " ")
    starts = [line.start() for line in re.finditer(r"^\S", text, re.MULTILINE)]
    statements = [_statement(source, text[start:end], start) for start, end in zip(starts, [*starts[1:], len(text)])]
    components = [s for s in statements if isinstance(s, ScriptComponent)]
    names: dict[str, Span] = {}
    for component in components:
        if component.name.text in names:
            raise NameProblem(f"'{component.name.text}' is declared twice", component.name, hint="rename one of them")
        names[component.name.text] = component.name
    steps = [s for s in statements if isinstance(s, ScriptStep)]
    conclusions = [s for s in statements if isinstance(s, Conclusion)]
    used = [span for s in conclusions for span in s.components]
    used += [span for s in steps for span in ((s.component, s.claim) if s.relation == "<=" else (s.component,))]
    for span in used:
        require_component(span, names)
    if not conclusions:
        raise SyntaxProblem("there is no conclusion", Span(source, len(source.text), len(source.text)), hint=FORMS["conclude"])
    return ProofScript(tuple(components), tuple(steps), tuple(conclusions), source.name)


def require_component(span: Span, names: dict[str, Span]) -> None:
    """Raise NameProblem if this is not the name of a component."""
    if span.text not in names:
        near = nearest(span.text, names)
        hint = f"did you mean '{near[0]}'?" if near else FORMS["component"]
        raise NameProblem(f"there is no component '{span.text}'", span, hint=hint)


def _statement(source: Source, text: str, start: int) -> ScriptComponent | ScriptStep | Conclusion:
    def span(match: re.Match[str], group: int | str = 0) -> Span:
        return Span(source, start + match.start(group), start + match.end(group))

    whole = Span(source, start, start + len(text.rstrip()))
    if component := _COMPONENT.fullmatch(text):
        renamed = None if component.group(3) is None else tuple(_renamings(span(component, 3)))
        return ScriptComponent(span(component, 1), span(component, 2), renamed)
    if step := _ASSUMING.fullmatch(text):
        return ScriptStep(whole, span(step, 2), step.group(3), span(step, 4), span(step, 1))
    if step := _STEP.fullmatch(text):
        return ScriptStep(whole, span(step, 1), step.group(2), span(step, 3))
    if conclusion := _CONCLUSION.fullmatch(text):
        parts = re.finditer(_NAME, conclusion.group(1))
        offset = start + conclusion.start(1)
        names = tuple(Span(source, offset + part.start(), offset + part.end()) for part in parts)
        return Conclusion(whole, names, span(conclusion, 2))
    raise _wrong(source, text, start)


def _renamings(listed: Span) -> Iterator[tuple[Span, Span]]:
    """`NAME as NAME`, between commas."""
    for part in re.finditer(r"[^,]+", listed.text):
        here = Span(listed.source, listed.start + part.start(), listed.start + part.end())
        pair = _RENAMING.fullmatch(part.group())
        if pair is None:
            raise SyntaxProblem(f"'{part.group().strip()}' is not of the form NAME as NAME", here, hint=FORMS["component"])
        old, new = (Span(listed.source, here.start + pair.start(i), here.start + pair.end(i)) for i in (1, 2))
        yield old, new


def _wrong(source: Source, text: str, start: int) -> SyntaxProblem:
    word = re.match(r"\S+", text)
    first = word.group() if word else ""
    if first in FORMS:
        whole = Span(source, start, start + len(text.rstrip()))
        return SyntaxProblem(f"this '{first}' is not complete, or has the wrong form", whole, hint=FORMS[first])
    near = nearest(first, FORMS)
    hint = f"did you mean '{near[0]}'?" if near else f"a statement begins with {', '.join(FORMS)}"
    return SyntaxProblem(f"no statement begins with '{first}'", Span(source, start, start + len(first)), hint=hint)
