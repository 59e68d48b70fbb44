"""coarsest: checks finite-state systems and shrinks them.

>>> import coarsest
>>> model = coarsest.loads("MODULE main VAR on : boolean; ASSIGN init(on) := FALSE; next(on) := !on;")
>>> model.check("AG !on").holds
False
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "Graph", "InputError", "Model", "Reach", "Report", "__version__", "algorithms", "automaton", "compare", "confirm", "load",
    "loads", "read_graph",
]  # fmt: skip

if TYPE_CHECKING:
    from coarsest.api.compare import compare
    from coarsest.api.confirm import confirm
    from coarsest.api.graph import Graph, read_graph
    from coarsest.api.model import Model, algorithms, automaton, load, loads
    from coarsest.api.results import Reach, Report
    from coarsest.errors import InputError


def __getattr__(name: str) -> Any:
    if name == "InputError":
        from coarsest.errors import InputError

        return InputError
    # The interface is imported when it is first used: `coarsest --version` does not need it.
    if name == "compare":
        from coarsest.api.compare import compare

        return compare
    if name == "confirm":
        from coarsest.api.confirm import confirm

        return confirm
    if name in ("Graph", "read_graph"):
        from coarsest.api import graph

        return getattr(graph, name)
    if name in __all__:
        from coarsest.api import model

        return getattr(model, name)
    raise AttributeError(f"module 'coarsest' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__
