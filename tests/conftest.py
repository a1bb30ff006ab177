"""Settings and people that all tests share."""

import gc
from collections import defaultdict
from collections.abc import Iterator
from functools import partial

import pytest
from django.db import transaction
from django_scopes import scopes_disabled
from hypothesis import settings
from pytest_django import DjangoDbBlocker

from clubs.core.versioned_cache import clear_caches
from config.celery import app
from tests.people import Cast, make_cast
from tests.sampling import DAYS, FORTNIGHT, IS_WHOLE, SAMPLE, SampleOf, sample_of

settings.register_profile("quick", deadline=None, max_examples=15)
settings.register_profile("whole", deadline=None, max_examples=30)
settings.register_profile("a night", deadline=None, max_examples=2_000)
# pytest --hypothesis-profile="a night" tries more
settings.load_profile("whole" if IS_WHOLE else "quick")

gc.set_threshold(50_000, 20, 20)  # thousands of tests make millions of rows that live for one test


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which cases of the long laws this run took, and how to take them again."""
    portion = "Every case" if IS_WHOLE else "A sample"
    terminalreporter.write_line(f"{portion} of the long laws; TONGBOX_SAMPLE={SAMPLE} repeats it.")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the cases of a ``sampled`` law that belong to other days; one named by itself stays."""
    laws: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if marker := item.get_closest_marker("sampled"):
            law = marker.kwargs.get("law", item.nodeid.partition("[")[0])
            usual = FORTNIGHT if "law" in marker.kwargs else DAYS
            laws[law, marker.kwargs.get("days", usual)].append(item)
    other_cases = set[pytest.Item]()
    for (law, days), cases in laws.items():
        case_ids = sample_of([case.nodeid for case in cases], law=law, days=days)
        other_cases |= {case for case in cases if case.nodeid not in {*case_ids, *config.args}}
    if other_cases:
        config.hook.pytest_deselected(items=list(other_cases))
        items[:] = [item for item in items if item not in other_cases]


@pytest.fixture(name="sample_of")
def _sample_of(request: pytest.FixtureRequest) -> SampleOf:
    """The day's sample of the cases that a test goes through by itself."""
    return partial(sample_of, law=request.node.nodeid)


@pytest.fixture(scope="session", autouse=True)
def _tasks() -> None:
    """What is sent by name is done at once and counted, so all is loaded as in a worker."""
    app.autodiscover_tasks(force=True)
    app.loader.import_module("config.metrics.jobs")


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
def _empty_cache() -> None:
    """A test begins with nothing that another has cached: no page, no failed sign-in, no rate."""
    clear_caches()


@pytest.fixture(autouse=True)
def _across_clubs() -> Iterator[None]:
    """A test looks at every club; what it asks over HTTP, a job or a command keeps to one."""
    with scopes_disabled():
        yield
