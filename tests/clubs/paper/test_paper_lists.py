"""The evening's lists, its crib sheet and the emergency pack, on paper and by their addresses."""

from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client
from pytest_django.asserts import assertContains

from clubs.evenings.services import evenings
from clubs.paper.formats import Contrast, Format, Letters, Size
from clubs.table.papers.cards import Occasion, attendance_pdf, seats_pdf, tally_pdf
from clubs.table.papers.score_sheets import blank_sheets, crib_pdf, emergency_pack
from scoring import rule_set, rule_set_keys
from scoring.sheet import sections
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.clubs.paper.test_pdf import LONG, table_of
from tests.clubs.tables import NAMES, seated_evening
from tests.paper import outside, overlapping, smaller_than, words_of
from tests.people import Cast

FORMATS = [
    Format(),
    Format(Size.LETTER),
    Format(Size.A4, Letters.LARGE),
    Format(Size.LETTER, Letters.LARGE, Contrast.HIGH),
]
ALMOST_SIXTEEN = 15.6
every_format = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.query or "usual")
TABLES = [
    table_of(*LONG[:4], number=1, planned=4),
    table_of("Ann", "Ben", "Cy", number=2, planned=4),
]
PEOPLE = [(name, name == "Ann") for name in (*LONG, "Ann")]
LISTS: dict[str, Callable[[Occasion], bytes]] = {
    "seats": lambda about: seats_pdf(about, TABLES),
    "door": lambda about: attendance_pdf(about, PEOPLE),
    "tally": lambda about: tally_pdf(about, TABLES),
    "blanks": lambda about: blank_sheets(about, "bmja"),
    "crib": lambda about: crib_pdf(about.club, rule_set("bmja"), about.form),
}


def about(form: Format) -> Occasion:
    return Occasion("Riverside Mah-Jong Club", "Tuesday 17 November", form)


@pytest.mark.sampled
@every_format
@pytest.mark.parametrize("kind", LISTS)
def test_every_list_is_whole_in_every_format(kind: str, form: Format) -> None:
    paper = LISTS[kind](about(form))
    assert (overlapping(paper), outside(paper)) == ([], [])
    if form.is_large:
        assert smaller_than(paper, ALMOST_SIXTEEN) == []


@pytest.mark.parametrize("rules", rule_set_keys())
def test_a_crib_sheet_has_every_line_of_its_rules(rules: str) -> None:
    printed = "".join("".join(words_of(crib_pdf("Riverside", rule_set(rules)))).split())
    lines = [row[0] for section in sections(rule_set(rules)) for row in section.rows]
    assert [line for line in lines if "".join(line.split()) not in printed] == []


@pytest.mark.parametrize("rules", rule_set_keys())
def test_blank_sheets_are_for_as_many_as_may_play(rules: str) -> None:
    pages = words_of(blank_sheets(about(Format()), rules))
    fives = [page for page in pages if "sits out first" in page]
    assert bool(fives) == (5 in rule_set(rules).seats)
    assert all("Scan to enter" not in page for page in pages)


def test_the_seats_are_listed_by_surname_with_table_and_wind() -> None:
    words = words_of(seats_pdf(about(Format()), TABLES))[0]
    assert "II\n1\nEast\nBronagh Nic Giolla Phádraig-Łukasiewiczo\n1\nSouth\nMARGARET" in words


def test_the_emergency_pack_holds_all_that_an_evening_needs() -> None:
    pages = words_of(emergency_pack(about(Format()), TABLES, PEOPLE, "bmja"))
    found = [" ".join(page.split()[:14]) for page in pages]
    for title in (
        "Seating list",
        "Table 1",
        "Table 2",
        "Tally sheet",
        "BMJA rules",
        "Attendance list",
    ):
        assert any(title in page for page in found), title
    assert sum("Table ____" in page for page in found) == 4
    assert f"of {len(pages)}" in pages[0].replace("\n", "")


@pytest.mark.sampled(law="long plays")
@pytest.mark.django_db
def test_the_emergency_pack_has_the_result_so_far_and_the_league(
    cast: Cast, client: Client
) -> None:
    make_season(cast.club)
    session = night(cast.club, date(2026, 11, 17), make_players(cast.club, 4))
    client.force_login(cast.secretary)
    address = f"/c/riverside/evenings/{session.pk}/print/emergency.pdf"
    before = words_of(client.get(address).content)
    post(session.tables.get(), SECOND_WINS)
    after = words_of(client.get(address).content)
    (result,) = (page for page in after if "Result so far" in page)
    (league,) = (page for page in after if "Club league, Autumn 2026" in page)
    assert ("1\nBen\n+240\n" in result, "1\nBen\n+240\n" in league) == (True, True)
    assert len(before) == len(after) - 1


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["seats", "tally", "emergency", "door"])
def test_the_evenings_lists_name_everybody(cast: Cast, client: Client, kind: str) -> None:
    session = seated_evening(cast.club)
    client.force_login(cast.secretary)
    answer = client.get(f"/c/riverside/evenings/{session.pk}/print/{kind}.pdf")
    assert answer["Content-Type"] == "application/pdf"
    words = "".join(words_of(answer.content))
    assert [name for name in NAMES[:4] if name not in words] == []


@pytest.mark.django_db
def test_the_page_of_papers_remembers_how_they_are_printed(cast: Cast, client: Client) -> None:
    session = seated_evening(cast.club)
    client.force_login(cast.secretary)
    page = client.get(f"/c/riverside/evenings/{session.pk}/print/?print=large&paper=letter")
    for name, value in (("print", "large"), ("paper", "letter"), ("contrast", "ordinary")):
        assertContains(page, f'name="{name}" value="{value}" checked')
    assertContains(page, f"/c/riverside/evenings/{session.pk}/print/emergency.pdf")


@pytest.mark.django_db
def test_before_anybody_sits_only_what_needs_no_seats_is_offered(
    cast: Cast, client: Client
) -> None:
    session = evenings.open_session(club=cast.club, held_on=date(2026, 11, 17))
    client.force_login(cast.secretary)
    here = f"/c/riverside/evenings/{session.pk}/print/"
    page = client.get(here).content.decode()
    assert ("emergency.pdf" in page, "door.pdf" in page) == (False, True)
    assert client.get(f"{here}emergency.pdf").status_code == 302
    assert client.get(f"{here}door.pdf").status_code == 200
