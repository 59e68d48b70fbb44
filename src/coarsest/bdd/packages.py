"""The table of packages, and the one place where a manager is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from coarsest.bdd.capacity import PYTHON_MEBIBYTES, capacity_for
from coarsest.errors import InputError
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.bdd.protocol import Manager
    from coarsest.bdd.sifting import Reordering

DEFAULT_PACKAGE = "oxidd"


class Wishes(Struct, frozen=True, kw_only=True):
    """What a new manager should be like; a package takes what it understands."""

    mebibytes: int | None
    node_limit: int | None
    reorder: Reordering | None
    threads: int
    bits: int


class Package(Struct, frozen=True):
    """A way of making managers. `make` imports the package, which takes time and may fail."""

    summary: str
    extra: str
    """The optional dependency that brings it, empty if it is always there."""
    make: Callable[[Wishes], Manager[Any]]


def _oxidd(wishes: Wishes) -> Manager[Any]:
    from coarsest.bdd.oxidd import OxiddManager

    nodes, cache = capacity_for(wishes.mebibytes, wishes.bits, wishes.node_limit)
    return OxiddManager(nodes=nodes, cache=cache, threads=wishes.threads, node_limit=wishes.node_limit, reorder=wishes.reorder)


def _cudd(wishes: Wishes) -> Manager[Any]:
    from coarsest.bdd.cudd import CuddManager

    mebibytes = None if wishes.mebibytes is None else max(8, wishes.mebibytes - PYTHON_MEBIBYTES)
    return CuddManager(mebibytes=mebibytes, node_limit=wishes.node_limit, reorder=wishes.reorder)


def _autoref(wishes: Wishes) -> Manager[Any]:
    from coarsest.bdd.autoref import AutorefManager

    return AutorefManager(node_limit=wishes.node_limit, reorder=wishes.reorder)


PACKAGES = {
    "oxidd": Package("OxiDD: Rust, the default", "", _oxidd),
    "cudd": Package("CUDD: C, reorders in the middle of operations", "cudd", _cudd),
    "autoref": Package("dd.autoref: pure Python, slow", "cudd", _autoref),
}


def new_manager(
    package: str = DEFAULT_PACKAGE,
    *,
    mebibytes: int | None = None,
    node_limit: int | None = None,
    reorder: Reordering | None = None,
    threads: int = 1,
    bits: int = 64,
) -> Manager[Any]:
    """A manager of the named package for a model with about that many state bits, in a process below `mebibytes`."""
    if package not in PACKAGES:
        close = nearest(package, PACKAGES)
        hint = f"did you mean '{close[0]}'?" if close else ""
        raise InputError(f"unknown BDD package '{package}'; there are {', '.join(PACKAGES)}", hint=hint)
    wishes = Wishes(mebibytes=mebibytes, node_limit=node_limit, reorder=reorder, threads=threads, bits=bits)
    try:
        return PACKAGES[package].make(wishes)
    except ImportError as error:
        extra = PACKAGES[package].extra
        hint = f"pip install 'coarsest[{extra}]'" if extra else "pip install oxidd"
        raise InputError(f"the BDD package '{package}' is not installed", hint=hint) from error
