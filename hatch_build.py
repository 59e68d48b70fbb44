"""What is made when the package is built: completion for shells and a manual page, from the parsers of the commands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {
    "bash": "share/bash-completion/completions/coarsest",
    "zsh": "share/zsh/site-functions/_coarsest",
    "fish": "share/fish/vendor_completions.d/coarsest.fish",
}


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, str(Path(self.root) / "src"))
        from coarsest import __version__
        from coarsest.cli.completion import completion, manual

        texts = {place: completion(shell) for shell, place in PLACES.items()}
        texts["share/man/man1/coarsest.1"] = manual(__version__)
        for place, text in texts.items():
            path = Path(self.root) / "build" / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            build_data["shared_data"][str(path)] = place
