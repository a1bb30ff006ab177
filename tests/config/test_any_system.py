"""Tongbox where nothing is that only POSIX has, as on Windows."""

import signal
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.config.served import Served, run_python
from tests.stores import program_written

WITHOUT_POSIX = {
    "PYTHONPATH": str(Path(__file__).parent / "without_posix"),
    "PYTHONWARNDEFAULTENCODING": "1",
}
A_CLUB_FROM_NOTHING = """
import sys
import django
from django.core.management import call_command
django.setup()
call_command("check")
call_command("migrate", verbosity=0)
call_command("found_club", "Riverside", "secretary@example.org")
call_command("recovery_key")
call_command("back_up")
call_command("serve", f"--bind=127.0.0.1:{sys.argv[1]}")
"""


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("import fcntl", "No module named 'fcntl'"),
        ("from resource import getrusage", "No module named 'resource'"),
        ("import os; os.fork()", "'os' has no attribute 'fork'"),
        ("import select; select.poll()", "'select' has no attribute 'poll'"),
        ("import signal; signal.SIGHUP", "'signal' has no attribute 'SIGHUP'"),
        ("exec('open(0)', {'__name__': 'clubs.seats'})", "'encoding' argument not specified"),
    ],
)
def test_here_nothing_is_that_only_posix_has(tmp_path: Path, line: str, error: str) -> None:
    result = run_python(line, tmp_path, **WITHOUT_POSIX)
    assert error in result.stderr


def test_a_club_is_founded_backed_up_copied_away_and_served(tmp_path: Path) -> None:
    environment = {"TONGBOX_BACKUPS_AWAY": program_written(tmp_path / "away").address}
    house = Served(
        tmp_path, DJANGO_SETTINGS_MODULE="config.settings", **WITHOUT_POSIX, **environment
    )
    (tmp_path / "static").mkdir()
    try:
        server = house.begin("python", "-c", A_CLUB_FROM_NOTHING, str(house.port))
        assert server.stdout is not None
        output = ""
        while "Tongbox is open" not in output and (line := server.stdout.readline()):
            output += line
        assert f"Tongbox is open at {house.address} (Ctrl-C ends it)\n" in output, output
        assert "It was restored as a test and gave the same digest" in output
        assert "was sent, fetched back and restored as a test, and gave the same digest" in output
        with urlopen(f"http://127.0.0.1:{house.port}/accounts/login/", timeout=20) as answer:
            assert answer.status == 200
            assert answer.headers["Server"] == "waitress"
        server.send_signal(signal.SIGINT)
        remaining_output, _ = server.communicate(timeout=20)
        assert remaining_output == ""
        assert server.returncode == 0
    finally:
        house.close()


def test_its_folder_may_be_called_anything(tmp_path: Path) -> None:
    folder = tmp_path / "our club + 50% #1?"
    code = (
        "from django.conf import settings; print(settings.DATABASES['default']['NAME']);"
        "print(settings.EMAIL_FILE_PATH)"
    )
    result = run_python(code, folder, DJANGO_SETTINGS_MODULE="config.settings")
    assert result.stdout.splitlines() == [str(folder / "tongbox.sqlite3"), str(folder / "mail")]
