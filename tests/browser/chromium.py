"""Which Chromium of this machine plays: without a window, and without the parts that draw one."""

import os
from pathlib import Path
from shutil import which
from typing import Final

_NAMES: Final = ("chromium-headless-shell", "chromium")


def _find_chromium() -> Path:
    configured_path = os.environ.get("TONGBOX_CHROMIUM")
    return Path(configured_path or next(filter(None, map(which, _NAMES)), "/usr/bin/chromium"))


CHROMIUM: Final = _find_chromium()
NO_SANDBOX: Final = ["--no-sandbox"]
