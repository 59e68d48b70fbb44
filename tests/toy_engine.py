"""An engine from outside the package: it looks at all states one by one."""

from __future__ import annotations

from coarsest.check.questions.finding import Finding, Refuted, Undecided
from coarsest.check.questions.question import Question
from coarsest.check.setting.session import Session
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.trace import Trace


def objection(question: Question, session: Session) -> str:
    return "it only looks at models with fewer than ten variables" if len(question.part.machine.variables) > 9 else ""


def decide(question: Question, session: Session) -> Finding:
    interpreter = Interpreter(question.part.machine)
    waiting = [Trace((state,)) for state in interpreter.initial_states()]
    seen = []
    for trace in waiting:
        state = trace.states[-1]
        if not interpreter.satisfies(question.claim.good, state):
            return Refuted(trace, {"traces": len(waiting)})
        for inputs, after in interpreter.successors(state):
            if after not in seen:
                seen.append(after)
                steps = (*trace.inputs, inputs) if interpreter.input_variables else ()
                waiting.append(Trace((*trace.states, after), steps))
    return Undecided("this engine proves nothing")
