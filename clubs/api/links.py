"""Tables behind printed links: found by the key, or it is said that the card was replaced."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from rest_framework.exceptions import APIException

from clubs.selectors.links import is_replaced
from clubs.tablepages.linked import find, is_a_seat


class Replaced(APIException):
    """The link opened a table once, and another has taken its place."""

    status_code = 410
    default_code = "replaced"
    default_detail = (
        "This table card has been replaced. Scan the new one on your table or ask the director. "
        "Hands stored for the old card can be sent with the new link."
    )


def linked(tables: Callable[[], QuerySet[Any]], key: str) -> tuple[Any, int | None]:
    """The table of a link, and the seat if it is a seat's; raises ``Replaced`` or ``Http404``."""
    table, seat = find(tables, key)
    if table is not None:
        return table, seat
    raise Replaced if is_a_seat(key) or is_replaced(key) else Http404
