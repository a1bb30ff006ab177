"""Two records that may be one person: merged, separated again, or kept as two people."""

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import F, Model
from django.utils import timezone

from clubs.core.locks import lock_club
from clubs.language.moments import long_date
from clubs.members.person_columns import PERSON_COLUMNS
from clubs.members.selectors import merged_into, relations
from clubs.members.services.people import json_value, restore_fields, rows_pointing_at
from clubs.models import Alias, Membership, Player, PlayerMerge, Session, TwoPeople, User
from scoring.scorebook.refusals import ProblemLike, Refusal, Refused, refuse

EVENT_FIELDS = ("session", "tournament")
MERGE_SENTENCES = {
    "sessionseat": "Both sat at a table",
    "attendance": "Both were checked in",
    "entrant": "Both were entered for the tournament",
    "tablemoney": "Both paid table money",
}
IGNORED_TABLES = {"sentresult", "message", "credit"}
TABLE_NOUNS = {
    "attendance": ("evening when they were checked in", "evenings when they were checked in"),
    "sessionseat": ("seat at a table, with its result", "seats at tables, with their results"),
    "entrant": ("entry for a tournament", "entries for tournaments"),
    "membership": ("sign-in", "sign-ins"),
    "tablemoney": ("payment of table money", "payments of table money"),
    "message": ("message from the club", "messages from the club"),
    "sentresult": ("result that was sent", "results that were sent"),
    "roleinvitation": ("invitation to take a role", "invitations to take roles"),
    "wish": ("seating preference", "seating preferences"),
    "twopeople": (
        "note that they and someone else are two people",
        "notes that they and someone else are two people",
    ),
}


@dataclass(frozen=True, slots=True)
class RowsToMove:
    """So many rows of a table that would become the first record's."""

    count: int
    model: type[Model]

    @property
    def text(self) -> str:
        """``7 evenings when they were checked in``."""
        meta = self.model._meta
        usual = (str(meta.verbose_name), str(meta.verbose_name_plural))
        singular, plural = TABLE_NOUNS.get(meta.model_name or "", usual)
        return f"{self.count} {singular if self.count == 1 else plural}"


@transaction.atomic
def merge_players(
    *, kept_player: Player, merged_player: Player, made_by: User | None = None
) -> PlayerMerge:
    """Make everything of ``merged_player`` the ``kept_player``'s, its name as another of theirs.

    What is empty of ``kept_player`` is filled. Refuses two who were at one evening or tournament,
    two who can both sign in, and a record that was made one with another already.
    """
    lock_club(kept_player.club_id)
    kept_player.refresh_from_db()
    merged_player.refresh_from_db()
    if problems := merge_problems(kept_player, merged_player):
        raise Refused(problems)
    merge_record = {
        "rows": {
            f"{label}.{name}": _move_rows(rows, name, kept_player)
            for label, name, rows in rows_pointing_at(merged_player)
        },
        "aliases": list(merged_player.aliases.values_list("pk", flat=True)),
        "filled": _merge_columns(kept_player, merged_player),
        "was_active": merged_player.is_active,
    }
    merged_player.aliases.update(player=kept_player)
    alias, _ = Alias.objects.get_or_create(
        club_id=kept_player.club_id,
        name_key=merged_player.name_key,
        defaults={"player": kept_player, "name": merged_player.name},
    )
    Player.objects.filter(pk=merged_player.pk).update(is_active=False)
    _touch_evenings(kept_player)
    merge_record["alias"] = alias.pk
    return PlayerMerge.objects.create(
        club_id=kept_player.club_id,
        kept=kept_player,
        gone=merged_player,
        moved=merge_record,
        made_by=made_by,
    )


@transaction.atomic
def undo_merge(*, merge: PlayerMerge) -> None:
    """Undo a merge; refuses one that was undone already, or that a newer one builds on."""
    lock_club(merge.club_id)
    merge.refresh_from_db()
    kept_player, merged_player = merge.kept, merge.gone
    if merge.undone_at:
        raise refuse(
            "undone", f"{merged_player.name} and {kept_player.name} are already separate records."
        )
    if kept_player.erased_on or merged_player.erased_on:
        raise refuse("erased", "This person’s data has been deleted, in both records.")
    if merged_into(kept_player):
        message = (
            f"{kept_player.name} has since been merged with someone else. Undo that merge first."
        )
        raise refuse("under_another", message)
    for key, numbers in merge.moved["rows"].items():
        label, column = key.rsplit(".", 1)
        rows = apps.get_model(label)._default_manager.filter(
            pk__in=numbers, **{column: kept_player.pk}
        )
        rows.update(**{column: merged_player.pk})
    Alias.objects.filter(pk=merge.moved["alias"]).delete()
    Alias.objects.filter(pk__in=merge.moved["aliases"], player=kept_player).update(
        player=merged_player
    )
    restore_fields(kept_player, merge.moved["filled"])
    Player.objects.filter(pk=merged_player.pk).update(is_active=merge.moved["was_active"])
    _touch_evenings(merged_player)
    merge.undone_at = timezone.now()
    merge.save(update_fields=["undone_at"])


@transaction.atomic
def mark_as_two_people(
    *, person: Player, other_person: Player, made_by: User | None = None
) -> TwoPeople:
    """Keep the answer that these two are two people: they are not offered as duplicates again.

    They can still be merged. The same answer again changes nothing.
    """
    lock_club(person.club_id)
    earlier_answer = TwoPeople.objects.filter(
        one__in=(person, other_person), other__in=(person, other_person)
    ).first()
    return earlier_answer or TwoPeople.objects.create(
        club_id=person.club_id, one=person, other=other_person, made_by=made_by
    )


@transaction.atomic
def undo_two_people(*, pair: TwoPeople) -> None:
    """Undo the answer that two records are two people: they may be offered again."""
    lock_club(pair.club_id)
    pair.delete()


def merge_problems(kept_player: Player, merged_player: Player) -> list[ProblemLike]:
    """Why the two cannot be one person; empty if they can."""
    if kept_player.pk == merged_player.pk or kept_player.club_id != merged_player.club_id:
        return [Refusal("same", "Choose another record of this club.")]
    if merged_into(kept_player) or merged_into(merged_player):
        return [Refusal("gone", "One of these has already been merged with another record.")]
    if kept_player.erased_on or merged_player.erased_on:
        return [Refusal("erased", "One of these has had its personal data deleted.")]
    meetings: dict[date, str] = {}
    for model, column in relations():
        fields = {field.name for field in model._meta.get_fields()}
        occasion = next((name for name in EVENT_FIELDS if name in fields), None)
        name = model._meta.model_name or ""
        if occasion is None or name in IGNORED_TABLES:
            continue
        merged_events = model._default_manager.filter(**{column: merged_player.pk}).values(occasion)
        shared_rows = model._default_manager.filter(
            **{column: kept_player.pk, f"{occasion}__in": merged_events}
        )
        for day in shared_rows.values_list(f"{occasion}__held_on", flat=True):
            meetings[day] = MERGE_SENTENCES.get(name, f"Both have a {model._meta.verbose_name}")
    sentences = [f"{meetings[day]} on {long_date(day)}." for day in sorted(meetings)]
    if Membership.objects.filter(player__in=(kept_player, merged_player)).count() > 1:
        sentences.append("Both can sign in, each with their own email address.")
    return [Refusal("two_people", message) for message in sentences]


def rows_to_move(merged_player: Player, *, kept_player: Player) -> tuple[RowsToMove, ...]:
    """What would move to the other record; one query per table."""
    moving = Counter(
        type(row)
        for _, _, rows in rows_pointing_at(merged_player)
        for row in rows
        if not (isinstance(row, TwoPeople) and kept_player.pk in (row.one_id, row.other_id))
    )
    return tuple(RowsToMove(count, model) for model, count in moving.items())


def _move_rows(rows: list[Any], column: str, kept_player: Player) -> list[int]:
    """The keys of the rows that are the other's now; who has such a row already keeps their own."""
    moved_keys = []
    for row in rows:
        try:
            with transaction.atomic():
                type(row)._default_manager.filter(pk=row.pk).update(**{column: kept_player.pk})
        except IntegrityError:
            continue
        moved_keys.append(row.pk)
    return moved_keys


def _merge_columns(kept_player: Player, merged_player: Player) -> dict[str, list[Any]]:
    """Merge each column of the two as it is declared; what changed, with its value of before."""
    changes = {}
    for column in PERSON_COLUMNS:
        kept_value = getattr(kept_player, column.name)
        merged_value = column.merge(kept_value, getattr(merged_player, column.name))
        if merged_value != kept_value:
            changes[column.name] = [json_value(kept_value), json_value(merged_value)]
            setattr(kept_player, column.name, merged_value)
    kept_player.save(update_fields=list(changes))
    return changes


def _touch_evenings(player: Player) -> None:
    """Raise the version of the player's evenings, so that their pages reload."""
    Session.objects.filter(places__player=player).update(version=F("version") + 1)
