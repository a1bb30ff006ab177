"""systemd takes the units, and what they start lives under their filters.

Collected where systemd's lists are: ``.ci/run`` installs ``systemd-analyze`` and libseccomp.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.healthy import status_of
from tests.config.served import Serve, StallingMailServer, try_background_work, wait_until
from tests.deploy.confined import ROOT, confined_command
from tests.deploy.test_files import UNITS

WEB, CHECK = "tongbox-web@.service", "tongbox-check.service"
LOWER_PRIORITY = "import os; os.setpriority(os.PRIO_PROCESS, 0, 19)"
RUN_WHAT_WAS_WRITTEN = "import mmap; mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC)"
LISTEN_TO_THE_KERNEL = "import socket; socket.socket(socket.AF_NETLINK)"


@pytest.mark.parametrize(
    ("deed", "refusal"),
    [
        (LOWER_PRIORITY, "Operation not permitted"),
        (RUN_WHAT_WAS_WRITTEN, "Operation not permitted"),
        (LISTEN_TO_THE_KERNEL, "Address family not supported"),
    ],
)
def test_a_filter_refuses_what_no_unit_needs_and_lets_the_program_live(
    deed: str, refusal: str
) -> None:
    program = f"try:\n    {deed}\nexcept OSError as why:\n    print(why)"
    command = confined_command(WEB, sys.executable, "-c", program)
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)  # noqa: S603
    assert (result.returncode, result.stderr) == (0, "")
    assert refusal in result.stdout


@pytest.mark.sampled(law="long plays")
def test_the_web_service_serves_under_its_filter(serve: Serve, libraries: dict[str, str]) -> None:
    with StallingMailServer() as post_office:
        house = serve(EMAIL_URL=post_office.url, **libraries)
        bind = f"127.0.0.1:{house.port}"
        web = house.begin(
            *confined_command(WEB, "gunicorn", "--config", "config/gunicorn.py", "--bind", bind)
        )
        assert wait_until(lambda: status_of(house.address) == 200), f"gunicorn: {web.poll()}"
        try_background_work(house, post_office)
        post_office.shutdown()


@pytest.mark.sampled(law="long plays")
def test_every_hand_is_counted_again_under_the_filter_of_the_check(
    serve: Serve, libraries: dict[str, str]
) -> None:
    house = serve(**libraries)
    for command in ("recount", "verify"):
        check = house.begin(*confined_command(CHECK, "python", "manage.py", command))
        output, _ = check.communicate(timeout=60)
        assert check.returncode == 0, output


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = re.sub(r"/srv/tongbox/current/.venv/bin/\w+", "/bin/true", unit.read_text())
        (tmp_path / unit.name).write_text(text)
    names = [str(tmp_path / unit_file.name.replace("@.", "@8001.")) for unit_file in UNITS]
    verify = ["systemd-analyze", "verify", "--man=no", *names]
    result = subprocess.run(verify, capture_output=True, text=True, check=False)  # noqa: S603
    assert (result.returncode, result.stderr) == (0, "")
