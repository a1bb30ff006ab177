"""The floor of an evening as someone walking round it sees it: every table, the winds now."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from clubs.core.chairs import chairs_after
from clubs.core.people_names import names_of
from clubs.language.numbers import ordinal
from clubs.language.words import counted
from clubs.models import EARLIER_GAME, Session, SessionSeat, SessionTable
from clubs.models.names import EVERYBODY, Reader
from clubs.table.rows import Chair, square_of, tallied, with_the_empty_chair
from scoring import Deal, Wind
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Hand, HandState, Seat
from scoring.scorebook.selectors import OUTCOME_FIELDS, outcome_of, progress_after


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that a table played before someone came or left; ``title``: ``First game``."""

    number: int
    title: str
    hands: int


@dataclass(frozen=True, slots=True)
class FloorTable:
    """One table: its seats with the winds of the next hand, East first, and how far it is.

    ``unagreed`` hands count as they were entered, though not everyone has agreed to them yet.
    ``ended``: the games it played before with other people; ``hands`` are those of the one now.
    """

    number: int
    link_key: str
    seats: tuple[Chair, ...]
    prevailing: Wind | None
    hands: int
    disputed: tuple[int, ...]
    is_over: bool
    unagreed: int = 0
    players: frozenset[int] = frozenset()
    ended: tuple[EndedGame, ...] = ()

    @property
    def played(self) -> int:
        """The hands of all its games tonight."""
        return self.hands + sum(game.hands for game in self.ended)

    @property
    def state(self) -> str:
        """The kind of the tag that tells the state."""
        if self.disputed:
            return "trouble"
        if self.is_over:
            return "done"
        return "playing" if self.played else "idle"

    @property
    def label(self) -> str:
        """``5 hands``, ``hand 3 disputed``."""
        if self.disputed:
            many = len(self.disputed) > 1
            numbers = ", ".join(map(str, self.disputed))
            return f"hand{'s' if many else ''} {numbers} disputed"
        played = counted(self.hands, "hand") if self.hands else "no hand"
        played = f"new game, {played}" if self.ended else played
        return f"finished, {played}" if self.is_over else f"{played}{'' if self.hands else ' yet'}"


def laid_tables(session: Session) -> tuple[SessionTable, ...]:
    """The evening's tables as floor, queue and result read them; three queries however many."""
    hands = Hand.objects.filter(is_current=True).order_by("number")
    found = session.tables.select_related("game").prefetch_related(
        Prefetch("places", SessionSeat.objects.select_related("player", "seat")),
        Prefetch(
            "game__hands",
            hands.only("game_id", "number", "state", "sent_at", *OUTCOME_FIELDS),
            to_attr="current_hands",
        ),
    )
    return tuple(found)


def floor_of(session: Session, *, reader: Reader = EVERYBODY) -> tuple[FloorTable, ...]:
    """Every table of the evening; three queries however many there are."""
    return floor_at(laid_tables(session), reader=reader)


def floor_at(laid: Sequence[SessionTable], *, reader: Reader) -> tuple[FloorTable, ...]:
    """The same of ``laid_tables``; no query."""
    games: dict[int, list[SessionTable]] = defaultdict(list)
    for table in laid:
        games[table.at].append(table)
    names = names_of((place.player for table in laid for place in table.places.all()), reader)
    return tuple(_table(now, ended, names) for now, *ended in games.values())


def _table(
    table: SessionTable, ended: Sequence[SessionTable], names: Mapping[int, str]
) -> FloorTable:
    hands = hands_at(table)
    told = progress_after(table.game, [outcome_of(hand) for hand in hands])
    return FloorTable(
        number=table.number,
        link_key=table.link_key,
        seats=_chairs(table, names, told.deals),
        prevailing=told.deals[-1].prevailing_wind,
        hands=len(hands),
        disputed=tuple(hand.number for hand in hands if hand.state == HandState.DISPUTED),
        is_over=table.game.is_closed or told.finished,
        unagreed=sum(
            hand.state == HandState.REPORTED for game in (table, *ended) for hand in hands_at(game)
        ),
        players=frozenset(place.player_id for place in table.places.all()),
        ended=tuple(map(_ended, ended)),
    )


def hands_at(table: SessionTable) -> list[Hand]:
    """The hands of a table of ``laid_tables``; no query."""
    found: list[Hand] = table.game.current_hands  # type: ignore[attr-defined]
    return found


def _ended(table: SessionTable) -> EndedGame:
    which = ordinal(table.number // EARLIER_GAME).capitalize()
    return EndedGame(table.number, f"{which} game", len(hands_at(table)))


def _chairs(
    table: SessionTable, names: Mapping[int, str], deals: Sequence[Deal]
) -> tuple[Chair, ...]:
    """Everyone keeps a chair while the winds move on; who sits out comes last."""
    by_seat = {place.seat.number: place for place in table.places.all()}
    rules = rule_set(table.game.rules)
    chairs = chairs_after([deal.winds for deal in deals], table.game.exchanges)
    sitting = {seat: names[place.player_id] for seat, place in by_seat.items()}
    notes = {seat: _note(place.seat, pays=rules.zero_sum) for seat, place in by_seat.items()}
    return with_the_empty_chair(square_of(deals[-1], chairs, sitting, notes), rules.passing)


def _note(seat: Seat, *, pays: bool) -> str:
    return tallied(seat.points, pays=pays) if seat.hands else ""
