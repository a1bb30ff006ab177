"""Which rows of the database are a club's: for deleting all of it."""

from collections import deque
from collections.abc import Mapping
from functools import cache
from graphlib import TopologicalSorter
from typing import Any

from django.apps import apps
from django.db.models import ForeignKey, Model, Q, QuerySet

from clubs.models import Club, User
from clubs.tenancy import ClubManager
from scoring.scorebook.models import PATHS_TO_BOOK, Book


def tables_of_club(club: Club) -> tuple[tuple[type[Model], QuerySet[Any]], ...]:
    """Every table with rows of a club, and the rows of this one: its own, and its score books'.

    Each table comes after those that it refers to. The queries need no current club and have not
    run yet. Accounts, agreed terms and editions of house rules are not among them, because clubs
    share them.
    """
    books = books_of_club(club)
    result = []
    for model in _models_by_dependency():
        rows = model._base_manager.order_by("pk")
        if model in PATHS_TO_BOOK:
            path = PATHS_TO_BOOK[model] or "pk"
            in_books = model._base_manager.filter(**{f"{path}__in": books.values("pk")})
            rows = rows.filter(pk__in=in_books.order_by().values("pk"))
        else:
            rows = rows.filter(**{club_lookups().get(model, "pk"): club.pk})
        result.append((model, rows))
    return tuple(result)


def books_of_club(club: Club) -> QuerySet[Book]:
    """The score books of the club's evenings and tournaments."""
    condition = Q(pk__in=[])
    for relation in Book._meta.related_objects:
        model = relation.related_model
        if isinstance(model, type) and relation.one_to_one:
            events = model._base_manager.filter(club=club.pk, book__isnull=False)
            condition |= Q(pk__in=events.values("book"))
    return Book._base_manager.filter(condition).order_by("pk")


@cache
def club_lookups() -> Mapping[type[Model], str]:
    """Every table whose rows lead to one club, and the look-up from a row to its club.

    Score books are not among them: they know no clubs.
    """
    models = apps.get_models(include_auto_created=True)
    return {model: lookup for model in models if (lookup := _find_club_lookup(model))}


def _find_club_lookup(model: type[Model]) -> str:
    """Its manager's way, or the shortest over foreign keys; empty where there is none."""
    manager: Any = model._default_manager
    if isinstance(manager, ClubManager):
        return manager.club_lookup
    lookups: deque[tuple[type[Model], str]] = deque([(model, "")])
    seen_models: set[type[Model]] = {model, User}  # an account may be in several clubs
    while lookups:
        current_model, lookup = lookups.popleft()
        if current_model is Club:
            return lookup.removesuffix("__")
        for field in current_model._meta.concrete_fields:
            related_model = field.related_model
            if (
                isinstance(field, ForeignKey)
                and isinstance(related_model, type)
                and related_model not in seen_models
            ):
                seen_models.add(related_model)
                lookups.append((related_model, f"{lookup}{field.name}__"))
    return ""


@cache
def _models_by_dependency() -> tuple[type[Model], ...]:
    tables: list[type[Model]] = [Club, *PATHS_TO_BOOK, *club_lookups()]
    sorter: TopologicalSorter[type[Model]] = TopologicalSorter()
    for model in tables:
        targets: list[Any] = [field.related_model for field in model._meta.concrete_fields]
        sorter.add(
            model, *(target for target in targets if target in tables and target is not model)
        )
    return tuple(sorter.static_order())
