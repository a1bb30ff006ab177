"""A client that openapi-typescript generates plays an evening: by ``make clients-test``.

The compiler checks the program against the description, under every strict rule it has.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.clients.evening import DAY, Line, check_evening
from tests.people import PASSWORD, Cast

HERE = Path(__file__).parent / "typescript"
PACKAGES = Path(os.environ["TONGBOX_NODE_MODULES"]).resolve()


def run(folder: Path, *command: str) -> str:
    """What a program prints that runs in a folder; what it says otherwise is the failure."""
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture
def program(description: Path, tmp_path: Path) -> Path:
    """The folder in which the program was compiled with the client."""
    folder = tmp_path / "typescript"
    shutil.copytree(HERE, folder)
    (folder / "node_modules").symlink_to(PACKAGES)
    # Without the option a field with a default is one that has to be sent.
    options = ("--default-non-nullable=false", "-o", "tongbox.ts")
    run(folder, "node_modules/.bin/openapi-typescript", str(description), *options)
    run(folder, "node_modules/.bin/tsc")
    return folder


def test_a_typescript_client_plays_an_evening(
    program: Path, club: Cast, live_server: LiveServer
) -> None:
    program_args = (live_server.url, club.club.slug, club.secretary.email, PASSWORD, DAY)
    result = json.loads(run(program, "node", "evening.js", *program_args))
    check_evening([Line(**row) for row in result])
