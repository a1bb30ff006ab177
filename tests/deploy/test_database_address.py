"""How to connect goes with a database's address wherever it is used; collected with PostgreSQL."""

from pathlib import Path

import pytest
from django.db import connection

from clubs.backup.databases import Server, Trouble, dump, fill, opened, ours

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

NOBODY_SIGNED = {"sslmode": "verify-full", "sslrootcert": "/nowhere/root.crt"}


def test_our_own_database_is_reached_by_every_program_as_its_address_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = connection.settings_dict["OPTIONS"] | {"application_name": "tongbox here"}
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", options)
    server = ours()
    assert isinstance(server, Server)
    assert server.options == (("application_name", "tongbox here"),)
    assert Server.read(server.url) == server
    with server.ask() as asked:
        assert asked.execute("SHOW application_name").fetchone() == ("tongbox here",)
    with opened(server) as elsewhere:
        assert elsewhere.get_connection_params()["application_name"] == "tongbox here"


def test_a_backup_is_not_sent_in_the_clear_where_the_address_asks_for_a_certificate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    connection.ensure_connection()
    options = connection.settings_dict["OPTIONS"] | NOBODY_SIGNED
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", options)
    with pytest.raises(Trouble, match=r"root certificate|SSL"):
        dump(tmp_path, lambda: None)
    (tmp_path / "database.dump").write_bytes(b"")
    with pytest.raises(Trouble, match=r"root certificate|SSL"):
        fill(ours(), tmp_path / "database.dump")
