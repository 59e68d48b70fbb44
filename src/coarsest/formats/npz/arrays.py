"""Graphs as arrays of NumPy in one file (`.npz`), which `numpy.savez` writes and `numpy.load` reads.

`sources`, `actions` and `targets` have an entry for each transition. `offsets` may replace `sources`: then the transitions of
state i are the entries `offsets[i]` to `offsets[i + 1]`. The other arrays may be left out: `states` is the number of states,
`initial` lists the initial states (by default, the first state), `labels` has the number of each state's label, and
`action_names` and `label_names` have the names of these numbers (by default, the numbers themselves).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from coarsest.errors import SyntaxProblem
from coarsest.files import Contents
from coarsest.formats.aut.explain import too_many_idle
from coarsest.run import Run
from coarsest.text import MOST_COUNTED

if TYPE_CHECKING:
    from zipfile import ZipFile

    from numpy.typing import NDArray

    from coarsest.lts.labelled import Graph

MAGIC = b"PK"
KNOWN = ("sources", "offsets", "actions", "targets", "states", "initial", "labels", "action_names", "label_names")
BYTES_OF_A_NUMBER: Final = 8
FORM = "a graph has the arrays actions, targets and sources or offsets, as numpy.savez writes them"


def read(contents: Contents, *, run: Run | None = None) -> Graph:
    """The graph of a file."""
    import numpy as np

    from coarsest.lts.labelled import Graph

    arrays = _loaded(contents)
    for name in ("actions", "targets"):
        if name not in arrays:
            raise SyntaxProblem(f"'{contents.name}' has no array '{name}'", hint=FORM)
    sources = _sources(arrays, contents.name)
    labels = arrays.get("labels")
    try:
        if "states" in arrays:
            states = int(arrays["states"])
        elif "offsets" in arrays:
            states = len(arrays["offsets"]) - 1
        else:
            states = max(int(sources.max(initial=-1)), int(arrays["targets"].max(initial=-1))) + 1
        if too_many_idle(states, len(sources)) and len(arrays.get("offsets", ())) <= states:
            hint = f"to allocate memory for them, set COARSEST_IDLE_STATES={states}"
            raise SyntaxProblem(f"'{contents.name}': {states:,} states, and {len(sources):,} transitions", hint=hint)
        return Graph.from_edges(
            states, sources, arrays["actions"], arrays["targets"], initial=arrays.get("initial", np.arange(min(1, states))),
            labels=labels, action_names=_names(arrays, "action_names", arrays["actions"]),
            label_names=_names(arrays, "label_names", labels),
        )  # fmt: skip
    except (ValueError, TypeError, IndexError, OverflowError, MemoryError) as error:
        raise SyntaxProblem(f"'{contents.name}': {error}", hint=FORM) from error


def _loaded(contents: Contents) -> dict[str, NDArray[Any]]:
    import numpy as np

    try:
        if contents.data[:2] == MAGIC:
            with np.load(BytesIO(contents.data[:]), allow_pickle=False) as file:
                names = [name for name in KNOWN if name in file.files]
                _require_length(file.zip, names, contents)
                return {name: file[name] for name in names}
    except SyntaxProblem:
        raise
    except Exception as error:  # the exceptions for a broken archive or header are not documented
        raise SyntaxProblem(f"'{contents.name}' holds no arrays of NumPy: {error}", hint=FORM) from error
    raise SyntaxProblem(f"'{contents.name}' holds no arrays of NumPy: it is not a zip file", hint=FORM)


def _require_length(archive: ZipFile, names: Sequence[str], contents: Contents) -> None:
    """Raise an error if the arrays of a large file are more than eight times as long as the file: few arrays compress so well."""
    from math import prod

    from numpy.lib import format as header

    size, most = 0, BYTES_OF_A_NUMBER * max(MOST_COUNTED, len(contents.data))
    for name in names:
        with archive.open(f"{name}.npy") as file:
            version = header.read_magic(file)
            shape, _, kind = (header.read_array_header_1_0 if version == (1, 0) else header.read_array_header_2_0)(file)
        size += prod(shape) * kind.itemsize
        if size > most:
            message = f"'{contents.name}' has {len(contents.data):,} bytes, but its arrays up to '{name}' take {size:,}"
            raise SyntaxProblem(message, hint="numpy.savez writes arrays without compression")


def _sources(arrays: dict[str, NDArray[Any]], name: str) -> NDArray[Any]:
    import numpy as np

    if "sources" in arrays:
        return arrays["sources"]
    offsets = arrays.get("offsets")
    if offsets is None:
        raise SyntaxProblem(f"'{name}' has neither an array 'sources' nor an array 'offsets'", hint=FORM)
    lengths = np.diff(offsets) if offsets.ndim == 1 and offsets.dtype.kind in "iu" else np.array([-1])
    if not len(offsets.shape) or (lengths < 0).any() or offsets[0] != 0 or offsets[-1] != arrays["targets"].size:
        raise SyntaxProblem(f"'{name}': offsets must grow from 0 to the number of transitions", hint=FORM)
    return np.repeat(np.arange(len(lengths)), lengths)


def _names(arrays: dict[str, NDArray[Any]], name: str, numbers: NDArray[Any] | None) -> tuple[str, ...]:
    """The names in the file, or numbers; a graph without actions has one action, whose name is empty."""
    if name in arrays:
        return tuple(str(word) for word in arrays[name].ravel())
    count = 0 if numbers is None else int(numbers.max(initial=-1)) + 1
    if numbers is not None and count > max(MOST_COUNTED, numbers.size):
        raise ValueError(f"the numbers go up to {count - 1:,}, but there are no {name}")
    return tuple(map(str, range(count))) if count > 1 else ("",)


def pieces(graph: Graph) -> Iterator[bytes]:
    """The bytes of a file."""
    import numpy as np

    file = BytesIO()
    np.savez(
        file, offsets=graph.offsets, actions=graph.actions, targets=graph.targets, initial=graph.initial, labels=graph.labels,
        action_names=np.array(graph.action_names, dtype=str), label_names=np.array(graph.label_names, dtype=str),
    )  # fmt: skip
    yield file.getvalue()
