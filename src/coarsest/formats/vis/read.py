"""VIS Verilog to machines: registers are state variables, wires definitions, `$ND(…)` and open signals inputs.

One step of the machine is one edge of the clock. The main module is the module that no other contains; `vis:top` reads the module
`top`.
"""

from __future__ import annotations

import re

from coarsest.errors import InputError, ModelProblem, NameProblem
from coarsest.files import Contents
from coarsest.formats.vis.circuit import ElaboratedDesign
from coarsest.formats.vis.elaborate import Elaboration
from coarsest.formats.vis.initial import initial_equations
from coarsest.formats.vis.parsing.parse import parse
from coarsest.formats.vis.parsing.preprocess import decoded
from coarsest.formats.vis.parsing.syntax import VerilogModule, VerilogSource
from coarsest.formats.vis.scope import VerilogSignal
from coarsest.logic.parse import too_deep
from coarsest.model.checks.dependencies import ordered_definitions
from coarsest.model.checks.typecheck import check_machine
from coarsest.model.machine import Machine
from coarsest.text import Diagnostic, Source, Span
from coarsest.text.near import nearest

SUFFIX = ".v"


def read(contents: Contents) -> Machine:
    """The machine of a design.

    >>> text = b"module toggle(clk, go); input clk, go; reg on; initial on = 0; always @(posedge clk) if (go) on = !on; endmodule"
    >>> list(read(Contents("toggle.v", text)).variables)
    ['go', 'on']
    """
    return read_with(contents, "")


def read_with(contents: Contents, details: str) -> Machine:
    """The machine of the module that `details` names."""
    return machine_of(decoded(contents), details)


def machine_of(source: Source, main: str = "") -> Machine:
    """The machine of a text."""
    design = parse(source)
    module, warnings = main_module(design, source, main)
    elaboration = Elaboration(design)
    try:
        circuit = elaboration.run(module)
        ordered_definitions(circuit.definitions)
        machine = Machine(
            name=module.name,
            variables=circuit.variables,
            definitions=circuit.definitions,
            next_values=circuit.next_values,
            warnings=(*warnings, *circuit.warnings),
            outputs=tuple(port for port in module.ports if port in circuit.definitions),
            source=source,
        )
        machine = initial_equations(machine, circuit.initial)
        check_machine(machine)
    except RecursionError:
        raise too_deep(Span(source, 0, 0)) from None
    except InputError as problem:
        raise _placed(problem, elaboration.circuit, module) from None
    return machine


def _placed(problem: InputError, circuit: ElaboratedDesign, module: VerilogModule) -> InputError:
    """An error about the machine, with a position in the design: of the signal that it names, or else of the module."""
    diagnostic = problem.diagnostic
    if diagnostic.span is not None:
        return problem
    names = re.findall(r"`([^`]+)`", diagnostic.message)
    span = next((circuit.signals[name].span for name in names if name in circuit.signals), module.span)
    return problem.__class__(diagnostic.message, span, hint=diagnostic.hint)


def signals_of(machine: Machine) -> dict[str, VerilogSignal]:
    """The signals of the design that a machine was made from; empty if it was not made from a design."""
    if machine.source is None or not machine.source.name.endswith(SUFFIX):
        return {}
    design = parse(machine.source)
    return Elaboration(design).run(design.modules[machine.name]).signals


def main_module(design: VerilogSource, source: Source, name: str) -> tuple[VerilogModule, list[Diagnostic]]:
    """The module to read, and a warning if it is one of several."""
    modules = design.modules
    everywhere = Span(source, 0, 0)
    if not modules:
        raise ModelProblem("there is no module in this text", everywhere, hint="a module is `module main (clk); … endmodule`")
    if name:
        if name not in modules:
            near = nearest(name, modules)
            hint = f"did you mean `{near[0]}`?" if near else f"the modules are {', '.join(modules)}"
            raise NameProblem(f"there is no module `{name}`", everywhere, hint=hint)
        return modules[name], []
    contained = {instance.module for module in modules.values() for instance in module.instances}
    tops = [module for module in modules.values() if module.name not in contained]
    if not tops:
        raise ModelProblem("every module is contained in another", everywhere)
    if len(tops) == 1:
        return tops[0], []
    others = ", ".join(f"`{module.name}`" for module in tops[1:])
    message = f"the design has several main modules: `{tops[0].name}` is read, and not {others}"
    return tops[0], [Diagnostic(message, tops[0].span, f"--format vis:{tops[-1].name} reads another", "warning")]
