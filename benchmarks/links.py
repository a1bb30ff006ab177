"""Links of a database that another installation made: its seals are forged to any other."""

from collections.abc import Iterable

from django.db.models import Model

from clubs.models import link_key


def seal_anew(rows: Iterable[Model], column: str = "link_key") -> None:
    """Give each of these rows a link that the secret of this run has sealed."""
    for row in rows:
        setattr(row, column, link_key())
        row.save(update_fields=[column])
