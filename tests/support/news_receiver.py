"""A server on this machine that receives the news of webhooks."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Receiver:
    """A receiver. `statuses`: of its next answers; after those, 200. `received`: path, signature
    and body of each request."""

    address: str
    statuses: list[int] = field(default_factory=list)
    received: list[tuple[str, str, bytes]] = field(default_factory=list)


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Receives while the context lasts. Its answers have a body without end, and a redirect."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made.received.append((self.path, self.headers["X-Sevens-Signature"], body))
            self.send_response(made.statuses.pop(0) if made.statuses else 200)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "1000000000000")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Leaves out the line on stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made = Receiver(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
