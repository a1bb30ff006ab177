"""A mail server for rehearsals: it writes each letter it takes into a folder."""

import socketserver
import threading
from pathlib import Path
from uuid import uuid4


class PostOffice(socketserver.ThreadingTCPServer):
    """An SMTP server on the loopback, which answers until the program ends."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Delivery)
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """EMAIL_URL of this server."""
        return f"smtp://127.0.0.1:{self.server_address[1]}"


class _Delivery(socketserver.StreamRequestHandler):
    server: PostOffice

    def handle(self) -> None:
        self._answer("220 here")
        for line in self.rfile:
            command = line.strip().lower()
            if command == b"data":
                self._answer("354 go on")
                self._store()
                self._answer("250 taken")
            elif command == b"quit":
                self._answer("221 bye")
                return
            else:
                self._answer("250 ok")

    def _answer(self, reply: str) -> None:
        self.wfile.write(f"{reply}\r\n".encode())

    def _store(self) -> None:
        lines = iter(self.rfile.readline, b".\r\n")
        letter = b"".join(lines).replace(b"\r\n", b"\n")
        (self.server.folder / f"{uuid4()}.eml").write_bytes(letter)
