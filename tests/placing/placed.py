"""Clubs in a database of their own, and every row of a club."""

from clubs.core.club_rows import tables_of_club
from clubs.core.directory import enter
from clubs.databases import ONLY_IN_MAIN, at
from clubs.models import Club, Membership, Role, User
from tests.people import PASSWORD, make_club

Rows = dict[str, list[tuple[object, ...]]]


def placed_club(name: str, slug: str = "riverside") -> Club:
    """A club in this database, with a secretary whose account is in the main one."""
    user = User.objects.create_user(f"secretary@{slug}.example", PASSWORD, name="Ann")
    with at(name):
        club = make_club(slug, slug)
        enter(club)
        user.copy_here()
        Membership.objects.create(club=club, user=user, role=Role.SECRETARY)
    return club


def rows_of(club: Club, name: str) -> Rows:
    """Everything of the club in this database, by table; those without any are left out."""
    with at(name):
        tables = {
            model._meta.label: list(
                rows.values_list(*(field.attname for field in model._meta.concrete_fields))
            )
            for model, rows in tables_of_club(club)
            if model._meta.label not in ONLY_IN_MAIN
        }
    return {label: rows for label, rows in tables.items() if rows}
