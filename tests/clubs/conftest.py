"""An evening of one table, and the link on its card."""

import pytest
from django.urls import reverse

from clubs.models import SessionTable
from tests.clubs.tables import seated_evening
from tests.people import Cast


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return seated_evening(cast.club).tables.get()


@pytest.fixture
def phone(table: SessionTable) -> str:
    return reverse("table", args=[table.link_key])
