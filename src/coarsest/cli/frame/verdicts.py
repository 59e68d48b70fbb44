"""Publishing the verdicts of `check`: as soon as they are known, and the rest at the end, however it came."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coarsest.cli.frame.arguments import DOCUMENT_STYLES, WITNESS_STYLES
from coarsest.cli.frame.endings import is_page
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit, require_writable
from coarsest.errors import InputError
from coarsest.files import read_contents, write_whole

if TYPE_CHECKING:
    from coarsest import Answer, Property
    from coarsest.model.machine import Machine
    from coarsest.render.text.text import Look


CIRCUITS = (".aag", ".aig")
"""Certificates in files that end so are circuits."""


def planned(claim: Property) -> dict[str, str]:
    """A property that is going to be decided, for the ledger."""
    return {"name": claim.name, "kind": str(claim.kind), "formula": claim.text, "instance": claim.module}


def decided(
    answer: Answer, index: int, args: Namespace, claim: Property | None = None, machine: Machine | None = None
) -> dict[str, Any]:
    """An answer in every form in which it may have to be published, for the ledger."""
    from coarsest.render.data.json import answer_to_object
    from coarsest.render.text.text import answer_to_text

    text = answer_to_text(answer, _look(args)) + "\n"
    document = _document(answer, args, claim, machine)
    found = {"index": index, "object": answer_to_object(answer), "text": text, "document": document}
    return {**found, "row": _row(answer, args), "proof": _proof(answer, claim)}


def _row(answer: Answer, args: Namespace) -> str | None:
    """A row of the page, where one is asked for."""
    if not _writes_a_page(args):
        return None
    from coarsest.render.page.html import answer_to_row

    return answer_to_row(answer)


def _proof(answer: Answer, claim: Property | None) -> dict[str, Any] | None:
    """The certificate of a property that holds, where one was made."""
    if claim is None:
        return None
    from coarsest.render.data.proof_json import proof_to_object

    return proof_to_object(answer, claim)


def _document(answer: Answer, args: Namespace, claim: Property | None, machine: Machine | None) -> str | None:
    """The trace as a file of its own, where one is asked for."""
    if args.trace not in DOCUMENT_STYLES:
        return None
    if args.trace in WITNESS_STYLES:
        from coarsest.render.data.witness import answer_to_witness

        return None if claim is None or machine is None else answer_to_witness(args.trace, answer, machine, claim)
    from coarsest.api.walks import evidence_to_text

    return evidence_to_text(answer, style=args.trace, name=args.model)


def _look(args: Namespace) -> Look:
    from coarsest.render.text.text import Look

    colour = args.screen.colour and (args.output is None or _traces_go_to_file(args))
    unicode = args.screen.unicode or args.output is not None
    return Look(args.trace, args.screen.width, colour, quiet=args.quiet, verbose=args.verbose, unicode=unicode)


def _traces_go_to_file(args: Namespace) -> bool:
    return args.trace in DOCUMENT_STYLES and args.output is not None


def _writes_a_page(args: Namespace) -> bool:
    page = args.output is not None and is_page(args.output)
    return page and not args.json and args.trace not in DOCUMENT_STYLES


def _shown_at_once(args: Namespace) -> bool:
    return not args.json and (args.output is None or _traces_go_to_file(args) or _writes_a_page(args))


def follow(args: Namespace, ledger: Ledger) -> None:
    """Publish the newest verdict (they come in the order of the properties), unless standard output is for traces alone."""
    if _shown_at_once(args):
        stream = sys.stderr if args.trace in DOCUMENT_STYLES and args.output is None else sys.stdout
        stream.write(ledger.decided[len(ledger.decided) - 1]["text"])
        stream.flush()


def conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    """Publish what is not yet published; the exit code."""
    complete = because is None or 0 < len(ledger.planned) == len(ledger.decided)
    if because is not None:
        _give_up_on_the_rest(args, ledger, because)
    answers = [ledger.decided[index] for index in range(len(ledger.decided))]
    words = [_word(answer["object"]) for answer in answers]
    if args.json:
        _print_json(args, ledger, answers)
    else:
        _print_text(args, ledger, answers, words)
    _print_documents(args, answers)
    _write_page(args, ledger, answers, words)
    _write_certificates(args, ledger, answers)
    if not complete and not answers:  # ended while reading
        sys.stderr.write(f"undecided: {because}\n")
        return 3
    return 1 if "fails" in words else 3 if "unknown" in words else 0


def _word(thing: dict[str, Any]) -> str:
    """The verdict; a number that was asked for is none."""
    return "computed" if thing["kind"] == "compute" and thing["verdict"] == "holds" else str(thing["verdict"])


def _give_up_on_the_rest(args: Namespace, ledger: Ledger, because: str) -> None:
    from coarsest import Answer, Unknown

    for index in range(len(ledger.decided), len(ledger.planned)):
        claim = ledger.planned[index]
        name, kind, formula, instance = (claim[key] for key in ("name", "kind", "formula", "instance"))
        answer = Answer(name, kind, formula, Unknown(because), statistics=ledger.so_far(), instance=instance)
        ledger.record(decided=decided(answer, index, args))


def _print_json(args: Namespace, ledger: Ledger, answers: list[dict[str, Any]]) -> None:
    from coarsest.render.data.json import check_to_object, object_to_text

    report = check_to_object(
        ledger.model or args.model,
        [answer["object"] for answer in answers],
        warnings=ledger.warnings,
        seconds=round(ledger.seconds, 6),
        statistics=ledger.statistics or ledger.so_far(),
    )
    emit(object_to_text(report) + "\n", None if _traces_go_to_file(args) else args.output)


def _print_text(args: Namespace, ledger: Ledger, answers: list[dict[str, Any]], words: list[str]) -> None:
    from coarsest.render.text.text import statistics_to_lines, summary_line

    if not _shown_at_once(args):
        emit("".join(answer["text"] for answer in answers), args.output)
    if args.quiet:
        return
    lines = []
    if not ledger.planned and ledger.model:
        lines.append("the model has no properties; one can be given as a formula: coarsest check MODEL FORMULA")
    elif len(words) > 1 or args.verbose:
        lines.append(summary_line(words, ledger.seconds))
    if args.verbose or "unknown" in words:
        lines += statistics_to_lines({**ledger.so_far(), **ledger.statistics}, args.screen.width)
    sys.stderr.write("".join(f"{line}\n" for line in lines))


def _write_page(args: Namespace, ledger: Ledger, answers: list[dict[str, Any]], words: list[str]) -> None:
    if not _writes_a_page(args):
        return
    from coarsest.render.page.report_page import report_page
    from coarsest.render.text.text import summary_line

    title, summary = ledger.model or args.model, summary_line(words, ledger.seconds)
    emit(report_page(title, summary, [answer["row"] for answer in answers], ledger.warnings), args.output)


def _write_certificates(args: Namespace, ledger: Ledger, answers: list[dict[str, Any]]) -> None:
    """One file with all certificates; a property that holds without one is mentioned."""
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
    """The certificates of a circuit as a circuit."""
    from coarsest.render.data.witness_circuit import witness_file

    bad = [proof for proof in proofs if proof["kind"] == "invariant"]
    for proof in proofs:
        if proof not in bad:
            sys.stderr.write(f"note: there is no circuit that shows that {proof['name'] or proof['formula']} holds\n")
    write_whole(output, witness_file(read_contents(model), bad, binary=output.endswith(".aig")))


def require_certificate(model: str, output: str | None) -> None:
    """Complain before the work about a file that cannot take a certificate, or would be a circuit where the model is none."""
    require_writable(output)
    if output is not None and output.endswith(CIRCUITS) and not model.endswith(CIRCUITS):
        message = f"'{output}' would be a certificate as a circuit, and the model is no file of AIGER"
        raise InputError(message, hint="name a file that ends in .json, or convert the model to AIGER and check that")


def _print_documents(args: Namespace, answers: list[dict[str, Any]]) -> None:
    """Traces as files of their own: the first where it was asked for, further ones beside it."""
    documents = [answer["document"] for answer in answers if answer["document"] is not None]
    if args.output is not None:
        path = Path(args.output)
        for number, document in enumerate(documents, start=1):
            emit(document, args.output if number == 1 else str(path.with_name(f"{path.stem}-{number}{path.suffix}")))
        if not documents and _traces_go_to_file(args) and not args.quiet:
            sys.stderr.write(f"note: there is no trace to write to {args.output}\n")
    elif args.json:
        return  # the traces are in the report
    elif args.trace == "json":
        emit("".join(documents))
    elif documents:
        emit(documents[0])
        if len(documents) > 1:
            sys.stderr.write(f"note: {len(documents) - 1} more traces are not shown: with -o FILE each gets a file\n")
