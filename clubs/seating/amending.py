"""Seated rounds that wait, fitted to whoever plays now: few meet again, and few move."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from clubs.seating.request import WINDS, Plan, PlannedTable, Request, Round
from clubs.seating.search import Dice, team_mates, times_sat_out
from clubs.seating.why import plan_with_report

PLAYERS_PER_TABLE = 4
EMPTY_SEAT = -1
SEARCHES = 4  # searches, of which the best counts
STEPS_PER_SEARCH = 6_000  # exchanges tried in a search
# Costs that are readily accepted at the start and at the end. The first search starts cool: in a
# large hall nearly everybody is in a good seat already.
START_HEAT, FIRST_START_HEAT, END_HEAT = 300.0, 20.0, 1.0
HOMEWARD_SHARE = 0.5  # how many in one exchange concern whoever is not in their own seat
# Exchanges looked at in the end; of a place with how many others.
MAX_LAST_LOOKS, MAX_PARTNERS = (4_000, 60)
SEATS_SAMPLED = 6  # seats looked at for one whose player has bad company


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much. `turn`: someone sits out before their turn."""

    apart: int = 1_000_000
    turn: int = 100_000
    team: int = 10_000
    repeat: int = 1_000
    move: int = 100
    winds: int = 12
    returns: int = 5


@dataclass(slots=True)
class WaitingRound:
    """A round that waits: its places table by table, East first, then those without a seat.

    home: who had each seat; EMPTY_SEAT at a table that is new.
    """

    numbers: list[int]
    places: list[int]
    home: list[int]

    @property
    def seats(self) -> int:
        return PLAYERS_PER_TABLE * len(self.numbers)

    def mates(self, place: int) -> list[int]:
        """The others at the table of a seat."""
        start = place - place % PLAYERS_PER_TABLE
        table = self.places[start : start + PLAYERS_PER_TABLE]
        return [
            mate
            for mate_place, mate in enumerate(table, start)
            if mate_place != place and mate != EMPTY_SEAT
        ]


@dataclass(slots=True)
class Amendment:
    """All waiting rounds, and what has happened by their end: meetings, winds, tables, turns."""

    rounds: list[WaitingRound]
    meetings: list[list[int]]
    price: list[list[int]]  # what a meeting of two who should not meet costs
    winds: list[list[int]]
    visits: list[dict[int, int]]
    turns: list[int]  # at sitting out, before these rounds
    weights: Weights
    unfair: int = 0

    def enter(self, round_: WaitingRound, place: int, player: int) -> int:
        """Seat a player at an empty place; the change of cost."""
        weights = self.weights
        cost = 0
        if place < round_.seats:
            for mate in round_.mates(place):
                is_repeat = self.meetings[player][mate] > 0
                cost += weights.repeat * is_repeat + self.price[player][mate]
                self.meetings[player][mate] += 1
                self.meetings[mate][player] += 1
            number, wind = round_.numbers[place // PLAYERS_PER_TABLE], place % PLAYERS_PER_TABLE
            old_imbalance = imbalance(self.winds[player])
            self.winds[player][wind] += 1
            cost += weights.winds * (imbalance(self.winds[player]) - old_imbalance)
            visits = self.visits[player].get(number, 0)
            self.visits[player][number] = visits + 1
            cost += weights.returns * (visits > 0) + weights.move * (round_.home[place] != player)
        round_.places[place] = player
        return cost

    def leave(self, round_: WaitingRound, place: int) -> int:
        """Empty a place; the change of cost."""
        weights, player = self.weights, round_.places[place]
        round_.places[place] = EMPTY_SEAT
        cost = 0
        if place < round_.seats:
            for mate in round_.mates(place):
                self.meetings[player][mate] -= 1
                self.meetings[mate][player] -= 1
                is_repeat = self.meetings[player][mate] > 0
                cost -= weights.repeat * is_repeat + self.price[player][mate]
            number, wind = round_.numbers[place // PLAYERS_PER_TABLE], place % PLAYERS_PER_TABLE
            old_imbalance = imbalance(self.winds[player])
            self.winds[player][wind] -= 1
            cost += weights.winds * (imbalance(self.winds[player]) - old_imbalance)
            self.visits[player][number] -= 1
            cost -= weights.returns * (self.visits[player][number] > 0)
            cost -= weights.move * (round_.home[place] != player)
        return cost

    def exchange(self, round_: WaitingRound, first: int, second: int) -> int:
        """Exchange the players of two places of a round; the change of cost."""
        first_player, second_player = round_.places[first], round_.places[second]
        change = self.leave(round_, first) + self.leave(round_, second)
        change += self.enter(round_, first, second_player) + self.enter(
            round_, second, first_player
        )
        if max(first, second) >= round_.seats:
            old_unfairness, self.unfair = self.unfair, self.turns_before_time()
            change += self.weights.turn * (self.unfair - old_unfairness)
        return change

    def turns_before_time(self) -> int:
        """How many turns at sitting out come too early: others have had fewer."""
        turns = list(self.turns)
        early_turns = 0
        for round_ in self.rounds:
            sitting_out = round_.places[round_.seats :]
            if sitting_out:
                latest = sorted(turns[player] for player in round_.places)[len(sitting_out) - 1]
                early_turns += sum(max(0, turns[player] - latest) for player in sitting_out)
                for player in sitting_out:
                    turns[player] += 1
        return early_turns

    def place_to_change(self, round_: WaitingRound, dice: Dice) -> int:
        """A place worth exchanging: without a seat, not its player's own, or of bad company."""
        if dice.roll() < HOMEWARD_SHARE:
            pairs = zip(round_.places, round_.home, strict=False)
            strange = [
                place for place, (player, home_player) in enumerate(pairs) if player != home_player
            ]
            strange += range(round_.seats, len(round_.places))
            if strange:
                return strange[dice.roll_below(len(strange))]
        place = 0
        for _ in range(SEATS_SAMPLED):
            place = dice.roll_below(round_.seats)
            if self.is_unhappy(round_, place, round_.places[place]):
                break
        return place

    def is_unhappy(self, round_: WaitingRound, place: int, player: int) -> bool:
        """Whether the player of a seat meets someone again there, or whom they should not meet."""
        row, prices = self.meetings[player], self.price[player]
        return any(row[mate] > 1 or prices[mate] > 0 for mate in round_.mates(place))

    def search(self, dice: Dice, warmest: float) -> None:
        """Exchange players, at first now and then for the worse, and end at the best seating."""
        self.descend(dice)
        cost, best_cost = 0, 0
        best = [list(round_.places) for round_ in self.rounds]
        for step in range(STEPS_PER_SEARCH):
            heat = warmest + (END_HEAT - warmest) * step / STEPS_PER_SEARCH
            round_ = self.rounds[dice.roll_below(len(self.rounds))]
            first = self.place_to_change(round_, dice)
            second = self.partner(round_, first, dice)
            if first == second or min(first, second) >= round_.seats:
                continue
            change = self.exchange(round_, first, second)
            if change > 0 and dice.roll() * change > heat:
                self.exchange(round_, first, second)
                continue
            cost += change
            if cost < best_cost:
                best, best_cost = [list(round_.places) for round_ in self.rounds], cost
        for round_, places in zip(self.rounds, best, strict=True):
            self.arrange(round_, places)
        self.descend(dice)

    def descend(self, dice: Dice) -> None:
        """Take the best exchange at each place worth one, until none is for the better."""
        tries, is_better = 0, True
        while is_better and tries < MAX_LAST_LOOKS:
            is_better = False
            for round_ in self.rounds:
                for first in self.places_to_change(round_):
                    tries += min(len(round_.places), MAX_PARTNERS)
                    is_better |= self.exchange_best(round_, first, dice)

    def places_to_change(self, round_: WaitingRound) -> list[int]:
        """The places without a seat, those that are not their player's own, and bad company."""
        return [
            place
            for place, player in enumerate(round_.places)
            if place >= round_.seats
            or player != round_.home[place]
            or self.is_unhappy(round_, place, player)
        ]

    def exchange_best(self, round_: WaitingRound, first: int, dice: Dice) -> bool:
        """Exchange a place with the partner that saves most; whether there is one."""
        partners = list(range(len(round_.places)))
        dice.shuffle(partners)
        best, least = -1, 0
        for second in partners[:MAX_PARTNERS]:
            if first == second or min(first, second) >= round_.seats:
                continue
            change = self.exchange(round_, first, second)
            self.exchange(round_, first, second)
            if change < least:
                best, least = second, change
        if best >= 0:
            self.exchange(round_, first, best)
        return best >= 0

    def partner(self, round_: WaitingRound, place: int, dice: Dice) -> int:
        """A place to exchange with: often the player's own, else any."""
        player = round_.places[place]
        if (
            dice.roll() < HOMEWARD_SHARE
            and player in round_.home
            and round_.home[place:][:1] != [player]
        ):
            return round_.home.index(player)
        return dice.roll_below(len(round_.places))

    def arrange(self, round_: WaitingRound, places: Sequence[int]) -> None:
        """Put a round's players into these places."""
        for place in range(len(places)):
            self.leave(round_, place)
        for place, player in enumerate(places):
            self.enter(round_, place, player)
        self.unfair = self.turns_before_time()


def imbalance(times: Sequence[int]) -> int:
    """The most frequent wind minus the rarest, beyond the one that uneven games force."""
    return max(times) - min(times) - (sum(times) % len(WINDS) > 0)


def amend_rounds(request: Request, waiting: Sequence[Round]) -> Plan | None:
    """The waiting rounds for the players of the request; None unless all tables are fours.

    waiting: the rounds as they are seated, in place of the request's new ones. Nobody sits out
    before their turn, and whoever comes late has had the rounds that they missed. Then as few as
    can be found meet again, and of such seatings the fewest seats change; a table that is no
    longer needed is left out, and the others keep their numbers.
    """
    tables = [table for round_ in (*request.played, *waiting) for table in round_.tables]
    if any(tuple(table.seats) != WINDS for table in tables) or len(waiting) != request.rounds:
        return None
    dice = Dice(request.seed)
    best: tuple[tuple[int, ...], list[Round]] | None = None
    for number in range(SEARCHES):
        amendment = _draft_amendment(request, waiting, dice, is_shuffled=number > 0)
        amendment.search(dice, START_HEAT if number else FIRST_START_HEAT)
        rounds = list(_rounds_with_names(request, amendment))
        cost = _seating_costs(request, waiting, rounds, amendment.unfair)
        if best is None or cost < best[0]:
            best = cost, rounds
        if not any(cost):
            break
    if best is None:
        return None
    return plan_with_report(request, [*request.played, *best[1]])


def _seating_costs(
    request: Request, waiting: Sequence[Round], rounds: Sequence[Round], unfair: int
) -> tuple[int, ...]:
    """What a seating costs, the weightiest first."""
    report = plan_with_report(request, [*request.played, *rounds]).report
    meetings = (report.team_meetings, report.repeated_meetings)
    moves = moved_seats(waiting, rounds)
    broken_count = len(report.broken)
    return (broken_count, unfair, *meetings, moves, report.wind_imbalance, report.table_revisits)


def moved_seats(old_rounds: Sequence[Round], new_rounds: Sequence[Round]) -> int:
    """How many seats have another player than before; a seat that is gone does not count."""
    return sum(
        seat not in _seat_set(old)
        for old, new in zip(old_rounds, new_rounds, strict=True)
        for seat in _seat_set(new)
    )


def _seat_set(round_: Round) -> set[tuple[int, str, str]]:
    """Every seat of a round: table, wind, player."""
    return {
        (table.number, wind, name) for table in round_.tables for wind, name in table.seats.items()
    }


def _draft_amendment(
    request: Request, waiting: Sequence[Round], dice: Dice, *, is_shuffled: bool
) -> Amendment:
    """The waiting rounds with everybody somewhere: free seats filled, surplus tables left out."""
    number = {name: index for index, name in enumerate(request.players)}
    size = len(number)
    price = [[0] * size for _ in range(size)]
    weights = Weights()
    for pairs, cost in ((request.apart, weights.apart), (team_mates(request.teams), weights.team)):
        for player_name, other_name in pairs:
            price[number[player_name]][number[other_name]] = price[number[other_name]][
                number[player_name]
            ] = cost
    amendment = Amendment(
        rounds=[],
        meetings=[[0] * size for _ in range(size)],
        price=price,
        winds=[[0] * len(WINDS) for _ in range(size)],
        visits=[{} for _ in range(size)],
        turns=times_sat_out(request),
        weights=weights,
    )
    turns = list(amendment.turns)
    order = list(range(size))
    if is_shuffled:
        dice.shuffle(order)
    for played_round in request.played:
        _record_played_round(
            amendment,
            [number[name] for table in played_round.tables for name in table.names],
            [table.number for table in played_round.tables],
        )
    for round_number, round_ in enumerate(waiting, len(request.played) + 1):
        roster = {number[name] for name in request.roster(round_number)}
        draft_round = _fit_round(round_, number, roster, turns, order)
        for player in draft_round.places[draft_round.seats :]:
            turns[player] += 1
        amendment.rounds.append(draft_round)
        places = draft_round.places
        draft_round.places = [EMPTY_SEAT] * len(places)
        for place, player in enumerate(places):
            amendment.enter(draft_round, place, player)
    amendment.unfair = amendment.turns_before_time()
    return amendment


def _record_played_round(amendment: Amendment, players: Sequence[int], numbers: list[int]) -> None:
    """Count a round that was played."""
    empty = WaitingRound(numbers, [EMPTY_SEAT] * len(players), list(players))
    for place, player in enumerate(players):
        amendment.enter(empty, place, player)


def _fit_round(
    round_: Round,
    number: Mapping[str, int],
    roster: Set[int],
    turns: Sequence[int],
    order: Sequence[int],
) -> WaitingRound:
    """A round with as many tables as are needed, and everyone there at one place.

    Tables with the most empty seats are left out first. Whoever sat out most is seated first;
    order: of those who sat out alike, who comes first.
    """
    table_count = len(roster) // PLAYERS_PER_TABLE
    tables = [
        (table.number, [number.get(name, EMPTY_SEAT) for name in table.names])
        for table in round_.tables
    ]
    tables.sort(
        key=lambda table: (sum(p not in roster for p in table[1]), order[table[0] % len(order)])
    )
    tables = sorted(tables[:table_count])
    numbers = {table for table, _ in tables}
    unused_numbers = (
        table_number
        for table_number in range(1, table_count + len(numbers) + 1)
        if table_number not in numbers
    )
    tables += [
        (next(unused_numbers), [EMPTY_SEAT] * PLAYERS_PER_TABLE)
        for _ in range(table_count - len(tables))
    ]
    home = [player for _, table in tables for player in table]
    places = [player if player in roster else EMPTY_SEAT for player in home]
    free = [player for player in order if player in roster and player not in places]
    free.sort(key=lambda player: -turns[player])
    # Of several leavers each has one successor, round after round.
    empty = sorted(
        (home_player, place)
        for place, home_player in enumerate(home)
        if places[place] == EMPTY_SEAT
    )
    for (_, place), player in zip(empty, free, strict=False):
        places[place] = player
    return WaitingRound([table for table, _ in tables], [*places, *free[len(empty) :]], home)


def _rounds_with_names(request: Request, amendment: Amendment) -> Iterator[Round]:
    """The rounds with names, tables in the order of their numbers."""
    names = request.players
    for round_ in amendment.rounds:
        tables = [
            PlannedTable(
                table,
                {
                    wind: names[round_.places[PLAYERS_PER_TABLE * index + seat]]
                    for seat, wind in enumerate(WINDS)
                },
            )
            for index, table in enumerate(round_.numbers)
        ]
        tables.sort(key=lambda table: table.number)
        sitting_out = sorted(round_.places[round_.seats :])
        yield Round(tuple(tables), tuple(names[player] for player in sitting_out))
