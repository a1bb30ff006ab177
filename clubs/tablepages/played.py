"""A table that is played at: as it stands, and the calls that change it; pages and API alike."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from clubs.rows import HandView, TableView
from clubs.selectors.tapped import TappedSeat, tapped_seats
from clubs.tablepages.passing import handings
from clubs.tablepages.talk import HandTalk, talks
from scoring import Deal, RuleSet
from scoring.scorebook import services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.history import TakenBack, said_of, taken_back
from scoring.scorebook.models import Agreement, Game, Hand, Recording
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import held_before, mark_of, mark_shown, progress
from scoring.sticks import EACH


@dataclass(frozen=True, kw_only=True)
class PlayedTable:
    """One table and the calls that change it; ``sent_by`` is kept with every hand.

    ``names`` are those of the seats as its readers are told them, without the rest.
    ``seat`` is the seat whose link it was opened by (None: the table's, or an organiser).
    ``done_because``: why it plays no further hand; ``stake``: what lay before each player at first.
    ``record_by``: the way in which the event's hands are told if the table chooses no other.
    ``seat_key`` gives the key of one seat's own link, where the table's link or a desk may.
    """

    game: Game
    read: Callable[[], TableView]
    names: Callable[[], Mapping[int, str]]
    closed_because: str
    may_change: bool
    sent_by: str
    preview: Callable[..., scorebook.Recorded]
    post: Callable[..., scorebook.Recorded]
    say: Callable[..., Hand]
    decide: Callable[..., Hand]
    take_back: Callable[..., Hand]
    correct: Callable[..., Hand]
    name_first_dealer: Callable[..., None]
    seat: int | None = None
    seat_key: Callable[[int], str] | None = None
    done_because: str = ""
    stake: int = 0
    record_by: str = Recording.TOTALS

    @cached_property
    def whole(self) -> TableView:
        """The table as it is stored, names as its readers are told them."""
        return self.read()

    @cached_property
    def view(self) -> TableView:
        """The table as whoever is here is shown it."""
        return self.whole

    @property
    def mark_now(self) -> str:
        """The ``mark`` of the table as it is now, without reading what a page shows; one query."""
        return self._mark(mark_of(self.game))

    @cached_property
    def mark(self) -> str:
        """What a page compares to know whether it still shows the table as it is."""
        words = {hand: len(said) for hand, said in self.said.items()}
        return self._mark(mark_shown(self.whole.game, words))

    def _mark(self, of_the_game: str) -> str:
        return f"{of_the_game}-{bool(self.closed_because)}-{bool(self.done_because)}"

    @property
    def rules(self) -> RuleSet:
        """The edition that the table plays under."""
        return rule_set(self.game.rules)

    @property
    def pays(self) -> bool:
        """Whether players pay one another under the game's rules."""
        return self.rules.zero_sum

    @property
    def may_name_dealer(self) -> bool:
        """Whether the table may say now who deals the first hand."""
        is_done = bool(self.closed_because or self.done_because)
        return self.whole.game.first_dealer_is_open and not is_done

    @cached_property
    def tapped(self) -> dict[int, TappedSeat]:
        """The tiles that each seat has tapped of the hand to enter next."""
        upcoming = self.view.game.next_deal
        return tapped_seats(self.game, upcoming, self.rules) if upcoming else {}

    @property
    def next_number(self) -> int:
        """The number of the hand to enter next."""
        return len(self.view.game.hands) + 1

    @cached_property
    def said(self) -> dict[int, list[Agreement]]:
        """What the seats have said of each hand, by the hand's key."""
        return said_of(self.game)

    @cached_property
    def talks(self) -> dict[int, HandTalk]:
        """What was said and decided of each hand, by the hand's key."""
        whole = self.whole.whole
        return talks(self.game, self.view.hands, self.said, names=whole, seat=self.seat)

    @cached_property
    def gone(self) -> tuple[TakenBack, ...]:
        """The hands that were taken back, the oldest first."""
        return taken_back(self.whole.game.taken_back)

    @property
    def winners(self) -> list[int | None]:
        """Who went Mah-Jong in each hand so far, None where nobody did."""
        return [row.winner for row in self.view.game.hands]

    @property
    def course(self) -> dict[str, Any]:
        """What the deals of the game follow from, beside the winners."""
        return {
            "rules": self.rules,
            "seats": self.game.size,
            "wind_rounds": self.game.wind_rounds,
            "exchanges": [(hand, one, other) for hand, one, other in self.game.exchanges],
            "dealer": self.game.first_dealer,
        }

    def deal(self, number: int) -> Deal:
        """The deal of the hand of this number; the last there is for a number out of range."""
        upcoming = self.view.game.next_deal
        if upcoming is not None and upcoming.number == number:
            return upcoming
        dealt = progress(self.game).deals
        return dealt[number - 1] if 0 < number <= len(dealt) else dealt[-1]

    def had(self, number: int) -> dict[int, int]:
        """What each seat has in sticks before the hand of this number, in points."""
        return held_before(self.view.game, number, start=0 if self.stake else EACH)

    def handings(self, hand: HandView) -> list[str]:
        """Which sticks are passed for a hand of this table, in sentences."""
        before = self.view.game.hands[: hand.row.number - 1]
        return handings(hand, before, start=self.stake or EACH)

    def keep(
        self, submission_id: UUID, number: int, report: Report, **more: datetime
    ) -> scorebook.Recorded:
        """The hand of that number in the book, as whoever is here sends it.

        ``entered_at``: when it was, where it was kept without a network for a while.
        """
        hand = {"submission_id": submission_id, "number": number, "report": report}
        return self.post(**hand, sent_by=self.sent_by, **more)
