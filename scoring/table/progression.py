"""Whose deal it is, now and after the deals to come, and players who change places."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from math import inf
from typing import Any, Final, Self

from scoring.hands.hand import quantity
from scoring.hands.problems import BadOutcome, Code, Problem, shorten
from scoring.hands.tiles import Wind
from scoring.rules.declarations import FirstDealer, FourthWind, Passing, Rounds, Succession
from scoring.rules.rule_set import RuleSet

_EMPTY_PLACE: Final = 0

Exchange = tuple[int, int, int]
"""A hand and two seats that sit in each other's place from it on."""

_COUNT_FIELDS: Final = ("dealer", "rounds", "counted", "goulash", "hands_in_a_row", "wins_in_a_row")
HANDS_AHEAD: Final = 30
GAME_OVER: Final = -1


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand to be played: the wind of each seat in play and what prevails."""

    number: int
    winds: Mapping[int, Wind]
    dealer: int
    prevailing_wind: Wind | None
    goulash: bool
    sits_out: int | None

    def as_json(self) -> dict[str, object]:
        """The printed form of `play`; seats are text."""
        return {
            "number": self.number,
            "winds": {str(seat): wind.value for seat, wind in self.winds.items()},
            "dealer": str(self.dealer),
            "prevailing_wind": self.prevailing_wind,
            "goulash": self.goulash,
        }


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a game begins that carries on an earlier one of the table.

    `places` are the seats in the order of the winds, 0 for an empty place, and `waiting` who sits
    out. `rounds` and `counted` say how far the winds have come, the three runs are the dealer's,
    and `points` are what each seat has from before.
    """

    places: tuple[int, ...]
    waiting: tuple[int, ...]
    dealer: int
    rounds: int = 0
    counted: int = 0
    goulash: bool = False
    hands_in_a_row: int = 0
    wins_in_a_row: int = 0
    draws_in_a_row: int = 0
    points: Mapping[int, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain data; the seats of `points` are text."""
        data: dict[str, Any] = {name: getattr(self, name) for name in _COUNT_FIELDS}
        if self.draws_in_a_row:  # older openings have none
            data["draws_in_a_row"] = self.draws_in_a_row
        points = {str(seat): points for seat, points in sorted(self.points.items())}
        return {"places": [*self.places], "waiting": [*self.waiting], **data, "points": points}

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Raises ValueError for what `as_json` did not write."""
        try:
            opening = cls(
                places=tuple(data["places"]),
                waiting=tuple(data["waiting"]),
                points={int(seat): points for seat, points in data["points"].items()},
                draws_in_a_row=data.get("draws_in_a_row", 0),
                **{name: data[name] for name in _COUNT_FIELDS},
            )
            numbers = [*opening.places, *opening.waiting, *opening.points.values()]
            is_plain = opening.as_json() == data and type(opening.goulash) is bool
        except (TypeError, KeyError, AttributeError) as why:
            raise ValueError(f"No game opens with {data!r}.") from why
        counts = [getattr(opening, name) for name in _COUNT_FIELDS if name != "goulash"]
        counts.append(opening.draws_in_a_row)
        if not is_plain or {type(number) for number in (*numbers, *counts)} != {int}:
            raise ValueError(f"No game opens with {data!r}.")
        return opening


@dataclass(frozen=True, slots=True)
class Progress:
    """The hands played and, unless finished, the next to play.

    `rounds` are the winds that have had their turn or, where none prevails, the times that
    everyone has been East. `winners` are the seats that have won a race to so many points.
    """

    deals: tuple[Deal, ...]
    is_finished: bool
    rounds: int
    winners: tuple[int, ...]


def deals(
    outcomes: Sequence[int | None],
    *,
    rules: RuleSet,
    seats: int = 4,
    wind_rounds: int | None = 4,
    hands: int | None = None,
    gains: Sequence[Mapping[int, int]] | None = None,
    exchanges: Sequence[Exchange] = (),
    dealer: int = 1,
    opening: Opening | None = None,
) -> Progress:
    """Play the winds on: each outcome is the seat that went Mah-Jong, or None for a drawn hand.

    Seats are numbered from 1 anticlockwise from the first East. The game ends after `wind_rounds`
    (None: never, nor under rules that count none), after `hands`, or when someone's `gains`
    (points by seat, for each outcome) reach what the rules play to; whichever comes first. By each
    of the `exchanges` two seats sit in each other's place from a hand on. `dealer` is the seat that
    deals first, where the rules let the table name it. With an `opening` the winds go on from it.
    Raises BadOutcome with every problem, ValueError where not each outcome has its gains.
    Source: notes 8, 15, 22, 27 and 32 of docs/rules/notes.md.
    """
    table = table_after(
        outcomes,
        rules=rules,
        seats=seats,
        wind_rounds=wind_rounds,
        hands=hands,
        gains=gains,
        exchanges=exchanges,
        dealer=dealer,
        opening=opening,
    )
    upcoming = () if table.is_finished else (table.deal(),)
    return Progress(
        (*table.played_deals, *upcoming), table.is_finished, table.rounds, table.winners
    )


def table_after(
    outcomes: Sequence[int | None],
    *,
    rules: RuleSet,
    seats: int,
    wind_rounds: int | None,
    hands: int | None,
    gains: Sequence[Mapping[int, int]] | None = None,
    exchanges: Sequence[Exchange] = (),
    dealer: int = 1,
    opening: Opening | None = None,
) -> "TableState":
    """The table as it stands after these outcomes; arguments and errors are those of `deals`."""
    problems = [
        *outcome_problems(outcomes, seats=seats, rules=rules),
        *exchange_problems(exchanges, seats=seats),
        *dealer_problems(dealer, seats=seats, rules=rules),
        *(opening_problems(opening, seats=seats, rules=rules) if opening else ()),
    ]
    if problems:
        raise BadOutcome(problems)
    table = TableState(rules.passing, seats, wind_rounds, hands, exchanges, dealer, opening=opening)
    hand_gains = [{}] * len(outcomes) if gains is None else gains
    for place, (outcome, points) in enumerate(zip(outcomes, hand_gains, strict=True)):
        problems.extend(table.play(place, outcome, points))
    if problems:
        raise BadOutcome(problems)
    return table


def outcome_problems(
    outcomes: Sequence[int | None], *, seats: int, rules: RuleSet
) -> Iterator[Problem]:
    """What keeps these from being the outcomes of any game of so many seats."""
    if seats not in rules.seats:
        expected = f"one of {', '.join(map(str, rules.seats))}"
        params = {"found": f"A table of {shorten(seats)}", "expected": expected}
        yield Problem(Code.BAD_VALUE, "seats", params)
        return
    for place, outcome in enumerate(outcomes):
        if outcome is not None and outcome not in range(1, seats + 1):
            params = {"found": shorten(outcome)}
            yield Problem(Code.BAD_OUTCOME, f"outcomes.{place}", params)


def exchange_problems(exchanges: Sequence[Exchange], *, seats: int) -> Iterator[Problem]:
    """What keeps these from being exchanges of two places at a table of so many."""
    valid_seats = range(1, seats + 1)
    for place, (hand, first, other_seat) in enumerate(exchanges):
        if (
            hand < 1
            or first == other_seat
            or first not in valid_seats
            or other_seat not in valid_seats
        ):
            pair = f"An exchange of the seats {shorten(first)} and {shorten(other_seat)}"
            expected = f"two seats of 1 to {seats}, from a hand on"
            params = {"found": pair, "expected": expected}
            yield Problem(Code.BAD_VALUE, f"exchanges.{place}", params)


def dealer_problems(dealer: int, *, seats: int, rules: RuleSet) -> Iterator[Problem]:
    """What keeps this seat from dealing first under the rules."""
    playing, expected = 1, f"seat 1: under {rules.name} East deals first"
    if rules.passing.first_dealer is FirstDealer.NAMED:
        playing = min(seats, 4)
        expected = f"one of seats 1 to {playing}"
    if dealer not in range(1, playing + 1):
        params = {"found": f"Seat {shorten(dealer)}", "expected": expected}
        yield Problem(Code.BAD_VALUE, "dealer", params)


def opening_problems(opening: Opening, *, seats: int, rules: RuleSet) -> Iterator[Problem]:
    """What keeps a game of so many seats from beginning there."""
    usual = TableState(rules.passing, seats, None, None, (), 1)
    counts = (opening.rounds, opening.counted, opening.hands_in_a_row, opening.wins_in_a_row)
    if (
        len(opening.places) != len(usual.places)
        or sorted((*opening.places, *opening.waiting)) != sorted((*usual.places, *usual.waiting))
        or opening.dealer not in opening.places
        or opening.dealer == _EMPTY_PLACE
        or not opening.points.keys() <= set(range(1, seats + 1))
        or min(counts) < 0
    ):
        params = {"found": "The opening", "expected": f"one of a table of {shorten(seats)}"}
        yield Problem(Code.BAD_VALUE, "opening", params)


def exchanges_between(
    known_exchanges: Sequence[Exchange], seats: tuple[int, int], first: int, last: int | None
) -> tuple[Exchange, ...]:
    """The exchanges by which two seats also have each other's place from `first` to `last`.

    Both are numbers of hands; None: to the end. An exchange that was known within that stretch
    is one of places, so that it is told of whoever now sits there. What cancels is left out.
    """
    seat, other_seat = seats
    comes = {seat: other_seat, other_seat: seat}
    end = inf if last is None else last
    exchanges = [
        *(exchange for exchange in known_exchanges if exchange[0] < first),
        (first, seat, other_seat),
        *(
            (hand, comes.get(a, a), comes.get(b, b))
            for hand, a, b in known_exchanges
            if first <= hand <= end
        ),
        *([] if last is None else [(last + 1, seat, other_seat)]),
        *(exchange for exchange in known_exchanges if exchange[0] > end),
    ]
    # An exchange and the same again before the same hand are none.
    remaining_exchanges: list[Exchange] = []
    for hand, a, b in exchanges:
        exchange = (hand, min(a, b), max(a, b))
        if remaining_exchanges and remaining_exchanges[-1] == exchange:
            remaining_exchanges.pop()
        else:
            remaining_exchanges.append(exchange)
    return tuple(remaining_exchanges)


@dataclass
class TableState:
    """A table as it is played on; `places` are in the order of the winds."""

    passing: Passing
    seats: int
    wind_rounds: int | None
    hands: int | None
    exchanges: Sequence[Exchange]
    dealer: int
    rounds: int = 0
    counted: int = 0
    goulash: bool = False
    hands_in_a_row: int = 0
    wins_in_a_row: int = 0
    draws_in_a_row: int = 0
    totals: Counter[int] = field(default_factory=Counter)
    played_deals: list[Deal] = field(default_factory=list)
    opening: Opening | None = None

    def __post_init__(self) -> None:
        if not self.passing.prevailing and self.passing.rounds is Rounds.UNCOUNTED:
            self.wind_rounds = None
        self.places = [*range(1, min(self.seats, 4) + 1)]
        if self.seats == 3 and self.passing.fourth_wind is FourthWind.EMPTY_PLACE:
            self.places.append(_EMPTY_PLACE)
        self.waiting = [*range(5, self.seats + 1)]
        if self.opening:
            self._carry_on(self.opening)
        self._exchange()

    def _carry_on(self, opening: Opening) -> None:
        self.places, self.waiting = [*opening.places], [*opening.waiting]
        for name in (*_COUNT_FIELDS, "draws_in_a_row"):
            setattr(self, name, getattr(opening, name))
        self.totals = Counter(opening.points)

    def opens(self, seats: Sequence[int | None]) -> Opening:
        """How a game begins that carries this one on.

        `seats` holds, for each seat of that game, the seat of this one that it goes on with; None
        is a player who is new. If the table has as many players as before, winds and deal go on,
        and who is new sits where someone has left. Otherwise the first of the seats deals; the
        prevailing wind stays, and its round begins again, unless a round is a number of hands.
        """
        points = {seat: self.totals[old or _EMPTY_PLACE] for seat, old in enumerate(seats, start=1)}
        if len(seats) != self.seats:
            usual = TableState(self.passing, len(seats), None, None, (), 1)
            return Opening(
                places=tuple(usual.places),
                waiting=tuple(usual.waiting),
                dealer=1,
                rounds=self.rounds,
                counted=self.counted if self.passing.hands_of_a_wind else 0,
                goulash=self.goulash,
                points=points,
            )
        vacated_seats = iter(sorted(set(range(1, self.seats + 1)) - set(seats)))
        heirs = {old or next(vacated_seats): seat for seat, old in enumerate(seats, start=1)}
        return Opening(
            places=tuple(heirs.get(seat, _EMPTY_PLACE) for seat in self.places),
            waiting=tuple(heirs[seat] for seat in self.waiting),
            dealer=heirs[self.dealer],
            rounds=self.rounds,
            counted=self.counted,
            goulash=self.goulash,
            hands_in_a_row=self.hands_in_a_row,
            wins_in_a_row=self.wins_in_a_row,
            draws_in_a_row=self.draws_in_a_row if self.passing.most_draws else 0,
            points=points,
        )

    @property
    def is_finished(self) -> bool:
        rounds_over = self.wind_rounds is not None and self.rounds >= self.wind_rounds
        hands_over = self.hands is not None and len(self.played_deals) >= self.hands
        return rounds_over or hands_over or bool(self.winners)

    @property
    def winners(self) -> tuple[int, ...]:
        most = max(self.totals.values(), default=0)
        if self.passing.first_to is None or most < self.passing.first_to:
            return ()
        return tuple(sorted(seat for seat, total in self.totals.items() if total == most))

    def deal(self) -> Deal:
        order = self.passing.order
        prevailing = order[self.rounds % len(order)]
        places = zip(self.places, self.passing.winds(self.seats), strict=True)
        seat_winds = [(seat, wind) for seat, wind in places if seat != _EMPTY_PLACE]
        return Deal(
            number=len(self.played_deals) + 1,
            winds=dict(sorted(seat_winds)),
            dealer=self.dealer,
            prevailing_wind=prevailing if self.passing.prevailing else None,
            goulash=self.goulash,
            sits_out=self.waiting[0] if self.waiting else None,
        )

    @property
    def future(self) -> str:
        """Everything that decides the deals to come but points: tables alike play on alike."""
        order = "".join(map(str, (*self.places, *self.waiting, self.dealer, int(self.goulash))))
        # How far the winds have come, as far as it matters: winds that had their turn, hands.
        rounds = counted_hands = 0
        if self.passing.prevailing or self.wind_rounds is not None:
            rounds = self.rounds if self.wind_rounds else self.rounds % len(self.passing.order)
            counted_hands = min(self.counted, (self.passing.hands_of_a_wind or self.seats) - 1)
        coming = [
            f"{hand - len(self.played_deals)}:{first}:{other_seat}"
            for hand, first, other_seat in self.exchanges
            if hand > len(self.played_deals) + 1
        ]
        runs = [
            f"{sign}{count}"
            for sign, count, most in (
                ("h", self.hands_in_a_row, self.passing.most_hands),
                ("w", self.wins_in_a_row, self.passing.most_wins),
                ("d", self.draws_in_a_row, self.passing.most_draws),
            )
            if most
        ]
        return ".".join([order, str(rounds), str(counted_hands), *runs, *coming])

    def state_after(self, outcome: int | None) -> "TableState":
        """The table as one more hand would leave it, points apart; this one stays as it is."""
        next_table = copy(self)
        next_table.places, next_table.waiting = [*self.places], [*self.waiting]
        next_table.played_deals = [*self.played_deals]
        if problems := [*next_table.play(len(self.played_deals), outcome, {})]:
            raise BadOutcome(problems)
        return next_table

    def play(self, place: int, outcome: int | None, gains: Mapping[int, int]) -> Iterator[Problem]:
        path = f"outcomes.{place}"
        if self.is_finished:
            yield Problem(
                Code.AFTER_THE_END, path, {"played": quantity(len(self.played_deals), "hand")}
            )
            return
        if outcome is not None and outcome not in self.places:
            yield Problem(Code.BAD_OUTCOME, path, {"found": f"Seat {outcome}, which sits out,"})
            return
        self.played_deals.append(self.deal())
        self.totals.update(gains)
        self.goulash = outcome is None and self.passing.goulash_after_a_draw
        is_passed_on = self._is_passed_on(outcome)
        self._count(is_lost=is_passed_on or outcome not in {None, self.dealer})
        old_dealer = self.dealer
        if is_passed_on:
            self._pass_on()
        elif outcome is not None:
            succession = self.passing.succession
            if outcome != self.places[0] and (self.waiting or succession is Succession.NEXT_PLAYER):
                self._move_on()
            if succession is Succession.WINNER:
                east = self.places.index(outcome)
                self.places = self.places[east:] + self.places[:east]
            self.dealer = outcome if succession is Succession.WINNER_DEALS else self.places[0]
        if is_passed_on or self.dealer != old_dealer:
            self.hands_in_a_row = self.wins_in_a_row = self.draws_in_a_row = 0
        self._exchange()

    def _is_passed_on(self, outcome: int | None) -> bool:
        """Whether whoever dealt and would deal on must pass the deal on; counts their run."""
        if outcome not in {None, self.dealer}:
            return False
        self.hands_in_a_row += 1
        # A drawn hand ends a run of Mah-Jongs.
        self.wins_in_a_row = 0 if outcome is None else self.wins_in_a_row + 1
        self.draws_in_a_row = self.draws_in_a_row + 1 if outcome is None else 0
        passing = self.passing
        return (
            (outcome is None and passing.moves_after_a_draw)
            or self.hands_in_a_row == passing.most_hands
            or self.wins_in_a_row == passing.most_wins
            or self.draws_in_a_row == passing.most_draws
        )

    def _move_on(self) -> None:
        """The winds move on by one; of five players East sits out."""
        self.waiting.append(self.places.pop(0))
        self.places.append(self.waiting.pop(0))

    def _pass_on(self) -> None:
        """The next player deals: as East, or where the winds stay in the dealer's stead."""
        if self.passing.succession is Succession.WINNER_DEALS:
            place = self.places.index(self.dealer) + 1
            self.dealer = self.places[place % len(self.places)]
            return
        self._move_on()
        while self.places[0] == _EMPTY_PLACE:
            self._move_on()
        self.dealer = self.places[0]

    def _exchange(self) -> None:
        """Before a hand is dealt, whoever changes about with it takes the other's place."""
        number = len(self.played_deals) + 1
        for hand, first, other_seat in self.exchanges:
            if hand == number:
                comes = {first: other_seat, other_seat: first}
                self.places = [comes.get(seat, seat) for seat in self.places]
                self.waiting = [comes.get(seat, seat) for seat in self.waiting]
                self.dealer = comes.get(self.dealer, self.dealer)

    def _count(self, *, is_lost: bool) -> None:
        """Count the hand towards the end of a round: every hand, or those that East lost."""
        if self.passing.succession is Succession.WINNER:
            return
        hands = self.passing.hands_of_a_wind
        self.counted += is_lost or hands is not None
        if is_lost and self.counted >= (hands or self.seats):
            self.rounds += 1
            self.counted = 0


@dataclass(frozen=True, slots=True)
class ComingDeal:
    """One deal that may come, its number apart, and which of the states follows it.

    `key` is `TableState.future` before it. `next_states` is by the seat that goes Mah-Jong, 0 for a
    drawn hand: the place of what follows in the states, GAME_OVER where the game ends, None where
    it is further ahead than was asked. Seats that sit out are missing.
    """

    key: str
    deal: Deal
    next_states: Mapping[int, int | None]


def deals_ahead(
    outcomes: Sequence[int | None],
    *,
    rules: RuleSet,
    seats: int,
    wind_rounds: int | None,
    exchanges: Sequence[Exchange] = (),
    dealer: int = 1,
    opening: Opening | None = None,
    hands_ahead: int = HANDS_AHEAD,
) -> tuple[ComingDeal, ...]:
    """Every deal that the next `hands_ahead` hands may come to, the next one first, if any.

    Arguments and errors are those of `deals`. Hands that leave winds, deal and what prevails
    alike lead to the same state, so there are few. What so many hands or points end is not known
    here: whoever walks along the states counts the hands.
    """
    table = table_after(
        outcomes,
        rules=rules,
        seats=seats,
        wind_rounds=wind_rounds,
        hands=None,
        exchanges=exchanges,
        dealer=dealer,
        opening=opening,
    )
    return () if table.is_finished else tuple(_explore_deals(table, hands_ahead))


def _explore_deals(table: TableState, hands_ahead: int) -> list[ComingDeal]:
    """Breadth first, so that what is cut off is what is furthest ahead."""
    places = {table.future: 0}
    waiting = deque([(table, 0)])
    coming = []
    while waiting:
        state, depth = waiting.popleft()
        deal, next_places = state.deal(), dict[int, int | None]()
        for outcome in (0, *deal.winds):
            next_state = state.state_after(outcome or None)
            key = next_state.future
            if not next_state.is_finished and key not in places and depth < hands_ahead:
                places[key] = len(places)
                waiting.append((next_state, depth + 1))
            next_places[outcome] = GAME_OVER if next_state.is_finished else places.get(key)
        coming.append(ComingDeal(state.future, deal, next_places))
    return coming


def deals_ahead_as_json(states: Sequence[ComingDeal]) -> dict[str, Any]:
    """The states as a page reads them: few kinds of deal, and for each state a short row.

    A row is its key, the place of its deal and what follows by seat, drawn first (null for a seat
    that sits out too). A deal's winds are one text: `1E2S3W4N`.
    """
    kinds: dict[tuple[Any, ...], int] = {}
    rows = []
    for state in states:
        deal = state.deal
        winds = "".join(f"{seat}{wind.value}" for seat, wind in deal.winds.items())
        deal_key = (winds, deal.dealer, deal.prevailing_wind or "", deal.goulash)
        kind = kinds.setdefault(deal_key, len(kinds))
        next_places = [state.next_states.get(seat) for seat in range(max(state.next_states) + 1)]
        rows.append([state.key, kind, *next_places])
    names = ("winds", "dealer", "prevailing", "goulash")
    return {"deals": [dict(zip(names, kind, strict=True)) for kind in kinds], "states": rows}
