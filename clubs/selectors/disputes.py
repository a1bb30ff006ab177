"""Hands that wait for the scorer: whose, which, who says that they are not right, since when."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.timezone import localtime

from clubs.models import Session, SessionSeat
from clubs.rows import table_title
from scoring.scorebook.models import AgreementPolicy, Hand, HandState


@dataclass(frozen=True, slots=True)
class Complaint:
    """Who says that a hand is not right, and in which words."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """One hand that the scorer must decide, or look at where nobody else is asked.

    ``round`` is None on a club evening.
    """

    hand: int
    number: int
    table: int
    round: int | None
    complaints: tuple[Complaint, ...]
    since: datetime

    @property
    def title(self) -> str:
        """``Round 2, table 3``; on a club evening ``Table 3``."""
        return f"Round {self.round}, table {self.table}" if self.round else table_title(self.table)


def disputes_of(session: Session) -> tuple[Dispute, ...]:
    """Those of an evening, the longest wait first; four queries, one where there are none."""
    hands = Hand.objects.filter(game__session_table__session=session)

    def names(found: Iterable[int]) -> dict[tuple[int, int], str]:
        places = SessionSeat.objects.filter(seat__game__in=found)
        told = places.values_list("seat__game_id", "seat__number", "player__name")
        return {(game, seat): name for game, seat, name in told}

    return waiting(hands, table="game__session_table__number", names=names)


def waiting(
    hands: QuerySet[Hand],
    *,
    table: str,
    names: Callable[[Iterable[int]], Mapping[tuple[int, int], str]],
    round_: str = "",
) -> tuple[Dispute, ...]:
    """The disputes among these hands, the longest wait first.

    ``table`` and ``round_`` are where a hand's numbers of them stand, ``names`` reads who sits
    in each seat of some games.
    """
    wanted = Q(state=HandState.DISPUTED) | Q(
        state=HandState.REPORTED, game__agreement=AgreementPolicy.SCORER
    )
    where = ["pk", table, *([round_] if round_ else [])]
    found = hands.filter(wanted, is_current=True)
    places = {pk: numbers for pk, *numbers in found.values_list(*where)}
    rows = list(Hand.objects.filter(pk__in=places).prefetch_related("agreements")) if places else []
    sitting = names({row.game_id for row in rows}) if rows else {}
    told = [_dispute(row, places[row.pk], sitting) for row in rows]
    return tuple(sorted(told, key=lambda one: (one.since, one.hand)))


def _dispute(hand: Hand, numbers: list[int], sitting: Mapping[tuple[int, int], str]) -> Dispute:
    last = {one.seat: one for one in hand.agreements.all()}
    against = [one for one in last.values() if not one.agrees]
    table, *rounds = numbers
    return Dispute(
        hand=hand.pk,
        number=hand.number,
        table=table,
        round=rounds[0] if rounds else None,
        complaints=tuple(
            Complaint(sitting.get((hand.game_id, one.seat), f"Seat {one.seat}"), one.note)
            for one in against
        ),
        since=localtime(min((one.said_at for one in against), default=hand.sent_at)),
    )
