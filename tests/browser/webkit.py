"""WebKit, the engine of Safari, as Debian builds it: windows on a screen that nobody sees."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import which
from typing import Any, Final

from django.conf import settings
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    StaleElementReferenceException,
)
from selenium.webdriver import WebKitGTK
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from clubs.models import User
from tests.people import session_key_of

PACKAGES: Final = "webkit2gtk-driver and xvfb"
_DRIVER, _SCREEN = which("WebKitWebDriver"), which("Xvfb")
_BROWSERS = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
IS_HERE: Final = bool(_DRIVER and _SCREEN and _BROWSERS)
PATIENCE: Final = 20  # seconds, on a busy machine
PHONE, DESK = (390, 844), (1280, 900)
BUTTONS: Final = "button, a, summary, label, [role=button]"


@contextmanager
def unseen_screen() -> Iterator[str]:
    """An X server that draws into memory; the name of its display (``:1``)."""
    assert _SCREEN is not None
    command = [_SCREEN, "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    with subprocess.Popen(  # noqa: S603 – our own words
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield f":{server.stdout.readline().strip()}"
        finally:
            server.terminate()


class Window:
    """A window of WebKit at our address, as a finger and a pair of eyes use it."""

    def __init__(self, display: str, server: str, size: tuple[int, int]) -> None:
        options = Options()
        options.binary_location = str(_BROWSERS[-1])
        for word in ("--automation", "--full-screen"):  # without the bar, as narrow as a phone
            options.add_argument(word)
        alone = {"DISPLAY": display, "NO_AT_BRIDGE": "1", "DBUS_SESSION_BUS_ADDRESS": "disabled:"}
        service = Service(str(_DRIVER), env={**os.environ, **alone})
        self.driver = WebKitGTK(options=options, service=service)
        self.driver.set_window_rect(0, 0, *size)
        self.server = server

    def close(self) -> None:
        self.driver.quit()

    def sign_in(self, user: User) -> None:
        """Carry the session of this user from here on."""
        self.go("/alive/")
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session_key_of(user)}
        self.driver.add_cookie(cookie)

    def go(self, address: str) -> None:
        self.driver.get(address if address.startswith("http") else f"{self.server}{address}")

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(f"return {script}", *arguments)

    def wait(self, condition: Callable[[], Any], message: str = "") -> Any:
        """The first answer that is true; ``message`` say what was waited for in vain."""
        ignored_errors = [StaleElementReferenceException]
        patience = WebDriverWait(self.driver, PATIENCE, 0.1, ignored_exceptions=ignored_errors)
        return patience.until(lambda _: condition(), message)

    def reads(self, text: str) -> None:
        """Wait until the page shows this text, in whatever lines."""
        script = "document.body.innerText.replace(/\\s+/g, ' ').includes(arguments[0])"
        self.wait(lambda: self.run(script, text), f"“{text}”")

    def first(self, selector: str) -> WebElement:
        """Wait for the first element of the selector that is to be seen."""
        element: WebElement = self.wait(lambda: next(iter(self.all(selector)), None), selector)
        return element

    def all(self, selector: str) -> list[WebElement]:
        """The elements of the selector that are to be seen now."""
        elements = self.driver.find_elements(By.CSS_SELECTOR, selector)
        return [element for element in elements if element.is_displayed()]

    def press(self, *names: str) -> None:
        """Press the first button or link whose name begins with each of these words."""
        for name in names:
            self.wait(partial(self._press_button, name), f"a button “{name}”")

    def _press_button(self, name: str) -> bool:
        buttons = (
            element
            for element in self.all(BUTTONS)
            if any(_plain(label).startswith(_plain(name)) for label in _names(element))
        )
        if (button := next(buttons, None)) and button.is_enabled():
            return self._click(button)
        return False

    def tap(self, selector: str) -> None:
        """Tap the first element of the selector that is to be seen."""
        self.wait(lambda: any(self._click(element) for element in self.all(selector)), selector)

    def _click(self, element: WebElement) -> bool:
        """Whether a finger could reach it; if another element lies above, not yet."""
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        try:
            element.click()
        except ElementClickInterceptedException:
            return False
        return True

    def type(self, selector: str, text: str) -> None:
        field = self.first(selector)
        field.clear()
        field.send_keys(text)

    @property
    def overflow(self) -> int:
        """How many pixels of the page hang off the right side."""
        root = "document.documentElement"
        hangs: int = self.run(f"{root}.scrollWidth - {root}.clientWidth")
        return hangs


def _names(element: WebElement) -> tuple[str, str]:
    """What a screen reader says of an element, and what is written on it."""
    return element.accessible_name, element.text


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
