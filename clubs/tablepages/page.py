"""One table as its pages know it, and the calls behind their buttons."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.urls import reverse

from clubs.chairs import chairs_after
from clubs.forms.hands import HandForm, blank_hand, places_of, told_number
from clubs.names import first_names
from clubs.repairlist import ListedRepair, TableAt, repair_list
from clubs.rows import HandView, SeatRow, TableView, tallied
from clubs.selectors.tapped import TappedSeat, tapped_seats
from clubs.square import Chair, left_the_table, seen_from, square_of, with_the_empty_chair
from clubs.tablepages.book import BookRow, book_of
from clubs.tablepages.passing import handings
from clubs.tablepages.talk import HandTalk, Ruling, rulings_of, talks
from clubs.tablepages.upcoming import table_now
from scoring import Deal, RuleSet
from scoring.policies import Succession
from scoring.scorebook import services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.history import TakenBack, taken_back
from scoring.scorebook.links import addresses_in
from scoring.scorebook.models import Game, Hand, Recording
from scoring.scorebook.selectors import held_before, mark_of, progress, replaced_hands
from scoring.sticks import EACH

UNPROCESSABLE = 422
CONFLICT = 409


@dataclass(frozen=True, kw_only=True)
class TablePage:
    """One table and the calls behind its buttons; ``sent_by`` is kept with every hand.

    ``room`` names its addresses, ``key`` is the link it was opened by (empty: an organiser's page),
    ``seat`` the seat whose link that is (None: the table's, which may do everything).
    ``done_because``: why it plays no further hand; ``stake``: what lay before each player at first.
    ``record_by``: the way in which the event's hands are told if the table chooses no other.
    """

    game: Game
    read: Callable[[], TableView]
    template: str
    room: str
    address: str
    standings: str
    closed_because: str
    may_change: bool
    sent_by: str
    preview: Callable[..., scorebook.Recorded]
    post: Callable[..., scorebook.Recorded]
    say: Callable[..., Hand]
    decide: Callable[..., Hand]
    take_back: Callable[..., Hand]
    correct: Callable[..., Hand]
    extra: dict[str, Any] = field(default_factory=dict)
    key: str = ""
    seat: int | None = None
    seat_key: Callable[[int], str] | None = None
    done_because: str = ""
    stake: int = 0
    record_by: str = Recording.TOTALS

    def at(self, act: str, *args: Any) -> str:
        """Where a button of the phone page leads: ``at("agree", 7)``."""
        return reverse(f"{self.room}-{act}", args=[self.key, *args])

    @cached_property
    def whole(self) -> TableView:
        """The table as it is stored, names as its readers are told them."""
        return self.read()

    @cached_property
    def view(self) -> TableView:
        """The table, totals with the stake; people go by their first names here."""
        view = self.whole
        totals = {seat: points + self.stake for seat, points in view.game.totals.items()}
        return replace(view, names=first_names(view.names), game=replace(view.game, totals=totals))

    @cached_property
    def mark(self) -> str:
        """What a page compares to know whether it still shows the table as it is."""
        return f"{mark_of(self.game)}-{bool(self.closed_because)}-{bool(self.done_because)}"

    @property
    def rules(self) -> RuleSet:
        """The edition that the table plays under."""
        return rule_set(self.game.rules)

    @property
    def pays(self) -> bool:
        """Whether players pay one another under the game's rules."""
        return self.rules.zero_sum

    @property
    def deal_moves(self) -> bool:
        """Whether the winner deals while the winds stay where they are."""
        return self.rules.passing.succession is Succession.WINNER_DEALS

    @cached_property
    def tapped(self) -> dict[int, TappedSeat]:
        """The tiles that each seat has tapped of the hand to enter next."""
        upcoming = self.view.game.next_deal
        return tapped_seats(self.game, upcoming, self.rules) if upcoming else {}

    @property
    def next_number(self) -> int:
        """The number of the hand to enter next."""
        return len(self.view.game.hands) + 1

    def square(self, deal: Deal) -> tuple[Chair, ...]:
        """Everybody round the square table, seen from the seat whose link this is."""
        before = self.view.game.hands[: deal.number - 1]
        dealt = [*(row.winds for row in before), deal.winds]
        chairs = chairs_after(dealt, self.game.exchanges)
        square = square_of(deal, chairs, self.view.names, self.totals)
        square = with_the_empty_chair(square, self.rules.passing)
        return seen_from(left_the_table(square) if self.view.game.is_over else square, self.seat)

    @property
    def totals(self) -> dict[int, str]:
        """Each seat's total as the table says it: a gain with its sign, or what lies before it."""
        pays = self.pays and not self.stake
        return {seat: tallied(points, pays=pays) for seat, points in self.view.game.totals.items()}

    @property
    def aim(self) -> str:
        """What the game is played to, said in the middle of the table where no wind prevails."""
        first_to = self.rules.passing.first_to
        return f"First to {first_to}" if first_to else ""

    @property
    def final(self) -> list[SeatRow]:
        """The seats by their totals, the highest first."""
        return sorted(self.view.seats, key=lambda seat: -seat.points)

    @property
    def first_home(self) -> list[str]:
        """Who has won the race to so many points, if the rules have one and it is over."""
        return [self.view.names[seat] for seat in self.view.game.winners]

    @cached_property
    def repairs(self) -> tuple[ListedRepair, ...]:
        """What the scorer has put right at this table in one go, the last first."""
        return repair_list({self.game.pk: TableAt(self.view.title, self.address)})

    @property
    def newest_first(self) -> list[HandView]:
        """The recorded hands, the last first."""
        return list(reversed(self.view.hands))

    @cached_property
    def talks(self) -> dict[int, HandTalk]:
        """What was said of each hand, by the hand's key."""
        return talks(self.game, self.view.hands, names=self.whole.whole, seat=self.seat)

    @property
    def last(self) -> HandTalk | None:
        """The hand recorded last, with what was said of it."""
        last = self.view.last_hand
        return None if last is None else self.talks[last.row.pk]

    @property
    def waiting(self) -> list[HandTalk]:
        """The hands before the last of which a player still has to say something."""
        earlier = [self.talks[hand.row.pk] for hand in self.view.hands[:-1]]
        return [talk for talk in earlier if talk.is_open and not talk.asks_the_scorer]

    @property
    def newest_talks(self) -> list[HandTalk]:
        """The recorded hands with what was said of them, the last first."""
        return [self.talks[hand.row.pk] for hand in self.newest_first]

    @property
    def rulings(self) -> list[Ruling]:
        """What the scorer has ruled since the table sent its last hand."""
        return rulings_of(list(self.talks.values()))

    @cached_property
    def gone(self) -> tuple[TakenBack, ...]:
        """The hands that were taken back, the oldest first."""
        return taken_back(self.game)

    @property
    def gone_now(self) -> TakenBack | None:
        """The hand taken back last, as long as its number has not been entered again."""
        free = (one for one in reversed(self.gone) if one.hand.number == self.next_number)
        return next(free, None)

    @property
    def may_take_back(self) -> bool:
        """Whether the table may still take its last hand back."""
        last = self.last
        if last is None or self.closed_because:
            return False
        return not last.is_ruled and not last.hand.row.corrections

    @property
    def you(self) -> str:
        """``Margaret (South)`` on that seat's own page, with the wind of the next hand."""
        me = next((seat for seat in self.view.seats if seat.number == self.seat), None)
        if me is None:
            return ""
        return f"{me.name} ({me.wind.label})" if me.wind else me.name

    @property
    def now(self) -> dict[str, Any]:
        """What the phone's own script is told of the next hand."""
        return table_now(self)

    @property
    def book(self) -> list[BookRow]:
        """Every hand, the last first, each with what stood in its place before."""
        talks, names = list(self.talks.values()), self.view.names
        return book_of(talks, replaced_hands(self.game), self.gone, names)

    def receipt(self, code: str) -> str:
        """Where the receipt of that code is."""
        return reverse(f"{self.room}-receipt", args=[code])

    @cached_property
    def receipts(self) -> dict[int, str]:
        """Where the receipt of each hand is, standing or not, by the hands' keys."""
        return {hand: self.receipt(code) for hand, code in addresses_in(self.game).items()}

    def deal(self, number: int) -> Deal:
        """The deal of the hand of this number; the last there is for a number out of range."""
        upcoming = self.view.game.next_deal
        if upcoming is not None and upcoming.number == number:
            return upcoming
        dealt = progress(self.game).deals
        return dealt[number - 1] if 0 < number <= len(dealt) else dealt[-1]

    def form(self, data: Any = None, **initial: Any) -> HandForm:
        """The form of a hand: fresh, as it was sent, or filled with what was sent."""
        start = initial or blank_hand(self.next_number)
        number = told_number(data or start)
        places = places_of(self.deal(number).winds, self.view.names)
        had = self.had(number)
        return HandForm(places, data, start, rules=self.rules, way=self.record_by, had=had)

    def handings(self, hand: HandView) -> list[str]:
        """Which sticks are passed for a hand of this table, in sentences."""
        before = self.view.game.hands[: hand.row.number - 1]
        return handings(hand, before, start=self.stake or EACH)

    def had(self, number: int) -> dict[int, int]:
        """What each seat has in sticks before the hand of this number, in points."""
        return held_before(self.view.game, number, start=0 if self.stake else EACH)
