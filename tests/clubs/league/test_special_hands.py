"""The club's book of special hands: what stands in it, on the page, on paper and in the file."""

import csv
from datetime import date
from io import StringIO
from typing import Any

import pytest
from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.league.papers import special_hands_pdf
from clubs.league.selectors.records import special_book, title_of
from clubs.models import Club, Player, Session, ShownAs
from clubs.models.names import ORGANISER
from clubs.paper.formats import Contrast, Format, Letters
from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from tests.clubs.league.test_players import IN_TILES
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, night, post
from tests.clubs.visits import Visitor
from tests.paper import outside, overlapping, pages_of, words_of
from tests.people import Cast, make_club

pytestmark = pytest.mark.django_db
TUESDAY = date(2026, 11, 17)
JADE = {
    "sets": [{"tiles": ["B2"] * 3, "exposed": True}, {"tiles": ["B3"] * 3, "exposed": True}],
    "concealed": ["B4", "B4", "B4", "B6", "B6", "B6", "DG", "DG"],
    "bonus": ["F1"],
    "winning_tile": "DG",
}
IMPERIAL_JADE = Report(winner=2, tiles={2: JADE}, totals={1: 20, 3: 8, 4: 4}, won_by="wall")
AT_THE_LIMIT = Report(winner=2, totals={1: 20, 2: 1000, 3: 8, 4: 4})
FISHING = {
    "sets": [],
    "concealed": ["B1", "B9", "C1", "C9", "O1", "O9", "WE", "WS", "WW", "WN", "DR", "DG", "DW"],
    "bonus": [],
}
A_LOSER_FISHES = Report(winner=2, tiles={1: FISHING}, totals={2: 60, 3: 8, 4: 4})
LIMIT = "Limit hand"


@pytest.fixture
def club() -> Club:
    return make_club()


@pytest.fixture
def players(club: Club) -> list[Player]:
    """Ann, Ben, Cy, Di."""
    return make_players(club, 4)


def played(club: Club, players: list[Player], *reports: Report) -> tuple[Session, list[Hand]]:
    """One evening of one table, with its hands."""
    session = night(club, TUESDAY, players)
    return session, post(session.tables.get(), *reports)


def special_rows(club: Club) -> list[tuple[str, str, int, int]]:
    """Title, player, number of the hand and score."""
    hands = special_book(club).hands
    return [(title_of(hand), hand.name, hand.number, hand.score) for hand in hands]


def test_a_special_hand_stands_in_the_book_with_its_tiles(
    club: Club, players: list[Player]
) -> None:
    session, _ = played(club, players, SECOND_WINS, IMPERIAL_JADE)
    hand = special_book(club).hands[0]
    assert special_rows(club) == [("Imperial Jade", "Ben", 2, 1000)]
    assert (hand.player_id, hand.session_id, hand.day) == (players[1].pk, session.pk, TUESDAY)
    assert hand.tiles[-1] == ("F1",)
    assert sum(map(len, hand.tiles)) == 15


def test_a_hand_of_the_limit_told_in_points_stands_without_name_and_tiles(
    club: Club, players: list[Player]
) -> None:
    played(club, players, AT_THE_LIMIT)
    assert special_rows(club) == [(LIMIT, "Ben", 1, 1000)]
    assert special_book(club).hands[0].tiles == ()


def test_who_only_fished_for_a_special_hand_made_none(club: Club, players: list[Player]) -> None:
    played(club, players, A_LOSER_FISHES)
    assert special_rows(club) == []


def test_the_newest_hand_stands_first(club: Club, players: list[Player]) -> None:
    played(club, players, IMPERIAL_JADE, AT_THE_LIMIT, IN_TILES)
    assert [title for title, *_ in special_rows(club)] == ["Purity", LIMIT, "Imperial Jade"]


def test_a_corrected_hand_leaves_the_book(club: Club, players: list[Player]) -> None:
    session, hands = played(club, players, IMPERIAL_JADE)
    at_table.correct_hand(
        table=EveningTable(session.tables.get()),
        hand_id=hands[0].pk,
        report=SECOND_WINS,
        corrected_by="user 1",
        reason="It was no jade.",
    )
    assert special_rows(club) == []


def test_a_hand_taken_back_leaves_the_book(club: Club, players: list[Player]) -> None:
    _, hands = played(club, players, IMPERIAL_JADE)
    Hand.objects.filter(pk=hands[0].pk).update(is_current=False)
    assert special_rows(club) == []


def test_hands_are_counted_by_name_and_those_without_one_come_last(
    club: Club, players: list[Player]
) -> None:
    played(club, players, AT_THE_LIMIT, AT_THE_LIMIT, IMPERIAL_JADE)
    made = special_book(club).made
    assert [(row.title, row.times, row.names, row.last_on) for row in made] == [
        ("Imperial Jade", 1, ("Ben",), TUESDAY),
        (LIMIT, 2, ("Ben",), TUESDAY),
    ]


def test_the_hands_of_the_rules_that_nobody_made_are_named(
    club: Club, players: list[Player]
) -> None:
    assert len(special_book(club).waiting) == 19
    played(club, players, IMPERIAL_JADE)
    book = special_book(club)
    assert len(book.waiting) == 18
    assert "Imperial Jade" not in book.waiting
    assert book.waiting[0] == "Purity"


def test_another_clubs_hands_are_another_book(club: Club, players: list[Player]) -> None:
    played(club, players, IMPERIAL_JADE)
    assert special_rows(make_club("Valley", "valley")) == []


def test_names_stand_as_each_chose(club: Club, players: list[Player]) -> None:
    played(club, players, IMPERIAL_JADE)
    Player.objects.filter(pk=players[1].pk).update(shown_as=ShownAs.HIDDEN)
    assert special_book(club).hands[0].name == "A member"
    assert special_book(club, reader=ORGANISER).hands[0].name == "Ben"


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_no_more_for_more_hands(
    cast: Cast, count: int, django_assert_num_queries: Any
) -> None:
    played(cast.club, make_players(cast.club, 4), *[IMPERIAL_JADE] * count)
    visitor = Visitor(cast.player)
    with django_assert_num_queries(3):
        page = visitor.get(reverse("special-hands", args=["riverside"]))
    assert len(page.context["book"].hands) == count


def test_a_hand_that_somebody_disputes_is_marked(club: Club, players: list[Player]) -> None:
    _, hands = played(club, players, IMPERIAL_JADE)
    Hand.objects.filter(pk=hands[0].pk).update(state="disputed")
    assert special_book(club).hands[0].is_disputed


def test_an_empty_book_says_so(cast: Cast) -> None:
    page = Visitor(cast.player).get(reverse("special-hands", args=["riverside"]))
    assert "No special hands yet" in page.content.decode()
    paper = special_hands_pdf("Riverside", special_book(cast.club))
    assert "No special hands yet." in words_of(paper)[0]


def test_the_file_has_a_line_for_every_hand(cast: Cast) -> None:
    played(cast.club, make_players(cast.club, 4), IMPERIAL_JADE, AT_THE_LIMIT)
    file = Visitor(cast.player).get(reverse("special-hands-csv", args=["riverside"]))
    rows = list(csv.reader(StringIO(file.content.decode("utf-8-sig"))))
    assert rows == [
        ["hand", "player", "date", "table", "number", "points", "tiles", "disputed"],
        [LIMIT, "Ben", "2026-11-17", "1", "2", "1000", "", ""],
        [
            *("Imperial Jade", "Ben", "2026-11-17", "1", "1", "1000"),
            "B2 B2 B2; B3 B3 B3; B4 B4 B4; B6 B6 B6; DG DG; F1",
            "",
        ],
    ]


FORMS = [
    Format(),
    Format(letters=Letters.LARGE),
    Format(letters=Letters.LARGE, contrast=Contrast.HIGH),
]


@pytest.mark.sampled
@pytest.mark.parametrize("form", FORMS)
def test_nothing_on_paper_runs_over(club: Club, players: list[Player], form: Format) -> None:
    Player.objects.filter(pk=players[1].pk).update(name="Frances Pemberton-Hale-Featherstone")
    played(club, players, *[IMPERIAL_JADE, AT_THE_LIMIT, DRAWN] * 6)
    paper = special_hands_pdf("Riverside Mah-Jong Club", special_book(club), form)
    assert len(pages_of(paper)) > 1
    assert outside(paper) == []
    assert overlapping(paper) == []
    said = " ".join(" ".join(words_of(paper)).split())
    assert "12 hands so far, the newest first." in said
    assert "The tiles were not entered." in said
    assert "still to be made" in said
