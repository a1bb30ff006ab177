"""Names from everywhere on every paper of a club: no box, nothing small, nothing cut off."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from django.urls import reverse
from pypdf import PdfReader

from clubs.league.papers import book_pdf, league_pdf, result_pdf
from clubs.league.poster import season_poster
from clubs.league.season_pack import season_pack
from clubs.league.selectors.records import yearbook_of
from clubs.members.papers import members_pdf
from clubs.members.selectors import MemberRow
from clubs.messages.papers import NOBODY_TO_PHONE, telephone_pdf
from clubs.messages.selectors import ContactList, PersonToContact
from clubs.models import Player
from clubs.paper.fonts import (
    BOLD_FACE,
    EAST_FACE,
    TEXT_FACE,
    WORLD_FACE,
    break_lines,
    face_runs,
    unprintable_letters,
    visual_order,
    width_of,
)
from clubs.paper.formats import Contrast, Format, Letters, Size
from clubs.paper.page import Paper
from clubs.paper.response import extract_pages
from clubs.table.papers.cards import (
    Badge,
    PrintedEvent,
    attendance_pdf,
    badges_pdf,
    blank_table,
    seating_cards,
    seats_pdf,
    settling_pdf,
    table_cards,
)
from clubs.table.papers.crib import crib_pdf
from clubs.table.papers.score_sheets import emergency_pack, score_sheets
from clubs.table.rows import Arrival
from scoring import rule_set
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.clubs.paper.test_pdf import league_of, result_of_names, table_of
from tests.clubs.visits import Visitor
from tests.paper import (
    boxes,
    colours,
    crossed_lines,
    frames_on,
    lines_on,
    not_embedded,
    outside,
    overlapping,
    pages_of,
    smaller_than,
    words_of,
)
from tests.people import Cast

NAMES = (
    "王小明",
    "Nguyễn Thị Mai",
    "محمد بن عبد الله الخوارزمي",
    "שלום בן־יהודה",
    "Llanfairpwllgwyngyllgogerychwyrndrobwlll",
    "Wolfgang-Maximilian Featherstonehaugh II",
    "Zoë 🀄 Łukasiewicz",
    "김민준",
)
CLUB = "The Ashford, Wimborne and Upper Nguyễn Mah-Jong Society of 王小明"
FORMATS = (
    Format(),
    Format(Size.LETTER, Letters.ORDINARY, Contrast.HIGH),
    Format(Size.A4, Letters.LARGE),
    Format(Size.LETTER, Letters.LARGE, Contrast.HIGH),
)
every_format = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.query or "usual")
TABLES = [
    table_of(*NAMES[:4], number=1, hands_planned=4),
    table_of(*NAMES[3:], number=64, hands_planned=4),
]
DAY = date(2026, 11, 17)
PEOPLE = [Arrival(name, name == "王小明", "£1,234.50") for name in NAMES]
CALLS = ContactList(
    to_call=tuple(
        PersonToContact(number, number, name, "020 7946 0000", f"Ask {name} to come", "", "")
        for number, name in enumerate(NAMES)
    ),
    to_write=(),
)
MEMBERS = [
    MemberRow(
        Player(
            name=name, phone="020 7946 0000", second_phone="07700 900123", paid_until=paid_until
        ),
        name,
        evenings=0,
        last_seen=None,
    )
    for name, paid_until in zip(NAMES, [None, date(2027, 8, 31)] * len(NAMES), strict=False)
]
PAPERS: dict[str, Callable[[PrintedEvent], bytes]] = {
    "sheets": lambda printed_event: score_sheets(TABLES, printed_event.form),
    "cards": lambda printed_event: table_cards(TABLES, printed_event.form),
    "seating cards": lambda printed_event: seating_cards(
        TABLES, printed_event.form, with_code=True
    ),
    "seats": lambda printed_event: seats_pdf(printed_event, TABLES),
    "door": lambda printed_event: attendance_pdf(printed_event, PEOPLE),
    "tally": lambda printed_event: settling_pdf(printed_event, TABLES),
    "crib": lambda printed_event: crib_pdf(
        printed_event.club, rule_set("bmja"), printed_event.form
    ),
    "pack": lambda printed_event: emergency_pack(printed_event, TABLES[1:], PEOPLE, "tallies"),
    "badges": lambda printed_event: badges_pdf(
        printed_event.event, CLUB, [Badge(name, CLUB, 999) for name in NAMES], printed_event.form
    ),
    "result": lambda printed_event: result_pdf(
        printed_event.club, DAY, result_of_names(*NAMES), printed_event.form, is_final=False
    ),
    "league": lambda printed_event: league_pdf(
        printed_event.club, league_of(*NAMES), printed_event.form
    ),
    "poster": lambda printed_event: season_poster(
        printed_event.club, printed_event.event, league_of(*NAMES, *NAMES), printed_event.form
    ),
    "members": lambda printed_event: members_pdf(
        printed_event.club, MEMBERS, printed_event.event, printed_event.form
    ),
    "telephone": lambda printed_event: telephone_pdf(
        printed_event.club, printed_event.event, CALLS, printed_event.form
    ),
}


def wrong_with(paper: bytes, form: Format) -> dict[str, object]:
    """What is not as it must be on a paper: nothing, if all is well."""
    texts = words_of(paper)
    faults: dict[str, object] = {
        "outside": outside(paper),
        "small": smaller_than(paper, 15.9 if form.is_large else 7.95),
        "boxes": boxes(paper),
        "crossed": crossed_lines(paper),
        "not embedded": not_embedded(paper),
        "cut off": [page for page in texts if "…" in page],
        "empty": [page for page in texts if not page.strip()],
    }
    if form.is_high:
        faults["in colour"] = sorted(colours(paper) - {(0, 0, 0), (1, 1, 1)})
    return {kind: places for kind, places in faults.items() if places}


@pytest.mark.sampled
@every_format
@pytest.mark.parametrize("kind", PAPERS)
def test_names_from_everywhere_print_on_every_paper(kind: str, form: Format) -> None:
    printed_event = PrintedEvent(CLUB, "Tuesday 17 November", form)
    assert wrong_with(PAPERS[kind](printed_event), form) == {}


LONGEST = tuple(
    name[:80]
    for name in (
        "Wilhelmina Alexandrina Theodora Featherstonehaugh-Cholmondeley Marjoribanks Smithson",
        "Bartholomew Montgomery Fitzwilliam Wolstenholme-Fothergill-Smythe of Upper Slaughter",
        "Margaret Elizabeth Anastasia Throckmorton-Gillingham Postlethwaite-Pemberton Joneses",
        "Maximilian Christopher Ponsonby-Fitzherbert Hetherington-Warburton Ashworth Browning",
    )
)


@every_format
def test_a_name_as_long_as_they_come_is_whole_on_cards_and_badges(form: Format) -> None:
    printed_event = PrintedEvent(CLUB, "Tuesday 17 November", form)
    table = table_of(*LONGEST, number=1, hands_planned=4)
    badges = [Badge(name, CLUB, 999) for name in LONGEST]
    for paper in (
        table_cards([table], form),
        seating_cards([table], form, with_code=True),
        badges_pdf(printed_event.event, CLUB, badges, form),
    ):
        assert wrong_with(paper, form) == {}


@pytest.mark.sampled(days=3)
@every_format
def test_the_seasons_papers_and_why_hold_names_from_everywhere(
    cast: Cast, alice: Visitor, form: Format
) -> None:
    season, players = make_season(cast.club), make_players(cast.club, 8)
    for player, name in zip(players, NAMES, strict=True):
        Player.objects.filter(pk=player.pk).update(name=name)
    session = night(cast.club, date(2026, 11, 17), players[:4], players[4:])
    post(session.tables.get(number=1), SECOND_WINS)
    for paper in (
        season_pack(season, progress=lambda _done, _total: None, form=form),
        book_pdf(yearbook_of(season, progress=lambda _done, _total: None), form),
        alice.get(f"/c/riverside/evenings/{session.pk}/why.pdf?{form.query}").content,
    ):
        assert wrong_with(paper, form) == {}


def test_each_name_is_set_in_one_face_that_has_it() -> None:
    faces = {name: {face for _, face in face_runs(name, TEXT_FACE)} for name in NAMES}
    assert faces["王小明"] == faces["김민준"] == {EAST_FACE}
    assert faces["Nguyễn Thị Mai"] == faces["שלום בן־יהודה"] == {WORLD_FACE}
    assert faces["Zoë 🀄 Łukasiewicz"] == {TEXT_FACE}


def test_a_name_typed_with_loose_accents_prints_like_any_other() -> None:
    assert face_runs("Zoe\N{COMBINING DIAERESIS}", BOLD_FACE) == (("Zoë", BOLD_FACE),)


def test_hebrew_and_arabic_run_from_right_to_left_and_arabic_letters_join() -> None:
    assert visual_order("Dov שלום") == "Dov םולש"
    assert visual_order("Ali (שלום) 12") == "Ali (םולש) 12"
    assert visual_order("شعر") == "\ufeae\ufecc\ufeb7"  # final reh, medial ain, initial sheen
    assert visual_order("سلام")[1] == "\ufefc"  # lam and alef are one letter


def test_what_cannot_be_printed_is_left_out_or_a_question_mark() -> None:
    assert face_runs("Zoë 🀄 Bell", TEXT_FACE) == (("Zoë Bell", TEXT_FACE),)
    assert face_runs("ไทย", TEXT_FACE) == (("???", TEXT_FACE),)
    assert (unprintable_letters("Zoë 🀄 ไ"), unprintable_letters("王小明 Ngô")) == ("🀄ไ", "")


def test_a_mark_that_no_face_has_is_told_with_its_letter() -> None:
    assert unprintable_letters("M\u0327ajuro O\u0327pem") == "M\u0327O\u0327"
    assert unprintable_letters("Zoe\u0308 Nguyễn") == ""
    # A form of an ideograph, which prints without it.
    assert unprintable_letters("\u845b\U000e0100") == ""


def test_a_long_word_is_broken_to_fit() -> None:
    lines = break_lines(f"Ann {NAMES[4]}", BOLD_FACE, 15, 120)
    assert "".join(lines).replace(" ", "") == f"Ann{NAMES[4]}"
    assert max(width_of(line, BOLD_FACE, 15) for line in lines) <= 120


def test_no_one_or_two_letters_of_a_long_word_are_left_over() -> None:
    for room in range(40, 320, 5):
        *_, last = break_lines(NAMES[4], BOLD_FACE, 15, room)
        assert len(last) >= 3, room


def test_the_large_poster_is_large() -> None:
    names = ("Margaret Ashworth", *(f"Ann Bell {letter}." for letter in "ABCDEFGHI"))
    usual, large = (
        [line.size for line in lines_on(page) if re.fullmatch(r"Ann Bell \w\.", line.text)]
        for form in (Format(), Format(letters=Letters.LARGE))
        for page in pages_of(season_poster("Riverside", "Tuesday", league_of(*names), form))
    )
    assert len(usual) == len(large) == 8
    assert min(usual) > 20
    assert min(large) > 1.2 * min(usual)


@pytest.mark.sampled(law="long plays")
def test_a_long_clubs_name_stands_clear_of_a_sheets_players() -> None:
    for form in FORMATS:
        for club in (CLUB, f"{CLUB}, founded in 1924"):
            sheet = score_sheets([blank_table(club, "Tuesday", "bmja", 4)], form)
            assert overlapping(sheet) == []
            assert "".join(club.split()) in "".join(words_of(sheet)[0].split())


def test_a_letter_that_a_face_has_not_is_noticed() -> None:
    paper = Paper("box")
    paper.text(100, 100, "Ann")
    assert boxes(paper.finish()) == []
    paper = Paper("box")
    paper.canvas.setFont(TEXT_FACE, 10)
    paper.canvas.drawString(100, 100, "Ann 王")
    assert boxes(paper.finish()) == ["page 1: /AAAAAA+AtkinsonHyperlegibleNext-Regular"]


def test_nobody_to_telephone_is_a_sentence() -> None:
    (page,) = words_of(telephone_pdf("Riverside", "Spring party", ContactList((), ()), Format()))
    assert NOBODY_TO_PHONE in page
    assert "What to say" not in page


def test_a_list_of_members_has_the_guests_below_and_nobody_who_left() -> None:
    people = [
        MemberRow(Player(name=name, kind=kind, is_active=active), name, 0, None)
        for name, kind, active in (
            *(("Zoë Archer", "member", True), ("Gus Bell", "guest", True)),
            *(("Ann Young", "member", True), ("Leo Left", "member", False)),
        )
    ]
    (page,) = words_of(members_pdf("Riverside", people, "29 November 2026"))
    order = [page.index(text) for text in ("2 members", "Archer", "Young", "Guests", "Bell")]
    assert order == sorted(order)
    assert ("Leo" in page, "Membership" in page) == (False, False)
    people[0].player.paid_until = date(2027, 8, 31)
    (page,) = words_of(members_pdf("Riverside", people, "29 November 2026"))
    assert "paid until 31 Aug 2027" in page


def test_a_phone_list_has_a_box_for_everyone_and_one_sentence_once() -> None:
    to_call = tuple(replace(call, say="No evening on 22 December") for call in CALLS.to_call)
    contact_list = ContactList(to_call[1:], to_call[:1])
    (page,) = pages_of(telephone_pdf("Riverside", "Christmas", contact_list, Format()))
    (shorter,) = pages_of(
        telephone_pdf("Riverside", "Christmas", ContactList(to_call[:1], ()), Format())
    )
    assert frames_on(page) - frames_on(shorter) == len(to_call) - 1
    assert page.extract_text().count("No evening on 22 December") == 1
    (page,) = pages_of(telephone_pdf("Riverside", "Christmas", CALLS, Format()))
    assert frames_on(page) - frames_on(shorter) == len(to_call) - 1
    assert len(re.findall(r"\bAsk\b", page.extract_text())) == len(to_call)


@pytest.mark.sampled(law="long plays")
def test_empty_lines_for_guests_take_no_page_of_their_own() -> None:
    for people in range(20, 60):
        names = [Arrival(f"Player {number}", is_here=False) for number in range(people)]
        paper = attendance_pdf(PrintedEvent("Riverside", "Tuesday", Format()), names)
        assert "Player" in words_of(paper)[-1]
    assert len(pages_of(paper)) == 2


def test_pages_that_lead_to_paper_warn_of_letters_that_cannot_be_printed(
    cast: Cast, alice: Visitor
) -> None:
    season, players = make_season(cast.club), make_players(cast.club, 4)
    session = night(cast.club, date(2026, 11, 17), players)
    post(session.tables.get(), SECOND_WINS)
    of_season = reverse("season", args=["riverside", season.pk])
    of_evening = reverse("papers", args=["riverside", session.pk])
    pages = (of_season, f"{of_season}print/", of_evening)
    assert ["can’t be printed" in alice.get(page).content.decode() for page in pages] == [False] * 3
    Player.objects.filter(pk=players[0].pk).update(name="Zoë 🀄 Bell")
    for page in pages:
        assert "<bdi>Zoë 🀄 Bell</bdi>: <bdi>🀄</bdi>" in alice.get(page).content.decode(), page


@every_format
def test_a_paper_says_its_language_and_how_it_is_built(form: Format) -> None:
    paper = attendance_pdf(PrintedEvent("Riverside", "Tuesday", form), PEOPLE)
    root: Any = PdfReader(BytesIO(paper)).root_object
    assert root["/Lang"] == "en-GB"
    assert root["/MarkInfo"]["/Marked"].value
    kinds = kinds_in(root["/StructTreeRoot"]["/K"].get_object())
    assert kinds[0] == "/Document"
    assert kinds.count("/H1") == kinds.count("/Table") == 1
    assert kinds.count("/TH") == 4
    assert kinds.count("/TD") >= 4 * len(PEOPLE)
    alone: Any = PdfReader(BytesIO(extract_pages(paper, "1"))).root_object
    assert alone["/Lang"] == "en-GB"


def kinds_in(part: object) -> list[str]:
    """The types of all parts of a tree of structure, each before its own."""
    if not isinstance(part, dict) or "/S" not in part:
        return []
    inside = part["/K"].get_object()
    kids = [kid.get_object() for kid in (inside if isinstance(inside, list) else [inside])]
    return [part["/S"], *(kind for kid in kids for kind in kinds_in(kid))]
