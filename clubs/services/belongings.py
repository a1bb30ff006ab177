"""Everything that points to a person, in whichever room it is kept."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Model

from clubs.models import Alias, Player, PlayerMerge

Relation = tuple[type[Model], str]
SAID = {
    "attendance": "was here on an evening",
    "sessionseat": "sat at a table",
    "entrant": "was entered for a tournament",
    "membership": "can sign in",
    "playermerge": "was merged with another record",
    "tablemoney": "paid table money",
    "invitation": "was asked to come",
    "message": "was written to",
    "roleinvitation": "is invited to take a role",
    "standby": "is on the substitutes list",
}


def relations() -> list[Relation]:
    """Each table that points to people, with its column; names and merges are apart."""
    found = [
        (relation.related_model, relation.field.name)
        for relation in Player._meta.related_objects
        if relation.related_model not in (Alias, PlayerMerge)
    ]
    return [(model, name) for model, name in found if isinstance(model, type)]


def rows_of(player: Player) -> Iterator[tuple[str, str, list[Any]]]:
    """Each table's label, its column and the rows that point to the player; one query a table."""
    for model, name in relations():
        rows = list(model._default_manager.filter(**{name: player.pk}).order_by("pk"))
        if rows:
            yield model._meta.label, name, rows


def what_points_to(players: Iterable[int]) -> dict[int, list[str]]:
    """By a person's key in words what they have done: ``sat at a table``; a query a table."""
    asked = list(players)
    found: dict[int, list[str]] = {key: [] for key in asked}
    merges: list[Relation] = [(PlayerMerge, "kept"), (PlayerMerge, "gone")]
    for model, name in [*relations(), *merges]:
        said = SAID.get(model._meta.model_name or "", f"has a {model._meta.verbose_name}")
        there = model._default_manager.filter(**{f"{name}__in": asked}).values_list(name, flat=True)
        for key in set(there):
            found[key].append(said)
    return found
