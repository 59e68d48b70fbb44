"""A small command stays small: how many files of ours `coarsest check` loads and enters for a model of a page."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from source_files import PACKAGE, ROOT

MOST_ENTERED = 180
"""Files of which a function runs."""
MOST_LOADED = 205
"""Files that are loaded and not empty."""

WATCHED = """
import json, sys, threading
entered = set()
def note(frame, event, argument):
    if event == "call" and frame.f_code.co_flags & 1:  # a function, not the body of a module or class
        entered.add(frame.f_code.co_filename)
threading.setprofile(note)
sys.setprofile(note)
from coarsest.cli.app import main
main(["check", "examples/mutex.smv", "-q"])
sys.setprofile(None)
loaded = [module.__file__ for name, module in sys.modules.items() if name.partition(".")[0] == "coarsest"]
print(json.dumps([sorted(entered), loaded]))
"""


def test_check_loads_and_enters_few_files() -> None:
    done = subprocess.run([sys.executable, "-c", WATCHED], cwd=ROOT, capture_output=True, text=True, check=True)
    entered, loaded = json.loads(done.stdout.splitlines()[-1])
    entered = [path for path in entered if path.startswith(str(PACKAGE))]
    loaded = [path for path in loaded if Path(path).stat().st_size]
    assert 50 < len(entered) <= MOST_ENTERED
    assert len(entered) < len(loaded) <= MOST_LOADED
