"""One table's page: the state of the game, its list of hands, and whether it is up to date."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple
from zlib import crc32

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse

from clubs.language.moments import time_of_day
from clubs.models.names import first_names
from clubs.table import rows
from clubs.table.event import PlayedTable, names_checksum
from clubs.table.forms.hands import HandForm, blank_hand, hand_number, playing_seats
from clubs.table.selectors.reviews import HandReview, Ruling, rulings_of
from clubs.table.square import (
    Chair,
    add_empty_chair,
    chairs_after,
    seen_from,
    square_of,
    without_dealer,
)
from scoring import Deal
from scoring.rules.declarations import Succession
from scoring.scorebook import selectors
from scoring.scorebook.models import Hand, Recording
from scoring.scorebook.selectors import HandRow, UndoneHand, receipt_addresses
from scoring.table.progression import table_after

SENT_BY_SEAT = re.compile(r"table \d+ seat (\d)")

HandLines = list[rows.HandLine | None]
UNPROCESSABLE = 422
CONFLICT = 409


@dataclass(frozen=True, slots=True)
class PastHand:
    """A hand that no longer counts: corrected, or taken back by whom and when."""

    hand: rows.HandView
    lines: HandLines
    text: str


@dataclass(frozen=True, slots=True)
class BookRow:
    """A hand of the list, earlier versions newest first; without a review it was taken back."""

    number: int
    review: HandReview | None
    lines: HandLines
    past_hands: tuple[PastHand, ...]


def book_rows(
    reviews: Sequence[HandReview],
    replaced_hands: Iterable[HandRow],
    undone_hands: Iterable[UndoneHand],
    table: rows.TableView,
) -> list[BookRow]:
    """Every hand, newest first, with the lines in seat order."""
    seats = sorted(table.names)
    past_hands: dict[int, list[PastHand]] = defaultdict(list)
    for row in replaced_hands:
        hand = table.hand_view(row)
        note = f"corrected; {row.reason}" if row.reason else "corrected"
        past_hands[row.number].append(PastHand(hand, lines_in_seat_order(hand, seats), note))
    for taken_back in undone_hands:
        hand = table.hand_view(taken_back.hand)
        seat = SENT_BY_SEAT.search(taken_back.taken_by)
        phone_phrase = f" on {hand.names[int(seat[1])]}’s phone" if seat else ""
        note = f"undone at {time_of_day(taken_back.taken_at)}{phone_phrase}"
        past_hands[taken_back.hand.number].append(
            PastHand(hand, lines_in_seat_order(hand, seats), note)
        )
    current = {review.hand.row.number: review for review in reviews}
    book = []
    for number in sorted({*current, *past_hands}, reverse=True):
        review = current.get(number)
        newest = sorted(past_hands[number], key=lambda past_hand: -past_hand.hand.row.pk)
        figures = lines_in_seat_order(review.hand, seats) if review else []
        book.append(BookRow(number, review, figures, tuple(newest)))
    return book


def lines_in_seat_order(hand: rows.HandView, seats: Sequence[int]) -> HandLines:
    """A hand's lines in the order of these seats; None for a seat that sat out."""
    lines = {line.seat: line for line in hand.lines}
    return [lines.get(seat) for seat in seats]


def with_first_names(table: rows.TableView) -> rows.TableView:
    """The table with first names, where they are unique among all who have played there."""
    if not table.earlier_sitters:
        return replace(table, names=first_names(table.names))
    now = set(table.names.values())
    departed_names = sorted({sitter.name for sitter in table.earlier_sitters} - now)
    names = dict(table.names) | dict(enumerate(departed_names, start=1 + max(table.names)))
    short_names = first_names(names)
    by_name = {name: short_names[key] for key, name in names.items()}
    return replace(
        table,
        names={seat: short_names[seat] for seat in table.names},
        earlier_sitters=tuple(
            replace(sitter, name=by_name[sitter.name]) for sitter in table.earlier_sitters
        ),
    )


class WaitingBefore(NamedTuple):
    """Hands before the players changed that are not agreed, and where the first ones are."""

    hands: int
    address: str


@dataclass(frozen=True, kw_only=True)
class TablePage(PlayedTable):
    """A table in play, on its pages; ``key`` is the link it was opened by, if it was by one."""

    template: str
    address: str
    standings: str
    extra: dict[str, Any] = field(default_factory=dict)
    key: str = ""

    def action_url(self, act: str, *args: Any) -> str:
        """The URL of a button of the phone page: ``at("agree", 7)``."""
        return reverse(f"{self.event.phone}-{act}", args=[self.key, *args])

    @property
    def hand_address(self) -> str:
        """Where the table's next hand is entered, or its last one agreed."""
        key = self.other_games.key_now if self.event.is_past else ""
        return reverse(self.event.phone, args=[key]) if key else self.address

    @property
    def earlier_addresses(self) -> list[tuple[rows.EarlierGame, str]]:
        """The hands before the table's players changed, with the page of each part."""
        if not self.key:
            *event, _ = self.event.place
            desk = f"{self.event.desk}-table"
            return [
                (game, reverse(desk, args=[*event, game.number])) for game in self.earlier_games
            ]
        hands = f"{self.event.phone}-hands"
        return [
            (game, reverse(hands, args=[game.key]) if game.key else "")
            for game in self.earlier_games
        ]

    @property
    def waiting_before(self) -> WaitingBefore:
        """How many hands before its players changed are not agreed, and where the first ones are.

        Only those that this phone may agree.
        """
        places = () if self.is_final else self.earlier_addresses
        parts = [(game.waiting, address) for game, address in places if game.waiting and address]
        hands = sum(waiting for waiting, _ in parts)
        return WaitingBefore(hands, parts[0][1] if parts else "")

    @cached_property
    def view(self) -> rows.TableView:
        """The table, totals including the stake, with first names."""
        view = self.stored_view
        totals = {seat: points + self.stake for seat, points in view.game.totals.items()}
        return replace(with_first_names(view), game=replace(view.game, totals=totals))

    @property
    def deal_moves(self) -> bool:
        """Whether the winner deals while the winds stay."""
        return self.rules.passing.succession is Succession.WINNER_DEALS

    def square(self, deal: Deal) -> tuple[Chair, ...]:
        """The players round the square table, seen from this page's seat."""
        deal_winds = [*(row.winds for row in self.view.game.hands[: deal.number - 1]), deal.winds]
        chairs = chairs_after(deal_winds, self.game.exchanges)
        square = square_of(deal, chairs, self.view.names, self.totals)
        square = add_empty_chair(square, self.rules.passing)
        return seen_from(without_dealer(square) if self.view.game.is_over else square, self.seat)

    @property
    def totals(self) -> dict[int, str]:
        """Each seat's total as shown: a signed gain, or the points in front of the player."""
        pays = self.pays and not self.stake
        return {
            seat: rows.points_text(points, pays=pays) for seat, points in self.view.totals.items()
        }

    @property
    def aim(self) -> str:
        """The target of the game, shown in the middle of the table if no wind prevails."""
        first_to = self.rules.passing.first_to
        return f"First to {first_to}" if first_to else ""

    @property
    def final(self) -> list[rows.SeatRow]:
        """The seats by total, highest first."""
        return sorted(self.view.seats, key=lambda seat: -seat.points)

    @property
    def leavers(self) -> list[tuple[str, int]]:
        """Who has left the table, with the points that they had then."""
        return [(name, points + self.stake) for name, points in self.view.leavers]

    @property
    def first_home(self) -> list[str]:
        """The winner of a race to so many points, once it is over."""
        return [self.view.names[seat] for seat in self.view.game.winners]

    @cached_property
    def repairs(self) -> tuple[rows.ListedRepair, ...]:
        return rows.repair_list({self.game.pk: rows.TableAt(self.view.title, self.address)})

    @property
    def last(self) -> HandReview | None:
        hands = self.view.hands
        return self.reviews[hands[-1].row.pk] if hands else None

    @property
    def waiting(self) -> list[HandReview]:
        """Earlier hands to which a player has yet to agree; the last one too if others play on.

        None once the event is finished.
        """
        if self.is_final:
            return []
        hands = self.view.hands if self.event.is_past else self.view.hands[:-1]
        earlier_reviews = [self.reviews[hand.row.pk] for hand in hands]
        return [
            review for review in earlier_reviews if review.is_open and not review.asks_the_scorer
        ]

    @property
    def for_this_phone(self) -> list[HandReview]:
        """Those of them that this phone can agree, all with one press."""
        return [
            review
            for review in self.waiting
            if review.waits_for_this_phone
            and not review.is_disputed
            and not (review.own_agreement and review.own_agreement.state == "agreed")
        ]

    @property
    def newest_reviews(self) -> list[HandReview]:
        """All other hands, newest first."""
        waiting = {review.hand.row.pk for review in self.waiting}
        keys = [hand.row.pk for hand in reversed(self.view.hands)]
        return [self.reviews[key] for key in keys if key not in waiting]

    @property
    def rulings(self) -> list[Ruling]:
        return rulings_of(list(self.reviews.values()))

    @property
    def gone_now(self) -> UndoneHand | None:
        """The hand taken back last, until its number is entered again."""
        free = (
            taken_back
            for taken_back in reversed(self.undone_hands)
            if taken_back.hand.number == self.next_number
        )
        return next(free, None)

    @property
    def may_take_back(self) -> bool:
        last = self.last
        if last is None or self.closed_because or self.game.is_closed:
            return False
        return not last.is_ruled and not last.hand.row.corrections

    @property
    def prevailing_wind(self) -> str:
        """The wind that prevails in the next hand; empty if none does, or after the game."""
        upcoming = self.view.game.next_deal
        return (upcoming.prevailing_wind or "") if upcoming else ""

    @property
    def you(self) -> str:
        """``Margaret (South)`` on that seat's own page, with the wind of the next hand."""
        me = next((seat for seat in self.view.seats if seat.number == self.seat), None)
        if me is None:
            return ""
        return f"{me.name} ({me.wind.label})" if me.wind else me.name

    @property
    def now(self) -> dict[str, Any]:
        """The key of the next deal, for the phone's script; empty after the game."""
        game = self.view.game
        if game.next_deal is None:
            return {}
        chairs = self.square(game.next_deal)
        return {
            "key": table_after(self.winners, hands=None, **self.course).future,
            "number": self.next_number,
            "left": game.hands_planned and game.hands_planned - len(game.hands),
            "race": self.rules.passing.first_to is not None,
            "chairs": {chair.key: chair.position for chair in chairs if chair.plays},
            "had": self.sticks_before(self.next_number) if self.pays else None,
            "seat": self.seat,
            "version": self.version,
        }

    @property
    def version(self) -> str:
        """A short text that changes with anything a blank form shows, except points."""
        form = (self.key, sorted(self.view.names.items()), self.stake, self.event.record_by)
        course = {**self.course, "rules": self.rules.key}
        return f"{crc32(repr((form, course)).encode()):x}"

    @property
    def book(self) -> list[BookRow]:
        reviews, view = list(self.reviews.values()), self.view
        return book_rows(reviews, view.game.corrected_hands, self.undone_hands, view)

    def receipt(self, code: str) -> str:
        return reverse(f"{self.event.phone}-receipt", args=[code])

    @cached_property
    def receipts(self) -> dict[int, str]:
        """The URL of each hand's receipt, current or not, by the hands' keys."""
        return {hand: self.receipt(code) for hand, code in receipt_addresses(self.game).items()}

    def hand_view(self, hand: Hand) -> rows.HandView:
        """A hand of this table, in the book or about to be."""
        row = selectors.hand_row(hand, hands_before=self.game.hands_before)
        return self.view.hand_view(row)

    def blank_hand(self) -> dict[str, Any]:
        """The initial data of the next hand."""
        return blank_hand(self.next_number, self.company(self.next_number, self.stored_view.names))

    def is_of_others(self, form_data: Mapping[str, str]) -> bool:
        """Whether a form was filled for people who played here before someone came or went."""
        game, _, names = form_data.get("company", "").partition(".")
        if not game:
            return False
        return game != str(self.game.pk) or bool(
            names and names != names_checksum(self.event.names(self.reader))
        )

    def form(self, data: Any = None, **initial: Any) -> HandForm:
        """The form of a hand: blank, bound to what was sent, or with it as initial data."""
        start = initial or self.blank_hand()
        number = hand_number(data or start)
        return self._form_at(self.deal(number), number, data, start)

    def blank_form(self, deal: Deal) -> HandForm:
        """The form of the next hand, if it is played at this deal."""
        return self._form_at(deal, self.next_number, None, self.blank_hand())

    def kept_form(self, form_data: QueryDict) -> HandForm:
        """The form of a hand that a phone has kept, to be saved; to be shown, take ``form``.

        It names nobody, and what stands at the table is read only for sticks, or if someone sits
        out.
        """
        number, winds = hand_number(form_data), selectors.starting_winds(self.game)
        if len(winds) < self.game.size:
            winds = self.deal(number).winds
        places = playing_seats(winds, dict.fromkeys(winds, ""))
        form = HandForm(places, form_data, rules=self.rules, recording=self.event.record_by)
        if form.told_by == Recording.TALLIES:
            form.sticks_before = self.sticks_before(number)
        return form

    def _form_at(self, deal: Deal, number: int, data: Any, start: dict[str, Any]) -> HandForm:
        places = playing_seats(deal.winds, self.view.names)
        sticks_before = self.sticks_before(number)
        return HandForm(
            places,
            data,
            start,
            rules=self.rules,
            recording=self.event.record_by,
            sticks_before=sticks_before,
        )


def table_news(request: HttpRequest, page: TablePage) -> HttpResponse:
    """204 if nothing is newer than ``?v=``.

    If only something was said about a hand, the part for that is sent to pages that show it
    (``?said=shown``), and 204 to those that do not (``?said=none``).
    """
    seen_mark, remarks_mode, now = request.GET["v"], request.GET.get("said", ""), page.mark_now
    if seen_mark == now:
        return HttpResponse(status=204)
    if remarks_mode and _mark_without_remarks(seen_mark) == _mark_without_remarks(now):
        context = {"page": page, "table": page.view, "said": remarks_mode, **page.extra}
        return render(request, "clubs/table/_agreement_news.html", context)
    message = _news_sentence(page, seen_mark, now)
    return render(request, "clubs/table/_news.html", {"page": page, "what": message})


def _news_sentence(page: TablePage, seen_mark: str, now: str) -> str:
    if _has_other_players(seen_mark.rpartition("-")[2], now.rpartition("-")[2]):
        return "The players at this table have changed."
    hands, seen_hands = int(now.partition("-")[0]), seen_mark.partition("-")[0]
    newest = page.game.hands_before + hands
    if seen_hands == str(hands - 1):
        return f"Hand {newest} has been entered."
    if seen_hands == str(hands + 1) and page.gone_now:
        return f"Hand {newest + 1} was undone."
    return "Something has changed at this table."


def _has_other_players(seen_players: str, now: str) -> bool:
    (game, _, names), (game_now, _, names_now) = seen_players.partition("."), now.partition(".")
    return game != game_now or bool(names and names_now and names != names_now)


def _mark_without_remarks(mark: str) -> list[str]:
    """The mark without the part that changes with what is said about the hands."""
    hands, book, _, *other_parts = [*mark.split("-"), "", ""]
    return [hands, book, *other_parts]
