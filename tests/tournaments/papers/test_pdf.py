"""The tournament's papers: sheets, cards, standings, honours and the emergency pack."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from reportlab.pdfbase.pdfmetrics import getFont

from clubs.models import Club
from clubs.paper.fonts import TEXT_FACE, load_letters
from clubs.paper.formats import Contrast, Format, Letters, Size
from clubs.table.papers.cards import Badge, badges_pdf
from scoring.scorebook.reports import Report
from tests.clubs.paper.test_paper_names import NAMES, wrong_with
from tests.clubs.paper.test_pdf import LONG
from tests.paper import crossed_lines, lines_on, outside, overlapping, pages_of, words_of
from tests.people import Cast
from tests.tournaments.cups import (
    DRAWN,
    NAMES as FOUR,
    SECOND_WINS,
    close_round,
    finish,
    fresh,
    make_cup,
    page_of,
    play_round,
    seated_cup,
    send_hand,
    sits,
    tables as tables_of,
)
from tournaments.models import OddNumber, Tournament, TournamentState
from tournaments.results import services as results_services
from tournaments.results.papers import (
    FRACTION_TEXTS,
    certificate_rows,
    certificates_pdf,
    poster_pdf,
    prize_giving_pdf,
    results_pdf,
)
from tournaments.results.selectors.records import records_of
from tournaments.results.selectors.results import prize_giving, results_of
from tournaments.results.selectors.standings import FRACTION_SIGNS
from tournaments.rounds.selectors import rounds_of
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps.services import finish_tournament

pytestmark = pytest.mark.django_db


def paper_of(cup: Tournament) -> bytes:
    return results_pdf(cup, results_of(cup))


FORMATS = [
    Format(),
    Format(Size.LETTER),
    Format(Size.A4, Letters.LARGE),
    Format(Size.LETTER, Letters.LARGE, Contrast.HIGH),
]
every_format = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.query or "usual")


def finished_cup(cast: Cast, names: Sequence[str] = LONG, **changed_fields: str) -> Tournament:
    """A cup of one round at one table, whose people have such names: as a rule of forty letters."""
    cup = seated_cup(rounds=1, hands=1, club=cast.club)
    for entrant, name in zip(cup.entrants.order_by("pk"), names, strict=False):
        cup.entrants.filter(pk=entrant.pk).update(name=name, **changed_fields)
    return finish(cup, SECOND_WINS)


def test_standings_print_as_they_are_on_the_page(cast: Cast) -> None:
    cup = seated_cup(club=cast.club)
    play_round(cup, SECOND_WINS, SECOND_WINS)
    paper, winner = paper_of(cup), sits(cup, 2)
    chart, text = words_of(paper)
    assert f"1\n{winner}\n4\n+600\n4\n+600\n" in chart
    assert "Autumn Cup" in text
    assert "21 November 2026, provisional: round 1 is being played. Ranked by table points" in text
    assert f"1\n{winner}\n1\n4\n+600\n2\n60\n" in text
    assert f"60 points\n{winner}\n" in text
    assert f"Most Mah-Jongs\n{winner}\nMah-Jongs: 2\n" in text
    assert outside(paper) == []


@pytest.mark.sampled(law="long plays")
def test_sixteen_players_with_their_prizes_and_records_have_two_pages(cast: Cast) -> None:
    firsts = ("Ann", "Frances", "Margaret", "Winifred")
    lasts = ("Ashworth-Hale", "Barrington", "Pemberton-Lee", "Thornton-Cole")
    names = [f"{first} {last}" for first in firsts for last in lasts]
    cup = seated_cup(club=cast.club, entrants=16, rounds=1, names=names)
    cup.entrants.update(from_club="Three Rivers Mah-Jong")
    for place in (1, 2, 3):
        results_services.save_prize(tournament=cup, kind="place", place=place)
    for table in tables_of(cup):
        send_hand(table, 1, Report(winner=2, totals={1: 20, 2: 60 + 2 * table.number, 3: 8, 4: 4}))
        send_hand(table, 2, SECOND_WINS if table.number == 1 else DRAWN)
    close_round(cup)
    finish_tournament(tournament=cup)
    cup = fresh(cup)
    for form in (Format(), Format(Size.LETTER)):
        _, second = words_of(results_pdf(cup, results_of(cup), form))
        assert "\nThird\n" in second
        assert second.count("68 points") == 1


def test_a_place_of_two_figures_stands_clear_of_the_name(cast: Cast) -> None:
    cup = seated_cup(club=cast.club, entrants=16, hands=1)
    play_round(cup, SECOND_WINS)
    chart, *_ = pages_of(paper_of(cup))
    place = next(line for line in lines_on(chart) if line.text == "13=")
    name = next(line for line in lines_on(chart) if line.text.startswith("Player "))
    assert place.right + 4 < name.left


def test_published_results_have_the_mark_of_the_club(cast: Cast) -> None:
    cup = seated_cup(club=cast.club, hands=1)
    Club.objects.update(mark_colour="plum")
    Tournament.objects.update(published_at=timezone.now(), state=TournamentState.FINISHED)
    for name in ("results-pdf", "api-results-pdf"):
        paper = Client().get(reverse(name, args=[cup.wall_key])).content
        (page, *_) = pages_of(paper)
        assert "/FormXob.sign-plum" in page["/Resources"]["/XObject"], name  # type: ignore[index]


def test_shared_table_points_print_as_fractions(cast: Cast) -> None:
    cup = seated_cup(club=cast.club, hands=1)
    play_round(cup, DRAWN)
    chart, text = words_of(paper_of(cup))
    assert text.count("\n1¾\n") == 4
    assert chart.count("\n1¾\n 0\n1¾\n 0\n") == 4


@pytest.mark.parametrize("part", FRACTION_SIGNS.values())
def test_every_fraction_of_a_point_has_letters_to_print(part: str) -> None:
    load_letters()
    font: Any = getFont(TEXT_FACE)
    printed_text = f"2{part}".translate(FRACTION_TEXTS)
    assert [letter for letter in printed_text if ord(letter) not in font.face.charToGlyph] == []


@pytest.mark.sampled(law="long plays")
def test_standings_of_two_hundred_go_over_pages(cast: Cast) -> None:
    paper = paper_of(make_cup(entrants=200, club=cast.club))
    pages = words_of(paper)
    assert [" ".join(page.split()).count("Table points") for page in pages] == [1] * len(pages)
    assert sum(page.count("Player ") for page in pages) == 2 * 200
    assert outside(paper) == []


@pytest.mark.parametrize(("entrants", "sheets"), [(8, 1), (16, 1), (32, 2), (64, 4)])
def test_a_wallchart_is_read_from_two_metres(cast: Cast, entrants: int, sheets: int) -> None:
    cup = seated_cup(club=cast.club, entrants=entrants, rounds=3, hands=1)
    play_round(cup, SECOND_WINS)
    pages = pages_of(paper_of(cup))
    names = [
        [line.size for line in lines_on(page) if line.text.startswith("Player ")] for page in pages
    ]
    charts = [sizes for sizes in names if sizes and min(sizes) > 16]
    assert len(charts) == sheets
    assert sum(map(len, charts)) == entrants
    assert overlapping(paper_of(cup)) == []


@every_format
def test_the_names_of_a_wallchart_have_one_size(cast: Cast, form: Format) -> None:
    names = ("Ann Li", "Dilip Pemberton-Hale", "Bronagh Postlethwaite", LONG[1])
    cup = finished_cup(cast, names)
    first, *_ = pages_of(results_pdf(cup, results_of(cup), form))
    sizes = {line.size for line in lines_on(first) if line.text in names[:3]}
    assert len(sizes) == 1


def test_without_guests_the_standings_have_no_column_for_where_they_come_from(cast: Cast) -> None:
    cup = finished_cup(cast)
    alone = words_of(paper_of(cup))
    cup.entrants.filter(name=LONG[0]).update(from_club="Hill Top Tiles")
    both_texts = (alone, words_of(paper_of(cup)))
    assert ["\nFrom\n" in "\n".join(page_texts) for page_texts in both_texts] == [False, True]


def test_a_round_that_has_not_begun_is_no_nought(cast: Cast) -> None:
    cup = seated_cup(club=cast.club, rounds=2, hands=1)
    play_round(cup, SECOND_WINS)
    chart = words_of(paper_of(cup))[0]
    winner = sits(cup, 2)
    assert f"1\n{winner}\n4\n+240\n4\n+240\n" in chart


def test_sheets_have_the_planned_hands_of_every_round(cast: Cast, director: Client) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=2, hands=2)
    answer = director.get(page_of(cup, "print/sheets.pdf"))
    pages = words_of(answer.content)
    assert [page.splitlines()[2] for page in pages] == [
        "Autumn Cup, round 1",
        "Autumn Cup, round 1",
        "Autumn Cup, round 2",
        "Autumn Cup, round 2",
    ]
    assert ["\n3\nE\nS\nW\nN\n" in page for page in pages] == [False] * 4
    assert outside(answer.content) == []


def test_cards_of_one_round_lead_to_its_tables(cast: Cast, client: Client) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=2)
    client.force_login(cast.scorer)
    answer = client.get(page_of(cup, "print/cards.pdf?round=2"))
    text = "".join(words_of(answer.content)[0].split())
    links = [f"http://testserver/r/{table.link_key}/" for table in tables_of(cup, 2)]
    assert [link in text for link in links] == [True, True]
    assert "round1" not in text


def test_without_a_seated_round_there_is_a_sentence(cast: Cast, director: Client) -> None:
    cup = make_cup(club=cast.club)
    answer = director.get(page_of(cup, "print/sheets.pdf"), follow=True)
    assert answer.redirect_chain == [(page_of(cup), 302)]
    assert "No round has been seated yet, so there is nothing to print." in answer.content.decode()


def test_before_anyone_has_entered_a_sentence_says_that_there_are_no_badges(
    cast: Cast, director: Client
) -> None:
    cup = make_cup(club=cast.club, entrants=0)
    message = "No one has entered yet, so there are no badges to print."
    answer = director.get(page_of(cup, "print/badges.pdf"), follow=True)
    assert answer.redirect_chain == [(page_of(cup), 302)]
    assert message in answer.content.decode()
    papers = f"/api/v1/clubs/riverside/tournaments/{cup.pk}/printouts/"
    printouts = {paper["printout"]: paper for paper in director.get(papers).json()["results"]}
    response = director.get(printouts["badges"]["address"])
    assert (printouts["badges"]["unavailable_because"], response.status_code) == (message, 409)
    assert response.json()["detail"] == message


@every_format
def test_badges_hold_long_names_and_where_they_come_from(form: Format) -> None:
    people = [Badge(name, "Hill Top Tiles and Winds of Wymondham", 123) for name in LONG] * 2
    paper = badges_pdf("Autumn Cup", "Riverside Mah-Jong Club", people, form)
    text = "".join("".join(words_of(paper)).split())
    assert [name for name in LONG if text.count("".join(name.split())) != 2] == []
    assert (overlapping(paper), outside(paper)) == ([], [])
    assert len(pages_of(paper)) == (3 if form.is_large else 2)


def test_a_badge_says_the_first_name_in_the_largest_letters() -> None:
    people = [Badge("Zoë Bell", "", 7), Badge("Nuala", "", 8)]
    (page,) = pages_of(badges_pdf("Autumn Cup", "Riverside", people))
    sizes = {line.text: line.size for line in lines_on(page)}
    assert sizes["Zoë"] > sizes["Bell"] > sizes["7"] > sizes["Autumn Cup"] == sizes["Riverside"]
    assert sizes["Nuala"] >= 22


def test_certificates_and_poster_say_what_they_are_for(cast: Cast) -> None:
    cup = finished_cup(cast, ("Ann", "Ben", "Cy", "Di"))
    honours = certificate_rows(prize_giving(cup), records_of(cup))
    first = words_of(certificates_pdf(cup, honours))[0]
    (place, winner, _), *_ = honours
    assert place == "First"
    assert f"First place Awarded to {winner} Table points: 4" in " ".join(first.split())
    assert "Table points" in words_of(poster_pdf(cup, results_of(cup)))[0]


def test_a_certificate_has_lines_for_the_date_and_the_director(cast: Cast) -> None:
    cup = finished_cup(cast, ("Ann", "Ben", "Cy", "Di"))
    honours = certificate_rows(prize_giving(cup), records_of(cup))
    for page in pages_of(certificates_pdf(cup, honours)):
        lines_by_text = {line.text: line for line in lines_on(page)}
        date, director = lines_by_text["Date"], lines_by_text["Tournament director"]
        assert date.base == director.base == min(line.base for line in lines_by_text.values())
        assert date.right < director.left


@pytest.mark.sampled(days=3)
@every_format
def test_results_and_honours_hold_long_names_in_every_format(cast: Cast, form: Format) -> None:
    cup = finished_cup(cast)
    giving = prize_giving(cup)
    honours = certificate_rows(giving, records_of(cup))
    certificates = certificates_pdf(cup, honours, form)
    poster = poster_pdf(cup, results_of(cup), form)
    other_papers = (results_pdf(cup, results_of(cup), form), prize_giving_pdf(cup, giving, form))
    for paper in (certificates, poster, *other_papers):
        assert (overlapping(paper), outside(paper), crossed_lines(paper)) == ([], [], [])
    *_, last = words_of(other_papers[1])
    assert [row.title in last for row in giving.rows[:2]] == [True, True]
    assert len(pages_of(certificates)) == len(honours) > 3
    for (title, name, _), page in zip(honours, words_of(certificates), strict=True):
        assert "".join(name.split()) in "".join(page.split())
        assert title in page
    (text,) = words_of(poster)
    assert [
        line.row.name
        for line in results_of(cup).board.lines
        if "".join(line.row.name.split()) not in "".join(text.split())
    ] == []


def test_the_best_hand_and_most_mahjongs_are_honoured_without_a_prize(cast: Cast) -> None:
    cup = finished_cup(cast)
    rows_before = certificate_rows(prize_giving(cup), records_of(cup))
    results_services.save_prize(tournament=cup, kind="place", place=1)
    rows_after = certificate_rows(prize_giving(cup), records_of(cup))
    assert [title for title, _, _ in rows_after] == ["First", "Highest hand", "Most Mah-Jongs"]
    assert set(rows_after) < set(rows_before)


def test_the_poster_names_all_who_made_the_highest_hand(cast: Cast) -> None:
    cup = seated_cup(rounds=1, hands=2, club=cast.club)
    play_round(cup, SECOND_WINS, Report(winner=1, totals={1: 60, 2: 400, 3: 8, 4: 4}))
    results = results_of(cup)
    first, second = (hand.name for hand in results.records.highest)
    assert first != second
    (text,) = words_of(poster_pdf(cup, results))
    assert f"The highest hand: {first} and {second}, 60 points" in " ".join(text.split())


def test_the_page_of_papers_says_beforehand_why_one_cannot_be_printed(
    cast: Cast, director: Client
) -> None:
    cup = make_cup(club=cast.club, entrants=0)
    certificates, badges = (
        page_of(cup, f"print/{kind}.pdf") for kind in ("certificates", "badges")
    )

    def read_page() -> tuple[list[bool], list[bool]]:
        page = director.get(page_of(cup, "print/")).content.decode()
        buttons = [f'formaction="{address}"' in page for address in (certificates, badges)]
        reasons = ("The results are not final yet", "No one has entered yet")
        return buttons, [reason in page for reason in reasons]

    assert read_page() == ([False, False], [True, True])
    setup_services.enter_names(tournament=cup, names=FOUR)
    assert read_page() == ([False, True], [True, False])
    seating.seat_rounds(tournament=cup)
    Tournament.objects.filter(pk=cup.pk).update(state=TournamentState.FINISHED)
    assert read_page() == ([True, True], [False, False])


def test_there_are_no_certificates_before_the_end(cast: Cast, director: Client) -> None:
    cup = seated_cup(club=cast.club)
    answer = director.get(page_of(cup, "print/certificates.pdf"), follow=True)
    assert "The results are not final yet" in answer.content.decode()


@pytest.mark.sampled(law="long plays")
def test_the_emergency_pack_of_a_round_has_its_sheets_and_its_people(
    cast: Cast, director: Client
) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=2, hands=2)
    answer = director.get(page_of(cup, "print/emergency.pdf?round=2"))
    text = "".join("".join(words_of(answer.content)).split())
    assert [f"/r/{table.link_key}/" in text for table in tables_of(cup, 2)] == [True, True]
    assert [f"/r/{table.link_key}/" in text for table in tables_of(cup, 1)] == [False, False]
    assert [row.name for row in cup.entrants.all() if "".join(row.name.split()) not in text] == []


def test_the_emergency_pack_says_who_stands_where(cast: Cast, director: Client) -> None:
    cup = seated_cup(club=cast.club)
    play_round(cup, SECOND_WINS)
    pages = words_of(director.get(page_of(cup, "print/emergency.pdf")).content)
    (standings,) = (page for page in pages if "Table\npoints" in page)
    assert "\n+240\n" in standings


def test_the_sheet_for_settling_up_has_what_everyone_starts_with(
    cast: Cast, director: Client
) -> None:
    cup = seated_cup(club=cast.club, start_stake=2000)
    pages = words_of(director.get(page_of(cup, "print/emergency.pdf")).content)
    (settling,) = (page for page in pages if "At the start" in page)
    assert settling.count("2,000") == 4


@pytest.mark.sampled(law="long plays")
def test_the_emergency_pack_is_of_the_current_round(cast: Cast, director: Client) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=3, hands=1)
    address = page_of(cup, "print/emergency.pdf")
    assert lists_of_seats(director.get(address).content) == ["Autumn Cup, round 1"]
    close_round(cup, SECOND_WINS)
    assert lists_of_seats(director.get(address).content) == ["Autumn Cup, round 2"]


@pytest.mark.sampled(law="long plays")
def test_a_pack_of_all_rounds_says_which_each_list_is_of(cast: Cast, director: Client) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=3, hands=1)
    paper = director.get(page_of(cup, "print/emergency.pdf?round=all")).content
    rounds = [f"Autumn Cup, round {number}" for number in (1, 2, 3)]
    assert lists_of_seats(paper) == rounds
    tallies = [page for page in words_of(paper) if "Settling-up sheet" in page]
    assert [title in page for title, page in zip(rounds, tallies, strict=True)] == [True] * 3


def lists_of_seats(paper: bytes) -> list[str]:
    """What stands beside the club on each page of who sits where."""
    return [page.splitlines()[1] for page in words_of(paper) if "Seating list" in page]


def normalise_spaces(page: str) -> str:
    return " ".join(page.split())


def test_each_seating_list_of_a_pack_marks_who_withdrew_and_says_who_sits_out(
    cast: Cast, director: Client
) -> None:
    cup = seated_cup(club=cast.club, entrants=5, rounds=3, hands=1, odd=OddNumber.SIT_OUT)
    close_round(cup, SECOND_WINS)
    resting = [round_.sitting_out.get().name for round_ in cup.rounds.all()]
    leaver = cup.entrants.exclude(name__in=resting)[0]
    setup_services.withdraw(tournament=cup, entrant=leaver)
    paper = director.get(page_of(cup, "print/emergency.pdf?round=all")).content
    lists = [normalise_spaces(page) for page in words_of(paper) if "Seating list" in page]
    marked_name = f"{leaver.name} (withdrew)"
    assert [marked_name in page for page in lists] == [False, True, True]
    name_checks = [
        f"Sitting out: {name}" in page for name, page in zip(resting, lists, strict=True)
    ]
    assert name_checks == [True, True, True]


def test_who_withdrew_does_not_sit_out_a_round_to_come(cast: Cast, director: Client) -> None:
    cup = seated_cup(club=cast.club, entrants=5, rounds=2, hands=1, odd=OddNumber.SIT_OUT)
    first = cup.rounds.get(number=1)
    setup_services.withdraw(tournament=cup, entrant=first.sitting_out.get())
    paper = director.get(page_of(cup, "print/emergency.pdf")).content
    assert "Sitting out" not in " ".join(words_of(paper))
    assert rounds_of(fresh(cup))[0].sitting_out == ()


@pytest.mark.parametrize("kind", ["sheets", "cards", "seating-cards"])
def test_every_paper_with_seats_marks_who_withdrew_until_the_round_is_closed(
    cast: Cast, director: Client, kind: str
) -> None:
    cup = seated_cup(club=cast.club, names=FOUR, rounds=2, hands=1)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(name="Ann Abbott"))
    address, marked_name = page_of(cup, f"print/{kind}.pdf?round=1"), "Ann Abbott (withdrew)"
    paper_before = director.get(address).content
    close_round(cup, SECOND_WINS)
    paper_after = director.get(address).content
    assert [
        marked_name in normalise_spaces(" ".join(words_of(paper)))
        for paper in (paper_before, paper_after)
    ] == [True, False]


def test_who_withdrew_signs_no_score_sheet(cast: Cast, director: Client) -> None:
    cup = seated_cup(club=cast.club, names=FOUR)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(name="Ann Abbott"))
    (text,) = words_of(director.get(page_of(cup, "print/sheets.pdf?round=1")).content)
    signs = [f"{name} agrees" in text for name in FOUR]
    assert signs == [False, True, True, True]


@pytest.mark.parametrize("chosen_round", ["", "all", "1"])
def test_the_page_of_papers_offers_the_current_round_first(
    cast: Cast, director: Client, chosen_round: str
) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=2, hands=1)
    close_round(cup, SECOND_WINS)
    page = director.get(page_of(cup, f"print/?round={chosen_round}")).content.decode()
    assert f'name="round" value="{chosen_round or 2}" checked' in page
    assert page.count('name="round"') == 3


@pytest.mark.sampled(days=3)
@every_format
def test_a_tournaments_papers_hold_names_from_everywhere(cast: Cast, form: Format) -> None:
    cup = finished_cup(cast, NAMES, from_club=NAMES[1])
    giving = prize_giving(cup)
    for paper in (
        results_pdf(cup, results_of(cup), form),
        prize_giving_pdf(cup, giving, form),
        certificates_pdf(cup, certificate_rows(giving, records_of(cup)), form),
        poster_pdf(cup, results_of(cup), form),
    ):
        assert wrong_with(paper, form) == {}


def test_without_a_seated_round_there_is_no_emergency_pack(cast: Cast, director: Client) -> None:
    answer = director.get(page_of(make_cup(club=cast.club), "print/emergency.pdf"))
    assert answer.status_code == 302


def test_a_large_sheet_says_its_round_under_a_long_name(director: Client, cast: Cast) -> None:
    name = "The Thirty-Second Annual Llanfairpwllgwyngyll Autumn Open Championship"
    cup = seated_cup(club=cast.club, name=name, rounds=1, hands=16)
    large = director.get(page_of(cup, "print/sheets.pdf?round=1&print=large")).content
    (first, *_) = words_of(large)
    assert "The Thirty-Second Annual" in first
    assert re.search(r"…, round 1, sheet 1 of \d", first)
