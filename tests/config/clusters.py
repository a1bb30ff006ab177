"""PostgreSQL servers of a test's own, and what an installation finds at their addresses."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from deploy.servers import Postgres
from tests.config.served import free_port, run_python

FAULT = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from config.views import database_fault
print(database_fault() or "ok")
"""


@contextmanager
def cluster(certificate: Path | None = None, key: Path | None = None) -> Iterator[Postgres]:
    """A running server with a database ``tongbox``; with a certificate, over TLS as well."""
    folder = Path(mkdtemp(prefix="tongbox-cluster-"))
    folder.chmod(0o755)  # PostgreSQL is not root
    server = Postgres.create(folder, free_port())
    if certificate and key:
        encrypt(folder / "postgres" / "data", certificate, key)
    try:
        server.start()
        server.make("tongbox")
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def encrypt(data: Path, certificate: Path, key: Path) -> None:
    """PostgreSQL reads its key only where nobody else can."""
    for file, name in ((certificate, "server.crt"), (key, "server.key")):
        shutil.copyfile(file, data / name)
        (data / name).chmod(0o600)
        shutil.chown(data / name, data.owner())
    with (data / "postgresql.conf").open("a", encoding="utf-8") as settings:
        settings.write("ssl = on\n")


def fault_at(address: str, folder: Path) -> str:
    """What the System status of an installation says of the database with this DATABASE_URL."""
    result = run_python(FAULT, folder, DATABASE_URL=address)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()
