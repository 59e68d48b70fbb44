"""Verdicts: an answer and the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TypeAlias

from msgspec import Struct, field

from coarsest.evidence.certificate import Certificate
from coarsest.evidence.confirmation import BySat, Confirmation, Enumerated, Unconfirmed
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.proof import Proof
from coarsest.evidence.reading import Reading
from coarsest.model.trace import Trace
from coarsest.model.trace_table import trace_to_html
from coarsest.run import Statistic


class Decided(Struct, frozen=True, kw_only=True):
    """A decision, and the judge that has confirmed it, or the reason why none has."""

    confirmation: Confirmation

    @property
    def confirmed(self) -> bool:
        return not isinstance(self.confirmation, Unconfirmed)


class Holds(Decided, frozen=True):
    """The property holds, with the reason if there is one."""

    proof: Proof | None = None
    """The proof, unless a path shows it, or the states one by one."""
    explanation: Explanation | None = None
    """For a claim that some path exists: that path."""
    certificate: Certificate | None = None
    """Sets and ranks that prove it, if they were written down."""
    uncertified: str = ""
    """The reason why there is no certificate, or no confirmed one, if one was looked for."""
    witness: Trace | None = None
    """For a cover: a path that reaches it."""
    word = "holds"

    def _repr_html_(self) -> str:
        return f"<p>{coloured(self.word)}</p>{verdict_to_html(self)}"

    def __repr__(self) -> str:
        shown = f": {self.shown_by}" if self.shown_by else ""
        return f"<Holds{shown}{', confirmed' * (self.confirmed and 'confirmed' not in shown)}>"

    @property
    def shown_by(self) -> str | None:
        """One line about the evidence: the proof, or the judge that needed none."""
        if self.proof is not None:
            return self.proof.summary
        return self.confirmation.summary if isinstance(self.confirmation, Enumerated | BySat) else None


class Fails(Decided, frozen=True):
    """The property fails, with the evidence."""

    trace: Trace | None = None
    explanation: Explanation | None = None
    """For a formula that one path alone does not refute: the tree of reasons."""
    proof: Proof | None = None
    """For a cover: the proof that no path reaches it."""
    word = "fails"

    def _repr_html_(self) -> str:
        return f"<p>{coloured(self.word)}</p>{verdict_to_html(self)}"

    def __repr__(self) -> str:
        shown = "" if self.trace is None else f": a trace of {len(self.trace)} {self.trace.unit}s"
        return f"<Fails{shown}{', confirmed' * self.confirmed}>"


class Unknown(Struct, frozen=True):
    """It was not decided, with the reason."""

    because: str
    advice: str = ""
    """A suggestion for what the user may try next."""
    bound: int | None = None
    """The number of steps that the user asked for, if no path of this length decides it."""
    word = "unknown"

    def _repr_html_(self) -> str:
        return f"<p>{coloured(self.word)}</p>{verdict_to_html(self)}"

    def __repr__(self) -> str:
        return f"<Unknown: {self.because}>"


Verdict: TypeAlias = Holds | Fails | Unknown


class Answer(Struct, frozen=True):
    """The verdict on one property, with its confirmation and its cost."""

    name: str
    kind: str
    formula: str
    verdict: Verdict
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    statistics: Mapping[str, Statistic] = field(default_factory=dict)
    reading: Reading | None = None
    """Facts that help to read the evidence."""
    instance: str = ""
    """The instance of a module that the property was written in; empty for the main module."""
    more: tuple[Answer, ...] = ()
    """The same verdict by other counterexamples, if the user asked for several."""

    @property
    def confirmed(self) -> bool:
        """Has a judge confirmed the evidence?"""
        return not isinstance(self.verdict, Unknown) and self.verdict.confirmed

    @property
    def doubt(self) -> str:
        """The reason why the evidence was not confirmed, if it is worth reporting."""
        return doubt_about(self.verdict)

    @property
    def label(self) -> str:
        """The name of the property, which names its instance, or its formula, with the instance as NuSMV writes it.

        >>> Answer("", "invariant", "x < 3", Unknown("of the limit"), instance="left").label
        'x < 3 IN left'
        """
        return self.name or (f"{self.formula} IN {self.instance}" if self.instance else self.formula)

    @property
    def title(self) -> str:
        """The name and the formula."""
        return f"{self.name}: {self.formula}" if self.name else self.label

    def _repr_html_(self) -> str:
        """The verdict and what shows it, for notebooks."""
        word, title = coloured(shown_word(self), self.verdict.word), escape(self.title)
        return f"<p>{word} <code>{title}</code></p>{verdict_to_html(self.verdict)}"

    def __repr__(self) -> str:
        return f"<Answer: {self.label} {self.verdict.word}{', confirmed' * self.confirmed}>"


SHADES = {"holds": "#2b8a3e", "fails": "#c92a2a", "unknown": "#e67700"}
"""The colours of verdicts in HTML."""


def coloured(text: str, word: str = "") -> str:
    """A text in the colour of a verdict, by default of the one that it names."""
    return f'<b style="color:{SHADES[word or text]}">{text}</b>'


def verdict_to_html(verdict: Verdict) -> str:
    """What shows a verdict: a trace, or a sentence."""
    if isinstance(verdict, Unknown):
        more = f"; next, try {escape(verdict.advice)}" if verdict.advice else ""
        return f"<p>because {escape(verdict.because)}{more}</p>"
    trace = verdict.witness if isinstance(verdict, Holds) else verdict.trace
    sentence = verdict.shown_by if isinstance(verdict, Holds) else verdict.explanation and verdict.explanation.because
    doubt = doubt_about(verdict)
    judged = "confirmed" if verdict.confirmed else f"not confirmed: {doubt}" if doubt else ""
    lines = "".join(f"<p>{escape(line)}</p>" for line in (sentence, judged) if line)
    return lines if trace is None else lines + trace_to_html(trace)


def doubt_about(verdict: Verdict) -> str:
    """The reason why the evidence was not confirmed, or not certified, if it is worth reporting."""
    match verdict:
        case Holds() | Fails() if isinstance(verdict.confirmation, Unconfirmed):
            return verdict.confirmation.because if verdict.confirmation.reported else ""
        case Holds():
            return verdict.uncertified
    return ""


def shown_word(answer: Answer) -> str:
    """The word that people read first: the verdict, or the value of COMPUTE."""
    if answer.kind == "compute" and isinstance(answer.verdict, Holds):
        return str(answer.statistics["value"])
    return answer.verdict.word


def shown_trace(answer: Answer) -> Trace | None:
    """The trace that represents the evidence: a counterexample, or the longest path of a witness."""
    match answer.verdict:
        case Fails(Trace() as trace, _):
            return trace
        case Holds(witness=Trace() as trace):
            return trace
        case Holds(_, Explanation() as explanation) if explanation.shows_a_path:
            return explanation.longest()
    return None
