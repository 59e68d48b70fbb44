"""What is made when the package is built: kernels as machine code, completion for shells and a manual page.

Whatever goes wrong with the kernels, there is a wheel: one for all platforms, in which the slower twins of kernels do their work.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {
    "bash": "share/bash-completion/completions/coarsest",
    "zsh": "share/zsh/site-functions/_coarsest",
    "fish": "share/fish/vendor_completions.d/coarsest.fish",
}
COMPILER, LINKER = "numba>=0.60", "ziglang>=0.13"
BUILDER = "coarsest._kernels.build_library"
OLDEST_MACOS = "11.0"  # the first one on Apple's processors
LIBRARY = "src/coarsest/_kernels/kernels.so"


def has_compiler() -> bool:
    """Is there a wheel of the compiler of kernels? Asked for where there is none, it would be built, or not."""
    system, processor = sys.platform, platform.machine()
    on_linux = system == "linux" and processor in ("x86_64", "aarch64") and "glibc" in platform.libc_ver()
    usual = on_linux or (system, processor) == ("darwin", "arm64")
    return usual and sys.implementation.name == "cpython" and sys.version_info < (3, 15) and sys.maxsize > 1 << 32


def tag() -> str:
    """The platform of a wheel with kernels. Python for Macs is built for two processors, and kernels for one."""
    if sys.platform == "darwin":
        major, _, minor = os.environ.get("MACOSX_DEPLOYMENT_TARGET", OLDEST_MACOS).partition(".")
        return f"macosx_{major}_{minor or 0}_{platform.machine()}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def wanted() -> bool:
    return os.environ.get("COARSEST_LIBRARY") != "none"


class CustomBuildHook(BuildHookInterface):
    def dependencies(self) -> list[str]:
        if not wanted() or not has_compiler():
            return []
        return [COMPILER] if any(map(shutil.which, ("cc", "gcc", "clang"))) else [COMPILER, LINKER]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, str(Path(self.root) / "src"))
        self._add_kernels(build_data)
        self._add_pages(build_data)

    def _add_kernels(self, build_data: dict[str, Any]) -> None:
        """Beside the sources, where an editable install finds them, and into the wheel, though Git ignores them."""
        if wanted() and self._built(LIBRARY):
            build_data["artifacts"].append(f"/{LIBRARY}")
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{tag()}"

    def _built(self, library: str) -> bool:
        # Not by PYTHONPATH: pip takes from that what is installed, and an editable install is these very sources.
        begin = f"import sys; sys.path.insert(0, {str(Path(self.root) / 'src')!r}); from {BUILDER} import main; main()"
        words = [sys.executable, "-c", begin, str(Path(self.root) / library)]
        self.app.display_info("compiling kernels (a minute or two)")
        try:
            oldest = {"MACOSX_DEPLOYMENT_TARGET": OLDEST_MACOS, **os.environ}
            done = subprocess.run(words, env=oldest, capture_output=True, text=True, check=False)
        except OSError as problem:
            self.app.display_warning(f"kernels are not compiled: {problem}")
            return False
        if done.returncode:
            self.app.display_warning(f"kernels are not compiled, and large graphs take long: {done.stderr[-2000:]}")
        return done.returncode == 0

    def _add_pages(self, build_data: dict[str, Any]) -> None:
        from coarsest import __version__
        from coarsest.cli.completion import completion, manual
        from coarsest.cli.dispatch import COMMANDS

        texts = {place: completion(shell, COMMANDS) for shell, place in PLACES.items()}
        texts["share/man/man1/coarsest.1"] = manual(__version__, COMMANDS)
        for place, text in texts.items():
            path = Path(self.root) / "build" / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            build_data["shared_data"][str(path)] = place
