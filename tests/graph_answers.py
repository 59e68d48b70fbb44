"""Answers on assertion graphs, without files and commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from coarsest.check.answers import Checker
from coarsest.check.decide.along import claims_of
from coarsest.evidence.assertion_graph_answer import AssertionGraphAnswer
from coarsest.model.assertion_graph import AssertionGraph
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions, GsteOptions
from coarsest.run import Run


def graph_answers(
    machine: Machine, graphs: Sequence[AssertionGraph], how: GsteOptions | None = None
) -> list[AssertionGraphAnswer]:
    how = how or GsteOptions()
    checker = Checker(machine, BuildOptions(), how.for_check, Run(), how)
    return cast("list[AssertionGraphAnswer]", list(checker.answers(claims_of(graphs, how))))
