"""What people can choose, written once: a task has structs of options, and an option is a field with type, default, words, help.

From there come the options of the command line (`cli/frame/arguments.py`), the check of words, the refusal of what has no effect,
the keywords of the Python interface (`api/keywords.pyi`, which `tests/keyword_types.py` writes) and the tables of
`docs/command-line.md` (which a test compares).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields, force_setattr

from coarsest.errors import InputError
from coarsest.text.near import nearest

NO_WORDS: Mapping[str, str] = MappingProxyType({})
"""An option that is not one of some words."""


class Confirm(StrEnum):
    """Whether evidence is checked by code that shares nothing with what found it."""

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
    """Where a choice has an effect: beside these words of another option, or beside all words but some."""

    option: str
    words: tuple[Any, ...] = ()
    never: tuple[Any, ...] = ()
    value: Any = None
    """The only value that the other option matters to; None: it matters to every value."""

    def admits(self, word: object) -> bool:
        """Does the choice have an effect beside this word?"""
        return word in self.words if self.words else word not in self.never


class Option(Struct, frozen=True, kw_only=True):
    """What is told about a choice besides its name, type and default."""

    help: str
    """For the command line; `{words}` stands for the words."""
    flag: str = ""
    """What is typed, where that is not made of the name of the field."""
    noun: str = ""
    """What the value is called in the complaint about an unknown word; without one, whoever uses the word complains."""
    words: Mapping[str, str] | Callable[[], Mapping[str, str]] = NO_WORDS
    """The words that can be chosen, each with a line about it; or what knows them, where more may be registered."""
    metavar: str | None = None
    """What stands for the value in the help; without one, that are the words."""
    closed: bool = True
    """Are the words all that can be chosen?"""
    least: int | None = None
    most: int | None = None
    at_once: bool = False
    """Of a list: can several values follow one flag?"""
    on_command_line: bool = True
    """Is it a flag with this name? If not, the command line says it by something else."""
    beside: tuple[Beside, ...] = ()
    """The choices of other options that it needs; of a task without these options, it needs nothing."""
    about: tuple[str, ...] = ()
    """The kinds of properties, files or evidence that it is for; without any, it is for all."""


class Choice(Struct, frozen=True):
    """A field that people can choose the value of."""

    name: str
    type: Any
    default: Any
    option: Option

    @property
    def flag(self) -> str:
        """What is typed; what is on unless it is switched off is switched off."""
        name = self.name.replace("_", "-")
        return self.option.flag or (f"--no-{name}" if self.default is True else f"--{name}")

    @property
    def typed(self) -> str:
        """How people know the option, on the command line or not."""
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
        """The value as the field holds it, or InputError for a word that is none."""
        if self.type is Confirm:
            return Confirm.meant(value)
        if self.option.noun and value not in self.words:
            raise unknown_word(self.option.noun, value, self.words)
        return tuple(value) if self.many else value


class Options(Struct, frozen=True, kw_only=True):
    """The choices of a task. A field without an `Option` is our own, and cannot be chosen."""

    def __post_init__(self) -> None:
        for choice in choices(type(self)):
            value = getattr(self, choice.name)
            checked = choice.checked(value)
            if checked is not value:
                force_setattr(self, choice.name, checked)


O = TypeVar("O", bound=Options)  # noqa: E741


class Task(Struct, frozen=True):
    """What a function of the interface, and its command, can be told."""

    structs: tuple[type[Options], ...]
    without: tuple[str, ...] = ()
    """Choices of these structs that it does not have."""
    further: Callable[[], Sequence[type[Options]]] = tuple
    """Knows more structs, where such may be registered."""

    @property
    def choices(self) -> Iterator[Choice]:
        for struct in (*self.structs, *self.further()):
            yield from (choice for choice in choices(struct) if choice.name not in self.without)

    def read(self, struct: type[O], given: Mapping[str, object]) -> O:
        """The part of the keywords that is for one of the structs. A name that is for none of them is a TypeError."""
        self.require_known(given)
        return struct(**{name: value for name, value in given.items() if name in struct.__struct_fields__})

    def require_known(self, given: Mapping[str, object]) -> None:
        """Raise TypeError for a name that is for none of the structs."""
        names = [choice.name for choice in self.choices]
        for name in given:
            if name not in names:
                near = nearest(name, names)
                raise TypeError(f"there is no option '{name}'{f', but {near[0]!r}' if near else ''}")


@cache
def choices(struct: type[Options]) -> tuple[Choice, ...]:
    """The fields of a struct that people can choose, in order."""
    choices = []
    for field in fields(struct):
        kind, *marks = get_args(field.type) or (field.type,)
        choices += [Choice(field.name, kind, field.default, mark) for mark in marks if isinstance(mark, Option)]
    return tuple(choices)


def chosen(structs: Iterable[Options]) -> Iterator[tuple[Choice, Any]]:
    """What differs from the defaults."""
    for struct in structs:
        for choice in choices(type(struct)):
            value = getattr(struct, choice.name)
            if value != choice.default:
                yield choice, value


def require_effect(structs: Sequence[Options], settled: Mapping[str, object] = NO_WORDS) -> None:
    """Raise InputError for a choice that another choice keeps from having an effect; `settled` says what `auto` has become."""
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
    """Raise InputError for a choice that is for other things than those at hand; `words` says what they are called."""
    for choice, _ in chosen(structs):
        about = choice.option.about
        if about and kinds and set(about).isdisjoint(kinds):
            message = f"{choice.typed} is for {listed(about, words)}, not for {listed(sorted(kinds), words)}"
            raise InputError(message, hint=f"leave out {choice.typed}")


def listed(names: Iterable[str], words: Mapping[str, str] = NO_WORDS) -> str:
    """Some names in a sentence, those that have words first and in their order."""
    given = tuple(names)
    *others, last = [words[name] for name in words if name in given] + [name for name in given if name not in words]
    return f"{', '.join(others)} and {last}" if others else last


def words(struct: type[Options], name: str) -> tuple[str, ...]:
    """The words of one choice."""
    (choice,) = (choice for choice in choices(struct) if choice.name == name)
    return tuple(choice.words)


def unknown_word(noun: str, word: object, words: Mapping[str, Any]) -> InputError:
    """The complaint about a word that is not among those known."""
    return InputError(f"unknown {noun} '{word}'", hint=f"known: {', '.join(words)}")
