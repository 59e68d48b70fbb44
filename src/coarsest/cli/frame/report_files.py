"""Output about all verdicts together: JSON, reports, traces and certificates."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coarsest.cli.frame.arguments import DOCUMENT_STYLES
from coarsest.cli.frame.endings import ending_of
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit, require_writable
from coarsest.errors import InputError
from coarsest.files import read_contents, write_whole

if TYPE_CHECKING:
    from coarsest.render.data.model_report import ModelReport

CIRCUITS = (".aag", ".aig")
"""Endings of certificates that are circuits."""


def traces_go_to_file(args: Namespace) -> bool:
    return args.trace in DOCUMENT_STYLES and args.output is not None


def writes_a_report(args: Namespace) -> bool:
    """Is a report written beside standard output?"""
    return args.form in ("html", "markdown", "junit", "sarif")


def reports_of(args: Namespace, ledger: Ledger, answers: Sequence[dict[str, Any]]) -> list[ModelReport]:
    """A report for each model, in the order of checking; at least one."""
    from coarsest.render.data.model_report import ModelReport

    models = list(dict.fromkeys(plan.get("model") or ledger.model for plan in ledger.planned)) or [ledger.model]
    alone = len(models) == 1
    reports = []
    for model in models:
        own = [one for one, plan in zip(answers, ledger.planned) if alone or plan["model"] == model]
        reports.append(
            ModelReport(
                model=model or args.model,
                properties=[answer["object"] for answer in own],
                texts=[answer["whole"] or answer["text"] for answer in own],
                rows=[answer["row"] or "" for answer in own],
                warnings=[text for text, about in zip(ledger.warnings, ledger.warned_of) if alone or about == model],
                seconds=ledger.seconds if alone else sum(answer["object"]["seconds"] for answer in own),
                statistics=ledger.statistics_of.get(model) or (ledger.so_far() if alone else {}),
            )
        )
    return reports


def print_json(args: Namespace, reports: Sequence[ModelReport]) -> None:
    """Print one object: the report, or an object with the reports of several models."""
    from coarsest.render.data.json import SCHEMA, object_to_text

    objects = [report.to_object() for report in reports]
    whole = objects[0] if len(objects) == 1 else {"schema": SCHEMA, "reports": objects}
    emit(object_to_text(whole) + "\n", None if traces_go_to_file(args) else args.output)


def write_report(args: Namespace, reports: Sequence[ModelReport]) -> None:
    """Write the report file that the ending of the output chooses."""
    match args.form:
        case "html":
            from datetime import UTC, datetime

            from coarsest import __version__
            from coarsest.render.page.report_page import report_page

            when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
            emit(report_page(reports, command=args.typed, when=when, version=__version__), args.output)
        case "markdown":
            from coarsest.render.text.markdown import reports_to_markdown

            emit(reports_to_markdown(reports), args.output)
        case "junit":
            from coarsest.render.data.junit import junit

            emit(junit(reports), args.output)
        case "sarif":
            from coarsest import __version__
            from coarsest.render.data.sarif import sarif

            emit(sarif(reports, version=__version__), args.output)


def write_certificates(args: Namespace, ledger: Ledger, answers: list[dict[str, Any]]) -> None:
    """Write all certificates to a file; note each property that holds without one."""
    output = getattr(args, "certificate", None)  # not every command that publishes verdicts writes them
    if output is None:
        return
    from coarsest.render.data.json import object_to_text
    from coarsest.render.data.proof_json import proofs_to_object

    proofs = [answer["proof"] for answer in answers if answer["proof"] is not None]
    if output.endswith(CIRCUITS):
        _write_circuit(args.model, output, proofs)
    else:
        emit(object_to_text(proofs_to_object(ledger.model or args.model, proofs), indent=None) + "\n", output)
    for answer in answers:
        shown = answer["object"]
        if shown["verdict"] == "holds" and answer["proof"] is None and not args.quiet:
            because = f": {shown['doubt']}" if shown["doubt"] else ""
            sys.stderr.write(f"note: there is no certificate that {shown['name'] or shown['formula']} holds{because}\n")


def _write_circuit(model: str, output: str, proofs: list[dict[str, Any]]) -> None:
    """Write the certificates of a circuit as a circuit."""
    from coarsest.render.data.witness_circuit import witness_file

    bad = [proof for proof in proofs if proof["kind"] == "invariant"]
    for proof in proofs:
        if proof not in bad:
            sys.stderr.write(f"note: there is no circuit that shows that {proof['name'] or proof['formula']} holds\n")
    write_whole(output, witness_file(read_contents(model), bad, binary=output.endswith(".aig")))


def require_certificate(model: str, output: str | None) -> None:
    """Raise InputError before the work if the certificate cannot be written, or would be a circuit for another model."""
    require_writable(output)
    if output is not None and output.endswith(CIRCUITS) and not model.endswith(CIRCUITS):
        message = f"'{output}' would be a certificate as a circuit, and the model is not an AIGER file"
        raise InputError(message, hint="name a file that ends in .json, or convert the model to AIGER and check that")


def print_documents(args: Namespace, answers: list[dict[str, Any]]) -> None:
    """Write traces as documents: the first to the output, further ones to numbered files beside it."""
    documents = [document for answer in answers for document in answer["documents"] if document is not None]
    if args.output is not None:
        path = Path(args.output)
        cut = len(path.name) - len(ending_of(path.name))
        stem, ending = path.name[:cut], path.name[cut:]
        for number, document in enumerate(documents, start=1):
            emit(document, args.output if number == 1 else str(path.with_name(f"{stem}-{number}{ending}")))
        if not documents and traces_go_to_file(args) and not args.quiet:
            sys.stderr.write(f"note: there is no trace to write to {args.output}\n")
    elif args.json:
        return  # the traces are in the report
    elif args.trace == "json":
        emit("".join(documents))
    elif documents:
        emit(documents[0])
        if len(documents) > 1:
            sys.stderr.write(f"note: {len(documents) - 1} more traces are not shown: with -o FILE each gets a file\n")
