"""Every option is written once: a task has structs of options, and an option is a field with type, default, words and help.

This gives the options of the command line (`cli/frame/arguments.py`), the check of values, the refusal of options without effect,
the keywords of the Python interface (`api/keywords.pyi`, which `tests/keyword_types.py` writes) and the tables of
`docs/command-line.md` (which a test compares).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from numbers import Integral
from os import PathLike
from types import MappingProxyType, UnionType
from typing import Any, TypeVar, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields, force_setattr

from coarsest.errors import InputError
from coarsest.text.near import nearest

NO_WORDS: Mapping[str, str] = MappingProxyType({})
"""The words of an option that takes other values."""


class Confirm(StrEnum):
    """When evidence is checked, by code that is independent of the engine."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"

    @classmethod
    def meant(cls, value: str | bool) -> Confirm:  # noqa: FBT001
        """`True` and `False` are short for `auto` and `never`."""
        if isinstance(value, bool):
            return cls.AUTO if value else cls.NEVER
        if value not in tuple(cls):
            raise unknown_word("way to confirm", value, CONFIRMATIONS)
        return cls(value)


CONFIRMATIONS: Mapping[str, str] = MappingProxyType(
    {
        "auto": "where that is cheap",
        "always": "whatever it costs",
        "never": "not at all",
    }
)


class Beside(Struct, frozen=True):
    """The values of another option beside which a choice has an effect: `words`, or all but `never`."""

    option: str
    words: tuple[Any, ...] = ()
    never: tuple[Any, ...] = ()
    value: Any = None
    """The value of the choice that has this condition; None: all values have it."""

    def admits(self, word: object) -> bool:
        """Does the choice have an effect beside this word?"""
        return word in self.words if self.words else word not in self.never


class Option(Struct, frozen=True, kw_only=True):
    """A description of a choice beside its name, type and default."""

    help: str
    """For the command line; `{words}` stands for the words."""
    flag: str = ""
    """The flag, if it is not made of the name of the field."""
    noun: str = ""
    """The name of the value in the message about an unknown word; without it, the code that uses the word checks it."""
    words: Mapping[str, str] | Callable[[], Mapping[str, str]] = NO_WORDS
    """The possible words with a line of help each, or a function that gives them if more may be registered."""
    metavar: str | None = None
    """The placeholder of the value in the help; without it, the words."""
    closed: bool = True
    """Are no other values possible?"""
    least: int | None = None
    most: int | None = None
    at_once: bool = False
    """Of a list: can several values follow one flag?"""
    on_command_line: bool = True
    """Is it a flag? If not, the command line sets it in another way."""
    beside: tuple[Beside, ...] = ()
    """The values of other options that it needs. In a task without these options it needs nothing."""
    about: tuple[str, ...] = ()
    """The kinds of properties, files or evidence to which it applies; without any, to all."""


EXPECTED: Mapping[Any, tuple[Any, str]] = MappingProxyType(
    {
        str: (str, "a text"), int: (Integral, "a whole number"), bool: (bool, "True or False"),
        UnionType: (str | PathLike | None, "a text"), tuple: (Iterable, "a text or a list of texts"),
    }
)
"""For types of options, the types of values and their name in messages."""


class Choice(Struct, frozen=True):
    """A field whose value users can choose."""

    name: str
    type: Any
    default: Any
    option: Option

    @property
    def flag(self) -> str:
        """The flag; for an option that is on by default, it switches it off."""
        name = self.name.replace("_", "-")
        return self.option.flag or (f"--no-{name}" if self.default is True else f"--{name}")

    @property
    def typed(self) -> str:
        """The name of the option in messages, on the command line or not."""
        return self.flag if self.option.on_command_line else f"'{self.name}'"

    @property
    def words(self) -> Mapping[str, str]:
        words = self.option.words
        return words() if callable(words) else words

    @property
    def help(self) -> str:
        return self.option.help.replace("{words}", ", ".join(self.words))

    @property
    def many(self) -> bool:
        """Is the value a list?"""
        return get_origin(self.type) is tuple

    def checked(self, value: Any) -> Any:
        """The value as the field holds it; raises InputError for an unknown word."""
        if self.type is Confirm:
            return Confirm.meant(value)
        if self.many and isinstance(value, str):
            return (value,)  # one name, and not its letters
        plain, expected = EXPECTED.get(get_origin(self.type) or self.type, (object, ""))
        if not isinstance(value, plain) or (self.type is int and isinstance(value, bool)):
            raise InputError(f"{self.name} is {expected}, found {value!r:.40}", hint=self.help)
        least, most = self.option.least, self.option.most
        if self.type is int and ((least is not None and value < least) or (most is not None and value > most)):
            bounds = f"at least {least}" if most is None else f"from {least} to {most}"
            raise InputError(f"{self.name} is {bounds}, found {value}", hint=self.help)
        if self.option.noun and value not in self.words:
            raise unknown_word(self.option.noun, value, self.words)
        return tuple(value) if self.many else value


class Options(Struct, frozen=True, kw_only=True):
    """The choices of a task. Users cannot choose a field without an `Option`."""

    def __post_init__(self) -> None:
        for choice in choices(type(self)):
            value = getattr(self, choice.name)
            checked = choice.checked(value)
            if checked is not value:
                force_setattr(self, choice.name, checked)


O = TypeVar("O", bound=Options)  # noqa: E741


class Task(Struct, frozen=True):
    """The options of a function of the interface and of its command."""

    structs: tuple[type[Options], ...]
    without: tuple[str, ...] = ()
    """Choices of these structs that the task does not have."""
    further: Callable[[], Sequence[type[Options]]] = tuple
    """Gives more structs, which may be registered."""

    @property
    def choices(self) -> Iterator[Choice]:
        for struct in (*self.structs, *self.further()):
            yield from (choice for choice in choices(struct) if choice.name not in self.without)

    def read(self, struct: type[O], given: Mapping[str, object]) -> O:
        """A struct made of its part of the keywords. Raises TypeError for a keyword of no struct."""
        self.require_known(given)
        return struct(**{name: value for name, value in given.items() if name in struct.__struct_fields__})

    def require_known(self, given: Mapping[str, object]) -> None:
        """Raise TypeError for a keyword of no struct."""
        names = [choice.name for choice in self.choices]
        for name in given:
            if name not in names:
                near = nearest(name, names)
                raise TypeError(f"there is no option '{name}'{f', but {near[0]!r}' if near else ''}")


@cache
def choices(struct: type[Options]) -> tuple[Choice, ...]:
    """The choices of a struct, in order."""
    choices = []
    for field in fields(struct):
        kind, *marks = get_args(field.type) or (field.type,)
        choices += [Choice(field.name, kind, field.default, mark) for mark in marks if isinstance(mark, Option)]
    return tuple(choices)


def chosen(structs: Iterable[Options]) -> Iterator[tuple[Choice, Any]]:
    """The choices that differ from their defaults, with their values."""
    for struct in structs:
        for choice in choices(type(struct)):
            value = getattr(struct, choice.name)
            if value != choice.default:
                yield choice, value


def require_effect(structs: Sequence[Options], settled: Mapping[str, object] = NO_WORDS) -> None:
    """Raise InputError for a choice that has no effect beside another; `settled` has the values that replaced `auto`."""
    known = {choice.name: getattr(struct, choice.name) for struct in structs for choice in choices(type(struct))}
    for choice, value in chosen(structs):
        for needed in choice.option.beside:
            word = settled.get(needed.option, known.get(needed.option))
            if word is None or needed.value not in (None, value) or needed.admits(word):
                continue
            what = choice.typed if needed.value is None else f"{choice.typed} {value}"
            other = "--" + needed.option.replace("_", "-")
            useful = f", or choose {other} {needed.words[0]}" if needed.words and word == known.get(needed.option) else ""
            owner = f"belongs to {other} {' or '.join(map(str, needed.words))}, and {other} is {word} here"
            message = f"{what} {owner if needed.words else f'has no effect with {other} {word}'}"
            raise InputError(message, hint=f"leave out {choice.typed}{useful}")


def require_about(structs: Iterable[Options], kinds: Iterable[str], words: Mapping[str, str] = NO_WORDS) -> None:
    """Raise InputError for a choice that applies to none of `kinds`; `words` has their names in messages."""
    for choice, _ in chosen(structs):
        about = choice.option.about
        if about and kinds and set(about).isdisjoint(kinds):
            message = f"{choice.typed} is for {listed(about, words)}, not for {listed(sorted(kinds), words)}"
            raise InputError(message, hint=f"leave out {choice.typed}")


def listed(names: Iterable[str], words: Mapping[str, str] = NO_WORDS) -> str:
    """An enumeration for a sentence: first the names that have words, in the order of the words."""
    given = tuple(names)
    *others, last = [words[name] for name in words if name in given] + [name for name in given if name not in words]
    return f"{', '.join(others)} and {last}" if others else last


def words(struct: type[Options], name: str) -> tuple[str, ...]:
    """The possible words of a choice."""
    (choice,) = (choice for choice in choices(struct) if choice.name == name)
    return tuple(choice.words)


def unknown_word(noun: str, word: object, words: Mapping[str, Any]) -> InputError:
    """The error for a value that is not among `words`."""
    near = nearest(word, words) if isinstance(word, str) else []
    return InputError(f"unknown {noun} '{word}'", hint=f"did you mean '{near[0]}'?" if near else f"known: {', '.join(words)}")
