"""64 players x 7 rounds, from the entry list to the published results, by the public doors alone.

Some come late, leave, err or disagree on the way; in the end everything must be what the hands
that were sent come to when they are reckoned apart.
"""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.api import api_client
from tests.people import Cast
from tests.tournaments.whole import checks
from tests.tournaments.whole.dealing import Croupier
from tests.tournaments.whole.hall import CONFLICT, STOOD, Hall
from tests.tournaments.whole.reckoning import Sheet

ROUNDS, HANDS = 7, 3
RANKS_BY = ("table_points", "total", "mahjongs", "best_hand")
FIRST_NAMES = ("Ann", "Ben", "Cáit", "Dilip", "Eve", "Finn", "Gül", "Hal")
LAST_NAMES = ("Abbott", "Brown", "Clark", "Dyer", "Ølund", "Fox", "Grey", "Łukas")
NAMES = [f"{first} {last}" for first in FIRST_NAMES for last in LAST_NAMES]
PASTED, LISTED = NAMES[:40], NAMES[40:]
TEAMS = {name: f"Team {index // 4 + 1}" for index, name in enumerate(LISTED)}
ABSENT, STAND_IN = NAMES[9], "Vera Vale"
LEAVES_FIRST, LEAVES_NEXT, LATE = NAMES[3], NAMES[20], "Zoë Zander"
EVERYBODY = [*NAMES, LATE]
OTHERWISE: dict[str, Any] = {"winner": 3, "scores": {"1": 8, "2": 4, "3": 60, "4": 20}}


@pytest.mark.sampled(law="long plays")
def test_the_hands_of_64_players_decide_who_wins(cast: Cast) -> None:
    hall = Hall(cast, "bmja")
    take_entries(hall)
    hall.do("seat/")
    checks.the_seating_is_as_promised(hall, repeated_pairs=0, uneven=0)
    hall.take_cards()
    play_all_rounds(hall, Croupier("bmja", 64))
    checks.every_table_shows_what_it_played(hall)
    the_standings_were(hall, round_number=4)
    the_last_round_is_kept_back(hall)
    hall.do("finish/")
    hall.do("results/publish/")
    the_results_are_what_the_hands_come_to(hall)
    checks.the_books_balance()


def take_entries(hall: Hall) -> None:
    """40 are pasted, 24 come in teams on another club's list; all but one arrive."""
    hall.open(RANKS_BY, name="Grand Cup", rounds=ROUNDS, hands_a_round=HANDS)
    hall.read_in("name\n" + "\n\n".join(PASTED))
    lines = [f"{name};Hill Top Tiles;{TEAMS[name]};yes" for name in LISTED]
    hall.read_in("\r\n".join(["Name;Club;Team;Paid", *lines]))
    hall.do("entrants/", way="rules", odd_number="house", places="")
    for name, entrant in hall.entrants(NAMES).items():
        if name != ABSENT:
            hall.do(f"entrants/{entrant}/note/", tick="is_here", to="yes")


def play_all_rounds(hall: Hall, croupier: Croupier) -> None:
    """Each round begins, is printed, played, agreed and closed; with what happens meanwhile."""
    for number in range(1, ROUNDS + 1):
        BEFORE.get(number, do_nothing)(hall)
        hall.do("start/")
        hall.print_papers(number)
        sheets = hall.sit_down(number)
        for sheet in [sheet for _ in range(HANDS) for sheet in sheets]:
            hall.agree(sheet, hall.enter(sheet, croupier))
        MEANWHILE.get(number, do_nothing)(hall)
        hall.do("close/")


def do_nothing(hall: Hall) -> None:
    """An uneventful round."""


def somebody_sits_in_for_who_is_not_here(hall: Hall) -> None:
    hall.substitute(ABSENT, STAND_IN, number=1)


def one_leaves_and_one_comes_late(hall: Hall) -> None:
    """64 play on, and the seats to come are drawn anew; who sits in goes on sitting in."""
    hall.do(f"entrants/{hall.entrant(LEAVES_FIRST)}/withdraw/")
    hall.do("entrants/", way="one", name=LATE, from_club="Three Rivers")
    hall.do("seating/changes/anew/")
    checks.the_seating_is_as_promised(hall, repeated_pairs=0, uneven=0)
    assert hall.sitter_for(ABSENT, 3) == STAND_IN


def who_was_not_here_arrives(hall: Hall) -> None:
    hall.substitute(ABSENT, "", number=4)
    assert hall.sitter_for(ABSENT, 4) == ABSENT


def another_leaves(hall: Hall) -> None:
    """63 are left, so a house player fills a table.

    Who leaves can no longer be evened out, and what four rounds gave bounds what three can do: of
    the seeds tried, one left one of them with odd winds, another six.
    """
    hall.do(f"entrants/{hall.entrant(LEAVES_NEXT)}/withdraw/")
    hall.do("seating/changes/anew/")
    checks.the_seating_is_as_promised(hall, repeated_pairs=0, uneven=8)


def the_last_round_is_hidden(hall: Hall) -> None:
    hall.do("results/hide/")


def hands_are_sent_twice_and_disputed(hall: Hall) -> None:
    """Sent again: the same hand. Sent otherwise: what stands. Not agreed: the scorer decides."""
    sheet = hall.sheets[1, 5]
    response = hall.post(sheet, sheet.hands[1])
    assert (response.status_code, response.json()["number"]) == (STOOD, 2)
    other_response = hall.post(sheet, {"submission_id": str(uuid4()), "number": 2, **OTHERWISE})
    assert (other_response.status_code, other_response.json()["recorded_hand"]["id"]) == (
        CONFLICT,
        response.json()["id"],
    )
    hall.dispute(sheet, response.json()["id"])
    assert "Table 5: hand 2 is not agreed." in hall.refusal_page("close/")
    hall.correct(sheet, 2, "Two of them had changed places", **OTHERWISE)


def a_false_mahjong_is_penalised(hall: Hall) -> None:
    """Half the limit to each of the others; the hand was played again and is what they sent."""
    sheet = hall.sheets[3, 3]
    hall.penalise(sheet, 2, "false_mahjong_exposed", "A chow too many")
    sheet.ruling_points.update({seat: -1500 if seat == 2 else 500 for seat in (1, 2, 3, 4)})


def a_hand_of_round_2_is_corrected(hall: Hall) -> None:
    """Another went Mah-Jong: who is East in the hands after it changes, and so do their gains."""
    for sheet in [sheet for sheet in hall.sheets.values() if sheet.round == 2]:
        winner = sheet.hands[0]["winner"]
        if winner is None:
            continue
        scores = dict(sheet.scored_hands[0][1])
        right = 2 if winner == 1 else 1
        scores[winner], scores[right] = scores[right], scores[winner]
        correction = {
            "winner": right,
            "scores": {str(seat): score for seat, score in scores.items()},
        }
        gains_before = sheet.gains
        if hall.may_correct(sheet, 1, **correction):
            hall.correct(sheet, 1, "The wrong player was marked", **correction)
            assert [deal.winds[1] for deal in sheet.deals[1:]] != ["E", "E", "E"]
            assert sheet.gains != gains_before
            return
    raise AssertionError("no hand of round 2 can be corrected so")


BEFORE: dict[int, Callable[[Hall], None]] = {
    1: somebody_sits_in_for_who_is_not_here,
    3: one_leaves_and_one_comes_late,
    4: who_was_not_here_arrives,
    5: another_leaves,
    7: the_last_round_is_hidden,
}
MEANWHILE: dict[int, Callable[[Hall], None]] = {
    1: hands_are_sent_twice_and_disputed,
    3: a_false_mahjong_is_penalised,
    5: a_hand_of_round_2_is_corrected,
}


def played_through(hall: Hall, number: int) -> list[Sheet]:
    """The sheets of the rounds up to this one."""
    return [sheet for sheet in hall.sheets.values() if sheet.round <= number]


def the_standings_were(hall: Hall, *, round_number: int) -> None:
    """As they were after a round, though later ones have been played."""
    rows = hall.standings(round_number=round_number)
    checks.the_standings_are(rows, played_through(hall, round_number), EVERYBODY, RANKS_BY)


def the_last_round_is_kept_back(hall: Hall) -> None:
    """A player sees what was after round 6; the director sees it all."""
    public_sheets, all_sheets = played_through(hall, ROUNDS - 1), played_through(hall, ROUNDS)
    checks.the_standings_are(hall.standings(), public_sheets, EVERYBODY, RANKS_BY)
    all_standings = hall.standings(api_client(hall.cast.director))
    checks.the_standings_are(all_standings, all_sheets, EVERYBODY, RANKS_BY)


def the_results_are_what_the_hands_come_to(hall: Hall) -> None:
    """Places, teams, records and rulings, as anyone with the link reads them."""
    data, sheets = checks.published_results(hall), played_through(hall, ROUNDS)
    assert (data["is_final"], len(data["standings"])) == (True, len(EVERYBODY))
    checks.the_standings_are(data["standings"], sheets, EVERYBODY, RANKS_BY)
    checks.the_standings_are(hall.standings(), sheets, EVERYBODY, RANKS_BY)
    checks.the_teams_are(data["teams"], sheets, TEAMS)
    checks.the_records_are(data, sheets, EVERYBODY)
    assert [ruling["reason"] for ruling in data["rulings"]] == ["A chow too many"]
