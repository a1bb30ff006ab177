"""Members and guests: add, change, let go; joining, renewing and lapsing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction

from clubs.models import Club, News, Player, PlayerKind, ShownAs
from clubs.names import name_fault, name_key, tidy_name
from clubs.selectors.people_names import names_held
from clubs.services.deeds import name_made
from clubs.services.locks import lock_club
from clubs.services.news import tell
from scoring.scorebook.refusals import refuse

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """Everything that a club holds on a person.

    Without ``joined_on`` or ``shown_as`` these stay as they are.
    """

    name: str
    kind: PlayerKind
    is_active: bool = True
    email: str = ""
    wants_results: bool = False
    phone: str = ""
    joined_on: date | None = None
    paid_until: date | None = None
    nicknames: tuple[str, ...] = ()
    shown_as: ShownAs | None = None


@transaction.atomic
def change_player(*, player: Player, details: Details) -> Player:
    """Change what the club holds on a person; results stay as they are.

    Refuses a name or nickname that is somebody else's.
    """
    lock_club(player.club_id)
    _refuse_name(player.club, details.name, player)
    player.name, player.name_key = tidy_name(details.name), name_key(details.name)
    for held in ("kind", "email", "wants_results", "phone", "paid_until", "is_active"):
        setattr(player, held, getattr(details, held))
    player.joined_on = details.joined_on or player.joined_on
    player.shown_as = details.shown_as or player.shown_as
    if details.is_active:
        player.lapsed_on = None
    player.save()
    _know_by(player, details.nicknames)
    return player


@transaction.atomic
def show_name(*, player: Player, shown_as: ShownAs) -> Player:
    """Somebody chooses how others read their name, from the next page on."""
    lock_club(player.club_id)
    player.refresh_from_db()
    player.shown_as = shown_as
    player.save(update_fields=["shown_as"])
    return player


@transaction.atomic
def renew(*, player: Player, today: date) -> Player:
    """Paid for a year more, from the last day paid for; who had lapsed is a member again.

    The year begins today for whoever has paid nothing yet, or not for a year.
    """
    lock_club(player.club_id)
    player.refresh_from_db()
    if player.paid_until and player.paid_until.year >= LAST_YEAR:
        raise refuse("paid_for_long", f"{player.name} has paid for long enough.", "paid_until")
    paid = player.paid_until and a_year_after(player.paid_until)
    player.paid_until = paid if paid and paid >= today else a_year_after(today - timedelta(days=1))
    player.kind, player.is_active, player.lapsed_on = PlayerKind.MEMBER, True, None
    player.save()
    return player


@transaction.atomic
def lapse(*, player: Player, today: date) -> Player:
    """No longer a member from today on: off the list at the door, with every result kept."""
    lock_club(player.club_id)
    player.refresh_from_db()
    player.is_active, player.lapsed_on = False, player.lapsed_on or today
    player.save()
    return player


@transaction.atomic
def make_member(*, player: Player, today: date) -> Player:
    """A guest joins today; refuses somebody who is a member already."""
    lock_club(player.club_id)
    player.refresh_from_db()
    if player.kind == PlayerKind.MEMBER:
        raise refuse("is_member", f"{player.name} is a member already.")
    player.kind, player.joined_on = PlayerKind.MEMBER, today
    player.is_active, player.lapsed_on = True, None
    player.save()
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
    """Refuse what cannot be a name, and one that is somebody else's."""
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    owner = names_held(club).get(name_key(name))
    if owner is not None and owner != (player and player.pk):
        raise refuse("name_taken", _taken(owner, name), "name")


def _taken(owner: int, name: str) -> str:
    held = Player.objects.get(pk=owner)
    if held.name_key == name_key(name):
        return (
            f"{tidy_name(name)} is on the list already. If this is somebody else, "
            "add an initial or a second name."
        )
    return (
        f"{tidy_name(name)} is on the list already, as {held.name}. If this is somebody else, "
        "add an initial or a second name."
    )


def _know_by(player: Player, nicknames: Sequence[str]) -> None:
    """Let these be all the player's other names; refuses those that are somebody else's."""
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
