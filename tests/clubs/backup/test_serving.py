"""Whoever serves a book says so as long as it lives, and no longer."""

import subprocess
import sys
from pathlib import Path

from clubs.backup.databases import is_served

SERVING = """
import sys
from pathlib import Path
from clubs.backup import databases as serving
serving.ours = lambda: Path(sys.argv[1])
serving.begin()
print("begun", flush=True)
sys.stdin.read()
"""


def test_a_book_is_served_until_its_process_is_killed(tmp_path: Path) -> None:
    book = tmp_path / "tongbox.sqlite3"
    assert not is_served(book)
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", SERVING, str(book)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == b"begun\n"
        assert is_served(book)
        one.kill()
    assert not is_served(book)
