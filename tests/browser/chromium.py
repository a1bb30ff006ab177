"""Which Chromium of this machine plays: without a window, and without the parts that draw one."""

import os
from pathlib import Path
from shutil import which
from typing import Final

_NAMES: Final = ("chromium-headless-shell", "chromium")


def _found() -> Path:
    said = os.environ.get("TONGBOX_CHROMIUM")
    return Path(said or next(filter(None, map(which, _NAMES)), "/usr/bin/chromium"))


CHROMIUM: Final = _found()
NO_SANDBOX: Final = ["--no-sandbox"]
