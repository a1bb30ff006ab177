"""Seating preferences, and tables planned with them."""

from datetime import date

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clubs.core.locks import lock_club, lock_player
from clubs.evenings.selectors.seating import preferences_for, remembered, wishes_on, with_names
from clubs.models import Club, Player, Session, User, Wish, WishKind
from clubs.seating import BadRequest, Plan, Request, plan
from clubs.seating.history import company, turns_due
from clubs.seating.wishes import (
    Split,
    contradiction,
    heeded,
    liked,
    splits_of,
    usual_split,
    wish_sentence,
)
from scoring.scorebook.editions import rule_set
from scoring.scorebook.refusals import Refusal, Refused, refuse

SECONDS = 2
MUTUAL = (WishKind.APART, WishKind.TOGETHER)


def planned(session: Session, players: tuple[str, ...], split: Split) -> Plan:
    """A seating of these players (ids as text), with fair turns and new company this season.

    Preferences that cannot be met are left out. Raises ``Refused`` if nobody can be seated.
    """
    seats = rule_set(session.plays).seats
    if split and split not in splits_of(len(players), seats):
        raise refuse(
            "bad_split",
            "Those tables no longer fit the number of people checked in. Choose the tables again.",
        )
    try:
        return plan(_request(session, players, split, liked(seats)))
    except BadRequest as bad:
        raise Refused(
            [Refusal(problem.code, problem.sentence) for problem in bad.problems]
        ) from bad


def _request(
    session: Session, players: tuple[str, ...], split: Split, sizes: tuple[int, ...]
) -> Request:
    past = remembered(session)
    met = company(past.weighed, players)
    kept = heeded(
        preferences_for(session).wishes, players, split or usual_split(len(players), sizes), met
    )
    return Request(
        players=players,
        rounds=1,
        seed=session.pk,
        seconds=SECONDS,
        table_sizes=sizes,
        split=split,
        apart=kept.apart,
        together=kept.together,
        fixed_table=kept.fixed_table,
        met=met,
        turns=turns_due(past.season, players),
    )


@transaction.atomic
def add_wish(
    *,
    club: Club,
    kind: WishKind,
    player: Player,
    other: Player | None = None,
    table: int | None = None,
    until: date | None = None,
    reason: str = "",
    made_by: User | None = None,
) -> Wish:
    """Add a seating preference. Raises ``Refused`` if it exists already or contradicts another.

    An expired one like it is replaced.
    """
    lock_club(club.pk)
    if other and kind in MUTUAL and other.pk < player.pk:
        player, other = other, player
    wish = Wish(club=club, kind=kind, player=player, other=other, table=table)
    wish.until, wish.reason, wish.made_by = until, reason, made_by
    _check_people(wish)
    for person in filter(None, (player, other)):
        lock_player(person)
    club.wishes.filter(until__lt=timezone.localdate()).filter(_same(wish)).delete()
    if club.wishes.filter(_same(wish)).exists():
        who = player.name if kind == WishKind.TABLE else f"{player.name} and {wish.other}"
        raise refuse("noted", f"There is already a preference like this for {who}.")
    _check_against_others(wish)
    wish.save()
    return wish


def _same(wish: Wish) -> Q:
    """Filters the preferences of which there can only be one: same kind, same people."""
    same = Q(player=wish.player)
    if wish.kind != WishKind.TABLE:
        same &= Q(other=wish.other)
    if wish.kind in MUTUAL:
        same |= Q(player=wish.other, other=wish.player)
    return Q(kind=wish.kind) & same


def _check_people(wish: Wish) -> None:
    people = [wish.player, *([wish.other] if wish.other else [])]
    for person in people:
        if person.club_id != wish.club_id:
            raise refuse("other_club", f"{person.name} is not on this club’s list.")
    if wish.player == wish.other:
        raise refuse("same_player", "Choose two different people.", "other")


def _check_against_others(wish: Wish) -> None:
    """Raises ``Refused`` if this contradicts the preferences that apply today or later."""
    preferences = with_names([*wishes_on(wish.club_id, timezone.localdate()), wish])
    *others, new = preferences.wishes
    against = contradiction(others, new)
    if against is None:
        return
    if not against:
        raise refuse("too_many", "More than four people would have to sit at one table.")
    sentences = dict.fromkeys(wish_sentence(conflict, preferences.names) for conflict in against)
    conflicts = " ".join(sentences)
    raise refuse("contradicts", f"This conflicts with a preference you already have: {conflicts}")


@transaction.atomic
def take_back_wish(*, wish: Wish) -> None:
    """Delete a seating preference."""
    lock_club(wish.club_id)
    wish.delete()
