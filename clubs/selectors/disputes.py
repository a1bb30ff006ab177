"""Hands that wait for the scorer: whose, which, who says that they are not right, since when."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet, prefetch_related_objects
from django.utils.timezone import localtime

from clubs.models import Session, SessionTable
from clubs.selectors.floor import hands_at, laid_tables
from clubs.table.rows import table_title
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
    """Those of an evening, the longest wait first; four queries, three where there are none."""
    return disputes_at(laid_tables(session))


def disputes_at(laid: Sequence[SessionTable]) -> tuple[Dispute, ...]:
    """The same of ``laid_tables``; one query where there are any."""
    found = [(hand, table) for table in laid for hand in hands_at(table) if _waits(hand, table)]
    prefetch_related_objects([hand for hand, _ in found], "agreements")
    names = {
        (place.seat.game_id, place.seat.number): place.player.name
        for table in laid
        for place in table.places.all()
    }
    return _longest_first(_dispute(hand, [table.number], names) for hand, table in found)


def _waits(hand: Hand, table: SessionTable) -> bool:
    """Whether the hand waits for the scorer."""
    if hand.state == HandState.DISPUTED:
        return True
    return hand.state == HandState.REPORTED and table.game.agreement == AgreementPolicy.SCORER


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
    return _longest_first(_dispute(row, places[row.pk], sitting) for row in rows)


def _longest_first(told: Iterable[Dispute]) -> tuple[Dispute, ...]:
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
