"""Settings and people that all tests share."""

import gc
from collections.abc import Iterator

import pytest
from django.db import transaction
from django_scopes import scopes_disabled
from hypothesis import settings
from pytest_django import DjangoDbBlocker

from tests.people import Cast, make_cast

settings.register_profile("a busy machine", deadline=None, max_examples=30)
settings.register_profile("a night", deadline=None, max_examples=2_000)
settings.load_profile("a busy machine")  # pytest --hypothesis-profile="a night" tries more

gc.set_threshold(50_000, 20, 20)  # thousands of tests make millions of rows that live for one test


@pytest.fixture
def cast(db: None) -> Cast:
    """A club with its people, and a stranger."""
    return make_cast()


@pytest.fixture(scope="module")
def standing(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What a module's own fixtures make under this one stands for all its tests.

    Each test's changes are taken back after it; so a test is given a deep copy of the rows.
    """
    with django_db_blocker.unblock(), scopes_disabled(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _across_clubs() -> Iterator[None]:
    """A test looks at every club; what it asks over HTTP, a job or a command keeps to one."""
    with scopes_disabled():
        yield
