"""What templates need to warn of letters that no paper has."""

from collections.abc import Iterable
from typing import Any

from django import template

from clubs.paper.formats import unprinted

register = template.Library()


@register.filter
def unprintable_names(rows: Iterable[Any]) -> list[tuple[str, str]]:
    """Of rows with a ``name``: those names that cannot be printed whole, each with its letters."""
    return unprinted(row.name for row in rows)
