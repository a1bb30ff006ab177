"""Members and guests: added, changed, renewed, left, and deleted if added by mistake."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Field

from clubs.core.audit_log import log_created_key
from clubs.core.locks import CHANGED_SINCE, lock_club, lock_player
from clubs.core.people_names import distinguished_name, owners_of_names, read_one_name
from clubs.core.queue import emit_event
from clubs.language.moments import readable_value
from clubs.members.selectors import Relation, details_of, relations
from clubs.models import Alias, Club, News, Player, PlayerKind, PlayerMerge, ShownAs, TwoPeople
from clubs.models.names import name_fault, name_key, tidy_name
from clubs.seating.why import join_with_and
from scoring.scorebook.refusals import Refusal, Refused, refuse

LEAP_DAY = (2, 29)
LAST_RENEWABLE_YEAR = 9_000
Details = dict[str, Any]  # by the names of the form's fields; what is left out stays as it is

ACTIVITY_WORDS = {
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


@transaction.atomic
def add_player(*, club: Club, name: str, **details: Any) -> Player:
    """A new person in the club, with these columns; refuses a faulty name and one that is taken.

    The name is read as somebody writes it: ``Doe, Jane`` is Jane Doe, and Margaret (Peg) Hill is
    known as Peg too.
    """
    lock_club(club.pk)
    parsed_name = read_one_name(name)
    spoken_name = distinguished_name(parsed_name)
    _refuse_name(club, spoken_name, None)
    names = {"name": tidy_name(spoken_name), "name_key": name_key(spoken_name)}
    player = Player.objects.create(club=club, **names, **details)
    add_other_names(
        player,
        (nickname for nickname in parsed_name.nicknames if f"({nickname})" not in spoken_name),
    )
    log_created_key(player.pk)
    emit_event(
        News.MEMBER_ADDED, club=club.pk, route=("api-player-detail", player.pk), player=player.pk
    )
    return player


@transaction.atomic
def change_player(
    *, player: Player, changes: Details, shown_details: Details | None = None
) -> Player:
    """Change these details of a person and no others; results stay as they are.

    ``shown_details`` is what a page showed of them: a detail that someone else has changed since is
    refused at its field. Refuses a name or nickname that is someone else's.
    """
    lock_player(player)
    shown_details, now = shown_details or {}, details_of(player)
    if overtaken := [
        Refusal(CHANGED_SINCE, _changed_to(now[name]), name)
        for name, value in changes.items()
        if name in shown_details and now[name] not in (shown_details.get(name), value)
    ]:
        raise Refused(overtaken)
    columns = {name: value for name, value in changes.items() if name != "nicknames"}
    if "name" in changes:
        _refuse_name(player.club, changes["name"], player)
        columns["name"] = tidy_name(changes["name"])
        columns["name_key"] = name_key(changes["name"])
    if changes.get("is_active"):
        columns["lapsed_on"] = None
    if changes.get("wants_results", player.wants_results) != player.wants_results:
        columns["refuses_results"] = player.wants_results
    _save_columns(player, **columns)
    if "nicknames" in changes:
        _set_nicknames(player, changes["nicknames"])
    return player


def _changed_to(value: Any) -> str:
    text = "; ".join(value) if isinstance(value, tuple) else readable_value(value)
    change = f"changed this to “{text}”" if text else "emptied this"
    return (
        f"While this page was open, someone else {change}. What you typed is not saved yet: "
        "press Save again to use it instead."
    )


def _save_columns(player: Player, **columns: Any) -> None:
    """Save these columns alone; the row is locked and ``player`` as it is."""
    for name, value in columns.items():
        setattr(player, name, value)
    player.save(update_fields=list(columns))


@transaction.atomic
def show_name(*, player: Player, shown_as: ShownAs) -> Player:
    _save_columns(lock_player(player), shown_as=shown_as)
    return player


@transaction.atomic
def choose_emails(*, player: Player, **choices: bool) -> Player:
    """Set what someone wants by email: ``wants_messages``, ``wants_results``, or both."""
    if "wants_results" in choices:
        choices["refuses_results"] = not choices["wants_results"]
    _save_columns(lock_player(player), **choices)
    return player


@transaction.atomic
def note_failed_email(*, player: Player, email: str, today: date) -> bool:
    """Note that emails to this address come back; False if it is no longer the person's."""
    lock_player(player)
    if player.email != email:
        return False
    failed_on = player.email_failed_on if player.email_fails else today
    _save_columns(player, failed_email=email, email_failed_on=failed_on)
    return True


@transaction.atomic
def try_email_again(*, player: Player) -> Player:
    """Emails go to the person's address again, though some came back from it."""
    _save_columns(lock_player(player), failed_email="", email_failed_on=None)
    return player


@transaction.atomic
def renew_subscription(
    *, player: Player, today: date, shown_details: Details | None = None
) -> Player:
    """Renew for a year from the last day paid for; a lapsed member is a member again.

    The year begins today for whoever has paid nothing yet, or not for a year. ``shown_details``
    holds ``paid_until`` as the page showed it; where that has changed, the button was pressed twice
    or someone else was first, and it is refused.
    """
    lock_player(player)
    paid_until = player.paid_until
    if shown_details is not None and paid_until != shown_details.get("paid_until"):
        paid = f"is paid until {readable_value(paid_until)}" if paid_until else "has not paid"
        raise refuse(CHANGED_SINCE, f"{player.name} {paid}. No further year was added.")
    if paid_until and paid_until.year >= LAST_RENEWABLE_YEAR:
        message = f"{player.name} has already paid for more than a year ahead."
        raise refuse("paid_for_long", message, "paid_until")
    renewed_until = paid_until and a_year_after(paid_until)
    if not renewed_until or renewed_until < today:
        renewed_until = a_year_after(today - timedelta(days=1))
    _save_columns(
        player, paid_until=renewed_until, kind=PlayerKind.MEMBER, is_active=True, lapsed_on=None
    )
    return player


@transaction.atomic
def end_membership(*, player: Player, today: date) -> Player:
    """No longer a member from today on: off the list at the door, with every result kept."""
    lock_player(player)
    _save_columns(player, is_active=False, lapsed_on=player.lapsed_on or today)
    return player


@transaction.atomic
def make_member(*, player: Player, today: date) -> Player:
    """Make a guest a member from today; refuses someone who is already one."""
    lock_player(player)
    if player.kind == PlayerKind.MEMBER:
        raise refuse("is_member", f"{player.name} is already a member.")
    _save_columns(player, kind=PlayerKind.MEMBER, joined_on=today, is_active=True, lapsed_on=None)
    return player


@transaction.atomic
def set_guest_visits(*, club: Club, visits: int | None) -> None:
    """Set the visit from which a guest is asked to join; None: never."""
    locked_club = lock_club(club.pk)
    locked_club.guest_visits = club.guest_visits = visits
    locked_club.save(update_fields=["guest_visits"])


def a_year_after(day: date) -> date:
    """The same day of the next year; after 29 February the 28th."""
    return day.replace(year=day.year + 1, day=28 if (day.month, day.day) == LEAP_DAY else day.day)


def _refuse_name(club: Club, name: str, player: Player | None) -> None:
    """Refuse what cannot be a name, and one that is someone else's."""
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    owner = owners_of_names(club).get(name_key(name))
    if owner is not None and owner != (player and player.pk):
        raise refuse("name_taken", _name_taken_sentence(owner, name), "name")


def _name_taken_sentence(owner: int, name: str) -> str:
    player, name = Player.objects.get(pk=owner), tidy_name(name)
    if player.name_key == name_key(name):
        status, another = "already a member", "a middle name"
    else:
        status, another = f"already on the list as {player.name}", "a second name"
    return f"{name} is {status}. If this is someone else, add an initial or {another}."


def _set_nicknames(player: Player, nicknames: Sequence[str]) -> None:
    """Set the player's other names; refuses those that are someone else's."""
    owners = owners_of_names(player.club)
    names_by_key = {name_key(name): tidy_name(name) for name in nicknames}
    names_by_key.pop(player.name_key, None)
    for key, name in names_by_key.items():
        if fault := name_fault(name):
            raise refuse("bad_name", fault, "nicknames")
        if owners.get(key, player.pk) != player.pk:
            raise refuse("name_taken", _name_taken_sentence(owners[key], name), "nicknames")
    player.aliases.exclude(name_key__in=names_by_key).delete()
    for key, name in names_by_key.items():
        player.aliases.get_or_create(club=player.club, name_key=key, defaults={"name": name})


@transaction.atomic
def delete_player(*, player: Player) -> None:
    """Delete a record that was made by mistake; refuses someone who has done anything."""
    lock_club(player.club_id)
    if why_not := deletion_refusal(player):
        raise refuse("not_unused", why_not)
    player.delete()


def deletion_refusal(player: Player) -> str:
    """Why a record cannot be deleted as a mistake, in a sentence; empty if it can; queries."""
    deeds = list(dict.fromkeys(activities_of([player.pk])[player.pk]))
    return (
        f"{player.name} {join_with_and(deeds)}, so this record cannot be deleted." if deeds else ""
    )


def rows_pointing_at(player: Player) -> Iterator[tuple[str, str, list[Any]]]:
    """Each table's label, its column and the rows that point to the player; one query a table."""
    for model, name in relations():
        rows = list(model._default_manager.filter(**{name: player.pk}).order_by("pk"))
        if rows:
            yield model._meta.label, name, rows


def activities_of(players: Iterable[int]) -> dict[int, list[str]]:
    """By a person's key in words what they have done: ``sat at a table``; a query a table."""
    keys = list(players)
    deeds: dict[int, list[str]] = {key: [] for key in keys}
    merges: list[Relation] = [(PlayerMerge, "kept"), (PlayerMerge, "gone")]
    for model, name in [*relations(), *merges]:
        if model is TwoPeople:
            continue  # it goes with them
        activity = ACTIVITY_WORDS.get(
            model._meta.model_name or "", f"has a {model._meta.verbose_name}"
        )
        player_keys = model._default_manager.filter(**{f"{name}__in": keys}).values_list(
            name, flat=True
        )
        for key in set(player_keys):
            deeds[key].append(activity)
    return deeds


def restore_fields(player: Player, fields: Mapping[str, list[Any]]) -> None:
    """Give the player's fields their values of before, where nobody changed them since."""
    restored_fields = []
    for field, (old_value, became) in fields.items():
        if json_value(getattr(player, field)) == became:
            column = Player._meta.get_field(field)
            setattr(
                player,
                field,
                column.to_python(old_value) if isinstance(column, Field) else old_value,
            )
            restored_fields.append(field)
    player.save(update_fields=restored_fields)


def json_value(value: Any) -> Any:
    """A field's value as it is kept in JSON."""
    return value.isoformat() if isinstance(value, date) else value


def add_other_names(player: Player, names: Iterable[str]) -> list[str]:
    """Give the player these other names; those that they did not have yet."""
    fresh = []
    for name in names:
        key = name_key(name)
        if key == player.name_key:
            continue
        _, is_fresh = Alias.objects.get_or_create(
            club_id=player.club_id, name_key=key, defaults={"player": player, "name": name}
        )
        if is_fresh:
            fresh.append(name)
    return fresh
