"""Boolean programs to machines: a state consists of the values of the variables at the top of the loop.

Every `read` in the loop is an input of the machine (`a.read`), every `write` defines an output (`output`, then `output2` …), and
every `assert` is a property.
"""

from __future__ import annotations

from coarsest.errors import NameProblem
from coarsest.formats.program.execute import BlockExecution, Effects, Output
from coarsest.formats.program.names import ProgramNames
from coarsest.formats.program.parse import parse
from coarsest.formats.program.start import initial
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr
from coarsest.logic.parse import too_deep
from coarsest.model.checks.static_types import BOOLEAN, INTEGER, REAL
from coarsest.model.checks.typecheck import TypeChecker, check_machine
from coarsest.model.machine import Machine
from coarsest.text import Source, Span
from coarsest.text.printable import title_of


def read(source: Source) -> Machine:
    """The machine of a program.

    >>> text = "x := true; loop write(x); if x then read(y); x := y; end; end"
    >>> machine = read(Source("m.prog", text))
    >>> list(machine.variables), machine.outputs
    (['x', 'y', 'y.read'], ('output',))
    """
    try:
        return _read(source)
    except RecursionError:
        raise too_deep(Span(source, 0, 0)) from None


def _read(source: Source) -> Machine:
    program = parse(source)
    names = ProgramNames(program)
    values, constraints = initial(BlockExecution(names, in_loop=False).run(program.prelude), names.variables)
    effects = BlockExecution(names, in_loop=True).run(program.body)
    definitions = _outputs(effects, names)
    machine = Machine(
        name=title_of(source.name, ".prog"),
        variables={**names.variables, **effects.inputs},
        definitions=definitions,
        initial_values=values,
        initial_constraints=constraints,
        next_values=effects.values,
        transition_constraints=tuple(effects.assumptions),
        assumptions=tuple(effects.assumptions),
        properties=tuple(effects.properties),
        outputs=tuple(definitions),
        source=source,
        rounds=True,
    )
    check_machine(machine)
    return machine


def _outputs(effects: Effects, names: ProgramNames) -> dict[str, Expr]:
    """The outputs by their names; an output that is not always written has a companion that says when it is written."""
    definitions: dict[str, Expr] = {}
    for number, output in enumerate(effects.outputs, 1):
        name = "output" if number == 1 else f"output{number}"
        if name in names.variables:
            hint = f"`{name}` is the name of the output: give the variable another name"
            raise NameProblem(f"a variable cannot be called `{name}` here", names.variables[name].span, hint=hint)
        if output.when == TRUE:
            definitions[name] = output.value
        else:
            definitions[name] = Apply("case", (output.when, output.value, TRUE, _default(output, names)))
            definitions[f"{name}.written"] = output.when
    return definitions


def _default(output: Output, names: ProgramNames) -> Expr:
    """The value of an output at times when it is not written."""
    kind = TypeChecker(names.variables, lambda _: None).type_of(output.source)
    if kind is BOOLEAN:
        return FALSE
    return Constant(0) if kind in (INTEGER, REAL) else Constant(min(names.symbols))
