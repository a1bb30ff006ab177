"""systemd's own reader takes the units; collected where ``systemd-analyze`` is."""

import re
import subprocess
from pathlib import Path

from tests.deploy.test_files import UNITS


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = re.sub(r"/srv/tongbox/current/.venv/bin/\w+", "/bin/true", unit.read_text())
        (tmp_path / unit.name).write_text(text)
    names = [str(tmp_path / one.name.replace("@.", "@8001.")) for one in UNITS]
    verify = ["systemd-analyze", "verify", "--man=no", *names]
    done = subprocess.run(verify, capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")
