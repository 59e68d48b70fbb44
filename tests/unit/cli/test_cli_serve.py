"""The page of `coarsest serve`: who may use it, what it does with a text, and what a browser makes of it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from browser import CHROMIUM, Browser, browser
from coarsest.cli.serve import work
from coarsest.cli.serve.server import Playground, _Visit
from coarsest.cli.serve.work import ServedLimits
from coarsest.render.page.playground import LANGUAGES, Script, playground_page
from command_lines import Runner

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
LIGHT = """MODULE main
VAR light : {red, green}; n : 0..3;
ASSIGN init(light) := red; next(light) := light = red ? green : red;
  init(n) := 0; next(n) := n < 3 ? n + 1 : n;
INVARSPEC NAME few := n < 3;
CTLSPEC NAME changes := AG EF light = red
"""
ENDLESS = """MODULE main
VAR a : unsigned word[32]; b : unsigned word[32];
ASSIGN next(a) := a * b; next(b) := b * a + 0ud32_1;
INVARSPEC a * a != 0ud32_2
"""
"""No decision diagram of these products is small; and no square is 2 modulo 4."""


@pytest.fixture(scope="module")
def playground() -> Iterator[Playground]:
    with Playground(0, ServedLimits(30, 1000)) as one:
        thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield one
        one.shutdown()
        thread.join()


def asked(one: Playground, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[HTTPResponse, str]:
    connection = HTTPConnection("127.0.0.1", one.port, timeout=60)
    connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    reply = connection.getresponse()
    return reply, reply.read().decode()


def findings(one: Playground, **order: Any) -> list[dict[str, Any]]:
    reply, text = asked(one, "POST", f"/{one.token}/run", json.dumps(order).encode(), Content_Type="application/json")
    assert reply.status == 200
    return [json.loads(line) for line in text.splitlines()]


def said(told: list[dict[str, Any]], word: str) -> list[Any]:
    return [one[word] for one in told if word in one]


def test_a_text_is_checked_and_drawn(playground: Playground) -> None:
    told = findings(playground, language="smv", text=LIGHT)
    assert said(told, "verdict") == ["fails", "holds"] and said(told, "begins") == ["check", "show"]
    assert "counterexample" in said(told, "card")[0] and "model.smv:5" in said(told, "card")[0]
    (page,) = said(told, "page")
    assert page.startswith("<!DOCTYPE html>") and "few fails" in page  # its counterexample is stepped through there
    assert told[-1] == {"ends": "complete"}


def test_a_formula_counts_instead_of_the_properties(playground: Playground) -> None:
    told = findings(playground, language="smv", text=LIGHT, formula="F n = 3")
    assert said(told, "verdict") == ["holds"]
    told = findings(playground, language="smv", text=LIGHT, formula="-o stolen.html")
    assert "found `stolen.html`, expected an operator" in said(told, "complaint")[0] and said(told, "begins") == ["check"]


def test_a_mistake_has_its_place(playground: Playground) -> None:
    told = findings(playground, language="smv", text="MODULE main\nVAR x : boolen;\n")
    (complaint,) = [one for one in told if "complaint" in one]
    assert (complaint["line"], complaint["column"]) == (2, 9) and "^^^^^^" in complaint["complaint"]
    assert "did you mean `boolean`?" in complaint["complaint"] and said(told, "page") == []


def test_other_languages_and_tasks(playground: Playground) -> None:
    graph = 'des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n'
    assert said(findings(playground, language="aut", text=graph), "begins") == ["show"]
    told = findings(playground, language="aut", text=graph, task="reduce")
    assert "states" in said(told, "text")[0] and len(said(told, "page")) == 1
    told = findings(playground, language="smv", text=LIGHT, task="simulate")
    assert "a path of 11 states" in said(told, "page")[0]
    told = findings(playground, language="../x", text=graph)
    assert told == [{"complaint": "there is no language '../x'"}, {"ends": "refused"}]


def test_the_limits_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, Any]] = []
    work.follow_order(work.Order("smv", ENDLESS), tuple(LANGUAGES), ServedLimits(1, 1000), told.append)
    assert said(told, "verdict") == ["unknown"] and "the time limit of 1 s was reached" in said(told, "card")[0]
    monkeypatch.setattr(work, "MOST_TEXT", 10)
    with pytest.raises(work.Refused, match="a text may have 10 characters"):
        work.follow_order(work.Order("smv", LIGHT), tuple(LANGUAGES), ServedLimits(1, 1000), told.append)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200), ({"Host": "evil.example"}, 403), ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)  # fmt: skip
def test_pages_from_elsewhere_are_sent_away(playground: Playground, headers: dict[str, str], status: int) -> None:
    reply, text = asked(playground, "GET", f"/{playground.token}/", **headers)
    assert reply.status == status and ("<textarea" in text) == (status == 200)
    body = json.dumps({"language": "aut", "text": "des (0, 0, 1)\n"}).encode()
    reply, _ = asked(playground, "POST", f"/{playground.token}/run", body, **headers, Content_Type="application/json")
    assert reply.status == status and reply.headers["Cache-Control"] == "no-store"
    assert "Access-Control-Allow-Origin" not in reply.headers


def test_nobody_comes_in_without_the_token(playground: Playground) -> None:
    for path in ("/", "/wrong/", f"/{playground.token[:-1]}/", "/run", "//", "/%00"):
        assert asked(playground, "GET", path)[0].status == 403
    assert asked(playground, "GET", f"/{playground.token}/other")[0].status == 404
    assert asked(playground, "GET", "/favicon.ico")[0].status == 204
    assert asked(playground, "PUT", f"/{playground.token}/run")[0].status == 501


def test_an_order_has_to_be_one(playground: Playground) -> None:
    path, told = f"/{playground.token}/run", {"Content_Type": "application/json"}
    assert asked(playground, "POST", path, b"{}", Content_Type="text/plain")[0].status == 415
    assert asked(playground, "POST", path, b"{}", **told)[0].status == 400
    assert asked(playground, "POST", path, b'{"language": "smv", "text": "\xff"}', **told)[0].status == 400
    assert asked(playground, "POST", path, b'{"language": "smv", "text": "", "task": "rm"}', **told)[0].status == 400
    assert asked(playground, "POST", path, b"", **told, Content_Length="99999999")[0].status == 413


def test_who_goes_away_ends_the_work(playground: Playground) -> None:
    body = json.dumps({"language": "smv", "text": ENDLESS}).encode()
    head = f"POST /{playground.token}/run HTTP/1.1\r\nHost: {playground.hosts[0]}\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", playground.port)) as connection:
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        text = b""
        while b'"planned"' not in text:
            text += connection.recv(1 << 16)
        assert playground.turn.locked()
    assert playground.turn.acquire(timeout=30)  # it would be there for the 30 s of the limit, and longer
    playground.turn.release()


@pytest.mark.parametrize("ending", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_told_to_end_it_ends_with_its_work(ending: str, tmp_path: Path) -> None:
    """And the text is removed."""
    if signal.getsignal(getattr(signal, ending)) == signal.SIG_IGN:
        pytest.skip("whoever runs the tests ignores it, and so do all that they start")
    command = [sys.executable, "-m", "coarsest", "serve", "--json", "--no-open"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None and process.stderr is not None
        told = json.loads(process.stdout.readline())
        connection = HTTPConnection("127.0.0.1", told["port"], timeout=60)
        order = json.dumps({"language": "smv", "text": ENDLESS})
        path = told["address"].partition(str(told["port"]))[2] + "run"
        connection.request("POST", path, order, {"Content-Type": "application/json"})
        lines = connection.getresponse()
        while b"planned" not in lines.readline():
            pass
        assert list(tmp_path.glob("coarsest-*/model.smv"))
        os.kill(process.pid, getattr(signal, ending))
        assert process.wait(30) == 0 and process.stderr.read() == ""
        assert list(tmp_path.iterdir()) == []


def test_a_connection_that_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Visit, "timeout", 600)
    with Playground(0, ServedLimits(30, 1000)) as one:
        thread = threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        idle = socket.create_connection(("127.0.0.1", one.port))
        while not one._open:
            time.sleep(0.01)
        one.shutdown()
        thread.join()
        closing = threading.Thread(target=one.server_close, daemon=True)
        closing.start()
        closing.join(60)
        assert not closing.is_alive()
        idle.close()


def test_wrong_use_is_said(run: Runner) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        result = run("serve", "--port", str(other.getsockname()[1]), "--no-open")
    assert result.code == 2 and "cannot listen on port" in result.err and "hint: choose another one" in result.err
    assert "expected a port from 0 to 65535, found 'x'" in run("serve", "--port", "x").err
    assert run("serve", "nothing.smv", "--no-open").err.startswith("error: cannot read 'nothing.smv'")


def test_nothing_in_a_text_becomes_part_of_the_page() -> None:
    page = playground_page(Script.of("a.smv", "</script><script>alert(1)</script>"))
    assert "<script>alert" not in page and "http" not in page.replace("http-equiv", "").partition('id="data"')[0]


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


def until(window: Browser, condition: str) -> None:
    ends = time.monotonic() + 60
    while not window.value(condition):
        assert time.monotonic() < ends, condition
        time.sleep(0.05)


IDLE = "document.documentElement.dataset.state === 'idle'"
COUNT = "document.querySelectorAll('{}').length"


@needs_browser
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_in_a_browser(playground: Playground, window: Browser, width: int, dark: bool, tmp_path: Path) -> None:
    window.open(playground.address, width, dark=dark)
    assert window.value("document.getElementById('example').value") == "mutex.smv"
    assert window.value(COUNT.format("#colours .t-keyword")) > 10
    assert window.value("document.documentElement.scrollWidth <= innerWidth")
    window.value(f"text.value = {json.dumps(LIGHT)}; paint(); document.getElementById('run').click()")
    until(window, IDLE)
    assert window.value(COUNT.format(".card")) == 2 and window.value(COUNT.format("iframe")) == 1
    assert window.value("document.getElementById('status').textContent").startswith("1 fails, 1 holds")
    assert window.value("document.documentElement.scrollWidth <= innerWidth")
    window.picture(tmp_path / "playground.png")
    assert window.complaints == []
    assert {url.split("/")[2] for url in window.requests if url.startswith("http")} == {playground.hosts[0]}


@needs_browser
def test_a_mistake_is_underlined_and_a_run_is_stopped_by_the_keyboard(playground: Playground, window: Browser) -> None:
    window.open(playground.address)
    window.value("text.value = 'MODULE main\\nVAR x : boolen;\\n'; paint(); document.getElementById('run').click()")
    until(window, IDLE)
    assert window.value("document.querySelector('.wrong').textContent") == "boolen"
    window.value("document.querySelector('.message button').click()")
    assert window.value("text.value.slice(text.selectionStart, text.selectionEnd)") == "boolen"
    window.value(f"text.value = {json.dumps(ENDLESS)}; paint(); document.getElementById('run').click()")
    until(window, "/property|reach|step/.test(document.getElementById('status').textContent)")
    window.press("Escape")
    until(window, IDLE)
    assert window.value("document.getElementById('status').textContent") == "Stopped."
    assert [text for text in window.complaints if "abort" not in text.lower()] == []
