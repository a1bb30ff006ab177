"""Firefox as it is installed, driven over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/)."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from shutil import which
from typing import Any, Final

import websocket

PACKAGE: Final = "firefox-esr"
PROGRAM: Final = which("firefox-esr") or which("firefox")
LISTENS: Final = "WebDriver BiDi listening on "
PATIENCE: Final = 60  # seconds for one answer
# A worker would be cut off in the middle of its loads each time the next page is opened.
SETTINGS: Final = 'user_pref("dom.serviceWorkers.enabled", false);\n'


class Firefox:
    """One tab of Firefox, and every error that its pages have logged."""

    def __init__(self, line: websocket.WebSocket) -> None:
        self.errors: list[str] = []
        self._line, self._numbers = line, count(1)
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self._tab: str = self.ask("browsingContext.create", type="tab")["context"]

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a command; raises ``RuntimeError`` with what Firefox says against it."""
        number = next(self._numbers)
        self._line.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._line.recv())
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(str(message["params"]["text"]))
            if message.get("id") == number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                result: dict[str, Any] = message["result"]
                return result

    def go(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self._tab, viewport=size)

    def set_cookie(self, address: str, name: str, value: str) -> None:
        """A cookie of the host of this address."""
        host = address.partition("//")[2].partition(":")[0].partition("/")[0]
        cookie = {"name": name, "value": {"type": "string", "value": value}, "domain": host}
        self.ask("storage.setCookie", cookie=cookie)

    def run(self, expression: str) -> Any:
        """What a JavaScript expression of the page comes to: a number, a text or a truth."""
        answer = self.ask(
            "script.evaluate",
            expression=expression,
            target={"context": self._tab},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")


@contextmanager
def open_firefox(profile: Path) -> Iterator[Firefox]:
    """A Firefox without a window, with a new profile in this folder; it ends with the block."""
    assert PROGRAM is not None
    (profile / "user.js").write_text(SETTINGS)
    command = [PROGRAM, "--headless", "--remote-debugging-port", "0", "--profile", str(profile)]
    with subprocess.Popen(  # noqa: S603 – our own words
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stderr is not None
        try:
            announcement = next(line for line in program.stderr if LISTENS in line)
            address = f"{announcement.partition(LISTENS)[2].strip()}/session"
            line = websocket.create_connection(address, timeout=PATIENCE, suppress_origin=True)
            with closing(line):
                yield Firefox(line)
        finally:
            program.terminate()
            program.stderr.close()
