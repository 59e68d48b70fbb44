"""The entry point: errors become exit codes here, and nowhere else.

0 everything holds · 1 a property fails · 2 wrong input or usage · 3 undecided · 70 a bug in coarsest · 130 interrupted ·
141 the program that reads the output ended
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Sequence
from io import UnsupportedOperation
from typing import Any, Final

from coarsest import tuning
from coarsest.errors import EvidenceRejected, InputError, LimitExceeded

REPORT = """please report it with the command, the model if you can share it, and the output of the same command with
COARSEST_DEBUG=1 in the environment, as CONTRIBUTING.md describes (coarsest {version}, Python {python}, {platform})"""


LONGEST_START: Final = 2.0
"""CPU time above this at start-up belongs to a process that called `exec`, and is ignored."""

MOST_TOOLS: Final = 6
"""The number of tools that may monitor a Python program."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code. Without `argv` this is the whole program, and the process may end here."""
    if argv is not None:
        return _run(argv, time.monotonic())
    gc.set_threshold(tuning.OBJECTS_BETWEEN_COLLECTIONS)
    try:
        code = _run(None, _start_of_the_process())
    except KeyboardInterrupt:  # it came before a handler was installed, or while one ran
        code = _complain("interrupted", 130)
    _ignore_interrupts()
    if code == 130 or _a_kernel_is_at_work():
        from coarsest._kernels.worker_threads import end_at_once

        end_at_once(code)  # Python cannot shut down while a kernel or a library is still running
    if not _is_watched():
        _leave(code)
    return code


def _is_watched() -> bool:
    """Is there a debugger, a profiler or a prompt that continues after the command?"""
    tools: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on
    monitored = tools is not None and any(tools.get_tool(number) is not None for number in range(MOST_TOOLS))
    return monitored or sys.flags.inspect != 0 or sys.gettrace() is not None or sys.getprofile() is not None


def _leave(code: int) -> None:
    """End the process after its exit handlers. Freeing all objects takes longer than many commands."""
    import atexit

    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return  # Python reports it at exit
    os._exit(code)


def _ignore_interrupts() -> None:
    """All output is written, so that Ctrl-C could change only the exit code."""
    import signal
    import threading

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _start_of_the_process() -> float:
    """The start of the interpreter, from its CPU time: after an `exec` the system counts from the start of the shell."""
    return time.monotonic() - min(time.process_time(), LONGEST_START)


def _run(argv: Sequence[str] | None, started: float) -> int:
    sys.set_int_max_str_digits(0)  # counts of states may have any number of digits
    _prepare_streams()
    arguments, stderr = list(sys.argv[1:] if argv is None else argv), sys.stderr
    try:
        return _answer(arguments, started)
    finally:
        sys.stderr = stderr  # a command may have asked for JSON there


def _answer(arguments: list[str], started: float) -> int:
    try:
        code = _answer_shortly(arguments, started)
        if code is None:
            from coarsest.cli.dispatch import dispatch

            code = dispatch(arguments, started)
        sys.stdout.flush()
        _advise()
        return code
    except BrokenPipeError:
        return _silenced(141)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except InputError as error:
        return _refuse(error, for_programs="--json" in arguments)
    except LimitExceeded as error:
        return _complain(f"undecided: {error}", 3)
    except MemoryError:
        return _complain("undecided: memory ran out", 3)
    except OSError as error:  # our files raise FileProblem: this is standard output, or a file of a library
        place = "cannot write the result" if error.filename is None else f"cannot use '{error.filename}'"
        problem = InputError(f"{place}: {error.strerror or error}")
        return _silenced(_refuse(problem, for_programs="--json" in arguments))
    except RecursionError as error:
        return _bug(error) if _debugging() else _complain("error: the input is nested too deeply", 2)
    except Exception as error:
        if _comes_from_an_interrupt(error):
            return _complain("interrupted", 130)
        return _complain("undecided: memory ran out", 3) if _comes_from_lack_of_memory(error) else _bug(error)


def _answer_shortly(arguments: list[str], started: float) -> int | None:
    """The exit code of a command that needs few imports; None if this is not such a command."""
    if arguments[:1] != ["reduce"] or not any(word.endswith(".aut") for word in arguments):
        return None
    from coarsest.cli.short_way import answered

    return answered(arguments, started)


def _advise() -> None:
    if "coarsest._kernels.choose" in sys.modules:
        from coarsest._kernels.choose import advice

        if text := advice():
            sys.stderr.write(f"hint: {text}\n")


def _a_kernel_is_at_work() -> bool:
    if "coarsest._kernels.worker_threads" not in sys.modules:
        return False
    from coarsest._kernels.worker_threads import at_work

    return at_work()


def _comes_from_an_interrupt(error: BaseException | None) -> bool:
    """Did Ctrl-C cause this error? Libraries that call Python turn it into errors of their own."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:  # an error may be its own cause
        seen.append(error)
        if isinstance(error, KeyboardInterrupt):
            return True
        if type(error).__name__ == "Z3Exception" and "canceled" in str(error):  # z3 handles Ctrl-C itself
            return True
        if type(error).__name__ == "ArgumentError" and "KeyboardInterrupt" in str(error):  # ctypes keeps only the name
            return True
        error = error.__cause__ or error.__context__
    return False


def _comes_from_lack_of_memory(error: BaseException) -> bool:
    """Did lack of memory cause this error? z3 says so in a text, other libraries in the cause of the error."""
    return isinstance(error.__cause__, MemoryError) or (type(error).__name__ == "Z3Exception" and "out of memory" in str(error))


def _prepare_streams() -> None:
    """Replace closed streams by the null device, and show characters that a terminal lacks by their number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
            setattr(sys, name, os.fdopen(number, "r" if number == 0 else "w", closefd=False))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _complain(message: str, code: int) -> int:
    sys.stderr.write(f"{message}\n")
    return code


def _refuse(error: InputError, *, for_programs: bool) -> int:
    """Report wrong input, to programs that asked for JSON as JSON, too."""
    if for_programs:
        from coarsest.render.data.error_json import error_to_text

        try:
            sys.stdout.write(error_to_text(error) + "\n")
            sys.stdout.flush()
        except OSError:
            _silenced(2)
    return _complain(str(error), 2)


def _silenced(code: int) -> int:
    """Discard pending output, which would fail again at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except UnsupportedOperation:  # in a supervised process, which has no pending output
        return code
    return code


def _debugging() -> bool:
    return bool(os.environ.get("COARSEST_DEBUG"))


def _bug(error: Exception) -> int:
    from platform import platform, python_version

    from coarsest import __version__

    if _debugging() or "-v" in sys.argv or "--verbose" in sys.argv:
        import traceback

        traceback.print_exception(error)
    what = "our own evidence did not confirm" if isinstance(error, EvidenceRejected) else type(error).__name__
    details = REPORT.format(version=__version__, python=python_version(), platform=platform())
    return _complain(f"internal error: {what}: {error}\nthis is a bug in coarsest, not in your model: {details}", 70)


if __name__ == "__main__":
    sys.exit(main())
