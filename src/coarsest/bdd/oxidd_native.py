"""The compiled part of OxiDD, without its package around it.

`import oxidd` asks for its own version, which imports mail, archives and sockets: 20 ms or more, an eighth of what
`coarsest check` needs to start. We need nothing but the classes of the compiled module, so that alone is loaded, under its own
name: whoever imports `oxidd` afterwards shares it. Where it is not found as expected, the package is imported like any other.
"""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oxidd.bcdd import BCDDFunction, BCDDManager, BCDDSubstitution
    from oxidd.util import BooleanOperator, DDDMPFile, DDMemoryError

__all__ = ["BCDDFunction", "BCDDManager", "BCDDSubstitution", "BooleanOperator", "DDDMPFile", "DDMemoryError"]

NAME = "oxidd._oxidd"


def _compiled() -> ModuleType | None:
    if NAME in sys.modules:
        return sys.modules[NAME]
    package = find_spec("oxidd")
    folders = package.submodule_search_locations if package else None
    files = (Path(folder, f"_oxidd{suffix}") for folder in folders or () for suffix in EXTENSION_SUFFIXES)
    spec = next((spec_from_file_location(NAME, file) for file in files if file.exists()), None)
    if spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[NAME] = module
    return module


def __getattr__(name: str) -> object:
    """One of the classes above: the module's own, once it is loaded."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    member = getattr(_compiled(), name, None)
    if member is None:
        import oxidd

        member = getattr(oxidd.bcdd, name, None) or getattr(oxidd.util, name)
    return member
