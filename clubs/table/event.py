"""A table in play: its links, what it needs of its evening or round, how its readers see it."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, cached_property
from typing import Any, ClassVar, Final, Self, TypeVar
from uuid import UUID
from zlib import crc32

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.core.pages import Breadcrumbs
from clubs.core.permissions import CORRECT_HANDS, ENTER_HANDS, SEE_CLUB, Permission
from clubs.language.words import MOST_KEY
from clubs.models import Club, News
from clubs.models.names import TABLE_READER, Reader
from clubs.models.people import is_own_link_key, secret_keys
from clubs.table.rankings import Ranking
from clubs.table.rows import EarlierGame, HandView, OtherGames, RulingChange, TableView
from clubs.table.selectors.reviews import HandReview, review_hands, stick_sentences
from clubs.table.selectors.rules import Asker
from clubs.table.selectors.tile_entry import TappedSeat, tapped_seat
from clubs.tenancy import across_clubs, find_by_key
from scoring import Deal, RuleSet, Wind
from scoring.scorebook import selectors
from scoring.scorebook.consent import Sitters
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Agreement, Game, Hand
from scoring.scorebook.prepared import PreparedQuery
from scoring.table.sticks import START_POINTS

NO_HAND_MARK: Final = "0-"
"""How the mark of a game begins in which no hand is recorded."""
PLAYERS_CHANGED: Final = "table_changed"
TOO_LATE_MESSAGE: Final = (
    "Someone joined or left this table after this hand was played, so it cannot be entered here."
)

BINDING_DIGITS, SEAL_DIGITS = 16, 12  # hexadecimal digits
SEAT_KEY = re.compile(r"[0-9]{1,12}s(?P<seat>[1-5])_[0-9a-f]{28}")


@dataclass(frozen=True)
class TableEvent(ABC):
    """A table of an evening or of a round: what services, pages and API need of its event.

    ``row`` is the table's row, with a ``number``, a ``game`` and a ``link_key``. ``phone`` and
    ``desk`` begin the URL names of its pages for players and for organisers: ``table-agree``,
    ``evening-hand``. ``kind`` is its name in the API. ``of_game`` leads from a game to the row, and
    ``to_club`` from there to the club; ``event_phrase`` is where its tables are, in words.
    ``log_suffix`` ends a sentence of the activity log: ``on {evening}``. ``tab`` is the club's tab;
    ``sees``, ``enters`` and ``corrects`` are what is needed to see its hands, and what organisers
    need for entering and for correcting them.
    """

    row: Any

    phone: ClassVar[str]
    desk: ClassVar[str]
    kind: ClassVar[str]
    of_game: ClassVar[str]
    to_club: ClassVar[str]
    event_phrase: ClassVar[str]
    log_suffix: ClassVar[str]
    tab: ClassVar[str]
    sees: ClassVar[Permission]
    enters: ClassVar[Permission]
    corrects: ClassVar[Permission]

    @classmethod
    @abstractmethod
    def rows(cls) -> QuerySet[Any]:
        """The rows of all such tables, with what their pages need."""

    @classmethod
    @abstractmethod
    def find(cls, club: Club, **url_kwargs: int) -> Self:
        """The club's table at this address. Raises ``Http404``."""

    @classmethod
    def permission_for(cls, permission: Permission) -> Permission:
        """What is asked for here where an evening asks for this."""
        own_permissions = {SEE_CLUB: cls.sees, ENTER_HANDS: cls.enters, CORRECT_HANDS: cls.corrects}
        return own_permissions.get(permission, permission)

    @classmethod
    def for_players(cls, row: Any) -> Self:
        """The table as opened by its link."""
        return cls(row)

    @property
    @abstractmethod
    def club(self) -> Club: ...

    @property
    @abstractmethod
    def location_ids(self) -> Mapping[str, int]:
        """The evening, or the tournament and round, and the number of the table."""

    @property
    @abstractmethod
    def held_on(self) -> date: ...

    @property
    def seen_by(self) -> Permission:
        """What is needed to see the hands as they are now."""
        return self.sees

    @property
    @abstractmethod
    def closed_because(self) -> str:
        """Why no hand can be entered here; empty while hands can be."""

    @property
    def done_because(self) -> str:
        """Why the players enter no more hands, though organisers may: their time is up."""
        return ""

    @property
    @abstractmethod
    def may_change(self) -> bool:
        """Whether what was entered may still change."""

    @property
    @abstractmethod
    def record_by(self) -> str:
        """How hands are entered here unless the table chooses otherwise: a ``Recording``."""

    @property
    def stake(self) -> int:
        """The points that each player started with."""
        return 0

    @abstractmethod
    def view(self, reader: Reader) -> TableView:
        """The table with its game, and the names as this reader may see them."""

    @abstractmethod
    def names(self, reader: Reader, *, hand: int | None = None) -> Mapping[int, str]:
        """The names by seat, as this reader may see them; one query.

        Of those who play now, or of those who played a hand.
        """

    @abstractmethod
    def sitters(self, hand_id: int | None = None) -> Sitters:
        """Who played a hand, or else plays now; a query.

        One more where someone else had a seat before.
        """

    @abstractmethod
    def lock(self) -> None:
        """Lock the game, its book and the event, in this order. Refused once it is finished."""

    @abstractmethod
    def lock_games(self, game_ids: Sequence[int]) -> None:
        """The same for several of the event's games. Refused for others."""

    def sent_before(
        self,
        submission_id: UUID,  # noqa: ARG002
        number: int,  # noqa: ARG002
        entered_at: datetime | None = None,  # noqa: ARG002
    ) -> Hand | None:
        """The hand that this submission stored at an earlier game of the table, if any.

        Refused if no hand of that number may be entered now, or at ``entered_at``. Whoever saves
        has locked the game.
        """
        return None

    def check_playing(self) -> None:  # noqa: B027
        """Refused unless the table is still being played. Call it with the event locked."""

    def check_next(self) -> None:  # noqa: B027
        """Refused if the table's next hand could not be entered any more."""

    def work_out_rulings(  # noqa: B027
        self, game_ids: Collection[int], *, written_by: str
    ) -> None:
        """After hands of these games changed, in the same transaction: rulings on hands follow."""

    def rulings_after(
        self,
        hands: Mapping[tuple[int, int], Hand | None],  # noqa: ARG002
        *,
        reader: Reader,  # noqa: ARG002
    ) -> Sequence[RulingChange]:
        """What becomes of rulings if hands, by game and number, change so; None: undone."""
        return ()

    def lock_links(self) -> Sequence[Any]:
        """The rows whose links open the table, or hands that it has played; locked."""
        return [type(self.row).objects.select_for_update(of=("self",)).get(pk=self.row.pk)]

    def other_games(self, seat: int | None = None) -> OtherGames:  # noqa: ARG002
        """The table's other games, with the links of whoever has this seat's; None: the table's.

        One query, or two; none where the table has no other game.
        """
        return OtherGames()

    @property
    def is_past(self) -> bool:
        """Whether these are the hands from before the table's players changed."""
        return False

    @abstractmethod
    def touch(self) -> None:
        """Raise the event's version by one: something that pages show has changed."""

    @abstractmethod
    def tell(self, kind: News, hand: Hand | None = None) -> None:
        """Tell other programs of the hand, or of the event as a whole."""

    @abstractmethod
    def tables(self) -> Mapping[int, TableView]:
        """The tables of the evening or round by their games, for the scorer: names in full."""

    @abstractmethod
    def rankings(self) -> Sequence[Ranking]:
        """Everything that ranks players by these hands, for the scorer: names in full."""

    @abstractmethod
    def numbers(self) -> Sequence[int]:
        """The numbers of the evening's or round's tables, in order; one query."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The table in words: ``Table 3``, ``Round 1, table 3``."""

    @property
    @abstractmethod
    def place(self) -> list[Any]:
        """The parts of the address of its page for organisers, from the club to the number."""

    @property
    def address(self) -> str:
        """Its page for organisers."""
        return reverse(f"{self.desk}-table", args=self.place)

    @property
    def repairs(self) -> str:
        """The page of all the event's corrections."""
        return reverse(f"{self.desk}-repairs", args=self.place[:2])

    @property
    @abstractmethod
    def card(self) -> str:
        """The address of its printed card."""

    @property
    @abstractmethod
    def standings(self) -> str:
        """The standings for organisers, from this table."""

    @abstractmethod
    def event_trail(self, *crumbs: dict[str, str]) -> Breadcrumbs:
        """The breadcrumbs to the evening or tournament, and below it."""

    def trail(self, *labels: str) -> Breadcrumbs:
        """The breadcrumbs to the table, and to a page below it."""
        steps = ({"label": label} for label in labels)
        return self.event_trail({"label": self.title, "url": self.address}, *steps)

    def sender(self, seat: int | None) -> str:
        """Whoever has the table's link, or one of its seats': as the score book stores it."""
        sent_by = f"{self.phone.replace('-', ' ')} {self.row.pk}"
        return sent_by if seat is None else f"{sent_by} seat {seat}"

    def phone_context(self, key: str) -> dict[str, Any]:  # noqa: ARG002
        """What else its phone pages show, opened with this key."""
        return {}

    def desk_context(self, has_permission: Callable[[Permission], bool]) -> dict[str, Any]:  # noqa: ARG002
        """What else its pages for organisers show to someone who may do this much."""
        return {}


EVENT_KINDS: Final[dict[str, type[TableEvent]]] = {}
EventKind = TypeVar("EventKind", bound=type[TableEvent])


def register_event_kind(kind: EventKind) -> EventKind:
    """Have the API find the games of this kind of event."""
    EVENT_KINDS[kind.kind] = kind
    return kind


def event_of_game(game_id: int) -> TableEvent | None:
    """The table at which a game is played, in whichever club; one query.

    No club is the current one yet.
    """
    if game_id > MOST_KEY:
        return None
    with across_clubs():
        game = _game_query().first(game_id)
    for kind in EVENT_KINDS.values():
        if row := getattr(game, kind.of_game, None):
            return kind(row)
    return None


@cache
def _game_query() -> PreparedQuery[Game]:
    return PreparedQuery(_games_with_tables, int)


def _games_with_tables(game_id: int) -> QuerySet[Game]:
    lookups = [f"{kind.of_game}__{kind.to_club}" for kind in EVENT_KINDS.values()]
    return Game.objects.filter(pk=game_id).select_related(*lookups)


def event_of_key(key: str) -> TableEvent | None:
    """The table, of any kind of event, that a link opens; its club becomes the current one."""
    for kind in EVENT_KINDS.values():
        row, _ = find_table(kind.rows, key)
        if row is not None:
            return kind.for_players(row)
    return None


@dataclass(frozen=True, kw_only=True)
class PlayedTable:
    """A table as one reader has it open; ``sent_by`` is stored with every hand.

    ``seat`` is the seat whose link was opened; None: the table's link, or an organiser.
    """

    event: TableEvent
    sent_by: str
    reader: Reader = TABLE_READER
    seat: int | None = None

    @property
    def game(self) -> Game:
        game: Game = self.event.row.game
        return game

    @property
    def closed_because(self) -> str:
        return self.event.closed_because

    @property
    def done_because(self) -> str:
        return self.event.done_because

    @property
    def may_change(self) -> bool:
        return self.event.may_change

    @property
    def is_final(self) -> bool:
        """Whether every hand counts as it was entered: nobody agrees to one any more."""
        return not self.may_change

    @property
    def stake(self) -> int:
        return self.event.stake

    @cached_property
    def stored_view(self) -> TableView:
        """The table as stored, with names as shown to its readers."""
        return self.event.view(self.reader)

    @cached_property
    def view(self) -> TableView:
        """The table as shown to the current reader."""
        return self.stored_view

    @property
    def mark_now(self) -> str:
        """The current ``mark``, without loading what a page shows; one query, or two at first."""
        of_the_game = selectors.game_mark(self.game)
        begins = of_the_game.startswith(NO_HAND_MARK)
        return self._mark(of_the_game, self.event.names(self.reader) if begins else {})

    @cached_property
    def mark(self) -> str:
        """A value that pages compare to notice that the table has changed."""
        agreement_counts = {hand: len(agreements) for hand, agreements in self.agreements.items()}
        return self._mark(
            selectors.view_mark(self.stored_view.game, agreement_counts), self.stored_view.names
        )

    def _mark(self, of_the_game: str, names: Mapping[int, str]) -> str:
        is_closed, is_done = bool(self.closed_because), bool(self.done_because)
        number = 1 if of_the_game.startswith(NO_HAND_MARK) else 2
        return f"{of_the_game}-{is_closed}-{is_done}-{self.company(number, names)}"

    def company(self, number: int, names: Mapping[int, str]) -> str:
        """A short text that changes with the people who play the hand of this number.

        With a hand in the book others have a game of their own; until then a game passes to them.
        """
        return str(self.game.pk) if number > 1 else f"{self.game.pk}.{names_checksum(names)}"

    @property
    def rules(self) -> RuleSet:
        return rule_set(self.game.rules)

    @property
    def pays(self) -> bool:
        """Whether players pay one another under these rules."""
        return self.rules.zero_sum

    @property
    def may_name_dealer(self) -> bool:
        is_done = bool(self.closed_because or self.done_because)
        return self.stored_view.game.first_dealer_is_open and not is_done

    @cached_property
    def tapped_seats(self) -> dict[int, TappedSeat]:
        """The tiles of the next hand, for the seats that have tapped any; one query."""
        upcoming = self.view.game.next_deal
        drafts = selectors.drafts_of(self.game, upcoming) if upcoming else {}
        return {
            seat: tapped_seat(seat, draft, self.rules)
            for seat, draft in drafts.items()
            if draft.tile_counts
        }

    @property
    def next_number(self) -> int:
        return len(self.view.game.hands) + 1

    @property
    def next_at_table(self) -> int:
        """The number of the next hand as people count."""
        return self.view.game.hands_before + self.next_number

    @cached_property
    def agreements(self) -> dict[int, list[Agreement]]:
        return selectors.agreements_of(self.game)

    @cached_property
    def reviews(self) -> dict[int, HandReview]:
        """What was said and decided about each hand, by its key."""
        return review_hands(
            self.game,
            self.view.hands,
            self.agreements,
            substitutes=self.stored_view.substitutes_at,
            seat=self.seat,
        )

    @cached_property
    def undone_hands(self) -> tuple[selectors.UndoneHand, ...]:
        return selectors.undone_hands(self.stored_view.game.taken_back)

    @property
    def winners(self) -> list[int | None]:
        return [row.winner for row in self.view.game.hands]

    @property
    def course(self) -> dict[str, Any]:
        """What determines the game's deals, besides the winners."""
        return {
            "rules": self.rules,
            "seats": self.game.size,
            "wind_rounds": self.game.wind_rounds,
            "exchanges": [(hand, first, second) for hand, first, second in self.game.exchanges],
            "dealer": self.game.first_dealer,
            "opening": selectors.opening_of(self.game),
        }

    @cached_property
    def other_games(self) -> OtherGames:
        """The table's other games, for this reader."""
        return self.event.other_games(self.seat)

    @property
    def earlier_games(self) -> Sequence[EarlierGame]:
        """The hands before the table's players changed, for this reader."""
        return self.other_games.earlier_games

    def deal(self, number: int) -> Deal:
        """The deal of the hand of this number; the last one for a number out of range."""
        upcoming = self.view.game.next_deal
        if upcoming is not None and upcoming.number == number:
            return upcoming
        deals = selectors.progress(self.game).deals
        return deals[number - 1] if 0 < number <= len(deals) else deals[-1]

    def sticks_before(self, number: int) -> dict[int, int]:
        """Each seat's points in sticks before the hand of this number."""
        return selectors.points_before(
            self.view.game, number, start=0 if self.stake else START_POINTS
        )

    @property
    def asker(self) -> Asker:
        """Whoever asks for help with tiles here: the winds of the next hand."""
        deal = self.deal(self.next_number)
        return Asker(deal.winds.get(self.seat or 0, Wind.E), deal.prevailing_wind)

    @cached_property
    def tables(self) -> Mapping[int, TableView]:
        """The event's tables as they are now, by their games; names in full."""
        return self.event.tables()

    def names_in(self, game_id: int) -> Mapping[int, str]:
        """Who sits in each seat of this game, or of one that carries it on."""
        is_own = game_id == self.game.pk
        return self.view.names if is_own else self.tables[game_id].names

    @property
    def other_tables(self) -> dict[int, TableView]:
        """Other tables with the same rules and number of players, and at least one hand."""
        own_game = self.view.game
        return {
            key: table
            for key, table in self.tables.items()
            if key != own_game.pk
            and (table.game.rules, table.game.size) == (own_game.rules, own_game.size)
            and (table.game.hands or own_game.hands)
        }

    def handings(self, hand: HandView) -> list[str]:
        game, start = self.view.game, self.stake or START_POINTS
        carried_points = game.opening.points if game.opening else {}
        start_points = {seat: start + carried_points.get(seat, 0) for seat in game.totals}
        return stick_sentences(hand, game.hands[: hand.row.number - 1], start_points)


def names_checksum(names: Mapping[int, str]) -> str:
    return f"{crc32(repr(sorted(names.items())).encode()):x}"


@contextmanager
def missing_hand_is_404() -> Iterator[None]:
    """Raises ``Http404`` if what is done within finds no such hand at the table."""
    try:
        yield
    except Hand.DoesNotExist as missing:
        raise Http404 from missing


def find_table(tables: Callable[[], QuerySet[Any]], key: str) -> tuple[Any, int | None]:
    """The table of a link and the seat, None for the table's own link; no table if invalid."""
    lookup = link_lookup(key)
    return open_link(find_by_key(tables, **lookup) if lookup else None, key)


def link_lookup(key: str) -> dict[str, int | str]:
    """The lookup of a link's table; empty for a forged key, detected by its seal."""
    if is_seat_key(key):
        return {"pk": int(key.partition("s")[0])}
    return {"link_key": key} if is_own_link_key(key) else {}


def open_link(table: Any, key: str) -> tuple[Any, int | None]:
    """The table if the key is still valid, and its seat."""
    match = SEAT_KEY.fullmatch(key)
    if match is None or table is None:
        return table, None
    seat = int(match["seat"])
    is_valid = any(
        constant_time_compare(key, seat_key(table, seat, our_secret))
        for our_secret in secret_keys()
    )
    return (table, seat) if is_valid else (None, None)


def is_seat_key(key: str) -> bool:
    """Whether we made this key for a seat; the table's link may have changed since."""
    unsealed_key, seal = key[:-SEAL_DIGITS], key[-SEAL_DIGITS:]
    return bool(SEAT_KEY.fullmatch(key)) and any(
        constant_time_compare(seal, _seal(unsealed_key, SEAL_DIGITS, secret))
        for secret in secret_keys()
    )


def seat_key(table: Any, seat: int, secret: str | None = None) -> str:
    """A key that opens the table for one seat; void after a new link or game of the table.

    It ends in two seals: one binds it to the table's link, the other proves without a query that it
    is ours.
    """
    binding_seal = _seal(f"{table.link_key}:{table.game_id}:{seat}", BINDING_DIGITS, secret)
    unsealed_key = f"{table.pk}s{seat}_{binding_seal}"
    return unsealed_key + _seal(unsealed_key, SEAL_DIGITS, secret)


def _seal(text: str, digits: int, secret: str | None) -> str:
    signature = salted_hmac("clubs.tablepages.seat", text, secret=secret, algorithm="sha256")
    return signature.hexdigest()[:digits]
