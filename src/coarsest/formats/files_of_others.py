"""Files of other tools: what their owners may do with them."""

from __future__ import annotations

import os
from types import MappingProxyType

OF_OTHERS = MappingProxyType(
    {
        ".vhd .vhdl": "GHDL and Yosys make BTOR2 of VHDL: yosys -m ghdl -p 'ghdl top; prep; write_btor design.btor2'",
        ".tla": "TLA+ is for TLC and Apalache; a finite model can be written in SMV (docs/smv.md)",
        ".pml .promela": "Promela is for Spin; a finite model can be written in SMV (docs/smv.md)",
        ".prism .pm .nm .sm .jani": "probabilities are for PRISM and Storm; without them, write SMV (docs/smv.md)",
        ".mcrl2 .lps .lts": "mCRL2 makes a graph of it: mcrl22lps, lps2lts, ltsconvert to graph.aut; coarsest reads .aut",
        ".lotos .lnt .bcg": "CADP makes a graph of it: bcg_io graph.bcg graph.aut; coarsest reads .aut",
        ".als": "Alloy has its own analyser; a finite transition system can be written in SMV (docs/smv.md)",
        ".dot .gv .svg": "coarsest writes pictures, and does not read them; graphs are read as .aut, .ba, .npz, .hoa",
        ".pdf .png .jpg": "this is a document and not a model; coarsest examples lists models to begin with",
        ".c .h .cpp .rs .java .js .go": "programs are for CBMC, Kani and others; boolean ones end in .prog (docs/programs.md)",
        ".py": "a script that uses coarsest is run by Python: python FILE.py",
        ".ipynb": "a notebook is opened by Jupyter: jupyter lab FILE.ipynb",
        ".json": "evidence is confirmed beside its model: coarsest confirm MODEL FILE.json",
        ".vcd .fst": "a waveform is no model; coarsest writes one: coarsest check MODEL -o trace.vcd",
        ".ctl .ltl .inv": "it holds properties, which stand beside a model: coarsest check MODEL --properties FILE",
        ".txt .md .nusmv .model": "if it is a model under another name, say in which language: --format smv",
        ".smt2 .vmt .cnf": "a transition system is read as .btor2 or .aig; satisfiability alone is for a solver",
    }
)
"""The endings of files that people have, and what to do with them."""


def advice_on(path: str) -> str:
    """What to do with a file that has this ending; empty if nothing is known about it.

    >>> advice_on("gcd.py"), advice_on("gcd")
    ('a script that uses coarsest is run by Python: python FILE.py', '')
    """
    ending = os.path.splitext(path)[1].lower()
    return next((words for endings, words in OF_OTHERS.items() if ending and ending in endings.split()), "")
