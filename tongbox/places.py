"""Where Tongbox is on this computer, and where an installation keeps its own files."""

from pathlib import Path
from typing import Final

import platformdirs

ROOT: Final = Path(__file__).resolve().parent.parent  # where our packages are
SHIPPED_FOLDER: Final = ROOT / "config" / "shipped"
IS_CHECKOUT: Final = not SHIPPED_FOLDER.is_dir()
# Templates, static files and guides: at the top of a checkout, else with the package.
BASE_DIR: Final = ROOT if IS_CHECKOUT else SHIPPED_FOLDER
FOLDER_VARIABLE: Final = "TONGBOX_VAR"


def usual_folder() -> Path:
    """Where data are kept if nobody says otherwise.

    In a checkout that is ``var``; else the system's own place, such as ``~/.local/share/Tongbox``,
    ``~/Library/Application Support/Tongbox`` or ``C:\\Users\\Ann\\AppData\\Local\\Tongbox``.
    """
    if IS_CHECKOUT:
        return ROOT / "var"
    return platformdirs.user_data_path("Tongbox", appauthor=False)


def sample_folder() -> Path:
    """Where the made-up club is kept: beside the usual folder, apart from real clubs."""
    usual = usual_folder()
    return usual.with_name(f"{usual.name} sample")
