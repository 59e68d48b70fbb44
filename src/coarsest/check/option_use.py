"""An option that has no effect on what is checked is refused, so that nobody believes that it had one.

The table of engines says which options an engine has, and the field of an option which choices it needs beside it. In a file
with several properties, an option must concern at least one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.check.decide.classify import searched_as_invariant
from coarsest.check.setting.session import CheckOptions
from coarsest.errors import InputError
from coarsest.model.kinds import kind_named, kinds
from coarsest.model.machine import Machine, Property
from coarsest.options.engines import (
    FIRST_OF,
    IN_WORDS,
    INVARIANTS,
    LINEAR,
    ON_BITS,
    Entry,
    engine_by_method,
    engines,
    engines_named,
    usual_engine,
)
from coarsest.options.methods import ON_BDDS, BuildOptions
from coarsest.options.option import Choice, Options, choices, chosen, listed, require_about, require_effect
from coarsest.run import Run


def kinds_of(entry: Entry) -> tuple[str, ...]:
    """The kinds of properties that an engine decides."""
    return entry.only or _kinds_of(entry.decides)


def _kinds_of(claim: str) -> tuple[str, ...]:
    return tuple(kind.value for kind in kinds() if kind.claim == claim)


def _in_words() -> dict[str, str]:
    return {kind.value: kind.plural for kind in kinds()}


def require_options_used(
    options: CheckOptions, build: BuildOptions, machine: Machine, claims: Sequence[Property], *, carrier: str
) -> None:
    """Raise InputError for a choice that concerns none of the properties, or that another one keeps from having an effect."""
    asked = {"invariant" if searched_as_invariant(claim, machine, options) is not None else str(claim.kind) for claim in claims}
    _require_engine(options, asked)
    require_about((options,), asked | {str(claim.kind) for claim in claims}, _in_words())
    deciding = [_deciding(kind, options) for kind in sorted(asked)]
    for choice, _ in chosen((build, *options.of_engines)):
        if deciding and not any(entry is None or _has(entry, choice) for entry in deciding):
            message = f"{choice.typed} belongs to {_owners(choice, deciding)}, and {_deciders(deciding)}"
            raise InputError(message, hint=f"leave out {choice.typed}")
    by_formulas = carrier == "smt" and asked != {"invariant"} and options.reduce != "symmetry"
    if by_formulas:  # other properties are checked on a quotient, with BDDs whose order cannot be saved
        require_effect((BuildOptions(save_order=build.save_order), options), {"carrier": carrier})
    at_bits = options.engine if options.on_bits or options.ltl == "auto" else "auto"
    require_effect((options, build, *options.of_engines), {"carrier": "bdd" if by_formulas else carrier, "engine": at_bits})
    for struct in options.of_engines:
        require_unguided(machine, getattr(struct, "search", "auto"))


def require_unguided(machine: Machine, search: str) -> None:
    """Raise InputError for a chosen search where hints guide the search."""
    if machine.hints and search != "auto":
        raise InputError("--search would replace the search that the hints guide", hint="leave out --search")


def require_sets_used(build: BuildOptions, carrier: str, run: Run) -> None:
    """Raise InputError for an option or a limit of BDDs where sets of states are not BDDs."""
    require_effect((build,), {"carrier": carrier})
    if run.limits.nodes is not None and not ON_BDDS.admits(carrier):
        raise InputError(f"--nodes belongs to --carrier bdd, and --carrier is {carrier} here", hint="leave out --nodes")


def _require_engine(options: CheckOptions, about: set[str]) -> None:
    """Raise InputError for an engine that decides none of the properties, or contradicts `--ltl`."""
    asked = []
    if options.engine == FIRST_OF:
        asked.append((f"--engine {FIRST_OF}", {*_kinds_of(INVARIANTS), *_kinds_of(LINEAR)}))
    elif options.engine != "auto":
        entries = engines_named(options.engine)
        asked.append((f"--engine {options.engine}", {kind for entry in entries for kind in kinds_of(entry)}))
        method = next((entry.method for entry in entries if entry.method), options.ltl)
        if options.ltl not in ("auto", method):
            raise InputError(f"--ltl {options.ltl} is not what --engine {options.engine} does", hint="leave out one of them")
    if options.ltl != "auto":
        asked.append((f"--ltl {options.ltl}", {*kinds_of(engine_by_method(options.ltl))}))
    for option, decides in asked:
        if about and about.isdisjoint(decides):
            hint = f"leave out {option}"
            if "invariant" in decides:
                hint += "; a condition is an invariant, and so are AG p and, without --ltl, G p of a model without fairness"
            does = f"it decides {listed(decides, _in_words())}"
            raise InputError(f"{option} cannot decide {listed(sorted(about), _in_words())}; {does}", hint=hint)


def _deciding(kind: str, options: CheckOptions) -> Entry | None:
    """The engine that decides such properties; None where no engine of the table does."""
    named = kind_named(kind)
    claims = "" if named is None else named.claim
    if claims not in IN_WORDS:
        return None
    if claims == LINEAR and options.ltl != "auto":
        return engine_by_method(options.ltl)
    asked = () if options.engine in ("auto", FIRST_OF) else engines_named(options.engine)
    return next((entry for entry in asked if entry.decides == claims), usual_engine(claims))


def _has(entry: Entry, choice: Choice) -> bool:
    """Is it an option of this engine? Every engine with sets of states has the options of building them."""
    of_sets: tuple[type[Options], ...] = () if entry.name in ON_BITS else (BuildOptions,)
    return any(choice in choices(struct) for struct in (*entry.options, *of_sets))


def _owners(choice: Choice, deciding: Sequence[Entry | None]) -> str:
    """The engines that have an option, in words: those that could decide here, if there are any."""
    if choice in choices(BuildOptions):
        return "engines with sets of states"
    asked = {entry.decides for entry in deciding if entry}
    owners = [entry for entry in engines() if _has(entry, choice)]
    useful = [entry.name for entry in owners if entry.decides in asked]
    about = {kind for entry in owners for kind in kinds_of(entry)}
    return f"--engine {' or '.join(useful)}" if useful else f"engines for {listed(about, _in_words())}"


def _deciders(deciding: Sequence[Entry | None]) -> str:
    names = dict.fromkeys(entry.name for entry in deciding if entry)
    return f"{listed(names)} decide{'s' * (len(names) == 1)} here"
