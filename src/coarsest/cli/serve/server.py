"""The server of the page: on this machine only, for whoever has its address, and for no page from elsewhere.

A request needs the token that is part of the address. It also has to name this server as its host, so that no name that somebody
makes point here is taken for it, and its origin, where it has one, must be the page itself. An order is one request, and what is
found is its answer, a line at a time: when the page closes it, the work ends.
"""

from __future__ import annotations

import json
import secrets
import select
import signal
import socket
import sys
import threading
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import FrameType
from typing import Any, ClassVar, Final

import msgspec

from coarsest.cli.serve.work import MOST_TEXT, Order, Refused, ServedLimits, follow_order
from coarsest.render.page.playground import LANGUAGES, POLICY, Script, playground_page

ADDRESS = "127.0.0.1"
MOST_BYTES = 6 * MOST_TEXT
"""The most bytes that one character takes in JSON."""
PATIENCE: Final = 5.0
"""Seconds that an order waits for the end of the one before."""
ENDINGS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""How a process is told to end: by its user, by another process, and where its terminal is closed."""


class Playground(ThreadingHTTPServer):
    """Serves the page until it is closed; orders are followed one at a time."""

    block_on_close = True
    daemon_threads = False
    allow_reuse_address = sys.platform != "win32"

    def __init__(self, port: int, limits: ServedLimits, first: Script | None = None) -> None:
        self.token = secrets.token_urlsafe(18)
        self.limits, self.first = limits, first
        self.turn, self.over = threading.Lock(), threading.Event()
        self._open: set[socket.socket] = set()
        super().__init__((ADDRESS, port), _Visit)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def hosts(self) -> tuple[str, ...]:
        return f"{ADDRESS}:{self.port}", f"localhost:{self.port}"

    @property
    def address(self) -> str:
        return f"http://{self.hosts[0]}/{self.token}/"

    def serve_until_interrupted(self) -> None:
        """Until Ctrl-C, or until the process is told to end; the work of the moment ends, too, and its files are removed."""

        def leave(number: int, frame: FrameType | None) -> None:
            raise KeyboardInterrupt

        in_charge = threading.current_thread() is threading.main_thread()
        heard = [number for number in ENDINGS if in_charge and signal.getsignal(number) != signal.SIG_IGN]  # `nohup` ignores one
        before = {number: signal.signal(number, leave) for number in heard}
        try:
            self.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            for number in before:
                signal.signal(number, signal.SIG_IGN)  # it ends already
        finally:
            self.server_close()
            for number, handler in before.items():
                signal.signal(number, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        """Do not wait for connections that send nothing."""
        self.over.set()
        for request in list(self._open):
            with suppress(OSError):
                request.shutdown(socket.SHUT_RDWR)
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A visitor who goes away is no error of ours."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Visit(BaseHTTPRequestHandler):
    """One connection."""

    server: Playground
    timeout = 20
    server_version, sys_version = "coarsest", ""
    HEADERS: ClassVar[dict[str, str]] = {
        "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'", "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
        "Cross-Origin-Resource-Policy": "same-origin",
    }  # fmt: skip

    def do_GET(self) -> None:
        if self.path == "/favicon.ico":
            self._answer(HTTPStatus.NO_CONTENT)
        elif self._is_welcome():
            if self.path == f"/{self.server.token}/":
                self._answer(HTTPStatus.OK, playground_page(self.server.first), "text/html")
            else:
                self._answer(HTTPStatus.NOT_FOUND, "there is nothing here\n")

    def do_POST(self) -> None:
        if not self._is_welcome():
            return
        length = self.headers.get("Content-Length", "")
        if self.path != f"/{self.server.token}/run":
            self._answer(HTTPStatus.NOT_FOUND, "there is nothing here\n")
        elif self.headers.get_content_type() != "application/json":
            self._answer(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "an order is JSON\n")
        elif not length.isdecimal():
            self._answer(HTTPStatus.LENGTH_REQUIRED, "how long is the order?\n")
        elif int(length) > MOST_BYTES:
            self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a text may have {MOST_TEXT:,} characters\n")
        else:
            try:
                order = msgspec.json.decode(self.rfile.read(int(length)), type=Order)
            except (msgspec.DecodeError, UnicodeDecodeError) as problem:
                self._answer(HTTPStatus.BAD_REQUEST, f"this is no order: {problem}\n")
                return
            self._follow(order)

    def _is_welcome(self) -> bool:
        """Does the request come from the page, or from somebody who was told the address?"""
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site", "none")
        from_here = origin is None or origin in {f"http://{host}" for host in self.server.hosts}
        token = self.path.strip("/").partition("/")[0].encode("utf-8", "replace")
        if (
            self.headers.get("Host") in self.server.hosts and from_here and site in ("none", "same-origin")
            and secrets.compare_digest(token, self.server.token.encode())
        ):  # fmt: skip
            return True
        self._answer(HTTPStatus.FORBIDDEN, "open the address that 'coarsest serve' has printed\n")
        return False

    def _answer(self, status: HTTPStatus, text: str = "", kind: str = "text/plain") -> None:
        contents = text.encode()
        self._begin(status, kind, {"Content-Length": str(len(contents))})
        self.wfile.write(contents)

    def _begin(self, status: HTTPStatus, kind: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": f"{kind}; charset=utf-8", **self.HEADERS, **headers, "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True

    def _follow(self, order: Order) -> None:
        """The findings, an object a line, as they come; the last one says how it ended."""
        if not self.server.turn.acquire(timeout=PATIENCE):
            self._answer(HTTPStatus.SERVICE_UNAVAILABLE, "another page has work done at the moment\n")
            return
        try:
            self._begin(HTTPStatus.OK, "application/x-ndjson", {})
            try:
                follow_order(order, tuple(LANGUAGES), self.server.limits, self._tell)
                self._tell({"ends": "complete"})
            except Refused as refusal:
                self._tell({"complaint": str(refusal)})
                self._tell({"ends": "refused"})
            except KeyboardInterrupt:
                pass
        finally:
            self.server.turn.release()

    def _tell(self, finding: dict[str, Any]) -> None:
        if self.server.over.is_set() or self._has_gone():
            raise KeyboardInterrupt
        try:
            self.wfile.write(json.dumps(finding).encode() + b"\n")
        except OSError:
            raise KeyboardInterrupt from None

    def _has_gone(self) -> bool:
        """Has the visitor gone? Nothing is sent after the order, so that whatever can be read is the end of the connection."""
        if not select.select([self.connection], [], [], 0)[0]:
            return False
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is written down."""
