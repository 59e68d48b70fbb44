"""The server of the page: it serves this machine only, requests with the right address, and no other pages.

A request needs the token in the address. It must name this server as its host, which rules out DNS rebinding, and its origin, if
it has one, must be the page itself. An order is one request, and its findings are the response, a line each: when the page closes
the connection, the work ends.
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
MOST_BYTES: Final = 6 * MOST_TEXT
"""JSON takes at most six bytes for each character."""
PATIENCE: Final = 5.0
"""Seconds that an order waits for the previous one to end."""
ENDINGS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that end the server: from the user, from another process, and when its terminal is closed."""


class Playground(ThreadingHTTPServer):
    """Serves the page; carries out one order at a time."""

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
        """Serve until a signal ends the server. The current order ends, too, and its files are removed."""

        def leave(number: int, frame: FrameType | None) -> None:
            raise KeyboardInterrupt

        in_charge = threading.current_thread() is threading.main_thread()
        heard = [number for number in ENDINGS if in_charge and signal.getsignal(number) != signal.SIG_IGN]  # after `nohup`
        before = {number: signal.signal(number, leave) for number in heard}
        try:
            self.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            for number in before:
                signal.signal(number, signal.SIG_IGN)  # it is already ending
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
        """Close all connections, also those that send nothing."""
        self.over.set()
        for request in list(self._open):
            with suppress(OSError):
                request.shutdown(socket.SHUT_RDWR)
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore connections that the visitor closed."""
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
            self._answer(HTTPStatus.LENGTH_REQUIRED, "the order needs a Content-Length\n")
        elif int(length) > MOST_BYTES:
            self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a text may have {MOST_TEXT:,} characters\n")
        else:
            try:
                order = msgspec.json.decode(self.rfile.read(int(length)), type=Order)
            except (msgspec.DecodeError, UnicodeDecodeError) as problem:
                self._answer(HTTPStatus.BAD_REQUEST, f"cannot read the order: {problem}\n")
                return
            self._follow(order)

    def _is_welcome(self) -> bool:
        """Does the request come from the page, or from somebody with its address?"""
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
        """Send the findings as they come, one JSON object per line; the last one says how the work ended."""
        if not self.server.turn.acquire(timeout=PATIENCE):
            self._answer(HTTPStatus.SERVICE_UNAVAILABLE, "another page is at work\n")
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
        """Has the visitor closed the connection? Nothing else can be read after the order."""
        if not select.select([self.connection], [], [], 0)[0]:
            return False
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""
