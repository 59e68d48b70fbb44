"""Arrays to lines of Aldébaran text: the twin of `aut_lines`."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Text = NDArray[np.uint8]
Numbers = NDArray[np.signedinteger[Any]]

AROUND_A_LABEL: Final = 48


def write_lines(
    offsets: Numbers, actions: Numbers, targets: Numbers, labels: Text, label_offsets: NDArray[np.int64],
    text: Text, reached: NDArray[np.int64],
) -> int:  # fmt: skip
    """Fill `text` with a line for each transition from `reached` (state, transition) on. Returns how many bytes were written.

    `reached` is set to what comes next. Label k is written as `labels[label_offsets[k] : label_offsets[k + 1]]`.
    """
    data, cuts, bounds = labels.tobytes(), label_offsets.tolist(), offsets.tolist()
    lines: list[bytes] = []
    used = 0
    state, index = reached.tolist()
    rest = zip(actions[index:].tolist(), targets[index:].tolist())
    for action, target in rest:
        label = data[cuts[action] : cuts[action + 1]]
        if used + len(label) + AROUND_A_LABEL > len(text):
            break
        if bounds[state + 1] <= index:
            state = bisect_right(bounds, index) - 1
        lines.append(b"(%d, %b, %d)\n" % (state, label, target))
        used += len(lines[-1])
        index += 1
    text[:used] = np.frombuffer(b"".join(lines), dtype=np.uint8)
    reached[:] = state, index
    return used
