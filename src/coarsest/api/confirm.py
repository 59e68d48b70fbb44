"""confirm: evidence checked by code that is independent of the engines.

>>> from coarsest import Graph
>>> graph = Graph.from_edges(3, [0, 0], [0, 0], [1, 2], action_names=("a",))
>>> confirm(graph.certify(minimal=True), graph).shows
'the partition into 2 blocks is a bisimulation, and no coarser one is'
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from coarsest.api.options import CONFIRM_EVIDENCE, ConfirmOptions
from coarsest.api.results import Confirmation
from coarsest.errors import EvidenceRejected, InputError, SyntaxProblem
from coarsest.files import read_text
from coarsest.formats import FileKind, kind_of
from coarsest.options.option import require_about
from coarsest.run import Run
from coarsest.text import Source, Span

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords
    from coarsest.api.model import Model
    from coarsest.automata.automaton_claim import AutomatonClaim
    from coarsest.lts.certificates import GraphCertificate
    from coarsest.lts.fair import FairGraph
    from coarsest.lts.labelled import Graph

    System: TypeAlias = Model | Graph | str | os.PathLike[str]

KINDS = ("partition", "simulation", "inclusion", "strategy", "lassos", "answers", "words", "properties", "trace")
"""The kinds of evidence: certificates about graphs, proofs of properties, and counterexamples."""


def confirm(
    evidence: Mapping[str, Any] | GraphCertificate | str | os.PathLike[str],
    *systems: System,
    format: str | None = None,
    run: Run | None = None,
    **options: Unpack[keywords.ConfirmWords],
) -> Confirmation:
    """Check evidence against the systems that it is about: graphs or models, or their files.

    Evidence is a certificate about graphs; or a JSON file, or its object: a certificate, a trace, or a report of `check`; or a
    file of AIGER witnesses (.wit) from any program. For traces about automata, `automata` names the files that `check` got.
    Evidence may also be a table of states and classes (.csv, .parquet) of a graph in another table; the other options are for
    these.
    """
    run, how, name = Run.given(run), CONFIRM_EVIDENCE.read(ConfirmOptions, options), "the evidence"
    if isinstance(evidence, str | os.PathLike):
        name = os.fspath(evidence)
        if kind_of(name) is FileKind.TABLE:
            return _confirm_table(name, systems, format, how, run)
        from coarsest.formats.aiger.witness import is_witness

        source = read_text(name)
        if is_witness(source):
            return _confirm_witnesses(source, systems, format, how, run)
        evidence = evidence_of(source)
    if not isinstance(evidence, Mapping) and not hasattr(evidence, "kind"):
        hint = "evidence comes first, then what it is about: confirm(evidence, model)"
        raise InputError(f"evidence is a file, an object of JSON or a certificate, found {evidence!r:.40}", hint=hint)
    kind = _kind(evidence, name) if isinstance(evidence, Mapping) else evidence.kind
    require_about((how,), ("traces" if kind == "trace" else "certificates",))
    if not isinstance(evidence, Mapping):
        _require_one_or_two(systems)
        return _confirm_graphs(evidence, systems, format, run)
    if kind in KINDS[:-2]:
        from coarsest.lts.certificate_json import certificate_of

        _require_one_or_two(systems)
        return _confirm_graphs(certificate_of(evidence, name), systems, format, run)
    return _confirm_model(kind, evidence, systems, how, format=format, run=run)


def _confirm_model(
    kind: str, evidence: Mapping[str, Any], systems: Sequence[System], how: ConfirmOptions, *, format: str | None, run: Run
) -> Confirmation:
    """Check certificates of properties, or traces."""
    about = "certificates of properties" if kind == "properties" else "traces"
    if len(systems) != 1:
        raise InputError(f"{about} are about one model, but {len(systems)} are named")
    if kind == "properties":
        return _confirm_properties(evidence, _model(systems[0], format), run)
    traces = list(_traces(evidence))
    _require_automata_fit(how.automata, traces)
    model = _model(systems[0], format)
    return _confirm_traces(traces, model, [model.never(path) for path in how.automata], run)


def _confirm_table(partition: str, systems: Sequence[System], format: str | None, how: ConfirmOptions, run: Run) -> Confirmation:
    """Is a table of states and classes a bisimulation of the graph in another table, and the coarsest?"""
    from coarsest.api.tables import confirm_table

    require_about((how,), ("graphs in tables",))
    if len(systems) != 1 or not isinstance(systems[0], str | os.PathLike):
        raise InputError("a table of classes is about one graph", hint="coarsest confirm edges.parquet classes.parquet")
    if format is not None:
        raise InputError("--format has no meaning for graphs in tables: their names determine it", hint="leave --format out")
    table = os.fspath(systems[0])
    return confirm_table(
        table, partition, columns=how.columns, states=how.states, coarsest=how.coarsest, scratch=how.scratch, run=run
    )


def evidence_of(source: Source) -> dict[str, Any]:
    """The JSON object of a text."""
    from coarsest.logic.words import LONGEST_NUMBER, integer_constant

    # Reading a number takes time quadratic in its digits; if there may be a long one, all are checked.
    long = re.search(rf"[0-9]{{{LONGEST_NUMBER + 1}}}", source.text)
    try:
        number = None if long is None else partial(integer_constant, span=Span(source, *long.span()))
        evidence = json.loads(source.text, parse_int=number)
    except json.JSONDecodeError as error:
        place = min(error.pos, max(0, len(source.text) - 1))
        span = Span(source, place, place + 1)
        raise SyntaxProblem(f"this is not JSON: {error.msg}", span, hint="certificates are JSON objects") from error
    except RecursionError as error:
        raise SyntaxProblem("this JSON is nested too deeply", hint="certificates are JSON objects") from error
    if not isinstance(evidence, dict):
        raise SyntaxProblem(f"{source.name} is not a certificate: expected a JSON object", hint="certificates are JSON objects")
    return evidence


def _kind(evidence: Mapping[str, Any], name: str) -> str:
    """The kind of evidence; a trace alone and a report of `check` are traces."""
    is_trace = "states" in evidence or ("properties" in evidence and "model" in evidence)
    kind = "trace" if is_trace else evidence.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        hint = f"kinds of evidence are {', '.join(KINDS)}"
        raise InputError(f"{name} contains no known kind of evidence: its kind is {kind!r}", hint=hint)
    return kind


def _require_one_or_two(systems: Sequence[System]) -> None:
    if len(systems) not in (1, 2):
        raise InputError(f"a certificate is about one graph or two, not {len(systems)}", hint="coarsest confirm A B EVIDENCE")


def _model(system: System, format: str | None) -> Model:
    from coarsest.api.model import Model, load_model

    if isinstance(system, str | os.PathLike):
        return load_model(system, format=format)
    if not isinstance(system, Model):
        raise InputError("this evidence is about a model, not about a graph")
    return system


def _graph(system: System, format: str | None, run: Run) -> Graph:
    from coarsest.api.graph import read_graph
    from coarsest.lts.labelled import Graph

    if isinstance(system, str | os.PathLike):
        return read_graph(system, format=format, run=run)
    if not isinstance(system, Graph):
        raise InputError("this evidence is about graphs, not about models")
    return system


def _graphs(
    certificate: GraphCertificate, systems: Sequence[System], format: str | None, run: Run
) -> Sequence[Graph | FairGraph]:
    """The graphs that a certificate is about, with fairness if it needs it."""
    from coarsest.api.comparing.compare import fair_graphs, read_system
    from coarsest.api.model import Model
    from coarsest.lts.relations import relations

    relation = relations().get(certificate.relation)
    if relation is None or not relation.fair:
        return [_graph(system, format, run) for system in systems]
    read = [read_system(one, format=format, by=relation.name, run=run) if isinstance(one, str | os.PathLike) else one
            for one in systems]  # fmt: skip
    graphs = [one for one in read if not isinstance(one, Model)]
    if len(graphs) < len(read):
        raise InputError("this evidence is about graphs, not about models")
    return fair_graphs(graphs, run)


def _confirm_graphs(certificate: GraphCertificate, systems: Sequence[System], format: str | None, run: Run) -> Confirmation:
    """Check a certificate against one graph, or against two."""
    from coarsest.lts.fair import as_plain
    from coarsest.lts.judge.confirm_graphs import confirm_comparison, confirm_graph
    from coarsest.lts.relations import judge_of

    graphs = _graphs(certificate, systems, format, run)
    run.step("confirm", states=sum(as_plain(graph).states for graph in graphs))
    judge = judge_of(certificate)
    if len(graphs) == 1:
        outcome = confirm_graph(graphs[0], certificate, judge)
    else:
        outcome = confirm_comparison(graphs[0], graphs[1], certificate, judge)
    names = [str(system) if isinstance(system, str | os.PathLike) else f"the {nth} graph"
             for system, nth in zip(systems, ("first", "second"))]  # fmt: skip
    return Confirmation(
        certificate.kind, outcome.accepted, outcome.problem or None, _shown_of_graphs(names, certificate, outcome.facts),
        certificate.relation, statistics=outcome.facts,
    )  # fmt: skip


def _shown_of_graphs(names: Sequence[str], certificate: GraphCertificate, facts: Mapping[str, Any]) -> str:
    from coarsest.lts.certificates import LassoCertificate, StrategyCertificate

    relation = certificate.relation.removesuffix("-divergence")
    if len(names) == 2:
        if isinstance(certificate, StrategyCertificate | LassoCertificate) and certificate.refutes:
            return f"{names[0]} and {names[1]} are not related by {relation}{' preorder' if certificate.preorder else ''}"
        if getattr(certificate, "preorder", False):
            return f"{names[0]} is below {names[1]} in the {relation} preorder"
        return f"{names[0]} and {names[1]} are related by {certificate.relation}"
    if certificate.kind == "simulation":
        return f"a {relation} between {facts.get('blocks')} blocks"
    smallest = ", and no coarser one is" if facts.get("minimal") else ""
    return f"the partition into {facts.get('blocks')} blocks is a {certificate.relation}{smallest}"


def _confirm_properties(evidence: Mapping[str, Any], model: Model, run: Run) -> Confirmation:
    """Is every certificate of the file a proof? This loads no engine."""
    from coarsest.evidence.effort import NotConfirmed
    from coarsest.evidence.sat.certificate_file import confirm as proofs

    confirmed: list[dict[str, Any]] = []
    conclude = partial(Confirmation, "properties", properties=confirmed)
    try:
        for claim, proof in proofs(model.machine, dict(evidence), model.formula, run):
            about = {"name": claim.name, "kind": str(claim.kind), "formula": claim.formula}
            confirmed.append({**about, "conditions": proof.conditions})
    except EvidenceRejected as problem:
        return conclude(False, f"{_number(len(confirmed))} certificate: {problem}")
    except NotConfirmed as reason:
        return conclude(None, f"{_number(len(confirmed))} certificate: {reason}")
    if not confirmed:
        return conclude(False, "the file has no certificate")
    lines = [f"{one['formula']} holds ({one['kind']}, {one['conditions']} conditions)" for one in confirmed]
    return conclude(True, None, lines[0] if len(lines) == 1 else "\n  ".join([f"{len(lines)} properties", *lines]))


def _number(place: int) -> str:
    return ("first", "second", "third")[place] if place < 3 else f"{place + 1}th"


def _require_automata_fit(automata: Sequence[str | os.PathLike[str]], traces: Sequence[Mapping[str, Any]]) -> None:
    """Raise InputError unless the user named automata exactly if there is a trace about one."""
    stated = next((one for one in traces if one.get("kind") == "automaton"), None)
    if stated is not None and not automata:
        raise InputError(f"{_about(stated)} is about an automaton, which must be at hand", hint="name its file with --automaton")
    if stated is None and automata:
        raise InputError("--automaton is for traces about automata, and this evidence has none", hint="leave --automaton out")


def _about(trace: Mapping[str, Any]) -> str:
    """The property that a trace claims to be about, shortened if it is long."""
    return f"the trace of {str(trace.get('name') or trace.get('formula') or 'no formula')[:200]}"


def _confirm_traces(
    traces: Sequence[Mapping[str, Any]], model: Model, automata: Sequence[AutomatonClaim], run: Run
) -> Confirmation:
    """Is every trace of the file a path of the model that violates its property?"""
    from coarsest.evidence.effort import NotConfirmed
    from coarsest.evidence.stated_property import text_of
    from coarsest.explain.trace_file import confirm_stated

    confirmed: list[dict[str, Any]] = []
    conclude = partial(Confirmation, "trace", properties=confirmed)
    for one in traces:
        run.step("replay", traces=len(confirmed))
        try:
            claim, trace, besides = confirm_stated(model.machine, one, model.formula, run, automata)
        except (EvidenceRejected, InputError) as problem:
            what = problem.diagnostic.message if isinstance(problem, InputError) else problem  # without its place
            return conclude(False, f"{_about(one)}: {what}")
        except NotConfirmed as reason:
            return conclude(None, f"{_about(one)}: {reason}")
        as_stated = claim.kind.place is None  # the kind has no formula
        text = claim.text if as_stated else text_of(claim)
        stated = {"name": claim.name, "kind": str(claim.kind), "formula": text, "instance": claim.module or None}
        confirmed.append({**stated, "states": len(trace), "loop": trace.loop, "false": not claim.kind.has_witnesses,
                          "besides": besides or None})  # fmt: skip
    if not confirmed:
        return conclude(False, "the file has no trace of a property that fails")
    return conclude(True, None, "\n  ".join(_shown_of_traces(confirmed)))


def _confirm_witnesses(
    source: Source, systems: Sequence[System], format: str | None, how: ConfirmOptions, run: Run
) -> Confirmation:
    """Does every AIGER witness violate its properties?"""
    from coarsest.evidence.replay.witness import property_of, trace_of_witness
    from coarsest.explain.replay import confirm_counterexample
    from coarsest.formats.aiger.witness import read_witnesses

    require_about((how,), ("witnesses of AIGER",))
    if len(systems) != 1:
        raise InputError("witnesses of AIGER are about one circuit", hint="coarsest confirm CIRCUIT.aig WITNESS.wit")
    witnesses, model = read_witnesses(source), _model(systems[0], format)
    confirmed: list[dict[str, Any]] = []
    conclude = partial(Confirmation, "trace", properties=confirmed)
    for witness in witnesses:
        for letter, number in witness.properties:
            run.step("replay", witnesses=len(confirmed))
            try:
                claim = property_of(model.machine, letter, number)
                trace = trace_of_witness(model.machine, claim, witness.latches, witness.inputs)
                confirm_counterexample(model.machine, claim, trace, run)
            except EvidenceRejected as problem:
                return conclude(False, f"the witness of {letter}{number}: {problem}")
            stated = {"name": claim.name, "kind": str(claim.kind), "formula": claim.text, "instance": None}
            confirmed.append({**stated, "states": len(trace), "loop": trace.loop, "false": True, "besides": None})
    if not confirmed:
        return conclude(False, "the file has no witness of a property that fails")
    return conclude(True, None, "\n  ".join(_shown_of_traces(confirmed)))


def _traces(evidence: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if "states" in evidence:
        yield dict(evidence)
        return
    properties = evidence["properties"]
    for one in properties if isinstance(properties, list) else []:
        if not isinstance(one, dict) or not isinstance(one.get("trace"), dict):
            continue
        if one.get("verdict") == ("holds" if _has_witnesses(one) else "fails"):
            yield {**one["trace"], **{key: one.get(key) for key in ("name", "kind", "formula", "instance")}}


def _has_witnesses(stated: Mapping[str, Any]) -> bool:
    from coarsest.model.kinds import kind_named

    kind = kind_named(str(stated.get("kind")))
    return kind is not None and kind.has_witnesses


def _shown_of_traces(confirmed: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(confirmed) > 1:
        yield f"{len(confirmed)} traces"
    for one in confirmed:
        form = "lasso" if one["loop"] is not None else "path"
        size = f"{form} of {one['states']} state{'s' * (one['states'] != 1)}"
        besides = f"; {one['besides']}" if one["besides"] else ""
        yield f"{one['formula']} {'is reached' if _has_witnesses(one) else 'fails'} ({one['kind']}, {size}{besides})"
