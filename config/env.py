"""Typed readers of the environment, and the folder where an installation keeps its own files."""

import secrets
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import environ
from django.conf import global_settings
from django.core.exceptions import ImproperlyConfigured

from clubs.backup.hosts import split_hosts, split_off_hosts
from tongbox import places

NEARBY: Final = "nearby"  # in TONGBOX_HOSTS: numbers, and names of one's own network

POSTGRESQL: Final = "config.postgresql"
SQLITE_OPTIONS: Final = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}
POSTGRESQL_OPTIONS: Final = {
    "server_side_binding": True,
    "connect_timeout": 3,  # seconds for each host
    # A server that falls silent is given up: when it takes nothing (milliseconds), and when
    # it has not answered for 10 seconds, nor two questions whether it is there.
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
}
ONLY_POSTGRESQL: Final = "TONGBOX_REPLICA_DATABASE_URL: only PostgreSQL has replicas."
SEVERAL_DATABASES: Final = (
    "TONGBOX_CLUB_DATABASES is set, but this Tongbox keeps all clubs in one database. Nothing was "
    "changed. Start your previous Tongbox again, move each club with “move_club CLUB default”, and "
    "remove TONGBOX_CLUB_DATABASES. Then upgrade. See deploy/upgrade.md."
)

_environ = environ.Env()


def text(name: str, default: str = "") -> str:
    """The variable as text, or the default where it is not set."""
    return str(_environ.str(name, default=default))


def flag(name: str, *, default: bool = False) -> bool:
    """The variable as yes or no (1, true, yes, on)."""
    return bool(_environ.bool(name, default=default))


def number(name: str, default: int) -> int:
    """The variable as a whole number; empty: the default, as in deploy/env.example."""
    return int(_environ.int(name, default=default)) if text(name) else default


def word_list(name: str, default: list[str]) -> list[str]:
    """The variable as a list, split at commas."""
    return [str(word) for word in _environ.list(name, default=default)]


def allowed_hosts() -> list[str]:
    """What ``ALLOWED_HOSTS`` is: TONGBOX_HOSTS, and the host of TONGBOX_ADDRESS.

    With ``nearby`` Django lets all of them in, and ``config.middleware`` chooses.
    """
    result = word_list("TONGBOX_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
    if host := urlsplit(text("TONGBOX_ADDRESS")).hostname:
        result.append(f"[{host}]" if ":" in host else host)
    return [*result, "*"] if NEARBY in result else result


def is_sqlite() -> bool:
    """Whether the database is SQLite, a file that one process serves."""
    url = text("DATABASE_URL")
    return not url or url.startswith("sqlite")


def thread_count() -> int:
    """How many threads a process that serves pages has: on SQLite there is only one process."""
    return 24 if is_sqlite() else 8


def databases(default: str) -> dict[str, dict[str, Any]]:
    """Django's settings of the database that DATABASE_URL names, and of its replica, if any.

    Raises ``ImproperlyConfigured`` as ``database_settings`` does, and for a replica of SQLite.
    """
    result = {"default": database_settings(text("DATABASE_URL") or default)}
    if url := text("TONGBOX_REPLICA_DATABASE_URL"):
        if is_sqlite() or url.startswith("sqlite"):
            raise ImproperlyConfigured(ONLY_POSTGRESQL)
        result["replica"] = database_settings(url) | {"TEST": {"MIRROR": "default"}}
    return result


def database_settings(url: str) -> dict[str, Any]:
    """Django's settings of the database with this address.

    The part of the address after ``?`` is in OPTIONS. Several hosts
    (``postgres://one:5432,two:5433/name``) are tried in turn, each at its own port. Raises
    ``ImproperlyConfigured`` where the program that it needs is not installed, and for an
    installation of before that has clubs in several databases.
    """
    if text("TONGBOX_CLUB_DATABASES"):
        raise ImproperlyConfigured(SEVERAL_DATABASES)
    bare, hosts = split_off_hosts(url)
    are_several = "," in hosts
    settings: dict[str, Any] = {"OPTIONS": {}} | dict(
        _environ.db_url_config(bare if are_several else url)
    )
    if are_several:
        settings["HOST"], settings["PORT"] = split_hosts(hosts)
    is_file = "sqlite" in str(settings["ENGINE"])
    if not is_file:
        _require("psycopg", "DATABASE_URL names a PostgreSQL database")
    settings["ENGINE"] = "config.sqlite" if is_file else POSTGRESQL
    # What the address says goes first.
    settings["OPTIONS"] = (SQLITE_OPTIONS if is_file else POSTGRESQL_OPTIONS) | settings["OPTIONS"]
    return {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True, **settings}


def redis_url() -> str:
    """REDIS_URL; empty without one.

    Raises ``ImproperlyConfigured`` where the program that it needs is not installed.
    """
    url = text("REDIS_URL")
    if url:
        _require("redis", "REDIS_URL names a Redis server")
    return url


def _require(package: str, reason: str) -> None:
    if find_spec(package) is None:
        raise ImproperlyConfigured(
            f"{reason}, which needs more than is installed here: install tongbox[server]."
        )


def email_settings(default: str) -> dict[str, object]:
    """Django's mail settings from EMAIL_URL; ``?timeout=20`` is EMAIL_TIMEOUT.

    Raises ``ImproperlyConfigured`` where Django has no such setting.
    """
    settings = dict(_environ.email_url_config(text("EMAIL_URL") or default))
    for name, value in settings.pop("OPTIONS", {}).items():
        if not hasattr(global_settings, f"EMAIL_{name}"):
            raise ImproperlyConfigured(f"EMAIL_URL: Django has no setting EMAIL_{name}.")
        settings[f"EMAIL_{name}"] = value
    return settings


def var_dir() -> Path:
    """The folder for database, secret key, mail and results (TONGBOX_VAR, else the usual one)."""
    folder = Path(text("TONGBOX_VAR") or places.usual_folder())
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def secret_key(folder: Path) -> str:
    """SECRET_KEY, or a key made on the first run and kept in the folder with mode 600."""
    if key := text("SECRET_KEY"):
        return key
    key_file = folder / "secret_key"
    try:
        with key_file.open("x", encoding="utf-8") as new:
            key_file.chmod(0o600)
            new.write(secrets.token_urlsafe(50))
    except FileExistsError:
        pass
    return key_file.read_text(encoding="utf-8")
