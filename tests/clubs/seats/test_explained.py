"""Why this seating: what is told of everyone, and the picture of who meets whom."""

import pytest
from hypothesis import given, settings, strategies as st

from clubs.seating import PlannedTable, Round
from clubs.seats.papers import Heading, explanation_pdf
from clubs.seats.selectors import (
    PersonalSeating,
    SeatingExplanation,
    explain_seating,
    personal_seating,
)
from tests.clubs.seating.recount import meetings, numbered, seat
from tests.paper import outside, words_of


def a_round(*tables: str) -> Round:
    """A round whose tables seat one letter a player, East first."""
    seats = (dict(zip("ESWN", table, strict=False)) for table in tables)
    return Round(
        tuple(
            PlannedTable(number, seats_by_wind)
            for number, seats_by_wind in enumerate(seats, start=1)
        )
    )


def person_of(explained: SeatingExplanation, name: str) -> PersonalSeating:
    person = personal_seating(explained, name)
    assert person is not None
    return person


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(8, 90), st.integers(1, 5))
def test_the_picture_shows_every_meeting_and_no_other(players: int, rounds: int) -> None:
    seating_plan, names = seat(players, rounds, seconds=0.02), numbered(players)
    explained, met = explain_seating(seating_plan.rounds, names), meetings(seating_plan.rounds)
    pairs = explained.pairs
    times = {tuple(sorted((names[pair.row], names[pair.column]))): pair.times for pair in pairs}
    assert times == dict(met)
    picture = explained.picture()
    repeat_marks, once = (
        sum(mark.kind == kind for mark in picture.marks) for kind in ("again", "once")
    )
    once += sum(stripe.path.count("M") for stripe in picture.stripes)
    assert repeat_marks == 2 * sum(times > 1 for times in met.values())
    assert once == 2 * sum(times == 1 for times in met.values())
    places = {(mark.x, mark.y) for mark in picture.marks}
    assert places == {(y, x) for x, y in places}
    assert all(0 <= x < picture.side for x, _ in places)


def test_a_mark_says_who_and_when() -> None:
    explained = explain_seating([a_round("ABCD"), a_round("ABEF")], "ABCDEF")
    titles = {mark.title: mark.figure for mark in explained.picture().marks}
    assert titles["A and B: rounds 1 and 2"] == "2"
    assert titles["A and C: round 1"] == ""
    (pair,) = explained.repeat_meetings
    assert (pair.player, pair.other, pair.occasions) == ("A", "B", "rounds 1 and 2")


def test_names_stand_beside_the_picture_while_they_fit() -> None:
    short, long = (explain_seating(seat(n, 1).rounds, numbered(n)).picture("P3") for n in (64, 100))
    assert [label.text for label in short.names][:2] == ["P1", "P2"]
    assert short.chosen == 2 * short.cell
    assert not long.names
    assert [label.text for label in long.numbers][:2] == ["5", "10"]


def test_a_picture_wider_than_a_phone_says_that_it_slides() -> None:
    few, many = (explain_seating(seat(n, 1).rounds, numbered(n)).picture() for n in (4, 16))
    assert (few.slides_on_a_phone, many.slides_on_a_phone) == (False, True)


def test_somebody_asks_why_they_sit_with_the_same_person_again() -> None:
    explained = explain_seating([a_round("ABCD", "EFGH"), a_round("ABEF", "CDGH")], "ABCDEFGH")
    person = person_of(explained, "A")
    assert person.sentences == (
        "Shares a table 6 times with 5 other players: 1 meeting is with someone met before.",
        "Seating preferences, manual changes or late arrivals left no better seat.",
        "Starts as East twice.",
    )
    first = person.turns[0]
    assert (first.table, first.seat) == (1, "E")
    company = [(other.name, other.also) for other in first.company]
    assert company == [("B", "round 2"), ("C", ""), ("D", "")]
    assert personal_seating(explained, "Nobody") is None


def test_arithmetic_is_told_where_it_forces_meetings() -> None:
    explained = explain_seating(seat(8, 4).rounds, numbered(8))
    assert explained.bound == (
        "In 4 rounds a player meets 12 people, but there are only 7 others. "
        "Whatever the seating, at least 20 meetings are with someone met before."
    )
    forced = person_of(explained, "P1").sentences[1]
    assert "so at least 5 meetings must be with someone met before." in forced
    fair = explain_seating(seat(16, 5).rounds, numbered(16))
    assert fair.bound == (
        "In 5 rounds a player meets 15 people, and there are 15 others: no one needs to meet twice."
    )


def test_whoever_sits_out_or_is_away_is_told_apart() -> None:
    rounds = [a_round("ABCD"), Round(a_round("ABCE").tables, ("D",)), a_round("ABCD")]
    explained = explain_seating(rounds, "ABCDE")
    dora, emma = person_of(explained, "D"), person_of(explained, "E")
    turns = [(turn.table, turn.sits_out) for turn in dora.turns]
    assert turns == [(1, False), (None, True), (1, False)]
    assert "Sits out in round 2." in dora.sentences
    assert not any(turn.sits_out for turn in emma.turns)


def test_team_mates_who_meet_are_told() -> None:
    explained = explain_seating([a_round("ABCD")], "ABCD", teams={"A": "Bath", "B": "Bath"})
    assert ("Teammates meet once.", False) in [
        (line.sentence, line.is_kept) for line in explained.remarks
    ]


def paper_of(players: int, rounds: int) -> bytes:
    explained = explain_seating(seat(players, rounds, seconds=0.1).rounds, numbered(players))
    return explanation_pdf(Heading("Riverside", "Why this seating", "Autumn Cup"), explained)


def test_the_paper_tells_what_the_page_tells() -> None:
    paper = paper_of(16, 6)
    first, second, *_ = words_of(paper)
    for phrase in (
        "24 meetings are with someone met before, as few as there can be",
        "there are only 15 others",
        "Winds and tables",
    ):
        assert phrase in first
    both = " ".join(f"{first} {second}".split())
    assert all(phrase in both for phrase in ("Who meets more than once", "With", "When"))
    assert outside(paper) == []


def test_the_pictures_of_many_players_are_alike_in_size() -> None:
    pictures = "\n".join(words_of(paper_of(40, 2)))
    for players in ("1 to 20 with 1 to 20", "1 to 20 with 21 to 40", "21 to 40 with 21 to 40"):
        assert f"Who meets whom: players {players}" in pictures


def test_a_picture_in_which_every_square_is_full_is_one_sentence() -> None:
    full, other_paper = "\n".join(words_of(paper_of(16, 5))), "\n".join(words_of(paper_of(16, 4)))
    assert "Everyone meets everyone else" in full.replace("\n", " ")
    assert "Meet once" not in full
    assert "Meet once" in other_paper


@pytest.mark.sampled(law="long plays")
def test_a_large_picture_is_cut_into_pages() -> None:
    pages = words_of(paper_of(130, 3))
    titles = [page.split("\n") for page in pages if "Who meets whom: players" in page]
    assert len(titles) == 10
    assert any("players 1 to 33 with 100 to 130" in line for lines in titles for line in lines)
    assert outside(paper_of(64, 7)) == []
