"""The season's book, the pack and the club's special hands: on pages, on paper and as a file."""

import csv
from datetime import date
from functools import partial
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader
from pytest_django import DjangoCaptureOnCommitCallbacks
from pytest_django.asserts import assertContains, assertNumQueries

from clubs.league import services
from clubs.league.papers import CHAPTERS, book_pdf, special_hands_pdf
from clubs.league.season_pack import season_pack
from clubs.league.selectors.records import Yearbook, special_book, yearbook_of
from clubs.models import Club, Job, JobState, Player, Season, Session, ShownAs
from clubs.models.names import ORGANISER_READER
from clubs.paper.formats import Format, Size, format_from_words
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from tests.clubs.league.test_selectors_league_players import IN_TILES
from tests.clubs.nights import DRAWN, SECOND_WINS, correct, make_players, make_season, night, post
from tests.clubs.paper.test_paper_formats import every_format, ill_laid
from tests.clubs.paper.test_pdf import LONG
from tests.clubs.visits import Visitor
from tests.paper import lines_on, outside, overlapping, pages_of, words_of
from tests.people import Cast, make_club
from tests.scoring.scorebook.book import EAST_WINS_IN_TILES

pytestmark = pytest.mark.django_db
CY_AT_THE_LIMIT = Report(winner=3, totals={1: 20, 2: 60, 3: 1000, 4: 4})


@pytest.fixture
def season(cast: Cast) -> Season:
    """Two evenings of four: Ben wins three hands of the first one, Cy a hand of the limit."""
    season, players = make_season(cast.club), make_players(cast.club, 4)
    first = night(cast.club, date(2026, 11, 10), players)
    post(first.tables.get(), SECOND_WINS, SECOND_WINS, DRAWN, SECOND_WINS)
    second = night(cast.club, date(2026, 11, 17), players)
    post(second.tables.get(), CY_AT_THE_LIMIT)
    night(cast.club, date(2026, 11, 24), players)
    return season


def read(season: Season) -> Yearbook:
    return yearbook_of(season, progress=lambda _done_count, _total: None)


def chapter(paper: bytes, title: str) -> str:
    """The words of the page that a chapter begins on, as the file's outline tells it."""
    reader = PdfReader(BytesIO(paper))
    entries: list[Any] = [row for row in reader.outline if not isinstance(row, list)]
    bookmark = next(entry for entry in entries if entry.title == title)
    return words_of(paper)[reader.get_destination_page_number(bookmark) or 0]


def test_the_book_tells_every_evening_that_was_played(season: Season) -> None:
    book = read(season)
    assert [
        (evening.day, evening.tables, evening.hands, evening.first) for evening in book.evenings
    ] == [("Tuesday 10 November 2026", 1, 4, ("Ben",)), ("Tuesday 17 November 2026", 1, 1, ("Cy",))]
    text = chapter(book_pdf(book), CHAPTERS["evenings"])
    assert "Tuesday 10 November 2026\n1\nBen\n" in text
    assert "Tuesday 17 November 2026\n1\nCy\n" in text


def test_the_records_of_a_season(season: Season) -> None:
    records = {
        record.title: (record.names, record.figure, record.date_text)
        for record in read(season).records
    }
    tuesday = "Tuesday 10 November 2026"
    assert records["Highest hand"] == (
        ("Cy",), "1,000 points", "17 November 2026, table 1, hand 1"
    )  # fmt: skip
    assert records["Most Mah-Jongs"] == (("Ben",), "3 Mah-Jongs", "")
    assert records["Most Mah-Jongs on one evening"] == (("Ben",), "3 Mah-Jongs", tuesday)
    assert records["Longest run of Mah-Jongs"] == (("Ben",), "2 in a row", tuesday)
    assert records["Most evenings"] == (("Ann", "Ben", "Cy", "Di"), "2 evenings", "")
    assert records["Fullest evening"] == ((), "4 players", tuesday)


def test_a_record_that_many_share_says_how_many_they_are(cast: Cast) -> None:
    season = make_season(cast.club)
    players = make_players(cast.club, 8)
    evening = night(cast.club, date(2026, 11, 10), players[:4], players[4:])
    for table in evening.tables.all():
        post(table, SECOND_WINS)
    record = next(
        record_entry
        for record_entry in read(season).records
        if record_entry.title == "Most evenings"
    )
    assert (record.names, record.figure) == (("8 players",), "1 evening")


def test_the_contents_say_the_page_on_which_each_chapter_begins(season: Season) -> None:
    paper = book_pdf(read(season))
    pages, reader = words_of(paper), PdfReader(BytesIO(paper))
    flat: list[Any] = []
    for bookmark in reader.outline:
        flat += bookmark if isinstance(bookmark, list) else [bookmark]
    assert [row.title for row in flat][:4] == ["Contents", *list(CHAPTERS.values())[:3]]
    for bookmark in flat[1:]:
        number = (reader.get_destination_page_number(bookmark) or 0) + 1
        contents_line = pages[1].replace("\n", "|").split(f"{bookmark.title}|")[1]
        assert contents_line.split("|")[0] == str(number), bookmark.title
        assert bookmark.title in pages[number - 1] or bookmark.title == CHAPTERS["league"]


def test_the_league_stands_in_the_book_with_its_rules_in_sentences(season: Season) -> None:
    book = read(season)
    text = " ".join(chapter(book_pdf(book), CHAPTERS["league"]).split())
    assert "How this season is ranked" in text
    assert [message for message in book.table.sentences if message not in text] == []


def test_a_member_stands_in_the_book_as_they_chose(season: Season) -> None:
    Player.objects.filter(name="Ann").update(shown_as=ShownAs.HIDDEN)
    Player.objects.filter(name="Di").update(name="Di Smith", shown_as=ShownAs.INITIAL)
    book = read(season)
    text = "".join(words_of(book_pdf(book)))
    assert ("Di S." in book.members, "Di Smith" in text, "Ann" in text) == (True, False, False)
    assert "And 1 member who chose not to be named." in text


def test_a_hand_of_the_limit_stands_in_the_book_of_special_hands(season: Season) -> None:
    text = chapter(book_pdf(read(season)), CHAPTERS["special"])
    assert "Limit hand" in text
    assert "Cy, 17 November 2026, table 1, hand 1" in text


def test_an_ordinary_hand_is_not_called_a_limit_hand(cast: Cast) -> None:
    season = make_season(cast.club)
    evening = night(cast.club, date(2026, 11, 10), make_players(cast.club, 4))
    post(evening.tables.get(), EAST_WINS_IN_TILES)
    text = chapter(book_pdf(read(season)), CHAPTERS["records"])
    assert "The highest hand" in text
    assert ("Mah-Jong" in text, "Limit hand" in text) == (True, False)


def test_without_a_special_hand_there_is_no_such_chapter(cast: Cast) -> None:
    season = make_season(cast.club)
    evening = night(cast.club, date(2026, 11, 10), make_players(cast.club, 4))
    post(evening.tables.get(), SECOND_WINS)
    assert CHAPTERS["special"] not in "".join(words_of(book_pdf(read(season))))


def test_a_book_of_an_empty_season_can_be_printed(cast: Cast) -> None:
    paper = book_pdf(read(make_season(cast.club)))
    assert CHAPTERS["records"] not in "".join(words_of(paper))
    assert ill_laid(paper, Format()) == []


@pytest.mark.sampled
@every_format
def test_the_papers_of_a_season_are_whole_in_every_format(
    season: Season, client: Client, form: Format
) -> None:
    club = season.league.club
    for player, name in zip(club.players.order_by("pk"), LONG, strict=False):
        Player.objects.filter(pk=player.pk).update(name=name)
    club.shows_league = True
    club.save()
    poster = client.get(f"/c/riverside/seasons/{season.pk}/poster.pdf?{form.query}").content
    assert (overlapping(poster), outside(poster), len(pages_of(poster))) == ([], [], 1)
    book = book_pdf(read(season), form)
    pack = season_pack(season, progress=lambda _done_count, _total: None, form=form)
    assert [ill_laid(paper, form) for paper in (book, pack)] == [[], []]


def test_the_same_season_makes_the_same_bytes(season: Season) -> None:
    assert book_pdf(read(season)) == book_pdf(read(season))


@every_format
def test_what_a_job_is_called_says_the_format(form: Format) -> None:
    assert format_from_words(form.summary, Club()) == form
    assert len(f"season book, {form.summary}") <= (Job._meta.get_field("kind").max_length or 0)


def test_the_book_is_made_behind_the_pages_and_kept(
    season: Season,
    cast: Cast,
    client: Client,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    client.force_login(cast.secretary)
    season_url = f"/c/riverside/seasons/{season.pk}"
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(f"{season_url}/book/", {"paper": "letter", "print": "large"})
    job = Job.objects.get()
    assert (job.kind, job.state) == ("season book, Letter, large print", JobState.DONE)
    assert (job.about, job.asked_by, job.done, job.total) == (season.pk, cast.secretary, 3, 3)
    assert answer["Location"] == reverse("job", args=["riverside", job.pk])
    assertContains(client.get(f"{season_url}/print/"), "Season book, Letter, large print")
    full_book = client.get(f"/c/riverside/jobs/{job.pk}/result/")
    assert full_book["Content-Disposition"] == (
        'attachment; filename="riverside-season-book-letter-large-print.pdf"'
    )
    second = client.get(f"/c/riverside/jobs/{job.pk}/result/?pages=2")
    assert words_of(second.content) == words_of(full_book.content)[1:2]
    assert client.get(f"/c/riverside/jobs/{job.pk}/result/?pages=99").status_code == 400


def test_another_format_is_another_book(season: Season, cast: Cast) -> None:
    ask = partial(services.queue_pack, season=season, asked_by=cast.secretary, kind="season book")
    usual = ask()
    assert ask(form=Format(Size.LETTER)) != usual
    assert ask() == usual


def test_the_page_of_papers_leads_on_to_a_paper_in_its_format(
    season: Season, cast: Cast, client: Client
) -> None:
    client.force_login(cast.secretary)
    season_url = f"/c/riverside/seasons/{season.pk}"
    form_data = {"print_paper": "season-poster-pdf", "print": "large", "pages": "1"}
    answer = client.post(f"{season_url}/print/", form_data, follow=True)
    assert answer.redirect_chain == [(f"{season_url}/poster.pdf?print=large&pages=1", 302)]
    (text,) = words_of(answer.content)
    assert ("Ben" in text, "The highest hand: Cy, 1,000 points" in text) == (True, True)


def test_only_the_secretary_is_offered_what_is_made(
    season: Season, cast: Cast, client: Client
) -> None:
    for user, titles in ((cast.secretary, ["Season book", "Season pack"]), (cast.scorer, [])):
        client.force_login(user)
        page = client.get(f"/c/riverside/seasons/{season.pk}/print/?contrast=high")
        assertContains(page, 'name="contrast" value="high" checked')
        assert [paper.title for paper in page.context.get("made", ())] == titles


TUESDAY = date(2026, 11, 17)
JADE: dict[str, Any] = {
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
def players(club: Club) -> list[Player]:
    """Ann, Ben, Cy, Di."""
    return make_players(club, 4)


def play_evening(club: Club, players: list[Player], *reports: Report) -> tuple[Session, list[Hand]]:
    """One evening of one table, with its hands."""
    session = night(club, TUESDAY, players)
    return session, post(session.tables.get(), *reports)


def special_rows(club: Club) -> list[tuple[str, str, int, int]]:
    """Title, player, number of the hand and score."""
    hands = special_book(club).hands
    return [(hand.title, hand.name, hand.number, hand.score) for hand in hands]


def test_a_special_hand_stands_in_the_clubs_book_with_its_tiles(
    club: Club, players: list[Player]
) -> None:
    session, (_, jade) = play_evening(club, players, SECOND_WINS, IMPERIAL_JADE)
    hand = special_book(club).hands[0]
    assert special_rows(club) == [("Imperial Jade", "Ben", 2, 1000)]
    assert (hand.player_id, hand.session_id, hand.day) == (players[1].pk, session.pk, TUESDAY)
    assert hand.tiles[-1] == ("F1",)
    assert sum(map(len, hand.tiles)) == 15
    Hand.objects.filter(pk=jade.pk).update(state="disputed")
    assert (hand.is_disputed, special_book(club).hands[0].is_disputed) == (False, True)
    assert special_rows(make_club("Valley", "valley")) == []


def test_a_hand_of_the_limit_told_in_points_stands_without_name_and_tiles(
    club: Club, players: list[Player]
) -> None:
    play_evening(club, players, AT_THE_LIMIT)
    assert special_rows(club) == [(LIMIT, "Ben", 1, 1000)]
    assert special_book(club).hands[0].tiles == ()


def test_who_only_fished_for_a_special_hand_made_none(club: Club, players: list[Player]) -> None:
    play_evening(club, players, A_LOSER_FISHES)
    assert special_rows(club) == []


def test_the_newest_hand_stands_first(club: Club, players: list[Player]) -> None:
    play_evening(club, players, IMPERIAL_JADE, AT_THE_LIMIT, IN_TILES)
    assert [title for title, *_ in special_rows(club)] == ["Purity", LIMIT, "Imperial Jade"]


def test_a_hand_corrected_or_taken_back_leaves_the_book(club: Club, players: list[Player]) -> None:
    _, hands = play_evening(club, players, IMPERIAL_JADE, AT_THE_LIMIT)
    correct(hands[0], SECOND_WINS)
    assert special_rows(club) == [(LIMIT, "Ben", 2, 1000)]
    Hand.objects.filter(pk=hands[1].pk).update(is_current=False)
    assert special_rows(club) == []


def test_hands_are_counted_by_name_and_those_without_one_come_last(
    club: Club, players: list[Player]
) -> None:
    play_evening(club, players, AT_THE_LIMIT, AT_THE_LIMIT, IMPERIAL_JADE)
    hand_counts = special_book(club).hand_counts
    assert [(row.title, row.times, row.names, row.last_on) for row in hand_counts] == [
        ("Imperial Jade", 1, ("Ben",), TUESDAY),
        (LIMIT, 2, ("Ben",), TUESDAY),
    ]


def test_the_hands_of_the_rules_that_nobody_made_are_named(
    club: Club, players: list[Player]
) -> None:
    assert len(special_book(club).waiting) == 19
    play_evening(club, players, IMPERIAL_JADE)
    book = special_book(club)
    assert len(book.waiting) == 18
    assert "Imperial Jade" not in book.waiting
    assert book.waiting[0] == "Purity"


def test_names_stand_as_each_chose(club: Club, players: list[Player]) -> None:
    play_evening(club, players, IMPERIAL_JADE)
    Player.objects.filter(pk=players[1].pk).update(shown_as=ShownAs.HIDDEN)
    assert special_book(club).hands[0].name == "A member"
    assert special_book(club, reader=ORGANISER_READER).hands[0].name == "Ben"


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_no_more_for_more_hands(cast: Cast, count: int) -> None:
    play_evening(cast.club, make_players(cast.club, 4), *[IMPERIAL_JADE] * count)
    visitor = Visitor(cast.player)
    with assertNumQueries(3):
        page = visitor.get(reverse("special-hands", args=["riverside"]))
    assert len(page.context["book"].hands) == count


def test_an_empty_book_says_so(cast: Cast) -> None:
    page = Visitor(cast.player).get(reverse("special-hands", args=["riverside"]))
    assert "No special hands yet" in page.content.decode()
    paper = special_hands_pdf("Riverside", special_book(cast.club))
    assert "No special hands yet." in words_of(paper)[0]


def test_the_file_has_a_line_for_every_hand(cast: Cast) -> None:
    play_evening(cast.club, make_players(cast.club, 4), IMPERIAL_JADE, AT_THE_LIMIT)
    file = Visitor(cast.player).get(reverse("special-hands-csv", args=["riverside"]))
    rows = list(csv.reader(StringIO(file.content.decode("utf-8-sig"))))
    assert rows == [
        ["Hand", "Player", "Date", "Table", "Number", "Points", "Tiles", "Disputed"],
        [LIMIT, "Ben", "2026-11-17", "1", "2", "1000", "", "no"],
        [
            *("Imperial Jade", "Ben", "2026-11-17", "1", "1", "1000"),
            "B2 B2 B2; B3 B3 B3; B4 B4 B4; B6 B6 B6; DG DG; F1",
            "no",
        ],
    ]


@pytest.mark.sampled
@every_format
def test_nothing_on_paper_runs_over(club: Club, players: list[Player], form: Format) -> None:
    Player.objects.filter(pk=players[1].pk).update(name="Frances Pemberton-Hale-Featherstone")
    play_evening(club, players, *[IMPERIAL_JADE, AT_THE_LIMIT, DRAWN] * 6)
    paper = special_hands_pdf("Riverside Mah-Jong Club", special_book(club), form)
    assert len(pages_of(paper)) > 1
    assert ill_laid(paper, form) == []
    text = " ".join(" ".join(words_of(paper)).split())
    assert "12 hands so far, newest first." in text
    assert "1,000 points, the limit" in text
    assert "The tiles were not entered." in text
    assert "not made yet" in text


def test_special_hands_still_to_be_made_stand_in_two_columns(club: Club) -> None:
    book = special_book(club)
    pages = pages_of(special_hands_pdf("Riverside Mah-Jong Club", book))
    lines = {line.text: line for page in pages for line in lines_on(page)}
    row_count = -(-len(book.waiting) // 2)
    left_column, right = (
        [lines[name] for name in half]
        for half in (book.waiting[:row_count], book.waiting[row_count:])
    )
    assert (
        len({round(line.left) for line in left_column})
        == len({round(line.left) for line in right})
        == 1
    )
    assert max(line.right for line in left_column) < min(line.left for line in right)
    assert [line.base for line in left_column[: len(right)]] == [line.base for line in right]
