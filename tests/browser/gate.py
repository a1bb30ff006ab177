"""A gate before the server that can be shut: a network that goes and comes back."""

import socket
import threading
from contextlib import suppress
from typing import Final

AT_ONCE: Final = 65_536  # bytes


class Gate:
    """Passes every connection on to a port of this machine; while it is shut, none."""

    def __init__(self, host: str, port: int) -> None:
        self._beyond = (host, port)
        self._listening = socket.create_server(("localhost", 0))
        self._passing: set[socket.socket] = set()
        self._is_shut = False
        self.url = f"http://localhost:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._let_in, daemon=True).start()

    def shut(self) -> None:
        """Break off all connections, and refuse new ones."""
        self._is_shut = True
        for end in list(self._passing):
            _end(end)

    def open(self) -> None:
        self._is_shut = False

    def close(self) -> None:
        """Shut it for good."""
        self.shut()
        _end(self._listening)

    def _let_in(self) -> None:
        with suppress(OSError):
            while True:
                phone_socket, _ = self._listening.accept()
                if self._is_shut:
                    _end(phone_socket)
                    continue
                server_socket = socket.create_connection(self._beyond)
                self._passing |= {phone_socket, server_socket}
                for ends in ((phone_socket, server_socket), (server_socket, phone_socket)):
                    threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(AT_ONCE):
                target.sendall(data)
        for end in (source, target):
            _end(end)
            self._passing.discard(end)


def _end(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
