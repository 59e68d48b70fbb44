"""The dialect of a `.v` file: designs of the VIS suite and designs of today have different readers, but the same ending."""

from __future__ import annotations

import re

from coarsest.files import Contents

_NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_OF_VIS = re.compile(r"\$ND\b")
_OF_TODAY = re.compile(
    r"(?<![\w.$\\`])(?:"
    r"(?:assert|assume|cover|restrict)\s*(?:property\s*)?\("
    r"|always_(?:ff|comb|latch)\b|logic\b(?!\s*[;,)=<])|generate\b|genvar\b|localparam\b"
    r"|\$(?:anyconst|anyseq|allconst|allseq|past|initstate|global_clock|signed|unsigned|clog2|rose|fell|stable|changed)\b)"
    r"|module\s+\w+\s*#\s*\(\s*parameter\b"
    r"|`ifdef\s+(?:FORMAL|YOSYS)\b|`default_nettype\b"
)


def is_for_yosys(contents: Contents) -> bool:
    """Does a text of Verilog use words that VIS does not have?

    >>> is_for_yosys(Contents("a.v", b"module a(input c); always @(posedge c) assert (c); endmodule"))
    True
    >>> is_for_yosys(Contents("a.v", b"module a(c); input c; reg r; always @(posedge c) r = $ND(0, 1); // assert (r)"))
    False
    """
    data = contents.data if isinstance(contents.data, bytes) else contents.data[:]
    code = _NOT_CODE.sub(" ", data.decode("utf-8-sig", errors="replace"))
    return _OF_VIS.search(code) is None and _OF_TODAY.search(code) is not None
