"""Tongbox without what only a server needs: PostgreSQL's client, Redis's and Prometheus's."""

from pathlib import Path

import pytest

from tests.config.served import run_python

WITHOUT_SERVER = {"PYTHONPATH": str(Path(__file__).parent / "without_server")}
A_CLUB = """
import django
from django.core.management import call_command
from django.test import Client
django.setup()
call_command("migrate", verbosity=0)
call_command("found_club", "Riverside", "secretary@example.org")
call_command("back_up")
for path in ("/healthz/", "/readyz/", "/metrics"):
    answer = Client(headers={"host": "localhost"}).get(path)
    print(answer.status_code, answer.content.decode().strip()[:80])
"""


def test_a_club_is_founded_and_backed_up(tmp_path: Path) -> None:
    result = run_python(
        A_CLUB, tmp_path, DJANGO_SETTINGS_MODULE="config.settings", **WITHOUT_SERVER
    )
    assert "It was restored as a test and gave the same digest" in result.stdout, result.stderr
    alive, ready, metrics = result.stdout.splitlines()[-3:]
    assert alive == "200 ok"
    assert ready.startswith('200 {"database": "ok"')
    assert metrics == "404 Nothing is counted here. For Prometheus, install tongbox[server]."


@pytest.mark.parametrize(
    ("variable", "url", "server"),
    [
        ("DATABASE_URL", "postgres://tongbox@127.0.0.1/tongbox", "a PostgreSQL database"),
        ("REDIS_URL", "redis://127.0.0.1:6379/0", "a Redis server"),
    ],
)
def test_a_server_that_it_cannot_use_is_refused_at_the_start(
    tmp_path: Path, variable: str, url: str, server: str
) -> None:
    result = run_python("import config.settings", tmp_path, **WITHOUT_SERVER, **{variable: url})
    message = f"{variable} names {server}, which needs more than is installed here: install "
    assert result.stderr.splitlines()[-1].endswith(f": {message}tongbox[server].")


def test_a_backup_does_not_go_to_a_server_that_it_cannot_use(tmp_path: Path) -> None:
    code = "from clubs.backup.databases import Server; Server.read('postgres://a@b/c')"
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", **WITHOUT_SERVER}
    result = run_python(f"import django; django.setup(); {code}", tmp_path, **environment)
    assert "PostgreSQL needs more than is installed here: install tongbox[server]." in result.stderr
