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
from tests.clubs.seating.recount import meetings, numbered_names, seat
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


def person_of(explanation: SeatingExplanation, name: str) -> PersonalSeating:
    person = personal_seating(explanation, name)
    assert person is not None
    return person


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(8, 90), st.integers(1, 5))
def test_the_picture_shows_every_meeting_and_no_other(players: int, rounds: int) -> None:
    seating_plan, names = seat(players, rounds, seconds=0.02), numbered_names(players)
    explanation = explain_seating(seating_plan.rounds, names)
    meeting_counts = meetings(seating_plan.rounds)
    pairs = explanation.pairs
    times = {tuple(sorted((names[pair.row], names[pair.column]))): pair.times for pair in pairs}
    assert times == dict(meeting_counts)
    picture = explanation.picture()
    repeat_marks, single_marks = (
        sum(mark.kind == kind for mark in picture.marks) for kind in ("again", "once")
    )
    single_marks += sum(stripe.path.count("M") for stripe in picture.stripes)
    assert repeat_marks == 2 * sum(times > 1 for times in meeting_counts.values())
    assert single_marks == 2 * sum(times == 1 for times in meeting_counts.values())
    places = {(mark.x, mark.y) for mark in picture.marks}
    assert places == {(y, x) for x, y in places}
    assert all(0 <= x < picture.side for x, _ in places)


def test_a_mark_says_who_and_when() -> None:
    explanation = explain_seating([a_round("ABCD"), a_round("ABEF")], "ABCDEF")
    titles = {mark.title: mark.figure for mark in explanation.picture().marks}
    assert titles["A and B: rounds 1 and 2"] == "2"
    assert titles["A and C: round 1"] == ""
    (pair,) = explanation.repeat_meetings
    assert (pair.player, pair.other_player, pair.occasions) == ("A", "B", "rounds 1 and 2")


def test_names_stand_beside_the_picture_while_they_fit() -> None:
    small_picture, large_picture = (
        explain_seating(seat(n, 1).rounds, numbered_names(n)).picture("P3") for n in (64, 100)
    )
    assert [label.text for label in small_picture.names][:2] == ["P1", "P2"]
    assert small_picture.chosen_position == 2 * small_picture.cell
    assert not large_picture.names
    assert [label.text for label in large_picture.numbers][:2] == ["5", "10"]


def test_a_picture_wider_than_a_phone_says_that_it_slides() -> None:
    narrow_picture, wide_picture = (
        explain_seating(seat(n, 1).rounds, numbered_names(n)).picture() for n in (4, 16)
    )
    assert (narrow_picture.slides_on_a_phone, wide_picture.slides_on_a_phone) == (False, True)


def test_somebody_asks_why_they_sit_with_the_same_person_again() -> None:
    explanation = explain_seating([a_round("ABCD", "EFGH"), a_round("ABEF", "CDGH")], "ABCDEFGH")
    person = person_of(explanation, "A")
    assert person.sentences == (
        "Shares a table 6 times with 5 other players: 1 meeting is with someone met before.",
        "Seating preferences, manual changes or late arrivals left no better seat.",
        "Starts as East twice.",
    )
    first = person.turns[0]
    assert (first.table, first.seat) == (1, "E")
    company = [(companion.name, companion.also) for companion in first.company]
    assert company == [("B", "round 2"), ("C", ""), ("D", "")]
    assert personal_seating(explanation, "Nobody") is None


def test_arithmetic_is_told_where_it_forces_meetings() -> None:
    explanation = explain_seating(seat(8, 4).rounds, numbered_names(8))
    assert explanation.meeting_limits == (
        "In 4 rounds a player meets 12 people, but there are only 7 others. "
        "Whatever the seating, at least 20 meetings are with someone met before."
    )
    sentence = person_of(explanation, "P1").sentences[1]
    assert "so at least 5 meetings must be with someone met before." in sentence
    fair = explain_seating(seat(16, 5).rounds, numbered_names(16))
    assert fair.meeting_limits == (
        "In 5 rounds a player meets 15 people, and there are 15 others: no one needs to meet twice."
    )


def test_whoever_sits_out_or_is_away_is_told_apart() -> None:
    rounds = [a_round("ABCD"), Round(a_round("ABCE").tables, ("D",)), a_round("ABCD")]
    explanation = explain_seating(rounds, "ABCDE")
    dora, emma = person_of(explanation, "D"), person_of(explanation, "E")
    turns = [(turn.table, turn.sits_out) for turn in dora.turns]
    assert turns == [(1, False), (None, True), (1, False)]
    assert "Sits out in round 2." in dora.sentences
    assert not any(turn.sits_out for turn in emma.turns)


def test_team_mates_who_meet_are_told() -> None:
    explanation = explain_seating([a_round("ABCD")], "ABCD", teams={"A": "Bath", "B": "Bath"})
    assert ("Teammates meet once.", False) in [
        (line.sentence, line.is_kept) for line in explanation.remarks
    ]


def paper_of(players: int, rounds: int) -> bytes:
    explanation = explain_seating(
        seat(players, rounds, seconds=0.1).rounds, numbered_names(players)
    )
    return explanation_pdf(Heading("Riverside", "Why this seating", "Autumn Cup"), explanation)


def test_the_paper_tells_what_the_page_tells() -> None:
    paper = paper_of(16, 6)
    first, second, *_ = words_of(paper)
    for phrase in (
        "24 meetings are with someone met before, as few as there can be",
        "there are only 15 others",
        "Winds and tables",
    ):
        assert phrase in first
    text = " ".join(f"{first} {second}".split())
    assert all(phrase in text for phrase in ("Who meets more than once", "With", "When"))
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
