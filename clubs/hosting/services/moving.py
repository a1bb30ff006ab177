"""A club moved to another database while people use it: they read meanwhile, and write after it."""

from collections.abc import Collection
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Model, QuerySet

from clubs import databases
from clubs.backup import Trouble
from clubs.backup.databases import copy_rows
from clubs.clubfile.contents import editions_of
from clubs.core.club_rows import tables_of_club
from clubs.core.directory import database_of, moving, without_jobs
from clubs.databases import MAIN, ONLY_IN_MAIN, at
from clubs.house.services import delete_rows
from clubs.models import AgreedTerms, Club, HouseRules, KeptAnswer, User
from scoring.scorebook.models import Edition


@dataclass(frozen=True, slots=True)
class Moved:
    """A club that was moved: its rows, and for how many seconds nothing could be written."""

    rows: int
    seconds: float


def move_club(slug: str, *, to: str) -> Moved:
    """Move a club, with its practice evening, into another database, and compare every row.

    People can read all the while. What is written meanwhile is refused with 503, which phones and
    programs send again by themselves. Rows keep their keys, so links, receipts and printed cards
    stay as they are. Raises ``Trouble``, and then nothing has changed.
    """
    source = database_of(slug)
    if to not in databases.names():
        raise Trouble(f"There is no database {to}; there are {', '.join(databases.names())}.")
    with at(source):
        club = Club.objects.filter(slug=slug, rehearsal_of=None).first()
        if club is None:
            raise Trouble(f"There is no club at {slug}.")
    if source == to:
        raise Trouble(f"{club.name} is in the database {to} already.")
    with without_jobs(source, to):
        with at(source):
            clubs = [club, *club.rehearsals.all()]
        try:
            begun = perf_counter()
            with moving(clubs, to=to), at(source):
                rows = _copy(clubs, to)
            seconds = perf_counter() - begun
        except DatabaseError as why:
            raise Trouble(f"{club.name} was not moved: {str(why).strip()}") from why
        with at(source), transaction.atomic():
            for each in reversed(clubs):
                delete_rows(club=each)
    return Moved(rows, seconds)


def _copy(clubs: Collection[Club], name: str) -> int:
    """Copy what is the clubs' out of the current database, and what their rows refer to."""
    to = databases.main() if name == MAIN else name
    tables = [
        (model, rows)
        for club in clubs
        for model, rows in tables_of_club(club)
        if model._meta.label not in ONLY_IN_MAIN
    ]
    with transaction.atomic(using=to):
        people = set().union(*(_people(model, rows) for model, rows in tables))
        accounts = User._base_manager.using(databases.main()).in_bulk(people)
        terms = AgreedTerms.objects.filter(clubs__in=clubs).distinct()
        shared: list[User | AgreedTerms] = [*accounts.values(), *terms]
        with at(name):
            for row in shared:
                row.copy_here()
        editions = _copy_editions(clubs, to)
        _copy_answers(to)
        count = sum(copy_rows(rows, using=to) for _, rows in tables)
        for here, there in editions.items():
            HouseRules._base_manager.using(to).filter(edition=here).update(edition=there)
    return count


def _people(model: type[Model], rows: QuerySet[Any]) -> set[int]:
    """The keys of the accounts that the rows refer to."""
    columns = [
        field.attname for field in model._meta.concrete_fields if field.related_model is User
    ]
    values = (rows.order_by().values_list(column, flat=True).distinct() for column in columns)
    return {key for keys in values for key in keys if key is not None}


def _copy_editions(clubs: Collection[Club], to: str) -> dict[int, int]:
    """Copy the clubs' house rules that are not there; their keys here and there where they differ.

    House rules with the same name and rules are kept once in each database.
    """
    used = set().union(*(editions_of(club).values_list("key", "pk") for club in clubs))
    there = dict(Edition.objects.using(to).filter(key__in=dict(used)).values_list("key", "pk"))
    copy_rows(Edition.objects.filter(key__in=dict(used).keys() - there.keys()), using=to)
    return {pk: there[key] for key, pk in used if there.get(key, pk) != pk}


def _copy_answers(to: str) -> None:
    """Copy the answers of the last day that are of no club: nothing is done twice there.

    Those of the clubs go with their other rows.
    """
    answers = KeptAnswer.objects.filter(club=None)
    keys = list(answers.values_list("key", flat=True))
    there = KeptAnswer.objects.using(to).filter(key__in=keys)
    known = set(there.values_list("owner", "key"))
    new = [row.pk for row in answers if (row.owner, row.key) not in known]
    copy_rows(KeptAnswer.objects.filter(pk__in=new), using=to)
