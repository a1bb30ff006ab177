"""What must be true of a tournament as everyone can see it, counted and reckoned apart."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from django.db.models import Sum

from scoring.scorebook.models import Game
from scoring.scorebook.verifying import recount
from tests.tournaments.whole.hall import Hall
from tests.tournaments.whole.reckoning import Sheet, credit_rests, in_teams, rank_rows, totals

COMPARED = ("place", "is_tied", "rounds", "table_points", "total", "mahjongs", "best_hand")
SUMMED = COMPARED[3:]
Rows = Sequence[dict[str, Any]]


def met_again(hall: Hall) -> int:
    """How many pairs sit together more than once in all the rounds."""
    meetings = Counter(
        pair
        for round_data in hall.seating()
        for table in round_data["tables"]
        for pair in combinations(sorted(place["name"] for place in table["places"]), 2)
    )
    return sum(times > 1 for times in meetings.values())


def unevenly_seated(hall: Hall) -> int:
    """How many start in some wind at least twice more often than in another."""
    winds: dict[str, Counter[str]] = defaultdict(lambda: Counter(dict.fromkeys("ESWN", 0)))
    for round_data in hall.seating():
        for table in round_data["tables"]:
            for place in table["places"]:
                winds[place["name"]][place["wind"]] += 1
    return sum(
        max(wind_counts.values()) - min(wind_counts.values()) > 1 for wind_counts in winds.values()
    )


def the_seating_is_as_promised(hall: Hall, *, repeated_pairs: int, uneven: int) -> None:
    """The page says how many meet again and how many have odd winds: just so many, and no more."""
    page = hall.director.get(f"{hall.place}seating/").content.decode()
    pairs = re.search(r"(\d+) pairs? meets? more than once", page)
    odd_winds = re.search(r"(\d+) players? starts? in one wind more often", page)
    counts = (int(pairs[1]) if pairs else 0, int(odd_winds[1]) if odd_winds else 0)
    assert counts == (met_again(hall), unevenly_seated(hall))
    assert counts[0] <= repeated_pairs
    assert counts[1] <= uneven


def the_standings_are(
    rows: Rows,
    sheets: Iterable[Sheet],
    names: Iterable[str],
    ranks_by: Sequence[str],
    rounds: int = 0,
) -> None:
    """Places, points and records of everyone are what these sheets come to; the best first.

    ``rounds`` were played in which each round sat out counts; 0: none does.
    """
    sums = totals(sheets, names)
    expected_rows = rank_rows(sums, ranks_by, credit_rests(sums, rounds) if rounds else {})
    actual_rows = {row["name"]: {key: _number(key, row[key]) for key in COMPARED} for row in rows}
    assert actual_rows == expected_rows
    places = [row["place"] for row in rows]
    assert places == sorted(places)


def _number(key: str, value: Any) -> Any:
    return Fraction(value) if key == "table_points" else value


def published_results(hall: Hall) -> dict[str, Any]:
    """The results as anyone with the link reads them."""
    page = hall.director.get(f"{hall.place}standings/").content.decode()
    link = re.search(r"/e/[\w-]+/results/", page)
    assert link
    answers = {
        form: hall.phone.get(f"{link[0]}results.{form}") for form in ("json", "csv", "xlsx", "pdf")
    }
    assert {answer.status_code for answer in answers.values()} == {200}
    assert hall.phone.get(link[0]).status_code == 200
    data = json.loads(answers["json"].content)
    assert isinstance(data, dict)
    return data


def the_teams_are(rows: Rows, sheets: Iterable[Sheet], teams: dict[str, str]) -> None:
    """What the members of each team made, added up."""
    expected_rows = in_teams(totals(sheets, teams), teams)
    assert {
        row["name"]: {key: _number(key, row[key]) for key in SUMMED} for row in rows
    } == expected_rows


def the_records_are(results: dict[str, Any], sheets: Iterable[Sheet], names: Iterable[str]) -> None:
    """The highest hand and the most Mah-Jongs are whose they are."""
    sums = totals(sheets, names)
    highest = max(row["best_hand"] for row in sums.values())
    most = max(row["mahjongs"] for row in sums.values())
    by_title = {prize["title"]: set(prize["names"]) for prize in results["prizes"]}
    assert by_title["Highest hand"] == _names_with(sums, "best_hand", highest)
    assert by_title["Most Mah-Jongs"] == _names_with(sums, "mahjongs", most)


def _names_with(sums: dict[str, dict[str, Any]], key: str, value: int) -> set[str]:
    return {name for name, row in sums.items() if row[key] == value}


def every_table_shows_what_it_played(hall: Hall) -> None:
    """Each hand's winds, scores and gains are those of the sheet, whatever was corrected."""
    for sheet in hall.sheets.values():
        hands = hall.hands_at(sheet)
        hand_rows = [
            (_by_seat(hand["winds"]), _by_seat(hand["scores"]), _by_seat(hand["gains"]))
            for hand in hands
        ]
        assert hand_rows == [
            (deal.winds, _written_scores(sheet, hand["winner"], scores), gains)
            for deal, (hand, scores, gains) in zip(sheet.deals, sheet.scored_hands, strict=False)
        ]


def _by_seat(values: dict[str, Any]) -> dict[int, Any]:
    return {int(seat): value for seat, value in values.items()}


def _written_scores(sheet: Sheet, winner: int | None, scores: dict[int, int]) -> dict[int, int]:
    if sheet.rules != "tallies":
        return scores
    return {seat: score for seat, score in scores.items() if seat == winner}


def the_books_balance(*, pays: bool = True) -> None:
    """Every game's ledger adds to nothing, and playing all again changes nothing."""
    balances = Game.objects.annotate(left=Sum("seats__ledger__points")).values_list(
        "left", flat=True
    )
    assert not pays or set(balances) <= {0, None}
    assert recount().differences == ()
