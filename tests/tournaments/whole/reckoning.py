"""What a tournament comes to, reckoned from the hands as they were sent, by plain sums.

Nothing of the house is asked: winds, payments, table points and places are worked out here from
the books; tiles are counted by the slow scorer that the engine is held against.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from math import floor
from typing import Any, NamedTuple

from tests.scoring.oracle import judge

SHARES = (4, 2, 1, 0)
CLAIMED = {"discard", "last_discard", "robbed_kong"}
Sent = Mapping[str, Any]
BySeat = dict[int, int]


class Dealt(NamedTuple):
    """How a hand is dealt: the wind of each seat, who deals, what prevails."""

    winds: dict[int, str]
    dealer: int
    prevailing: str | None = None
    goulash: bool = False


@dataclass
class Sheet:
    """One table's game on paper: its names, the first East first, its hands, what was ruled."""

    rules: str
    round: int
    table: int
    names: tuple[str, ...]
    hands: list[Sent] = field(default_factory=list)
    ruling_points: Counter[int] = field(default_factory=Counter)

    @property
    def deals(self) -> list[Dealt]:
        """How each hand was dealt, and how the next one is."""
        return list(PASS_ON[self.rules]([hand["winner"] for hand in self.hands]))

    @property
    def scored_hands(self) -> list[tuple[Sent, BySeat, BySeat]]:
        """Each hand with its scores and its gains by seat."""
        return [
            (hand, *_scores_and_gains(self.rules, hand, deal))
            for hand, deal in zip(self.hands, self.deals, strict=False)
        ]

    @property
    def is_won(self) -> bool:
        """Whether someone has the 100 points to which one rule set plays."""
        return self.rules == "baggaley" and max(self.gains.values()) >= 100

    @property
    def gains(self) -> BySeat:
        """What each seat has won or lost by its hands and by what was ruled."""
        total = Counter(dict.fromkeys(range(1, 5), 0))
        for _, _, gains in self.scored_hands:
            total.update(gains)
        total.update(self.ruling_points)
        return dict(total)


def _bmja(winners: Iterable[int | None]) -> Iterator[Dealt]:
    """East stays who wins or draws; else the winds move on, and after four such the prevailing."""
    east, lost_deals, goulash = 0, 0, False
    for winner in (*winners, None):
        seats = {(east + place) % 4 + 1: wind for place, wind in enumerate("ESWN")}
        yield Dealt(seats, east + 1, "ESWN"[lost_deals // 4 % 4], goulash)
        goulash = winner is None
        if winner not in {None, east + 1}:
            east, lost_deals = (east + 1) % 4, lost_deals + 1


def _baggaley(winners: Iterable[int | None]) -> Iterator[Dealt]:
    """The second player is North; East passes on as elsewhere, and nothing prevails."""
    east = 0
    for winner in (*winners, None):
        seats = {(east + place) % 4 + 1: wind for place, wind in enumerate("ENWS")}
        yield Dealt(seats, east + 1)
        if winner not in {None, east + 1}:
            east = (east + 1) % 4


def _tallies(winners: Iterable[int | None]) -> Iterator[Dealt]:
    """Winds stay; the winner deals; from the fifth hand on a dealer who loses moves the wind."""
    dealer, hands, wind = 1, 0, 0
    for winner in (*winners, None):
        yield Dealt({1: "E", 2: "S", 3: "W", 4: "N"}, dealer, "ESWN"[wind % 4])
        hands += 1
        if hands >= 5 and winner not in {None, dealer}:
            hands, wind = 0, wind + 1
        dealer = winner or dealer


PASS_ON: dict[str, Callable[[Iterable[int | None]], Iterator[Dealt]]] = {
    "bmja": _bmja,
    "baggaley": _baggaley,
    "tallies": _tallies,
}


def _scores_and_gains(rules: str, hand: Sent, deal: Dealt) -> tuple[BySeat, BySeat]:
    """Scores and gains by seat; of a drawn hand none."""
    if hand["winner"] is None:
        return {}, dict.fromkeys(deal.winds, 0)
    scores = {int(seat): score for seat, score in hand.get("scores", {}).items()}
    for seat, tiles in hand.get("tiles", {}).items():
        scores[int(seat)] = _score(rules, hand, tiles, int(seat), deal)
    return scores, SETTLE[rules](scores, hand, deal)


def _score(rules: str, hand: Sent, tiles: Sent, seat: int, deal: Dealt) -> int:
    won = hand["winner"] == seat
    total = judge(
        rules,
        {
            **tiles,
            "seat_wind": deal.winds[seat],
            "prevailing_wind": deal.prevailing,
            "dealer": deal.dealer == seat,
            "mahjong": won,
            "won_by": hand.get("won_by") if won else None,
            "goulash": deal.goulash,
        },
    ).total
    assert total is not None
    return total


def _bmja_gains(scores: BySeat, hand: Sent, deal: Dealt) -> BySeat:
    """All pay the winner his score; of two losers the lower pays the difference; East twice.

    Whoever pays for all pays the winner what all three owe him, and that is all.
    """
    gains = dict.fromkeys(deal.winds, 0)
    winner, liable = hand["winner"], hand.get("pays_for_all")

    def owe(debtor: int, creditor: int, points: int) -> int:
        return 2 * points if "E" in {deal.winds[debtor], deal.winds[creditor]} else points

    def pay(payer: int, payee: int, points: int) -> None:
        gains[payer] -= points
        gains[payee] += points

    losers = [seat for seat in gains if seat != winner]
    for loser in losers:
        pay(liable or loser, winner, owe(loser, winner, scores[winner]))
    for low, high in permutations(losers, 2):
        if liable is None and scores[low] < scores[high]:
            pay(low, high, owe(low, high, scores[high] - scores[low]))
    return gains


def _tallies_gains(scores: BySeat, hand: Sent, deal: Dealt) -> BySeat:
    """Only the winner is paid: by all, or twice by the discarder alone; the dealer counts twice."""
    gains = dict.fromkeys(deal.winds, 0)
    winner = hand["winner"]
    is_claimed = hand["won_by"] in CLAIMED
    for payer in gains:
        if payer == winner or (is_claimed and payer != hand["discarder"]):
            continue
        points = scores[winner] * (2 if deal.dealer in {payer, winner} else 1)
        points *= 2 if is_claimed else 1
        gains[payer] -= points
        gains[winner] += points
    return gains


def _baggaley_gains(scores: BySeat, hand: Sent, deal: Dealt) -> BySeat:
    """Nobody pays; what everyone scored is added up."""
    return {seat: scores.get(seat, 0) for seat in deal.winds}


SETTLE: dict[str, Callable[[BySeat, Sent, Dealt], BySeat]] = {
    "bmja": _bmja_gains,
    "baggaley": _baggaley_gains,
    "tallies": _tallies_gains,
}


def place_shares(gains: BySeat) -> dict[int, Fraction]:
    """4, 2, 1 and 0 for the places at a table; those who are level share what they span."""
    sorted_gains = sorted(gains.values(), reverse=True)
    points_by_gain: dict[int, list[int]] = defaultdict(list)
    for gain, points in zip(sorted_gains, SHARES, strict=True):
        points_by_gain[gain].append(points)
    return {
        seat: Fraction(sum(points_by_gain[g]), len(points_by_gain[g])) for seat, g in gains.items()
    }


def totals(sheets: Iterable[Sheet], names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """What each of these has made of all their tables; nothing for who never played."""
    blank = {"rounds": 0, "table_points": Fraction(0), "total": 0, "mahjongs": 0, "best_hand": 0}
    sums: dict[str, dict[str, Any]] = {name: dict(blank) for name in names}
    for sheet in sheets:
        points, gains = place_shares(sheet.gains), sheet.gains
        for seat, name in enumerate(sheet.names, start=1):
            if name in sums:
                row = sums[name]
                row["rounds"] += 1
                row["table_points"] += points[seat]
                row["total"] += gains[seat]
                row["mahjongs"] += sum(hand["winner"] == seat for hand in sheet.hands)
                won = [
                    scores[seat] for hand, scores, _ in sheet.scored_hands if hand["winner"] == seat
                ]
                row["best_hand"] = max(row["best_hand"], *won, 0)
    return sums


def credit_rests(sums: Mapping[str, dict[str, Any]], rounds: int) -> dict[str, Fraction]:
    """Let each round sat out count as the average of those played; gain to the nearest whole point.

    Returns how many Mah-Jongs count beside those that were made, for the places alone.
    """
    extra_mahjongs = {}
    for name, row in sums.items():
        share = Fraction(rounds - row["rounds"], row["rounds"] or 1)
        row["table_points"] += share * row["table_points"]
        row["total"] += floor(share * row["total"] + Fraction(1, 2))
        extra_mahjongs[name] = share * row["mahjongs"]
    return extra_mahjongs


def rank_rows(
    sums: Mapping[str, dict[str, Any]],
    ranks_by: Sequence[str],
    extra_mahjongs: Mapping[str, Fraction],
) -> dict[str, dict[str, Any]]:
    """The same with places: one more than there are better ones; who is level shares it.

    ``beside`` has the Mah-Jongs that count for the places besides those made.
    """
    worth = {
        name: tuple(
            row[metric] + extra_mahjongs.get(name, 0) * (metric == "mahjongs")
            for metric in ranks_by
        )
        for name, row in sums.items()
    }
    return {
        name: {
            "place": 1 + sum(other_worth > worth[name] for other_worth in worth.values()),
            "is_tied": list(worth.values()).count(worth[name]) > 1,
            **row,
        }
        for name, row in sums.items()
    }


def in_teams(
    sums: Mapping[str, dict[str, Any]], teams: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """What the members of each team make together; their best hand is the best of any."""
    team_sums: dict[str, dict[str, Any]] = {}
    for name, team in teams.items():
        row = sums[name]
        if team not in team_sums:
            team_sums[team] = {key: row[key] for key in row if key != "rounds"}
            continue
        team_row = team_sums[team]
        for key in ("table_points", "total", "mahjongs"):
            team_row[key] += row[key]
        team_row["best_hand"] = max(team_row["best_hand"], row["best_hand"])
    return team_sums
