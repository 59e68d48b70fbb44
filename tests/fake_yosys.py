"""A program that behaves as Yosys does for the designs in `unit/yosys`, whose results were written by Yosys 0.70.

For another design it says what stands behind `// yosys:` in it, and fails; or waits, for somebody to end it.
"""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

RESULTS = Path(__file__).parent / "unit" / "yosys"


def main(script: str) -> int:
    path = re.findall(r'read_verilog .*? "[^"]*" "([^"]+)";', script)[-1]
    text = Path(path).read_text(encoding="utf-8")
    for line in re.findall(r"// yosys: (.*)", text):
        print(line.replace("DESIGN", path).replace("BESIDE", os.path.dirname(path)))
    if "// yosys waits" in text:
        Path(path).with_suffix(".pid").write_text(str(os.getpid()))
        time.sleep(120)
    stem = Path(path).stem + ("-moments" if "clk2fflogic" in script else "")
    if not (RESULTS / f"{stem}.btor2").exists():
        return 1
    written = {"btor2": "design.btor2", "info": "design.info", **{name: name for name in ("read.il", "design.il", "modules.txt")}}
    for ending, name in written.items():
        if (RESULTS / f"{stem}.{ending}").exists():
            result = (RESULTS / f"{stem}.{ending}").read_text(encoding="utf-8")
            Path(name).write_text(result.replace("DESIGN", path), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[sys.argv.index("-p") + 1]))
