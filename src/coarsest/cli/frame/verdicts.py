"""Publishing verdicts: each as soon as it is known, and the report at the end, even after an early end."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from coarsest.cli.frame.arguments import DOCUMENT_STYLES, WITNESS_STYLES
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit
from coarsest.cli.frame.report_files import (
    print_documents,
    print_json,
    reports_of,
    traces_go_to_file,
    write_certificates,
    write_report,
    writes_a_report,
)

if TYPE_CHECKING:
    from coarsest import Answer, Property
    from coarsest.model.machine import Machine
    from coarsest.render.data.model_report import ModelReport
    from coarsest.render.text.text import DetailLevel


NOTHING_PLANNED: Mapping[str, Any] = MappingProxyType({})


def planned(
    claim: Property, model: str = "", expected: str | None = None, passes: Sequence[str] = ()
) -> dict[str, Any]:
    """A property to decide, for the ledger; `passes` are the endings of the whole task that its project expects."""
    about = {"name": claim.name, "kind": str(claim.kind), "formula": claim.text, "instance": claim.module}
    return {**about, "model": model, "expected": expected, "passes": list(passes)}


def decided(
    answer: Answer,
    index: int,
    args: Namespace,
    claim: Property | None = None,
    machine: Machine | None = None,
    *,
    plan: Mapping[str, Any] = NOTHING_PLANNED,
    growth: Sequence[tuple[str, int, int]] = (),
) -> dict[str, Any]:
    """An answer in all formats in which it may be published, for the ledger."""
    from coarsest.render.data.json import answer_to_object
    from coarsest.render.text.text import answer_to_text

    look = _look(args)
    expected = plan.get("expected")
    text = _heading(plan) + _with_expected(answer_to_text(answer, look), answer, expected) + "\n"
    whole = ""
    if writes_a_report(args):
        whole = _with_expected(answer_to_text(answer, replace(look, quiet=False)), answer, expected)
    documents = [_document(one, args, claim, machine) for one in (answer, *answer.more)]
    facts = answer_to_object(answer, None if claim is None else claim.span, expected=expected)
    return {
        "index": index, "object": facts, "text": text, "whole": whole, "documents": documents,
        "row": _row(answer, args, claim, growth), "proof": _proof(answer, claim),
    }  # fmt: skip


def _heading(plan: Mapping[str, Any]) -> str:
    """The name of the model before its first property, if there are several models."""
    return f"{plan['model']}\n" if plan.get("first") else ""


def _with_expected(text: str, answer: Answer, expected: str | None) -> str:
    """The text of an answer; its first line also says whether the verdict was expected."""
    if expected is None:
        return text
    head, end, evidence = text.partition("\n")
    return f"{head}  ({'as expected' if answer.verdict.word == expected else f'expected: {expected}'}){end}{evidence}"


def _row(
    answer: Answer, args: Namespace, claim: Property | None, growth: Sequence[tuple[str, int, int]]
) -> str | None:
    """A card for an HTML report."""
    if args.form != "html":
        return None
    from coarsest.render.page.report_card import answer_to_card

    return answer_to_card(answer, None if claim is None else claim.span, growth)


def _proof(answer: Answer, claim: Property | None) -> dict[str, Any] | None:
    """The certificate of a property that holds, if there is one."""
    if claim is None:
        return None
    from coarsest.render.data.proof_json import proof_to_object

    return proof_to_object(answer, claim)


def _document(answer: Answer, args: Namespace, claim: Property | None, machine: Machine | None) -> str | None:
    """The trace as a document, for the styles that need one."""
    if args.trace not in DOCUMENT_STYLES:
        return None
    if args.trace in WITNESS_STYLES:
        from coarsest.render.data.witness import answer_to_witness

        return None if claim is None or machine is None else answer_to_witness(args.trace, answer, machine, claim)
    from coarsest.api.walks import evidence_to_text

    return evidence_to_text(answer, style=args.trace, name=args.model, machine=machine)


def _look(args: Namespace) -> DetailLevel:
    from coarsest.render.text.text import DetailLevel

    colour = args.screen.colour and (args.output is None or traces_go_to_file(args))
    unicode = args.screen.unicode or args.output is not None
    return DetailLevel(args.trace, args.screen.width, colour, quiet=args.quiet, verbose=args.verbose, unicode=unicode)


def _shown_at_once(args: Namespace) -> bool:
    return not args.json and (args.output is None or traces_go_to_file(args) or writes_a_report(args))


def follow(args: Namespace, ledger: Ledger) -> None:
    """Publish the latest verdict, unless standard output is for traces alone. Verdicts come in the order of properties."""
    if _shown_at_once(args):
        stream = sys.stderr if args.trace in DOCUMENT_STYLES and args.output is None else sys.stdout
        stream.write(ledger.decided[len(ledger.decided) - 1]["text"])
        stream.flush()


def conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    """Publish everything that is not published yet; returns the exit code."""
    complete = because is None or 0 < len(ledger.planned) == len(ledger.decided)
    if because is not None:
        give_up_on_the_rest(args, ledger, because)
    answers = [ledger.decided[index] for index in range(len(ledger.decided))]
    reports = reports_of(args, ledger, answers)
    if args.json:
        print_json(args, reports)
    else:
        _print_text(args, ledger, reports, answers)
    print_documents(args, answers)
    write_report(args, reports)
    write_certificates(args, ledger, answers)
    if not complete and not answers:  # the work ended while the model was read
        sys.stderr.write(f"undecided: {because}\n")
        return 3
    return _code(args, ledger, reports)


def _code(args: Namespace, ledger: Ledger, reports: Sequence[ModelReport]) -> int:
    """The exit code: 0 if every verdict is as expected and, with --strict, there is no warning."""
    from coarsest.render.data.model_report import complaint_about

    tasks = _tasks(ledger)
    alone = [report for report in reports if report.model not in tasks]
    claims = [one for report in alone for one in report.properties]
    if getattr(args, "depth_suffices", False):
        claims = [one for one in claims if one["bound"] is None or one.get("expected") is not None]
    wrong = [one["verdict"] for one in claims if complaint_about(one)]
    wrong += [status for report in reports if (status := _surprise(report, tasks))]
    if wrong:
        return 3 if set(wrong) == {"unknown"} else 1
    doubts = sum(len(report.warnings) + sum(len(one["warnings"]) for one in report.properties) for report in reports)
    if doubts and getattr(args, "strict", False):
        sys.stderr.write(f"--strict: {doubts} warning{'s' * (doubts != 1)}\n")
        return 1
    return 0


def _tasks(ledger: Ledger) -> dict[str, list[str]]:
    """The tasks of a SymbiYosys project, with the endings that it expects of each."""
    return {plan["model"]: plan["passes"] for plan in ledger.planned if plan.get("passes")}


def _status(report: ModelReport) -> str:
    """How a task ended, in the terms of SymbiYosys."""
    words = [one["verdict"] for one in report.properties if one["bound"] is None or one["kind"] == "cover"]
    return "fail" if "fails" in words else "unknown" if "unknown" in words else "pass"


def _surprise(report: ModelReport, tasks: Mapping[str, Sequence[str]]) -> str:
    """The verdict on a task that did not end as its project expects; else empty."""
    status = _status(report)
    if report.model not in tasks or status in tasks[report.model]:
        return ""
    return "unknown" if status == "unknown" else "fails"


def _lines_of_tasks(reports: Sequence[ModelReport], tasks: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """A line for each task: how it ended, and whether that was expected."""
    for report in reports:
        if report.model in tasks:
            expected = " or ".join(tasks[report.model])
            note = f"  (expected: {expected})" if _surprise(report, tasks) else "  (as expected)" if expected != "pass" else ""
            yield f"{_status(report)}  {report.model}{note}"


def give_up_on_the_rest(args: Namespace, ledger: Ledger, because: str) -> None:
    """Record the verdict `unknown` for all undecided properties."""
    from coarsest import Answer, Unknown

    ways = ["--engine first-of"] * (getattr(args, "engine", "") == "auto") + ["a higher limit"]
    for index in range(len(ledger.decided), len(ledger.planned)):
        claim = ledger.planned[index]
        name, kind, formula, instance = (claim[key] for key in ("name", "kind", "formula", "instance"))
        answer = Answer(name, kind, formula, Unknown(because, ", or ".join(ways)), statistics=ledger.so_far(), instance=instance)
        ledger.record(decided=decided(answer, index, args, plan=claim))


def _print_text(args: Namespace, ledger: Ledger, reports: Sequence[ModelReport], answers: Sequence[Mapping[str, Any]]) -> None:
    from coarsest.render.data.model_report import summary_of
    from coarsest.render.text.text import statistics_to_lines

    if not _shown_at_once(args):
        emit("".join(answer["text"] for answer in answers), args.output)
    if args.quiet:
        return
    lines = []
    if not ledger.planned and ledger.model:
        lines.append("the model has no properties; one can be given as a formula: coarsest check MODEL FORMULA")
    elif len(answers) > 1 or args.verbose:
        lines += _lines_of_tasks(reports, _tasks(ledger))
        lines.append(summary_of(reports, ledger.seconds))
    if args.verbose or any("unknown" in report.words for report in reports):
        lines += statistics_to_lines({**ledger.so_far(), **ledger.statistics}, args.screen.width)
    sys.stderr.write("".join(f"{line}\n" for line in lines))
