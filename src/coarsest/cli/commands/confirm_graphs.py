"""`coarsest confirm` for certificates about graphs."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest.lts.certificates import GraphCertificate
    from coarsest.run import Run


def check(models: Sequence[str], thing: Mapping[str, Any], args: Namespace, run: Run) -> dict[str, Any]:
    """Check a certificate against one graph, or against two."""
    if len(models) > 2:
        raise InputError(f"a certificate is about one graph or two, not {len(models)}", hint="coarsest confirm A B EVIDENCE")
    from coarsest.formats import read_graph
    from coarsest.lts.certificate_json import certificate_of
    from coarsest.lts.judge.confirm_graphs import confirm_comparison, confirm_graph
    from coarsest.lts.relations import judge_of

    certificate = certificate_of(thing, args.evidence)
    graphs = [read_graph(path, format=args.format, run=run) for path in models]
    run.step("confirm", states=sum(graph.states for graph in graphs))
    judge = judge_of(certificate)
    if len(graphs) == 1:
        outcome = confirm_graph(graphs[0], certificate, judge)
    else:
        outcome = confirm_comparison(graphs[0], graphs[1], certificate, judge)
    return {
        "relation": certificate.relation,
        "accepted": outcome.accepted,
        "reason": outcome.problem or None,
        "shows": _shown(models, certificate, outcome.facts),
        "statistics": outcome.facts,
    }


def _shown(models: Sequence[str], certificate: GraphCertificate, facts: Mapping[str, Any]) -> str:
    relation = certificate.relation.removesuffix("-divergence")
    if len(models) == 2:
        preorder = getattr(certificate, "preorder", False)
        if preorder:
            return f"{models[0]} is below {models[1]} in the {relation} preorder"
        return f"{models[0]} and {models[1]} are related by {certificate.relation}"
    if certificate.kind == "simulation":
        return f"a {relation} between {facts.get('blocks')} blocks"
    smallest = ", and no coarser one is" if facts.get("minimal") else ""
    return f"the partition into {facts.get('blocks')} blocks is a {certificate.relation}{smallest}"
