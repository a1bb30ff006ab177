"""Why this seating: what is told of everyone, and the picture of who meets whom."""

import pytest
from hypothesis import given, settings, strategies as st

from clubs.seating import Round, Table
from clubs.seats.papers import Heading, why_pdf
from clubs.seats.selectors import explain, personal
from tests.clubs.seating.recount import meetings, numbered, seat
from tests.paper import outside, words_of


def a_round(*tables: str) -> Round:
    """A round whose tables seat one letter a player, East first."""
    seats = (dict(zip("ESWN", table, strict=False)) for table in tables)
    return Round(tuple(Table(number, seated) for number, seated in enumerate(seats, start=1)))


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(8, 90), st.integers(1, 5))
def test_the_picture_shows_every_meeting_and_no_other(players: int, rounds: int) -> None:
    made, names = seat(players, rounds, seconds=0.02), numbered(players)
    explained = explain(made.rounds, names)
    met = meetings(made.rounds)
    assert {
        tuple(sorted((names[pair.row], names[pair.column]))): pair.times for pair in explained.pairs
    } == dict(met)
    picture = explained.picture()
    again = 2 * sum(times > 1 for times in met.values())
    once = 2 * sum(times == 1 for times in met.values())
    drawn = sum(stripe.path.count("M") for stripe in picture.stripes)
    assert sum(mark.kind == "again" for mark in picture.marks) == again
    assert sum(mark.kind == "once" for mark in picture.marks) + drawn == once
    assert {(mark.x, mark.y) for mark in picture.marks} == {
        (mark.y, mark.x) for mark in picture.marks
    }
    assert all(0 <= mark.x < picture.side for mark in picture.marks)


def test_a_mark_says_who_and_when() -> None:
    explained = explain([a_round("ABCD"), a_round("ABEF")], "ABCDEF")
    titles = {mark.title: mark.figure for mark in explained.picture().marks}
    assert titles["A and B: rounds 1 and 2"] == "2"
    assert titles["A and C: round 1"] == ""
    assert [(pair.player, pair.other, pair.when) for pair in explained.again] == [
        ("A", "B", "rounds 1 and 2")
    ]


def test_names_stand_beside_the_picture_while_they_fit() -> None:
    short, long = (explain(seat(n, 1).rounds, numbered(n)).picture("P3") for n in (64, 100))
    assert [label.text for label in short.names][:2] == ["P1", "P2"]
    assert short.chosen == 2 * short.cell
    assert not long.names
    assert [label.text for label in long.numbers][:2] == ["5", "10"]


def test_somebody_asks_why_they_sit_with_the_same_person_again() -> None:
    explained = explain([a_round("ABCD", "EFGH"), a_round("ABEF", "CDGH")], "ABCDEFGH")
    person = personal(explained, "A")
    assert person is not None
    assert person.sentences == (
        "Shares a table 6 times with 5 other players: 1 meeting is with someone met before.",
        "Seating preferences, manual changes or late arrivals left no better seat.",
        "Starts as East twice.",
    )
    first = person.turns[0]
    assert (first.table, first.seat) == (1, "E")
    assert [(other.name, other.also) for other in first.company] == [
        ("B", "round 2"),
        ("C", ""),
        ("D", ""),
    ]
    assert personal(explained, "Nobody") is None


def test_arithmetic_is_told_where_it_forces_meetings() -> None:
    made = seat(8, 4)
    explained = explain(made.rounds, numbered(8))
    assert explained.bound == (
        "In 4 rounds a player meets 12 people, but there are only 7 others. "
        "However they are seated, at least 20 meetings are with someone met before."
    )
    person = personal(explained, "P1")
    assert person is not None
    assert "so at least 5 meetings must be with someone met before." in person.sentences[1]
    fair = explain(seat(16, 5).rounds, numbered(16))
    assert fair.bound == (
        "In 5 rounds a player meets 15 people, and there are 15 others: no one needs to meet twice."
    )


def test_whoever_sits_out_or_is_away_is_told_apart() -> None:
    rounds = [a_round("ABCD"), Round(a_round("ABCE").tables, ("D",)), a_round("ABCD")]
    explained = explain(rounds, "ABCDE")
    dora, emma = personal(explained, "D"), personal(explained, "E")
    assert dora is not None
    assert emma is not None
    assert [(turn.table, turn.sits_out) for turn in dora.turns] == [
        (1, False),
        (None, True),
        (1, False),
    ]
    assert "Sits out in round 2." in dora.sentences
    assert not any(turn.sits_out for turn in emma.turns)


def test_team_mates_who_meet_are_told() -> None:
    explained = explain([a_round("ABCD")], "ABCD", teams={"A": "Bath", "B": "Bath"})
    assert ("Members of a team meet once.", False) in [
        (said.sentence, said.is_kept) for said in explained.said
    ]


def paper_of(players: int, rounds: int) -> bytes:
    explained = explain(seat(players, rounds, seconds=0.1).rounds, numbered(players))
    return why_pdf(Heading("Riverside", "Why this seating", "Autumn Cup"), explained)


def test_the_paper_tells_what_the_page_tells() -> None:
    paper = paper_of(16, 6)
    first, second, *_ = words_of(paper)
    assert "24 meetings are with someone met before, as few as there can be" in first
    assert "Who meets whom" in first
    assert "there are only 15 others" in first
    assert "Winds and tables" in second
    assert "Who meets more than once" in second
    assert outside(paper) == []


@pytest.mark.sampled(law="long plays")
def test_a_large_picture_is_cut_into_pages() -> None:
    pages = words_of(paper_of(130, 3))
    titles = [page.split("\n") for page in pages if "Who meets whom: players" in page]
    assert len(titles) == 10
    assert any("players 1 to 37 with 112 to 130" in line for lines in titles for line in lines)
    assert outside(paper_of(64, 7)) == []
