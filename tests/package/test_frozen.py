"""An evening with the folder that needs no Python, of `make frozen`."""

import os
from pathlib import Path

from tests.package.playing import Installed, play_a_first_evening

PROGRAM = Path(os.environ["TONGBOX_FROZEN"]).absolute()


def test_an_evening_with_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    installation = Installed(PROGRAM, home)
    assert installation.output_of("version") == "Tongbox 0.1.0\n"
    play_a_first_evening(installation, tmp_path / "our club", tmp_path / "another laptop")
