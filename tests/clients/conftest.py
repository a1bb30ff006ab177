"""The API's description and a club whose evening is played, for clients that are generated."""

import os
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.people import Cast, make_cast, make_player

IS_REQUIRED = os.environ.get("TONGBOX_CLIENTS") == "required"  # make clients-test, which has node
collect_ignore = [] if IS_REQUIRED else ["test_typescript.py"]


@pytest.fixture
def description(tmp_path: Path) -> Path:
    """The OpenAPI document, as a file."""
    path = tmp_path / "openapi.json"
    call_command("spectacular", format="openapi-json", file=str(path))
    return path


@pytest.fixture
def club(transactional_db: None) -> Cast:
    """A club of eight members, enough for two tables."""
    cast = make_cast()
    for name in ("Ann", "Ben", "Cy", "Di", "Eve", "Flo"):
        make_player(cast.club, name)
    return cast
