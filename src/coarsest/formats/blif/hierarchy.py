"""Models inside models, for BLIF and BLIF-MV: the main model, and all the instances in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeVar

from coarsest.errors import ModelProblem, NameProblem, Unsupported
from coarsest.formats.blif.parse import Call, Shell
from coarsest.model.checks.dependencies import circle
from coarsest.text import Source, Span
from coarsest.text.near import nearest

AnyModel = TypeVar("AnyModel", bound=Shell)

LARGEST: Final = 5_000_000
"""The limit for the number of signals in all instances of a hierarchy."""


def main_of(models: Mapping[str, AnyModel], name: str, source: Source) -> AnyModel:
    """The model with a name, or the first one if the name is empty."""
    name = name or next(iter(models))
    if name not in models:
        raise _no_model(name, models, Span(source, 0, 1))
    return models[name]


def _no_model(name: str, models: Mapping[str, Shell], span: Span) -> NameProblem:
    close = nearest(name, models)
    hint = f"did you mean `{close[0]}`?" if close else f"the models are {', '.join(list(models)[:6])}"
    return NameProblem(f"there is no model `{name}`", span, hint=hint)


def require_a_bounded_hierarchy(models: Mapping[str, Shell]) -> None:
    """Refuse models that contain themselves, and hierarchies that become too large when they are expanded."""
    for model in models.values():
        for call in model.calls:
            if call.model.text not in models:
                raise _no_model(call.model.text, models, call.model.span)
    done: dict[str, bool] = {}
    around = circle(models, lambda name: [call.model.text for call in models[name].calls], done)
    if around is not None:
        hint = f"the cycle is {' → '.join([*around[:6], around[0]])}"
        raise ModelProblem(f"the model `{around[0]}` contains itself", models[around[0]].name.span, hint=hint)
    sizes: dict[str, int] = {}
    for name in done:  # a model comes after the models that it contains
        sizes[name] = models[name].size + sum(sizes[call.model.text] for call in models[name].calls)
        if sizes[name] > LARGEST:
            message = f"the model `{name}` and the models in it have more than {LARGEST} signals in all"
            raise Unsupported(message, models[name].name.span)


def instances(main: AnyModel, models: Mapping[str, AnyModel]) -> Iterator[tuple[AnyModel, str, dict[str, str]]]:
    """The main model and all instances in it, each with the prefix of its signals and the full names of its joined signals."""
    waiting: list[tuple[AnyModel, str, dict[str, str]]] = [(main, "", {})]
    while waiting:
        model, prefix, joined = waiting.pop()
        yield model, prefix, joined
        numbers: dict[str, int] = {}
        for call in model.calls:
            name = call.model.text
            number = numbers[name] = numbers.get(name, -1) + 1
            instance = call.instance or f"{name}_{number}"
            waiting.append((models[name], f"{prefix}{instance}.", _joined(call, models[name], prefix, joined)))


def _joined(call: Call, inner: Shell, prefix: str, outer: Mapping[str, str]) -> dict[str, str]:
    """The full names of the signals that a call joins to inputs and outputs of the called model."""
    formals = {word.text for word in (*inner.inputs, *inner.outputs, *inner.clocks)}
    joined: dict[str, str] = {}
    for formal, actual in call.joined:
        if formal.text not in formals:
            close = nearest(formal.text, formals)
            hint = f"did you mean `{close[0]}`?" if close else f"the model `{call.model.text}` has no such signal"
            message = f"`{formal.text}` is neither an input nor an output of `{call.model.text}`"
            raise NameProblem(message, formal.span, hint=hint)
        if formal.text in joined:
            raise NameProblem(f"`{formal.text}` is connected twice", formal.span)
        joined[formal.text] = outer.get(actual.text) or prefix + actual.text
    for word in inner.inputs:
        if word.text not in joined:
            raise ModelProblem(f"the input `{word.text}` of `{call.model.text}` is not connected", call.model.span)
    return joined
