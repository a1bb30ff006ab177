"""Who pays whom and how the winds pass on, as each of the five books says; and random games."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.scoring.oracle.hand import Fields
from tests.scoring.oracle.tiles import CLAIMED, NUMBER_OF_WIND, WAYS_TO_WIN

Payment = tuple[str, str, int]
LIMITS = {"bmja": 1000, "tallies": 2000}
SCORES_ONLY_ADD_UP = {"safalra", "baggaley"}


@dataclass(frozen=True)
class Settlement:
    """The payments above nothing, payer, payee and points; and what each seat gains in all."""

    payments: tuple[Payment, ...] = ()
    gain: dict[str, int] = field(default_factory=dict)
    problem_codes: frozenset[str] = frozenset()


def settle(key: str, fields: Fields) -> Settlement:
    """The settlement of one line of the contract's `settle`."""
    codes = frozenset(wrong(key, fields))
    if codes:
        return Settlement(problem_codes=codes)
    scores, winner = fields["scores"], fields["winner"]
    if winner is None:
        return Settlement(gain=dict.fromkeys(scores, 0))
    if key in SCORES_ONLY_ADD_UP:
        return Settlement(gain=dict(scores))
    return of_payments(scores, liable(fields, list(payments(key, fields))))


def wrong(key: str, fields: Fields) -> Iterator[str]:
    """The codes of what is wrong, where the scores are numbers."""
    scores, winner = fields["scores"], fields["winner"]
    named_seats = [winner, *(fields.get(name) for name in ("dealer", "discarder", "pays_for_all"))]
    if any(seat not in (None, *NUMBER_OF_WIND) for seat in (*scores, *named_seats)):
        yield "bad_wind"
        return
    if len(scores) < 2 or "E" not in scores:
        yield "bad_seat"
    if winner is None:
        return
    if any(score < 0 or score > LIMITS.get(key, score) for score in scores.values()):
        yield "bad_score"
    other_seats = [fields.get("discarder"), fields.get("pays_for_all")]
    if winner not in scores or any(seat not in (None, *scores) for seat in other_seats):
        yield "bad_seat"
    if winner in other_seats or fields.get("dealer", "E") not in scores:
        yield "bad_seat"
    yield from wrong_ending(key, fields)


def wrong_ending(key: str, fields: Fields) -> Iterator[str]:
    won_by = fields.get("won_by")
    if won_by not in (None, *WAYS_TO_WIN):
        yield "bad_value"
    if key == "tallies" and won_by is None:
        yield "won_by_missing"
    if key == "tallies" and won_by in CLAIMED and fields.get("discarder") is None:
        yield "discarder_missing"


def payments(key: str, fields: Fields) -> Iterator[Payment]:
    """What is paid when everyone pays for himself."""
    if key == "tallies":
        yield from tallies_payments(fields)
        return
    scores, winner = fields["scores"], fields["winner"]
    two_seats_of_bmja = key == "bmja" and len(scores) == 2
    for loser in scores:
        if loser == winner:
            continue
        double = "E" in (loser, winner) and not two_seats_of_bmja
        yield loser, winner, scores[winner] * (2 if double else 1)
    yield from between_losers(scores, winner)


def between_losers(scores: dict[str, int], winner: str) -> Iterator[Payment]:
    """The lower of two losers pays the higher the difference, twice if one of them is East."""
    losers = [seat for seat in scores if seat != winner]
    for low in losers:
        for high in losers:
            if scores[low] < scores[high]:
                share = scores[high] - scores[low]
                yield low, high, share * (2 if "E" in (low, high) else 1)


def tallies_payments(fields: Fields) -> Iterator[Payment]:
    """Only the winner is paid: by everyone if he drew his tile, else by the discarder."""
    scores, winner = fields["scores"], fields["winner"]
    dealer = fields.get("dealer", "E") if len(scores) > 2 else None
    for payer in scores:
        if payer == winner:
            continue
        share = scores[winner] * (2 if dealer in (payer, winner) else 1)
        if fields["won_by"] not in CLAIMED:
            yield payer, winner, share
        elif payer == fields["discarder"]:
            yield payer, winner, 2 * share


def liable(fields: Fields, shares: list[Payment]) -> list[Payment]:
    """One payment of all the winner's shares, where someone pays for all."""
    payer, winner = fields.get("pays_for_all"), fields["winner"]
    if payer is None:
        return shares
    return [(payer, winner, sum(points for _payer, payee, points in shares if payee == winner))]


def of_payments(scores: dict[str, int], paid: list[Payment]) -> Settlement:
    """The payments above nothing and what they come to."""
    gain = Counter(dict.fromkeys(scores, 0))
    for payer, payee, points in paid:
        gain[payer] -= points
        gain[payee] += points
    return Settlement(tuple(sorted(payment for payment in paid if payment[2])), dict(gain))


WINDS = "ESWN"
ROUND_THE_TABLE = {2: "EW", 3: "ESW", 4: "ESWN", 5: "ESWN"}
WITH_EMPTY_PLACES = {2: ["1", "empty", "2", "empty too"], 3: ["1", "2", "3", "empty"]}
GOAL = 100


@dataclass
class Table:
    """A game as it stands: who has which wind (East first), who deals, what prevails."""

    winds: dict[str, str]
    dealer: str = "1"
    waiting: str | None = None
    goulash: bool = False
    prevailing: int = 0
    easts_lost: int = 0
    hands_of_wind: int = 0
    points: Counter[str] = field(default_factory=Counter)

    @property
    def seats(self) -> int:
        """How many players there are."""
        return len(self.winds) + (self.waiting is not None)


@dataclass(frozen=True)
class Game:
    """The hands of a game, or what is wrong with its outcomes."""

    hands: list[Fields] = field(default_factory=list)
    finished: bool = False
    problem_codes: frozenset[str] = frozenset()


def play(key: str, fields: Fields) -> Game:
    """The hands of one line of the contract's `play`.

    `seats` are 4 and `dealer` is seat 1 unless given; `gains`, where given, are what each seat
    scored in each hand.
    """
    rounds = fields.get("rounds", 4)
    gains = fields.get("gains", [{} for _hand in fields["outcomes"]])
    table = set_up(key, fields.get("seats", 4))
    table.dealer = str(fields.get("dealer", "1"))
    if table.dealer not in (table.winds if key == "tallies" else {"1"}):
        return Game(problem_codes=frozenset({"bad_value"}))
    hands = [as_hand(key, table, 1)]
    for outcome, gain in zip(fields["outcomes"], gains, strict=True):
        if is_over(key, table, rounds):
            return Game(problem_codes=frozenset({"after_the_end"}))
        if outcome != "draw" and outcome not in hands[-1]["winds"]:
            return Game(problem_codes=frozenset({"bad_outcome"}))
        table.points.update(gain)
        PASS_ON[key](table, outcome)
        hands.append(as_hand(key, table, len(hands) + 1))
    is_finished = is_over(key, table, rounds)
    return Game(hands[:-1] if is_finished else hands, is_finished)


def set_up(key: str, seats: int) -> Table:
    """The first hand: seat 1 is East; a fifth player waits; Safalra's empty places have winds."""
    if key == "safalra" and seats < 4:
        return Table(dict(zip(WITH_EMPTY_PLACES[seats], WINDS, strict=True)))
    winds = "ENWS" if key == "baggaley" else ROUND_THE_TABLE[seats]
    table = Table({str(number): wind for number, wind in enumerate(winds, start=1)})
    table.waiting = "5" if seats == 5 else None
    return table


def is_over(key: str, table: Table, rounds: int | None) -> bool:
    """Whether so many winds, or rounds, have had their turn, or someone has won the race."""
    if key == "baggaley":
        return max(table.points.values(), default=0) >= GOAL
    return key != "safalra" and rounds is not None and table.prevailing >= rounds


def as_hand(key: str, table: Table, number: int) -> dict[str, Any]:
    """A hand as the contract writes it."""
    prevails = key in {"bmja", "tallies"}
    return {
        "number": number,
        "winds": {seat: wind for seat, wind in table.winds.items() if seat.isdigit()},
        "dealer": table.dealer,
        "prevailing_wind": WINDS[table.prevailing % 4] if prevails else None,
        "goulash": table.goulash,
    }


def east_of(table: Table) -> str:
    """The seat that is East: the first."""
    return next(iter(table.winds))


def bmja(table: Table, outcome: str) -> None:
    """As the English play, with a goulash after a drawn hand."""
    table.goulash = outcome == "draw"
    english(table, outcome)


def english(table: Table, outcome: str) -> None:
    """East stays on a win or a draw; a round, or a wind, ends when all have had and lost East."""
    if outcome in ("draw", east_of(table)):
        return
    rotate(table)
    table.easts_lost += 1
    if table.easts_lost == table.seats:
        table.easts_lost, table.prevailing = 0, table.prevailing + 1


def rotate(table: Table) -> None:
    """Every wind moves on by one place; who waited becomes the last wind and East waits."""
    in_order = list(table.winds.values())
    seats = list(table.winds)
    if table.waiting is not None:
        east = seats.pop(0)
        seats, table.waiting = [*seats, table.waiting], east
    else:
        seats = [*seats[1:], seats[0]]
    table.winds = dict(zip(seats, in_order, strict=True))
    table.dealer = seats[0]


def safalra(table: Table, outcome: str) -> None:
    """The winner becomes East, and the others follow in their order round the table."""
    if outcome != "draw":
        while table.winds[outcome] != "E":
            rotate(table)


def tallies(table: Table, outcome: str) -> None:
    """The winner deals; the wind changes when the dealer loses its fifth hand or a later one."""
    table.hands_of_wind += 1
    if outcome == "draw":
        return
    dealer_before = table.dealer
    if table.waiting is not None and outcome != east_of(table):
        rotate(table)
    table.dealer = outcome
    if outcome == dealer_before:
        return
    if table.hands_of_wind >= 5:
        table.hands_of_wind, table.prevailing = 0, table.prevailing + 1


PASS_ON: dict[str, Callable[[Table, str], None]] = {
    "bmja": bmja,
    "english": english,
    "tallies": tallies,
    "safalra": safalra,
    "baggaley": english,
}


SPOILT = 0.08
SEATS = {"bmja": [2, 3, 5], "tallies": [2, 3, 5], "english": [3], "safalra": [2, 3], "baggaley": []}


def a_settlement(key: str, chance: random.Random) -> Fields:
    """A `settle` line; now and then with one thing wrong."""
    seats = seats_in_play(chance)
    winner = chance.choice([*seats, *seats, None])
    scores = {seat: a_score(key, chance) for seat in seats}
    if key == "tallies":
        least = chance.choice([0, 0, 1])
        scores = {seat: score * (least or seat == winner) for seat, score in scores.items()}
    fields: Fields = {"scores": scores, "winner": winner}
    if winner is not None:
        other_seats = [seat for seat in seats if seat != winner]
        fields |= ending(key, other_seats, chance)
    if key == "tallies":
        fields["dealer"] = chance.choice(seats)
    return spoil(key, fields, chance) if winner and chance.random() < SPOILT else fields


def seats_in_play(chance: random.Random) -> list[str]:
    """East and one to three others, in any order."""
    other_seats = chance.choices(["SWN", "SW", "W", "SN", "N"], weights=[80, 6, 6, 4, 4])[0]
    return chance.sample(["E", *other_seats], len(other_seats) + 1)


def a_score(key: str, chance: random.Random) -> int:
    most = LIMITS.get(key, 3000)
    return min(chance.choice([0, 2 * chance.randrange(60), 4 * chance.randrange(900)]), most)


def ending(key: str, other_seats: list[str], chance: random.Random) -> Fields:
    """How the hand was won, and who is to answer for it."""
    fields: Fields = {}
    if key == "tallies" or chance.random() < 0.6:
        fields["won_by"] = chance.choice(WAYS_TO_WIN)
    if fields.get("won_by") in CLAIMED and (key == "tallies" or chance.random() < 0.5):
        fields["discarder"] = chance.choice(other_seats)
    if chance.random() < 0.15:
        fields["pays_for_all"] = chance.choice(other_seats)
    return fields


def spoil(key: str, fields: Fields, chance: random.Random) -> Fields:
    """One thing wrong."""
    first = next(iter(fields["scores"]))
    too_much = LIMITS.get(key, -3) + 2
    wrong: list[Fields] = [
        {"scores": fields["scores"] | {first: chance.choice([-2, too_much])}},
        {"won_by": "luck"},
        {"pays_for_all": fields["winner"]},
    ]
    wrong += [{name: "X"} for name in ("winner", "discarder", "pays_for_all")]
    wrong += [{"winner": seat} for seat in "ESWN" if seat not in fields["scores"]]
    if key == "tallies":
        wrong += [{"won_by": None, "discarder": None}, {"won_by": "discard", "discarder": None}]
    return fields | chance.choice(wrong)


def a_game(key: str, chance: random.Random) -> Fields:
    """A `play` line; now and then it goes on after the end, or names nobody who plays."""
    seats = chance.choice([4, 4, 4, 4, *SEATS[key]])
    fields: Fields = {"outcomes": [], "rounds": chance.choice([1, 2, 4, None])}
    if seats != 4:
        fields["seats"] = seats
    if key == "tallies" and chance.random() < 0.5:
        fields["dealer"] = chance.choice("1234"[:seats])
    east_wins = chance.choice([0.0, 0.2, 0.6])
    for _hand in range(chance.choice([0, 1, 4, 12, 30, 60] if seats != 5 else [0, 1, 4, 12])):
        fields["outcomes"].append(an_outcome(key, fields, east_wins, chance))
    if chance.random() < 0.04:
        fields["rounds"] = None
        fields["outcomes"].append(chance.choice(["9", "nobody"]))
    return fields


def an_outcome(key: str, fields: Fields, east_wins: float, chance: random.Random) -> str:
    """A draw, or the seat of someone in play: East's as often as asked."""
    if chance.random() < 0.12:
        return "draw"
    if "seats" not in fields:
        return "1" if chance.random() < east_wins / 4 else chance.choice("1234")
    winds: dict[str, str] = play(key, fields | {"rounds": None}).hands[-1]["winds"]
    east = next(seat for seat, wind in winds.items() if wind == "E")
    return east if chance.random() < east_wins else chance.choice(sorted(winds))
