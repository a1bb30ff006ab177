"""Which rows are a club's: all that lead to it, no other club's, and none is forgotten."""

from collections import defaultdict
from typing import Any, Final

import pytest
from django.apps import apps
from django.db.models import Model

from clubs.core.club_rows import books_of_club, club_lookups, tables_of_club
from clubs.models import AgreedTerms, Club
from tests.clubs.hosting.whole_club import make_whole_club

# Tables without a row that is one club's alone, and why.
OF_NO_CLUB: Final = {
    "account.EmailAddress": "it belongs to an account",
    "account.EmailConfirmation": "it belongs to an account",
    "auth.Group": "it is about the whole installation",
    "auth.Group_permissions": "it is about the whole installation",
    "auth.Permission": "it is about the whole installation",
    "clubs.AgreedTerms": "many clubs have agreed to the same terms",
    "clubs.AwayCopy": "it is about the whole installation",
    "clubs.Backup": "it is about the whole installation",
    "clubs.DeletedClub": "its club is gone",
    "clubs.Installation": "it is about the whole installation",
    "clubs.SentMails": "it counts emails by a keyed digest, for some days",
    "clubs.User": "an account may be in several clubs",
    "clubs.User_groups": "it belongs to an account",
    "clubs.User_user_permissions": "it belongs to an account",
    "contenttypes.ContentType": "it is about the whole installation",
    "mfa.Authenticator": "it belongs to an account",
    "scorebook.Edition": "house rules are kept once for all clubs",
    "sessions.Session": "it belongs to an account",
}


@pytest.fixture
def clubs(db: None) -> list[Club]:
    """Two clubs with rows in every table, and their practice clubs."""
    terms = AgreedTerms.objects.create(digest="x", terms="x", privacy="x")
    make_whole_club("riverside", "Riverside", terms)
    make_whole_club("hill-top", "Hill Top", terms)
    return list(Club.objects.order_by("pk"))


def test_each_table_is_of_a_club_or_of_none_for_a_reason() -> None:
    """If this fails: a new table needs a way to its club, or a reason why it has none."""
    all_labels = {model._meta.label for model in apps.get_models(include_auto_created=True)}
    of_club = [model._meta.label for model, _ in tables_of_club(Club(pk=1))]
    assert sorted([*of_club, *OF_NO_CLUB]) == sorted(all_labels)


def test_each_row_is_of_exactly_one_club(clubs: list[Club]) -> None:
    rows: dict[type[Model], list[Any]] = defaultdict(list)
    for club in clubs:
        for model, queryset in tables_of_club(club):
            rows[model] += queryset.values_list("pk", flat=True)
    for model, keys in rows.items():
        assert keys, model
        all_keys = model._base_manager.values_list("pk", flat=True)
        assert sorted(map(str, keys)) == sorted(map(str, all_keys)), model


def test_a_row_points_only_to_rows_of_its_club_that_come_before_it(clubs: list[Club]) -> None:
    club_models = {model for model, _ in tables_of_club(clubs[0])}
    for club in clubs:
        keys_by_model: dict[type[Model], set[Any]] = {}
        for model, rows in tables_of_club(club):
            keys_by_model[model] = set()
            references: list[Any] = [
                field for field in model._meta.concrete_fields if field.related_model in club_models
            ]
            for row in rows:
                for field in references:
                    key = getattr(row, field.attname)
                    is_practice = model is Club and field.name == "rehearsal_of"
                    assert (
                        key is None or is_practice or key in keys_by_model[field.related_model]
                    ), field
                keys_by_model[model].add(row.pk)


def test_the_ways_lead_to_the_club(clubs: list[Club]) -> None:
    for model, lookup in club_lookups().items():
        rows = model._base_manager.filter(**{f"{lookup}__in": clubs})
        assert rows.count() == model._base_manager.count(), model
    books = {pk for club in clubs for pk in books_of_club(club).values_list("pk", flat=True)}
    assert len(books) == 6  # in each club an evening and a tournament, and a practice evening
