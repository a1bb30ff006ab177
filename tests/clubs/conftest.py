"""A club, its secretary, and an evening of one table with the link on its card."""

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
    """The secretary at the pages."""
    return Visitor(cast.secretary)


@pytest.fixture
def secretary(cast: Cast) -> Client:
    """The secretary's program."""
    return api_client(cast.secretary)


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return seated_evening(cast.club).tables.get()


@pytest.fixture
def phone(table: SessionTable) -> str:
    return reverse("table", args=[table.link_key])
