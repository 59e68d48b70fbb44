"""coarsest: checks finite-state systems and shrinks them.

>>> import coarsest
>>> model = coarsest.loads("MODULE main VAR on : boolean; ASSIGN init(on) := FALSE; next(on) := !on;")
>>> model.check("AG !on").holds
False

All that `docs/python-api.md` describes can be imported from here. Everything else is our own, and may change.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from coarsest.api.assume import assume, maximal_model
    from coarsest.api.automata import AssertionGraph, Automaton, automaton, read_assertion_graphs, read_automaton
    from coarsest.api.comparing.compare import compare, spectrum
    from coarsest.api.confirm import confirm
    from coarsest.api.convert import convert
    from coarsest.api.designs import load_design
    from coarsest.api.drawings.draw import draw
    from coarsest.api.graph import Graph, read_graph
    from coarsest.api.model import Model, algorithms, load, loads
    from coarsest.api.prove import prove
    from coarsest.api.results import Confirmation, Reach, Report
    from coarsest.api.tables import reduce_tables
    from coarsest.api.walks import trace_to_text
    from coarsest.errors import CoarsestError, EvidenceRejected, InputError, LimitExceeded
    from coarsest.evidence.explanation import Explanation
    from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown
    from coarsest.lts.compare.comparison import Comparison
    from coarsest.lts.spectrum.verdicts import Spectrum
    from coarsest.model.machine import Property
    from coarsest.model.trace import Trace
    from coarsest.run import Event, Limits, Run

_PLACES = {
    "api.assume": ("assume", "maximal_model"),
    "api.automata": ("AssertionGraph", "Automaton", "automaton", "read_assertion_graphs", "read_automaton"),
    "api.comparing.compare": ("compare", "spectrum"),
    "api.confirm": ("confirm",),
    "api.convert": ("convert",),
    "api.drawings.draw": ("draw",),
    "api.graph": ("Graph", "read_graph"),
    "api.designs": ("load_design",),
    "api.model": ("Model", "algorithms", "load", "loads"),
    "api.prove": ("prove",),
    "api.results": ("Confirmation", "Reach", "Report"),
    "api.tables": ("reduce_tables",),
    "api.walks": ("trace_to_text",),
    "errors": ("CoarsestError", "EvidenceRejected", "InputError", "LimitExceeded"),
    "evidence.explanation": ("Explanation",),
    "evidence.verdict": ("Answer", "Fails", "Holds", "Unknown"),
    "lts.compare.comparison": ("Comparison",),
    "lts.spectrum.verdicts": ("Spectrum",),
    "model.machine": ("Property",),
    "model.trace": ("Trace",),
    "run": ("Event", "Limits", "Run"),
}
"""Where each name is. It is imported when it is first used: `coarsest --version` needs none of them."""

__all__ = [
    "Answer", "AssertionGraph", "Automaton", "CoarsestError", "Comparison", "Confirmation", "Event", "EvidenceRejected",
    "Explanation", "Fails", "Graph", "Holds", "InputError", "LimitExceeded", "Limits", "Model", "Property", "Reach", "Report",
    "Run", "Spectrum", "Trace", "Unknown", "__version__", "algorithms", "assume", "automaton", "compare", "confirm", "convert",
    "draw", "load", "load_design", "loads", "maximal_model", "prove",
    "read_assertion_graphs", "read_automaton", "read_graph", "reduce_tables", "spectrum",
    "trace_to_text",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    for place, names in _PLACES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f"coarsest.{place}"), name)
    from coarsest.text.near import nearest

    near = [] if name.startswith("_") else nearest(name, __all__) or nearest(name.lower(), __all__)
    raise AttributeError(f"module 'coarsest' has no attribute '{name}'{f'; did you mean {near[0]!r}?' if near else ''}")


def __dir__() -> list[str]:
    return __all__
