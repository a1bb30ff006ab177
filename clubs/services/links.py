"""A table's link is replaced: the card that was printed opens nothing any more."""

from typing import Any

from django.db import transaction

from clubs.models import Club, ReplacedLink, link_key


@transaction.atomic
def replace_link(*, table: Any, club: Club) -> str:
    """Give a table of an evening or of a round another link; its old ones and its seats' are void.

    Returns the new key. ``table`` is a row with a ``link_key``.
    """
    held = type(table).objects.select_for_update(of=("self",)).get(pk=table.pk)
    old, new = held.link_key, link_key()
    ReplacedLink.objects.filter(stands=old).update(stands=new)
    ReplacedLink.objects.create(club=club, key=old, stands=new)
    held.link_key = new
    held.save(update_fields=["link_key"])
    return new
