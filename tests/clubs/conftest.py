"""A club, its secretary's browser and program, an evening of one table, the link on its card."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Club, SessionTable
from tests.api import api_client
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor
from tests.people import Cast, make_club


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    """The secretary's browser."""
    return Visitor(cast.secretary)


@pytest.fixture
def program(cast: Cast) -> Client:
    """The secretary's program, with a key of hers."""
    return api_client(cast.secretary)


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return seated_evening(cast.club).tables.get()


@pytest.fixture
def phone(table: SessionTable) -> str:
    return reverse("table", args=[table.link_key])
