"""Members and guests: add, change, let go; joining, renewing and lapsing."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, TypedDict

from django.db import transaction

from clubs.core.audit_log import name_made
from clubs.core.locks import CHANGED_SINCE, lock_club, lock_player
from clubs.core.people_names import names_held
from clubs.core.queue import tell
from clubs.language.moments import value_words
from clubs.members.selectors import details_of
from clubs.models import Club, News, Player, PlayerKind, ShownAs
from clubs.models.names import name_fault, name_key, tidy_name
from scoring.scorebook.refusals import Refusal, Refused, refuse

LEAP_DAY = (2, 29)
LAST_YEAR = 9_000


@transaction.atomic
def add_player(
    *,
    club: Club,
    name: str,
    kind: PlayerKind = PlayerKind.MEMBER,
    email: str = "",
    wants_results: bool = False,
    phone: str = "",
    paid_until: date | None = None,
    shown_as: ShownAs = ShownAs.FULL,
) -> Player:
    """A new person in the club; refuses a faulty name and one that is there already."""
    lock_club(club.pk)
    _refuse_name(club, name, None)
    player = Player.objects.create(
        club=club,
        name=tidy_name(name),
        name_key=name_key(name),
        kind=kind,
        email=email,
        wants_results=wants_results,
        phone=phone,
        paid_until=paid_until,
        shown_as=shown_as,
    )
    name_made(player.pk)
    tell(News.MEMBER_ADDED, club=club.pk, at=("api-player", player.pk), player=player.pk)
    return player


class Details(TypedDict, total=False):
    """What a club holds on a person and a form can change; what is left out stays as it is."""

    name: str
    kind: PlayerKind
    is_active: bool
    email: str
    wants_results: bool
    phone: str
    joined_on: date | None
    paid_until: date | None
    nicknames: tuple[str, ...]
    shown_as: ShownAs


@transaction.atomic
def change_player(*, player: Player, changes: Details, shown: Details | None = None) -> Player:
    """Change these details of a person and no others; results stay as they are.

    ``shown`` is what a page showed of them: a detail that someone else has changed since is
    refused at its field. Refuses a name or nickname that is someone else's.
    """
    lock_player(player)
    shown, now = shown or {}, details_of(player)
    if overtaken := [
        Refusal(CHANGED_SINCE, _changed_to(now[name]), name)
        for name, value in changes.items()
        if name in shown and now[name] not in (shown.get(name), value)
    ]:
        raise Refused(overtaken)
    columns = {name: value for name, value in changes.items() if name != "nicknames"}
    if "name" in changes:
        _refuse_name(player.club, changes["name"], player)
        columns["name"] = tidy_name(changes["name"])
        columns["name_key"] = name_key(changes["name"])
    if changes.get("joined_on", player.joined_on) is None:
        del columns["joined_on"]
    if changes.get("is_active"):
        columns["lapsed_on"] = None
    _write(player, **columns)
    if "nicknames" in changes:
        _know_by(player, changes["nicknames"])
    return player


def _changed_to(value: Any) -> str:
    words = "; ".join(value) if isinstance(value, tuple) else value_words(value)
    what = f"changed this to “{words}”" if words else "emptied this"
    return (
        f"While this page was open, someone else {what}. What you typed is not saved yet: "
        "press Save again to use it instead."
    )


def _write(player: Player, **columns: Any) -> None:
    """Save these columns alone; the row is locked and ``player`` as it is."""
    for name, value in columns.items():
        setattr(player, name, value)
    player.save(update_fields=list(columns))


@transaction.atomic
def show_name(*, player: Player, shown_as: ShownAs) -> Player:
    """Someone chooses how others read their name, from the next page on."""
    _write(lock_player(player), shown_as=shown_as)
    return player


@transaction.atomic
def renew(*, player: Player, today: date, shown: Details | None = None) -> Player:
    """Paid for a year more, from the last day paid for; who had lapsed is a member again.

    The year begins today for whoever has paid nothing yet, or not for a year. ``shown`` holds
    ``paid_until`` as the page showed it; where that has changed, the button was pressed twice or
    someone else was first, and it is refused.
    """
    lock_player(player)
    if shown is not None and player.paid_until != shown.get("paid_until"):
        until = (
            f"is paid until {value_words(player.paid_until)}"
            if player.paid_until
            else "has not paid"
        )
        raise refuse(CHANGED_SINCE, f"{player.name} {until}. No further year was added.")
    if player.paid_until and player.paid_until.year >= LAST_YEAR:
        raise refuse(
            "paid_for_long",
            f"{player.name} has already paid for more than a year ahead.",
            "paid_until",
        )
    paid = player.paid_until and a_year_after(player.paid_until)
    paid = paid if paid and paid >= today else a_year_after(today - timedelta(days=1))
    _write(player, paid_until=paid, kind=PlayerKind.MEMBER, is_active=True, lapsed_on=None)
    return player


@transaction.atomic
def lapse(*, player: Player, today: date) -> Player:
    """No longer a member from today on: off the list at the door, with every result kept."""
    lock_player(player)
    _write(player, is_active=False, lapsed_on=player.lapsed_on or today)
    return player


@transaction.atomic
def make_member(*, player: Player, today: date) -> Player:
    """A guest joins today; refuses someone who is already a member."""
    lock_player(player)
    if player.kind == PlayerKind.MEMBER:
        raise refuse("is_member", f"{player.name} is already a member.")
    _write(player, kind=PlayerKind.MEMBER, joined_on=today, is_active=True, lapsed_on=None)
    return player


@transaction.atomic
def ask_guests_from(*, club: Club, visits: int | None) -> None:
    """From which visit on a guest is asked to join; None: never."""
    locked = lock_club(club.pk)
    locked.guest_visits = club.guest_visits = visits
    locked.save(update_fields=["guest_visits"])


def a_year_after(day: date) -> date:
    """The same day of the next year; after 29 February the 28th."""
    return day.replace(year=day.year + 1, day=28 if (day.month, day.day) == LEAP_DAY else day.day)


def _refuse_name(club: Club, name: str, player: Player | None) -> None:
    """Refuse what cannot be a name, and one that is someone else's."""
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    owner = names_held(club).get(name_key(name))
    if owner is not None and owner != (player and player.pk):
        raise refuse("name_taken", _taken(owner, name), "name")


def _taken(owner: int, name: str) -> str:
    player = Player.objects.get(pk=owner)
    if player.name_key == name_key(name):
        return (
            f"{tidy_name(name)} is already a member. If this is someone else, add an initial or "
            "a middle name."
        )
    return (
        f"{tidy_name(name)} is already on the list as {player.name}. If this is someone else, "
        "add an initial or a second name."
    )


def _know_by(player: Player, nicknames: Sequence[str]) -> None:
    """Let these be all the player's other names; refuses those that are someone else's."""
    owners = names_held(player.club)
    wanted = {name_key(name): tidy_name(name) for name in nicknames}
    wanted.pop(player.name_key, None)
    for key, name in wanted.items():
        if fault := name_fault(name):
            raise refuse("bad_name", fault, "nicknames")
        if owners.get(key, player.pk) != player.pk:
            raise refuse("name_taken", _taken(owners[key], name), "nicknames")
    player.aliases.exclude(name_key__in=wanted).delete()
    for key, name in wanted.items():
        player.aliases.get_or_create(club=player.club, name_key=key, defaults={"name": name})
