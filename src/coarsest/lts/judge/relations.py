"""Is a relation between blocks of states a simulation? Checked from the definition, block by block.

If a state of block C has a transition with action a into block B, then every state above C has a transition with a to a
state above B.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coarsest.logic.modal.hennessy_milner import action_text
from coarsest.lts.certificates import CertificateCheck, SimulationCertificate
from coarsest.lts.judge.transitions import Transitions

RELATIONS = ("simulation", "finite-simulation", "ready-simulation")


def confirm_simulation(columns: Transitions, certificate: SimulationCertificate) -> CertificateCheck:
    """Check that the relation is one between blocks of the states, respects labels, is reflexive, and is a simulation."""
    blocks, above = certificate.blocks, certificate.above
    if certificate.relation not in RELATIONS:
        return CertificateCheck(f"there is no relation '{certificate.relation}' that a simulation certifies")
    problem = relation_problem(columns, certificate)
    if not problem and certificate.relation == "ready-simulation":
        problem = _different_actions(columns, blocks, above)
    if not problem and certificate.relation == "simulation":
        problem = _goes_on(columns, blocks, above)
    return CertificateCheck(problem or _not_answered(columns, blocks, above), {"blocks": len(above)})


def relation_problem(columns: Transitions, certificate: SimulationCertificate) -> str:
    """A problem for any relation: the blocks are not those of the states, or the relation does not respect labels."""
    return _wrong_form(columns, certificate) or _wrong_labels(columns, certificate.blocks, certificate.above)


def _wrong_form(columns: Transitions, certificate: SimulationCertificate) -> str:
    blocks, above = certificate.blocks, certificate.above
    if blocks.ndim != 1 or len(blocks) != columns.states:
        return f"the graph has {columns.states} states, the partition {blocks.size}"
    if above.ndim != 2 or above.shape[0] != above.shape[1]:
        return "the relation is not square"
    if len(blocks) and (blocks.min() < 0 or blocks.max() >= len(above)):
        return f"a state is in block {int(blocks.max())}, the relation is between {len(above)} blocks"
    empty = np.flatnonzero(np.bincount(blocks, minlength=len(above)) == 0)
    if len(empty):  # claims about an empty block are true, and prove nothing
        return f"block {int(empty[0])} has no states"
    if not above.diagonal().all():
        return f"block {int(np.flatnonzero(~above.diagonal())[0])} is not above itself"
    return ""


def _wrong_labels(columns: Transitions, blocks: NDArray[np.int64], above: NDArray[np.bool_]) -> str:
    """The problem if related blocks have states with different labels."""
    label = np.zeros(len(above), dtype=np.int64)
    label[blocks] = columns.labels
    mixed = np.flatnonzero(columns.labels != label[blocks])
    if len(mixed):
        return f"block {int(blocks[mixed[0]])} contains states with different labels"
    for row in range(len(above)):
        wrong = np.flatnonzero(above[row] & (label != label[row]))
        if len(wrong):
            return f"block {int(wrong[0])} is above block {row} and has another label"
    return ""


def _different_actions(columns: Transitions, blocks: NDArray[np.int64], above: NDArray[np.bool_]) -> str:
    """The problem if a state can do actions that one below it cannot do. By simulation, it can do all that those below can."""
    able = np.zeros((len(above), len(columns.action_names)), dtype=np.bool_)
    able[blocks[columns.sources], columns.actions] = True
    for row in range(len(above)):
        wrong = np.flatnonzero((able[above[row]] & ~able[row]).any(axis=1))
        if len(wrong):
            return f"block {int(np.flatnonzero(above[row])[wrong[0]])} is above block {row} and can do more"
    return ""  # the states of one block can do the same actions by simulation, because a block is above itself


def _goes_on(columns: Transitions, blocks: NDArray[np.int64], above: NDArray[np.bool_]) -> str:
    """The problem if a state with transitions is above one without, which stays where it is."""
    able = np.bincount(columns.sources, minlength=columns.states) > 0
    some, stuck = np.zeros((2, len(above)), dtype=np.bool_)
    some[blocks[able]] = True
    stuck[blocks[~able]] = True
    wrong = np.argwhere(above & stuck[:, None] & some[None, :])
    if len(wrong):
        row, other = wrong[0].tolist()
        return f"a state of block {other} goes on, and is above block {row}, in which one cannot"
    return ""


def _not_answered(columns: Transitions, blocks: NDArray[np.int64], above: NDArray[np.bool_]) -> str:
    """The problem if a state above a block has no answer to a transition: for each action and block B, all states above a block
    with such a transition into B must have one to a state above B."""
    order = np.argsort(columns.actions, kind="stable")
    ends = np.searchsorted(columns.actions[order], np.arange(len(columns.action_names) + 1))
    sizes = np.bincount(blocks, minlength=len(above))
    for action, name in enumerate(columns.action_names):
        rows = order[ends[action] : ends[action + 1]]
        pairs = np.unique(columns.sources[rows].astype(np.int64) * len(above) + blocks[columns.targets[rows]])
        tails, heads = pairs // max(1, len(above)), pairs % max(1, len(above))
        steps = np.unique(heads * len(above) + blocks[tails])  # by target block, then source block
        bounds = np.append(np.flatnonzero(np.diff(steps // max(1, len(above)), prepend=-1)), len(steps))
        for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist()):
            block, asking = int(steps[begin] // len(above)), steps[begin:end] % len(above)
            answering = tails[above[block][heads]]  # in order, so that repetitions are neighbours
            answering = answering[np.diff(answering, prepend=-1) > 0]
            unable = np.bincount(blocks[answering], minlength=len(above)) < sizes
            wrong = np.argwhere(above[asking] & unable)
            if len(wrong):
                row, other = int(asking[wrong[0, 0]]), int(wrong[0, 1])
                state = int(np.setdiff1d(np.flatnonzero(blocks == other), answering)[0])
                step = f"transition {action_text(name)} into block {block}"
                return f"state {state} is above block {row}, but cannot answer its {step}"
    return ""
