"""The page of `coarsest serve`: an editor with the results about its text."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct

from coarsest.files import example_files
from coarsest.render.page.assets import HEAD, asset, embedded

LANGUAGES = MappingProxyType(
    {
        "smv": "SMV", "prog": "Boolean program", "lus": "Lustre", "aut": "Graph (.aut)", "hoa": "Automaton (.hoa)",
        "ag": "Assertion graphs (.ag)", "blif": "BLIF", "mv": "BLIF-MV", "bench": "ISCAS'89", "aag": "AIGER (text)",
        "btor2": "BTOR2",
    }
)  # fmt: skip
"""The languages of the editor, by their file endings: their texts name no other files."""
SCOPES = MappingProxyType({"smv": "smv", "prog": "prog", "ag": "ag", "lus": "lus"})
"""The languages with colours, and the names of their grammars."""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
"""The page connects to its own server only."""
MOST_EXAMPLE: Final = 30_000

PAGE = HEAD.replace("script-src 'unsafe-inline'", "script-src 'unsafe-inline'; connect-src 'self'") + """</style>
</head>
<body>
<header>
<h1>coarsest</h1>
<label>Example <select id="example"></select></label>
<label>Language <select id="language">{languages}</select></label>
<label class="wide-field">Formula <input id="formula" autocomplete="off" spellcheck="false"
placeholder="or the properties of the text"></label>
<label>Do <select id="task"><option value="check">check and draw</option><option value="reduce">reduce</option>
<option value="simulate">walk at random</option></select></label>
<span class="hands"><button id="run" title="Ctrl-Enter">Run</button>
<button id="stop" title="Escape" disabled>Stop</button></span>
</header>
<main>
<section id="editor" aria-label="the text">
<div id="numbers" aria-hidden="true"></div>
<div id="sheet"><pre id="colours" aria-hidden="true"></pre>
<textarea id="text" aria-label="the model" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off"></textarea></div>
</section>
<section id="findings" aria-label="what was found">
<p id="status" role="status" aria-live="polite" class="dim">Choose an example or write something, then <kbd>Ctrl</kbd>
<kbd>Enter</kbd>. <kbd>Escape</kbd> stops a run. The text stays on this machine.</p>
<div id="messages" role="alert"></div>
<div id="cards"></div>
<div id="picture"></div>
</section>
</main>
<script type="application/json" id="data">{data}</script>
<script>
{script}</script>
</body>
</html>
"""


class Script(Struct, frozen=True):
    """A text with its name and its language."""

    name: str
    language: str
    text: str

    @classmethod
    def of(cls, path: str, text: str) -> Script:
        language = Path(path).suffix.lower().removeprefix(".")
        return cls(Path(path).name, language if language in LANGUAGES else "smv", text)


@cache
def _examples() -> tuple[Script, ...]:
    texts = (
        (name, path.read_text(encoding="utf-8"))
        for name, path in example_files() if path.suffix.removeprefix(".") in LANGUAGES and path.stat().st_size <= MOST_EXAMPLE
    )  # fmt: skip
    return tuple(Script(name, Path(name).suffix.removeprefix("."), text) for name, text in texts)


@cache
def grammar(scope: str) -> Any:
    """The grammar of a language, as editors read it."""
    (path,) = (path for name, path in example_files() if name == f"vscode/syntaxes/{scope}.tmLanguage.json")
    return json.loads(path.read_text(encoding="utf-8"))


def playground_page(first: Script | None = None) -> str:
    """The page; `first` is the initial text of the editor.

    >>> "mutex.smv" in playground_page(Script.of("mutex.smv", "MODULE main"))
    True
    """
    languages = "".join(f'<option value="{ending}">{title}</option>' for ending, title in LANGUAGES.items())
    data = {
        "examples": [*([first] if first else []), *_examples()], "first": first.name if first else "mutex.smv",
        "grammars": {language: grammar(scope) for language, scope in SCOPES.items()},
    }  # fmt: skip
    return PAGE.format(
        title="coarsest", languages=languages, data=embedded(data),
        style=asset("page.css") + asset("report_page.css") + asset("playground.css"),
        script=asset("report_page.js") + asset("highlight.js") + asset("playground.js"),
    )  # fmt: skip
