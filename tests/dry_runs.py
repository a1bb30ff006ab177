"""What the tests of dry runs share: which operations have one, and that nothing changes."""

from typing import Any

from django.apps import apps
from django.test import Client
from django.urls import get_resolver
from django_scopes import scopes_disabled

from tests.api import handlers_of, look
from tests.test_doors import patterns


def with_dry_run() -> set[str]:
    """The names of the operations that take ``?dry_run=1``."""
    return {
        str(pattern.name)
        for pattern in patterns(get_resolver())
        if getattr(handlers_of(pattern.callback).get("post"), "has_dry_run", False)
    }


def all_rows() -> dict[str, list[str]]:
    """Every row of every table."""
    with scopes_disabled():
        return {
            model._meta.label: sorted(map(str, model._base_manager.values_list()))
            for model in apps.get_models(include_auto_created=True)
            if model._meta.managed
        }


def status_without_change(client: Client, address: str, data: Any) -> int:
    """The status of a dry run, after which everything is as it was."""
    rows_before = all_rows()
    status: int = look(client, address, data).status_code
    rows_after = all_rows()
    assert {label for label in rows_before if rows_before[label] != rows_after[label]} == set()
    return status
