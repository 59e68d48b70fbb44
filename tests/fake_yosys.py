"""A program that behaves as Yosys does for the designs in `unit/yosys`, whose results were written by Yosys 0.70.

For another design it says what stands behind `// yosys:` in it, and fails; or waits, for somebody to end it.
`python tests/fake_yosys.py record DESIGN.sv …` has the real Yosys read designs and writes down its results.
"""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

RESULTS = Path(__file__).parent / "unit" / "yosys"
WRITTEN = {
    "btor2": "design.btor2", "info": "design.info", "read.il": "read.il", "design.il": "design.il", "roles.il": "roles.il",
    "modules.txt": "modules.txt",
}  # fmt: skip
"""What Yosys writes, by the endings of our copies."""


def main(script: str) -> int:
    path = re.findall(r'read_verilog .*? "([^"]+)";', script)[-1]
    text = Path(path).read_text(encoding="utf-8")
    for line in re.findall(r"// yosys: (.*)", text):
        print(line.replace("DESIGN", path).replace("BESIDE", os.path.dirname(path)))
    if "// yosys waits" in text:
        Path(path).with_suffix(".pid").write_text(str(os.getpid()))
        time.sleep(120)
    stem = Path(path).stem + ("-moments" if "clk2fflogic" in script else "")
    if not (RESULTS / f"{stem}.btor2").exists():
        return 1
    for ending, name in WRITTEN.items():
        if (RESULTS / f"{stem}.{ending}").exists():
            result = (RESULTS / f"{stem}.{ending}").read_text(encoding="utf-8")
            Path(name).write_text(result.replace("DESIGN", path), encoding="utf-8")
    return 0


def record(designs: list[str]) -> None:
    """Keep what the real Yosys writes, with DESIGN in place of the path of the design."""
    from coarsest.formats.yosys import read as reader

    real = reader.call_yosys

    def recorded(script: str, folder: Path) -> object:
        answer = real(script, folder)
        path = re.findall(r'read_verilog .*? "([^"]+)";', script)[-1]
        stem = Path(path).stem + ("-moments" if "clk2fflogic" in script else "")
        for ending, name in WRITTEN.items():
            text = (folder / name).read_text(encoding="utf-8").replace(path, "DESIGN") if (folder / name).exists() else ""
            if text.strip():
                (RESULTS / f"{stem}.{ending}").write_text(text, encoding="utf-8")
        return answer

    reader.call_yosys = recorded  # type: ignore[assignment]
    for design in designs:
        import coarsest

        print(coarsest.load(design))


if __name__ == "__main__":
    if sys.argv[1] == "record":
        record(sys.argv[2:])
        sys.exit()
    sys.exit(main(sys.argv[sys.argv.index("-p") + 1]))
