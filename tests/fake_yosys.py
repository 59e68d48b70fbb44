"""A program that behaves as Yosys does for the designs in `unit/yosys`, whose results were written by Yosys 0.70.

For another design it says what stands behind `// yosys:` in it, and fails; or waits, for somebody to end it.
`python tests/fake_yosys.py record DESIGN.sv …` has the real Yosys read designs and writes down its results.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path

RESULTS = Path(__file__).parent / "unit" / "yosys"
WRITTEN = ("design.btor2", "design.info", "read.il", "design.il", "roles.il", "modules.txt")
"""What Yosys writes."""
_READ = re.compile(r'read(?:_verilog)? [^;]*?"?([^\s";]+\.s?v)"?(?=;)')


def main(script: str) -> int:
    paths = _READ.findall(script)
    path = paths[-1]
    text = Path(path).read_text(encoding="utf-8")
    for line in re.findall(r"// yosys: (.*)", text):
        print(line.replace("DESIGN", path).replace("BESIDE", os.path.dirname(path)))
    if "// yosys waits" in text:
        Path(path).with_suffix(".pid").write_text(str(os.getpid()))
        time.sleep(120)
    results = RESULTS / f"{_stem(script)}.json"
    if not results.exists():
        return 1
    for name, result in json.loads(results.read_text(encoding="utf-8")).items():
        for each in paths:
            result = result.replace(f"FILE({Path(each).name})", each)
        Path(name).write_text(result, encoding="utf-8")
    return 0


def _stem(script: str) -> str:
    """The results are kept by the last file, and by what else is told to Yosys."""
    told = re.findall(r"-(?:define |D|chparam )([\w=\']+(?: \w+)?)", script)
    last, moments = Path(_READ.findall(script)[-1]).stem, ["moments"] if "clk2fflogic" in script else []
    return "-".join([last, *dict.fromkeys(told), *moments]).replace(" ", "=")


def record(designs: list[str]) -> None:
    """Keep what the real Yosys writes, with FILE(…) in place of the paths of files."""
    from coarsest.cli.app import main as run
    from coarsest.formats.yosys import read as reader

    real = reader.call_yosys

    def recorded(script: str, folder: Path) -> object:
        answer = real(script, folder)
        paths = _READ.findall(script)
        results = {}
        for name in WRITTEN:
            text = (folder / name).read_text(encoding="utf-8") if (folder / name).exists() else ""
            for path in paths:
                text = text.replace(path, f"FILE({Path(path).name})")
            results |= {name: text} if text.strip() else {}
        (RESULTS / f"{_stem(script)}.json").write_text(json.dumps(results, indent=0) + "\n", encoding="utf-8")
        return answer

    reader.call_yosys = recorded  # type: ignore[assignment]
    run(["check", *designs, "-q"])


if __name__ == "__main__":
    if sys.argv[1] == "record":
        record(sys.argv[2:])
        sys.exit()
    sys.exit(main(sys.argv[sys.argv.index("-p") + 1]))
