"""Is one circuit a witness that another has no bad state? By the five conditions of the competition, each put to a SAT solver.

It reads AIGER files by itself and has clauses of its own: nothing of ours has a part in it. The witness has the inputs and
latches of the model first, in their order.
"""

from collections.abc import Callable

from pysat.solvers import Minisat22

from oracles.aiger_circuits import Model, parse


class Copy:
    """The literals of one circuit at one time, in a solver."""

    def __init__(self, solver: Minisat22, model: Model, fresh: Callable[[], int], shared: "Copy | None" = None) -> None:
        self.model, self.of = model, {0: -1}
        own = [*model.input_literals, *(row[0] for row in model.latches)]
        if shared is None:
            self.of.update((literal, fresh()) for literal in own)
        else:
            latches = [shared.of[row[0]] for row in shared.model.latches]
            inputs = [shared.of[literal] for literal in shared.model.input_literals]
            self.of.update(zip(model.input_literals, [*inputs, *(fresh() for _ in model.input_literals[len(inputs) :])]))
            self.of.update(zip((row[0] for row in model.latches), [*latches, *(fresh() for _ in model.latches[len(latches) :])]))
        for gate, left, right in model.ands:
            self.of[gate] = out = fresh()
            a, b = self(left), self(right)
            for clause in ([-out, a], [-out, b], [out, -a, -b]):
                solver.add_clause(clause)

    def __call__(self, literal: int) -> int:
        return -self.of[literal - 1] if literal % 2 else self.of[literal]

    @property
    def good(self) -> int:
        (bad,) = self.model.bad
        return -self(bad)

    @property
    def allowed(self) -> list[int]:
        return [self(literal) for literal in self.model.constraints]


class Conditions:
    def __init__(self, model: bytes, witness: bytes) -> None:
        self.model, self.witness = parse(model), parse(witness)

    def _prove(self, build: Callable[[Minisat22, Callable[[], int]], list[list[int]]]) -> bool:
        """No assignment satisfies all clauses."""
        count = iter(range(2, 10**9))
        with Minisat22() as solver:
            solver.add_clause([1])
            for clause in build(solver, lambda: next(count)):
                solver.add_clause(clause)
            return not solver.solve()

    @staticmethod
    def _resets(copy: Copy) -> list[list[int]]:
        rows = [row for row in copy.model.latches if row[2] != row[0]]
        return [[copy(row[0]) if row[2] else -copy(row[0])] for row in rows]

    def reset(self) -> bool:
        """A first state of the model can be one of the witness: latches have the same first values."""
        ours = [(place, row[2] if row[2] != row[0] else "any") for place, row in enumerate(self.model.latches)]
        theirs = [row[2] if row[2] != row[0] else "any" for row in self.witness.latches]
        return all(theirs[place] in (value, "any") for place, value in ours)

    def transition(self) -> bool:
        """Where both are allowed to step, latches that both have get the same values."""

        def build(solver: Minisat22, fresh: Callable[[], int]) -> list[list[int]]:
            one = Copy(solver, self.model, fresh)
            other = Copy(solver, self.witness, fresh, one)
            differences = []
            for ours, theirs in zip(self.model.latches, self.witness.latches):
                a, b, out = one(ours[1]), other(theirs[1]), fresh()
                solver.add_clause([-out, a, b])
                solver.add_clause([-out, -a, -b])
                differences.append(out)
            return [differences, *([literal] for literal in (*one.allowed, *other.allowed))]

        return self._prove(build)

    def property(self) -> bool:
        """What is not bad in the witness is not bad in the model."""

        def build(solver: Minisat22, fresh: Callable[[], int]) -> list[list[int]]:
            one = Copy(solver, self.model, fresh)
            other = Copy(solver, self.witness, fresh, one)
            return [[literal] for literal in (other.good, -one.good, *one.allowed, *other.allowed)]

        return self._prove(build)

    def base(self) -> bool:
        """Nothing is bad initially in the witness."""

        def build(solver: Minisat22, fresh: Callable[[], int]) -> list[list[int]]:
            copy = Copy(solver, self.witness, fresh)
            return [*self._resets(copy), [-copy.good], *([literal] for literal in copy.allowed)]

        return self._prove(build)

    def step(self) -> bool:
        """Nor after a step from what is not bad."""

        def build(solver: Minisat22, fresh: Callable[[], int]) -> list[list[int]]:
            now, after = Copy(solver, self.witness, fresh), Copy(solver, self.witness, fresh)
            for row in self.witness.latches:
                a, b = now(row[1]), after(row[0])
                solver.add_clause([-a, b])
                solver.add_clause([a, -b])
            return [[literal] for literal in (now.good, -after.good, *now.allowed, *after.allowed)]

        return self._prove(build)

    def met(self) -> dict[str, bool]:
        names = ("reset", "transition", "property", "base", "step")
        return {name: getattr(self, name)() for name in names}
