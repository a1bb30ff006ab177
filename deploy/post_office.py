"""A mail server for rehearsals and tests: it takes letters on the loopback and sends none on."""

import socketserver
import threading
from abc import ABC, abstractmethod
from pathlib import Path
from uuid import uuid4


class MailServer(socketserver.ThreadingTCPServer, ABC):
    """An SMTP server on the loopback, which answers until the program ends."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Delivery)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """EMAIL_URL of this server."""
        return f"smtp://127.0.0.1:{self.server_address[1]}"

    @abstractmethod
    def accept(self, recipient: str, letter: bytes) -> bool:
        """Take a letter, or leave its sender without an answer."""


class PostOffice(MailServer):
    """Writes each letter into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__()

    def accept(self, recipient: str, letter: bytes) -> bool:  # noqa: ARG002 -- in its headers
        (self.folder / f"{uuid4()}.eml").write_bytes(letter)
        return True


class _Delivery(socketserver.StreamRequestHandler):
    """The talk with one sender, who may hang up at any time."""

    server: MailServer

    def handle(self) -> None:
        self._answer("220 here")
        recipient = ""
        for line in self.rfile:
            command = line.strip().lower()
            if command == b"quit":
                self._answer("221 bye")
                return
            if command.startswith(b"rcpt to:"):
                recipient = line.strip().decode()[len("rcpt to:") :].strip("<>")
            if command != b"data":
                self._answer("250 ok")
                continue
            self._answer("354 go on")
            if not self._receive(recipient):
                return
            self._answer("250 taken")

    def _answer(self, reply: str) -> None:
        self.wfile.write(f"{reply}\r\n".encode())

    def _receive(self, recipient: str) -> bool:
        """Read a letter up to its end; false if it breaks off, or the server keeps silent."""
        lines: list[bytes] = []
        for line in self.rfile:
            if line == b".\r\n":
                letter = b"".join(lines).replace(b"\r\n", b"\n")
                if self.server.accept(recipient, letter):
                    return True
                self.rfile.read()
                break
            lines.append(line)
        return False
