"""Two records of one person made one, and two again."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import F, Model
from django.utils import timezone

from clubs.core.locks import lock_club
from clubs.language.moments import long_date
from clubs.models import Alias, Membership, Player, PlayerMerge, Session, User
from clubs.person_columns import PERSON_COLUMNS
from clubs.services.belongings import relations, rows_of
from clubs.services.importing import put_back, stored
from scoring.scorebook.refusals import Finding, Refusal, Refused, refuse

OCCASIONS = ("session", "tournament")
SAID = {
    "sessionseat": "Both sat at a table",
    "attendance": "Both were checked in",
    "entrant": "Both were entered for the tournament",
    "tablemoney": "Both paid table money",
}
OF_NO_MATTER = {"sentresult", "message", "credit"}


NOUNS = {
    "attendance": ("evening when they were checked in", "evenings when they were checked in"),
    "sessionseat": ("seat at a table, with its result", "seats at tables, with their results"),
    "entrant": ("entry for a tournament", "entries for tournaments"),
    "membership": ("sign-in", "sign-ins"),
    "tablemoney": ("payment of table money", "payments of table money"),
    "message": ("message from the club", "messages from the club"),
    "sentresult": ("result that was sent", "results that were sent"),
    "roleinvitation": ("invitation to take a role", "invitations to take roles"),
    "wish": ("seating preference", "seating preferences"),
}


@dataclass(frozen=True, slots=True)
class Moving:
    """So many rows of a table that would become the first record's."""

    count: int
    model: type[Model]

    @property
    def words(self) -> str:
        """``7 evenings when they were checked in``."""
        told = self.model._meta
        usual = (str(told.verbose_name), str(told.verbose_name_plural))
        one, many = NOUNS.get(told.model_name or "", usual)
        return f"{self.count} {one if self.count == 1 else many}"


@transaction.atomic
def merge_players(*, kept: Player, gone: Player, made_by: User | None = None) -> PlayerMerge:
    """Everything of ``gone`` becomes ``kept``'s, and its name another name of theirs.

    What is empty of ``kept`` is filled. Refuses two who were at one evening or tournament, two who
    can both sign in, and a record that was made one with another already.
    """
    lock_club(kept.club_id)
    kept.refresh_from_db()
    gone.refresh_from_db()
    if problems := what_parts(kept, gone):
        raise Refused(problems)
    rows = {f"{label}.{name}": _moved(found, name, kept) for label, name, found in rows_of(gone)}
    moved = {
        "rows": rows,
        "aliases": list(gone.aliases.values_list("pk", flat=True)),
        "filled": _fill(kept, gone),
        "was_active": gone.is_active,
    }
    gone.aliases.update(player=kept)
    alias, _ = Alias.objects.get_or_create(
        club_id=kept.club_id,
        name_key=gone.name_key,
        defaults={"player": kept, "name": gone.name},
    )
    Player.objects.filter(pk=gone.pk).update(is_active=False)
    _tell_evenings(kept)
    told = {**moved, "alias": alias.pk}
    return PlayerMerge.objects.create(
        club_id=kept.club_id, kept=kept, gone=gone, moved=told, made_by=made_by
    )


@transaction.atomic
def undo_merge(*, merge: PlayerMerge) -> None:
    """Every row back to whom it was; refuses one that was undone, or lies under a newer one."""
    lock_club(merge.club_id)
    merge.refresh_from_db()
    kept, gone = merge.kept, merge.gone
    if merge.undone_at:
        raise refuse("undone", f"{gone.name} and {kept.name} are already separate records.")
    if kept.erased_on or gone.erased_on:
        raise refuse("erased", "This person’s data has been deleted, in both records.")
    if _is_gone(kept):
        raise refuse(
            "under_another",
            f"{kept.name} has since been merged with someone else. Undo that merge first.",
        )
    for key, numbers in merge.moved["rows"].items():
        label, column = key.rsplit(".", 1)
        rows = apps.get_model(label)._default_manager.filter(pk__in=numbers, **{column: kept.pk})
        rows.update(**{column: gone.pk})
    Alias.objects.filter(pk=merge.moved["alias"]).delete()
    Alias.objects.filter(pk__in=merge.moved["aliases"], player=kept).update(player=gone)
    put_back(kept, merge.moved["filled"])
    Player.objects.filter(pk=gone.pk).update(is_active=merge.moved["was_active"])
    _tell_evenings(gone)
    merge.undone_at = timezone.now()
    merge.save(update_fields=["undone_at"])


def what_parts(kept: Player, gone: Player) -> list[Finding]:
    """Why the two cannot be one person; empty when they can."""
    if kept.pk == gone.pk or kept.club_id != gone.club_id:
        return [Refusal("same", "Choose another record of this club.")]
    if _is_gone(kept) or _is_gone(gone):
        return [Refusal("gone", "One of these has already been merged with another record.")]
    if kept.erased_on or gone.erased_on:
        return [Refusal("erased", "One of these has had its personal data deleted.")]
    days = sorted(dict(_occasions(kept, gone)).items())
    found = [f"{said} on {long_date(day)}." for day, said in days]
    if Membership.objects.filter(player__in=(kept, gone)).count() > 1:
        found.append("Both can sign in, each with their own email address.")
    return [Refusal("two_people", sentence) for sentence in found]


def what_moves(gone: Player) -> tuple[Moving, ...]:
    """What would become the other record's; a query a table."""
    return tuple(Moving(len(rows), type(rows[0])) for _, _, rows in rows_of(gone))


def _moved(rows: list[Any], column: str, kept: Player) -> list[int]:
    """The keys of the rows that are the other's now; who has such a row already keeps their own."""
    return [row.pk for row in rows if _move(row, column, kept)]


def _move(row: Any, column: str, kept: Player) -> bool:
    try:
        with transaction.atomic():
            type(row)._default_manager.filter(pk=row.pk).update(**{column: kept.pk})
    except IntegrityError:
        return False
    return True


def _fill(kept: Player, gone: Player) -> dict[str, list[Any]]:
    """Merge each column of the two as it is declared; what changed, with its value of before."""
    filled = {}
    for column in PERSON_COLUMNS:
        own = getattr(kept, column.name)
        merged = column.merge(own, getattr(gone, column.name))
        if merged != own:
            filled[column.name] = [stored(own), stored(merged)]
            setattr(kept, column.name, merged)
    kept.save(update_fields=list(filled))
    return filled


def _occasions(kept: Player, gone: Player) -> Iterator[tuple[date, str]]:
    """The days on which both were somewhere, and what says so, the plainer last."""
    for model, column in relations():
        occasion = next((name for name in OCCASIONS if _has(model, name)), None)
        name = model._meta.model_name or ""
        if occasion is None or name in OF_NO_MATTER:
            continue
        theirs = model._default_manager.filter(**{column: gone.pk}).values(occasion)
        both = model._default_manager.filter(**{column: kept.pk, f"{occasion}__in": theirs})
        said = SAID.get(name, f"Both have a {model._meta.verbose_name}")
        for day in both.values_list(f"{occasion}__held_on", flat=True):
            yield day, said


def _has(model: type[Model], name: str) -> bool:
    return any(field.name == name for field in model._meta.get_fields())


def _is_gone(player: Player) -> bool:
    return PlayerMerge.objects.filter(gone=player, undone_at=None).exists()


def _tell_evenings(player: Player) -> None:
    """Pages that show an evening of the player are to ask anew."""
    Session.objects.filter(places__player=player).update(version=F("version") + 1)
