"""Results as Markdown: for pull requests, wikis and notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coarsest.render.data.model_report import ModelReport, summary_of, title_of, word_of


def text_to_markdown(title: str, text: str) -> str:
    """A text under a heading.

    >>> print(text_to_markdown("reach m.smv", "states  4"), end="")
    # reach m.smv
    <BLANKLINE>
    ```text
    states  4
    ```
    """
    return f"# {_plain(title)}\n\n{_fenced(text)}\n"


def reports_to_markdown(reports: Sequence[ModelReport]) -> str:
    """The warnings of each model, a table of its verdicts, and their evidence."""
    return "\n\n".join("\n\n".join(_parts(report)) for report in reports) + "\n"


def _parts(report: ModelReport) -> Iterator[str]:
    yield f"# {_plain(report.model)}"
    yield summary_of([report], report.seconds)
    if report.warnings:
        yield "\n".join(f"* warning: {_plain(text)}" for text in report.warnings)
    if report.properties:
        rows = [f"| {word_of(one)} | {_cell(title_of(one))} |" for one in report.properties]
        yield "\n".join(["| verdict | property |", "|---|---|", *rows])
    for property, text in zip(report.properties, report.texts):
        head, _, evidence = text.rstrip().partition("\n")
        if evidence:
            yield f"## {property['verdict']}: {_plain(property['name'] or head.partition(' ')[2].strip())}"
            yield _fenced("\n".join(line.removeprefix("    ") for line in evidence.split("\n")))


def _fenced(text: str) -> str:
    """A code block with any text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text.rstrip()}\n{fence}"


def _cell(text: str) -> str:
    """Code in a table; a bar would end the cell."""
    ticks = "``" if "`" in text else "`"
    return f"{ticks}{text.replace('|', chr(92) + '|')}{ticks}"


def _plain(text: str) -> str:
    """A text with all markup escaped."""
    return "".join(f"\\{character}" if character in "\\`*_<>[]|#" else character for character in " ".join(text.split()))
