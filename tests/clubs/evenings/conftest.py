"""The time before an evening."""

from collections.abc import Iterator

import pytest
import time_machine


@pytest.fixture
def before_it() -> Iterator[None]:
    """Two days before the evening."""
    with time_machine.travel("2026-11-15T10:00Z", tick=False):
        yield
