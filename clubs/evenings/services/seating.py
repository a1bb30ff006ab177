"""Seating preferences, and tables planned with them."""

from datetime import date

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clubs.core.locks import lock_club, lock_player
from clubs.evenings.selectors.seating import noted, remembered, wanted, wishes_on
from clubs.models import Club, Player, Session, User, Wish, WishKind
from clubs.seating import BadRequest, Plan, Request, plan
from clubs.seating.history import company, turns_due
from clubs.seating.wishes import Split, asked, contradiction, heeded, liked, splits_of, usual_split
from scoring.scorebook.editions import rule_set
from scoring.scorebook.refusals import Refusal, Refused, refuse

SECONDS = 2


def planned(session: Session, players: tuple[str, ...], split: Split) -> Plan:
    """Who sits where, by the players' keys: away from company of the season, turns in turn.

    Wishes that these tables cannot keep are left out. Raises ``Refused`` where nobody can sit.
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
        raise Refused([Refusal(found.code, found.sentence) for found in bad.problems]) from bad


def _request(
    session: Session, players: tuple[str, ...], split: Split, sizes: tuple[int, ...]
) -> Request:
    past = remembered(session)
    met = company(past.weighed, players)
    kept = heeded(noted(session).wishes, players, split or usual_split(len(players), sizes), met)
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


MUTUAL = (WishKind.APART, WishKind.TOGETHER)


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
    """Note a wish. Raises ``Refused`` where it is noted already or contradicts another.

    The same wish whose last day is over is noted anew.
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
    """What is asked once only: a table of one person, each kind of two people."""
    same = Q(player=wish.player)
    if wish.kind != WishKind.TABLE:
        same &= Q(other=wish.other)
    if wish.kind in MUTUAL:
        same |= Q(player=wish.other, other=wish.player)
    return Q(kind=wish.kind) & same


def _check_people(wish: Wish) -> None:
    people = [wish.player, *([wish.other] if wish.other else [])]
    for one in people:
        if one.club_id != wish.club_id:
            raise refuse("other_club", f"{one.name} is not on this club’s list.")
    if wish.player == wish.other:
        raise refuse("same_player", "Choose two different people.", "other")


def _check_against_others(wish: Wish) -> None:
    """Raises where the wishes that hold today or later leave no room for this one."""
    others = list(wishes_on(wish.club_id, timezone.localdate()))
    found = contradiction([wanted(one) for one in others], wanted(wish))
    if found is None:
        return
    if not found:
        raise refuse("too_many", "More than four people would have to sit at one table.")
    people = [one for each in (*others, wish) for one in (each.player, each.other) if one]
    names = {str(one.pk): one.name for one in people}
    stand = " ".join(dict.fromkeys(asked(one, names) for one in found))
    raise refuse("contradicts", f"This conflicts with a preference you already have: {stand}")


@transaction.atomic
def take_back_wish(*, wish: Wish) -> None:
    """The seating heeds it no more."""
    lock_club(wish.club_id)
    wish.delete()
