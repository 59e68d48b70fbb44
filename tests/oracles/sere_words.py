"""PSL on words, by the definitions of IEEE 1850-2005 (annex B): tight satisfaction of sequences, formulas on `prefix cycle^ω`.

It works on the syntax tree as the parser makes it, so that the shorthands of PSL are tested too, and shares nothing else.
A letter is a set of true atoms, or ⊤, which satisfies every condition, or ⊥, which satisfies none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from coarsest.logic.expr import Apply, Constant, Expr

TOP, BOTTOM = "⊤", "⊥"
Letter = frozenset | str
SERE = {"sere", ";", ":", "&&", "&", "|", "[*]", "[=]", "[->]", "within"}


def condition_holds(letter: Letter, condition: Expr) -> bool:
    """Does a letter satisfy a condition? ⊤ satisfies even FALSE, ⊥ not even TRUE."""
    return letter == TOP or (letter != BOTTOM and _value(letter, condition))


def _value(letter: frozenset, condition: Expr) -> bool:
    if isinstance(condition, Constant):
        return condition.value is True
    if not isinstance(condition, Apply):
        return condition in letter
    args = [_value(letter, arg) for arg in condition.args]
    return {
        "not": lambda: not args[0],
        "and": lambda: all(args),
        "or": lambda: any(args),
        "implies": lambda: not args[0] or args[1],
        "iff": lambda: args[0] == args[1],
        "xor": lambda: args[0] != args[1],
    }[condition.op]()


# -- sequences -------------------------------------------------------------------------------------------------------------


def ends(sere: Expr, word: Sequence[Letter], start: int) -> set[int]:
    """All ends such that the letters from `start` up to, not including, the end are tightly satisfied by the sequence."""
    return _Matcher(word).ends(sere, start)


def matches(sere: Expr, word: Sequence[Letter]) -> bool:
    """Does the whole word satisfy the sequence tightly?"""
    return len(word) in ends(sere, word, 0)


class _Matcher:
    def __init__(self, word: Sequence[Letter]) -> None:
        self.word = word
        self.done: dict[tuple[int, int], set[int]] = {}

    def ends(self, sere: Expr, start: int) -> set[int]:
        key = (id(sere), start)
        if key not in self.done:
            self.done[key] = self.compute(sere, start)
        return self.done[key]

    def compute(self, sere: Expr, start: int) -> set[int]:
        if not isinstance(sere, Apply) or sere.op not in SERE:
            return {start + 1} if start < len(self.word) and condition_holds(self.word[start], sere) else set()
        args = sere.args
        if sere.op == "sere":
            return self.ends(args[0], start)
        if sere.op == ";":
            reached = {start}
            for part in args:
                reached = {end for middle in reached for end in self.ends(part, middle)}
            return reached
        if sere.op == ":":  # the last letter of one is the first of the other, so neither is empty
            lasts = [middle - 1 for middle in self.ends(args[0], start) if middle > start]
            return {end for last in lasts for end in self.ends(args[1], last) if end > last}
        if sere.op == "|":
            return self.ends(args[0], start) | self.ends(args[1], start)
        if sere.op == "&&":
            return self.ends(args[0], start) & self.ends(args[1], start)
        if sere.op == "&":
            one, other = self.ends(args[0], start), self.ends(args[1], start)
            return {end for end in one if any(e <= end for e in other)} | {end for end in other if any(e <= end for e in one)}
        if sere.op == "within":
            inner = [min(self.ends(args[0], place), default=None) for place in range(start, len(self.word) + 1)]
            return {end for end in self.ends(args[1], start) if any(e is not None and e <= end for e in inner)}
        low = args[1].value
        high = args[2].value if len(args) > 2 else None
        if sere.op == "[*]":
            return self.repeated(args[0], start, low, high)
        return self.counted(args[0], start, low, high, stop_at_last=sere.op == "[->]")

    def repeated(self, body: Expr, start: int, low: int, high: int | None) -> set[int]:
        # Beyond `low`, repetitions without letters change nothing: so many more are enough.
        most = low + len(self.word) - start
        most = most if high is None else min(high, most)
        found: set[int] = set()
        reached = {start}
        for count in range(most + 1):
            if count >= low:
                found |= reached
            reached = {end for middle in reached for end in self.ends(body, middle)}
        return found

    def counted(self, condition: Expr, start: int, low: int, high: int | None, *, stop_at_last: bool) -> set[int]:
        """A letter counts if it satisfies the condition, and may be passed over if it satisfies the opposite; ⊤ may do either."""
        while isinstance(condition, Apply) and condition.op == "sere":
            condition = condition.args[0]
        in_range = lambda count: count >= low and (high is None or count <= high)  # noqa: E731
        found = {start} if in_range(0) else set()
        counts = {0}
        for place in range(start, len(self.word)):
            letter = self.word[place]
            counted = {count + 1 for count in counts} if condition_holds(letter, condition) else set()
            passed = counts if condition_holds(letter, Apply("not", (condition,))) else set()
            counts = counted | passed
            if any(map(in_range, counted if stop_at_last else counts)):
                found.add(place + 1)
        return found


def states_bound(sere: Expr) -> int:
    """At least as many states as an automaton of the sequence needs."""
    if not isinstance(sere, Apply) or sere.op not in SERE:
        return 2
    sizes = [states_bound(arg) for arg in sere.args if not isinstance(arg, Constant) or isinstance(arg.value, bool)]
    if sere.op in ("[*]", "[=]", "[->]"):
        return 1 + sizes[0] * max(1, sere.args[-1].value)
    if sere.op == "&&":
        return sizes[0] * sizes[1]
    if sere.op == "&":
        return sizes[0] * sizes[1] + sizes[0] + sizes[1]
    return (sizes[0] + 2) * sizes[1] if sere.op == "within" else sum(sizes)


def largest_bound(formula: Expr) -> int:
    """The largest such number of a sequence in a formula: how much work the brute force has."""
    if not isinstance(formula, Apply):
        return 0
    if formula.op in ("sere", "sere!"):
        return states_bound(formula.args[0])
    return max(map(largest_bound, formula.args), default=0)


def can_match(formula: Expr) -> bool:
    """Can every sequence in a formula be matched by letters ⊤? (If not, it contradicts itself whatever the letters.)"""
    if not isinstance(formula, Apply):
        return True
    if formula.op in ("sere", "sere!"):
        return bool(_Evaluator().match_ends(Lasso((), (TOP,)), formula.args[0]))
    return all(map(can_match, formula.args))


# -- formulas --------------------------------------------------------------------------------------------------------------


class Lasso(NamedTuple):
    """An infinite word: the prefix, then the cycle for ever."""

    prefix: tuple[Letter, ...]
    cycle: tuple[Letter, ...]

    def first(self, count: int) -> tuple[Letter, ...]:
        letters = self.prefix
        while len(letters) < count:
            letters += self.cycle
        return letters[:count]

    def drop(self, count: int) -> Lasso:
        if count <= len(self.prefix):
            return Lasso(self.prefix[count:], self.cycle)
        turn = (count - len(self.prefix)) % len(self.cycle)
        return Lasso((), self.cycle[turn:] + self.cycle[:turn])

    def dual(self) -> Lasso:
        """⊤ and ⊥ change places."""
        swap = {TOP: BOTTOM, BOTTOM: TOP}
        return Lasso(tuple(swap.get(x, x) for x in self.prefix), tuple(swap.get(x, x) for x in self.cycle))

    def __len__(self) -> int:
        """So many suffixes are different."""
        return len(self.prefix) + len(self.cycle)


Predicate = Callable[[Lasso], bool]


def satisfies(word: Lasso, formula: Expr) -> bool:
    """Does the infinite word satisfy the formula?"""
    return _Evaluator().holds(word, formula)


class _Evaluator:
    def __init__(self) -> None:
        self.done: dict[tuple[int, Lasso], bool] = {}

    def holds(self, word: Lasso, formula: Expr) -> bool:
        key = (id(formula), word)
        if key not in self.done:
            self.done[key] = self.compute(word, formula)
        return self.done[key]

    def compute(self, word: Lasso, formula: Expr) -> bool:
        if not isinstance(formula, Apply) or not _is_temporal(formula):
            return condition_holds(word.first(1)[0], formula)
        op, args = formula.op, formula.args
        if op in ("not", "and", "or", "implies", "iff"):
            return self.connective(word, op, args)
        if op in ("sere", "sere!"):
            return self.strong(word, formula) if op == "sere!" else self.weak(word, formula)
        if op[:3] in ("|->", "|=>"):
            return self.suffix_implication(word, op, *args)
        if op == "abort":
            return self.abort(word, *args)
        if op.startswith("next_event"):
            return self.next_event(word, op, args)
        if op.startswith("next") or op == "X":
            return self.next(word, op, args)
        if op in ("always", "never", "eventually!", "G", "F"):
            return self.unary(word, op, args[0])
        left, right = ((lambda w, f=arg: self.holds(w, f)) for arg in args)
        if op.startswith("before"):
            return self.before(word, op, args)
        strong = "!" in op or op == "U"
        return _until(word, left, (lambda w: left(w) and right(w)) if op.endswith("_") else right, strong=strong)

    def negation(self, word: Lasso, formula: Expr) -> bool:
        return not self.holds(word.dual(), formula)

    def connective(self, word: Lasso, op: str, args: tuple[Expr, ...]) -> bool:
        if op == "not":
            return self.negation(word, args[0])
        if op == "and":
            return all(self.holds(word, arg) for arg in args)
        if op == "or":
            return any(self.holds(word, arg) for arg in args)
        one, other = args
        forth = self.negation(word, one) or self.holds(word, other)
        return forth if op == "implies" else forth and (self.negation(word, other) or self.holds(word, one))

    def unary(self, word: Lasso, op: str, arg: Expr) -> bool:
        suffixes = [word.drop(count) for count in range(len(word))]
        if isinstance(arg, Apply) and arg.op == "sere" and op in ("never", "eventually!", "F"):
            arg = Apply("sere!", arg.args)
            self.kept = [*getattr(self, "kept", []), arg]  # keeps its identity alive
        if op in ("always", "G"):
            return all(self.holds(suffix, arg) for suffix in suffixes)
        if op == "never":
            return all(self.negation(suffix, arg) for suffix in suffixes)
        return any(self.holds(suffix, arg) for suffix in suffixes)

    def before(self, word: Lasso, op: str, args: tuple[Expr, ...]) -> bool:
        not_yet = lambda w: self.negation(w, args[1])  # noqa: E731
        come = lambda w: self.holds(w, args[0]) and (op.endswith("_") or not_yet(w))  # noqa: E731
        return _until(word, not_yet, come, strong="!" in op)

    def next(self, word: Lasso, op: str, args: tuple[Expr, ...]) -> bool:
        if op == "X":
            return self.holds(word.drop(1), args[0])
        if op == "next[]":
            return self.holds(word.drop(args[0].value), args[1])
        after = [self.holds(word.drop(count), args[2]) for count in range(args[0].value, args[1].value + 1)]
        return all(after) if op.startswith("next_a") else any(after)

    def next_event(self, word: Lasso, op: str, args: tuple[Expr, ...]) -> bool:
        condition, formula = args[0], args[-1]
        low = args[1].value if len(args) > 2 else 1
        high = args[2].value if len(args) > 3 else low
        strong = op.endswith("!")

        def at_event(w: Lasso, count: int) -> bool:
            if count == 1:
                then: Predicate = lambda w: self.holds(w, formula)  # noqa: E731
            else:
                then = lambda w: at_event(w.drop(1), count - 1)  # noqa: E731
            come = lambda w: condition_holds(w.first(1)[0], condition) and then(w)  # noqa: E731
            return _until(w, lambda w: self.negation(w, condition), come, strong=strong)

        at = [at_event(word, count) for count in range(low, high + 1)]
        return any(at) if op.startswith("next_event_e") else all(at)

    def abort(self, word: Lasso, formula: Expr, condition: Expr) -> bool:
        if self.holds(word, formula):
            return True
        for count in range(len(word)):
            aborts = condition_holds(word.drop(count).first(1)[0], condition)
            if aborts and self.holds(Lasso(word.first(count), (TOP,)), formula):
                return True
        return False

    # -- sequences in formulas ---------------------------------------------------------------------------------------------

    def match_ends(self, word: Lasso, sere: Expr) -> list[int]:
        """Ends of matches that are not empty, far enough that every way to match on the cycle has been seen."""
        return sorted(end for end in ends(sere, word.first(_far(word, sere)), 0) if end > 0)

    def strong(self, word: Lasso, formula: Apply) -> bool:
        return bool(self.match_ends(word, formula.args[0]))

    def weak(self, word: Lasso, formula: Apply) -> bool:
        """Every prefix followed by ⊤ satisfies the strong sequence; the longer the prefix, the harder."""
        counts = [*range(1, len(word) + 1), _far(word, formula.args[0])]
        return all(self.strong(Lasso(word.first(count), (TOP,)), formula) for count in counts)

    def suffix_implication(self, word: Lasso, op: str, sere: Expr, then: Expr) -> bool:
        dual = word.dual()
        far = _far(word, sere) + len(word)
        found = ends(sere, dual.first(far), 0)
        if op.endswith("!"):
            then = Apply("sere!", then.args)
            self.kept = [*getattr(self, "kept", []), then]
        if op.startswith("|=>"):  # {r; TRUE} |-> f
            last = {end for end in found if end < far and condition_holds(dual.first(end + 1)[end], Constant(True))}
        else:
            last = {end - 1 for end in found if end > 0}
        return all(self.holds(word.drop(place), then) for place in sorted(last))


def _far(word: Lasso, sere: Expr) -> int:
    """Beyond, an automaton of the sequence has met the same state in the same place of the cycle before."""
    return len(word.prefix) + (states_bound(sere) + 1) * len(word.cycle)


def _until(word: Lasso, left: Predicate, right: Predicate, *, strong: bool) -> bool:
    suffixes = [word.drop(count) for count in range(len(word))]
    for suffix in suffixes:
        if right(suffix):
            return True
        if not left(suffix):
            return False
    return not strong


def _is_temporal(formula: Expr) -> bool:
    if not isinstance(formula, Apply):
        return False
    return formula.op not in ("not", "and", "or", "implies", "iff", "xor") or any(map(_is_temporal, formula.args))
