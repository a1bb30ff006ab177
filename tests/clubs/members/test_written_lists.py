"""What people write in their lists: two telephones, American dates, titles, lines for nobody."""

from datetime import date
from html import unescape
from io import BytesIO
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st
from xlsxwriter import Workbook

from clubs.language.phones import number_to_dial, split_phones
from clubs.members.files import read_line
from clubs.members.import_plan import Answers, plan_import
from clubs.members.person_columns import is_incomplete_date, read_day
from clubs.members.services.imports import import_members
from clubs.models import Alias, MemberImport, Player
from scoring.scorebook.refusals import Refused
from tests.clubs.members.test_import_page import IMPORT, messages, press
from tests.clubs.members.test_services_files import added_players, faults_of, first_sheet
from tests.clubs.visits import Visitor
from tests.people import Cast, make_player


@pytest.mark.parametrize(
    ("cells", "phones"),
    [
        ("01225 1234,07700 900123", ("01225 1234", "07700 900123")),
        ("01225 1234,", ("01225 1234", "")),
        (",07700 900123", ("07700 900123", "")),
        ("7700900123,1225123456", ("07700900123", "01225123456")),
        ("+44 7700 900123,999", ("+44 7700 900123", "999")),
    ],
)
def test_two_telephones_have_two_places(cast: Cast, cells: str, phones: tuple[str, str]) -> None:
    text = f"name,Tel (home),Mobile\nNgaio Marsh,{cells}\n"
    (ngaio,) = added_players(import_members(club=cast.club, text=text))
    assert (ngaio.phone, ngaio.second_phone) == phones


def test_a_sheet_shows_its_leading_zeros() -> None:
    file = BytesIO()
    with Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for row, number_format in enumerate(("00000000000", "00000 000000", "0", "General")):
            sheet.write_number(row, 0, 7700900123, book.add_format({"num_format": number_format}))
    column = [row[0] for row in first_sheet(file.getvalue())]
    assert column == ["07700900123", "07700 900123", "7700900123", "7700900123"]


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Ann Zedd\n\nBen Zedd\n", [(1, "Ann Zedd"), (3, "Ben Zedd")]),
        ("1. Ann Zedd\n2) Ben Zedd", [(1, "Ann Zedd"), (2, "Ben Zedd")]),
        ("1 Ann Zedd\r\n2\tBen Zedd\r\n3 Cy", [(1, "Ann Zedd"), (2, "Ben Zedd"), (3, "Cy")]),
        ('Zedd, Ann\n"Zedd, Ben"', [(1, "Ann Zedd"), (2, "Ben Zedd")]),
        ("Our club\nAnn Zedd,,\nBen Zedd,,", [(1, "Our club"), (2, "Ann Zedd"), (3, "Ben Zedd")]),
        ("Ann", [(1, "Ann")]),
    ],
)
def test_names_alone_need_no_column_names(
    cast: Cast, text: str, people: list[tuple[int, str]]
) -> None:
    plan = plan_import(club=cast.club, text=text)
    assert [(row.line.number, row.line.name) for row in plan.lines] == people
    assert [(column.heading, column.becomes) for column in plan.columns] == [
        ("Column 1 (no heading)", "name")
    ]
    names = [player.name for player in added_players(import_members(club=cast.club, text=text))]
    assert sorted(names) == sorted(name for _, name in people)


@pytest.mark.parametrize(
    "text", ["Ann,ann@example.org\nBen,", "Ann\tBath\nBen\tBath", "12\n13", "Ann 01225 1\nBen 12"]
)
def test_a_list_of_more_than_names_needs_column_names(cast: Cast, text: str) -> None:
    with pytest.raises(Refused, match="One line must contain the column names"):
        plan_import(club=cast.club, text=text)


@pytest.mark.parametrize(
    ("date_text", "is_without"),
    [
        *((date, True) for date in ("2019", "May 2019", "Sept ’19", "’98", "c. 2010", "5/2019")),
        *((date, True) for date in ("Spring 2019", "pre-2000", "2019/20", "September")),
        *((date, False) for date in ("24/11/2026", "31/02/2019", "tbc", "decd", "3 May")),
        *((date, False) for date in ("31/02/19", "30.02.21", "99/99/99", "24/11", "May 12", "45")),
    ],
)
def test_a_year_or_a_month_is_no_day(date_text: str, is_without: bool) -> None:
    assert is_incomplete_date(date_text) is is_without
    if is_without:
        with pytest.raises(ValueError, match=r"has no day\. Use a date like 24/11/2026"):
            read_day(date_text)


WITHOUT_DAYS = """name,joined,phone
Ann Zedd,2019,01225 1
Ben Zedd,May 2020,
Carol and Derek Finch,2021,01225 2
Cy Zedd,1/2/2003,
"""


def test_one_press_leaves_out_every_date_without_a_day(alice: Visitor, cast: Cast) -> None:
    page = alice.post(IMPORT, {"text": WITHOUT_DAYS})
    html = page.content.decode()
    assert "Dates without a day (3)" in html
    assert "only a year or a month: 2019, May 2020, 2021. We never guess the day." in html
    page = press(alice, page, without_days="yes")
    html = page.content.decode()
    assert "Dates without a day" not in html
    assert "Lines to correct" not in html
    assert "Joined 2019 is left out, as it has no day." in html
    assert not MemberImport.objects.exists()
    assert messages(press(alice, page)) == ["5 people were added."]
    people = cast.club.players.filter(name__regex="Zedd|Finch").order_by("name_key")
    assert list(people.values_list("name", "joined_on", "phone")) == [
        ("Ann Zedd", None, "01225 1"),
        ("Ben Zedd", None, ""),
        ("Carol Finch", None, "01225 2"),
        ("Cy Zedd", date(2003, 2, 1), ""),
        ("Derek Finch", None, "01225 2"),
    ]


MONTH_FIRST = (
    "In line 2 of “Joined” the month comes first (12/31/2025). If it does in every line, choose "
    "“Joined, month first” for this column. If not, correct that line."
)
AMERICAN = "Name,Joined\nAnn Zedd,12/31/2025\nBen Zedd,12/01/2025\n"


def test_a_column_with_a_date_that_is_month_first_is_doubtful_as_a_whole(cast: Cast) -> None:
    assert plan_import(club=cast.club, text=AMERICAN).problems == (MONTH_FIRST,)
    assert faults_of(cast, AMERICAN) == [MONTH_FIRST]
    answers = Answers(columns={2: "joined, month first"})
    ann, ben = added_players(import_members(club=cast.club, text=AMERICAN, answers=answers))
    assert (ann.joined_on, ben.joined_on) == (date(2025, 12, 31), date(2025, 12, 1))


def test_where_only_that_line_is_wrong_it_is_corrected(cast: Cast) -> None:
    answers = Answers(mended_cells={2: {"joined": "31/12/2025"}})
    ann, ben = added_players(import_members(club=cast.club, text=AMERICAN, answers=answers))
    assert (ann.joined_on, ben.joined_on) == (date(2025, 12, 31), date(2025, 1, 12))


@pytest.mark.parametrize(
    "written_name",
    [
        *("Mrs Margaret Ashworth", "Margaret Ashworth (Peg)", "ASHWORTH, Mrs Margaret"),
        *('"Margaret Ashworth, MBE"', "Dr Margaret Ashworth"),
    ],
)
def test_titles_letters_and_brackets_are_no_other_person(
    cast: Cast, margaret: Player, written_name: str
) -> None:
    line = written_name if '"' in written_name else f'"{written_name}"'
    (planned_line,) = plan_import(club=cast.club, text=f"name\n{line}").lines
    assert planned_line.people == (margaret,)
    assert planned_line.faults == ()


def test_a_nickname_in_brackets_that_is_taken_stands_in_nobodys_way(
    cast: Cast, margaret: Player
) -> None:
    (peggy,) = added_players(import_members(club=cast.club, text="name\nMargaret Hill (Peg)"))
    assert (peggy.name, peggy.aliases.count()) == ("Margaret Hill", 0)


def test_what_is_probably_nobody_is_imported_only_where_that_is_chosen(cast: Cast) -> None:
    text = "name,phone\nFULL MEMBERS,\nCarol and Derek Finch,01225 1\nZoë Hill,\n"
    skip_answers = Answers(choices={3: "out"})
    (zoe,) = added_players(import_members(club=cast.club, text=text, answers=skip_answers))
    assert zoe.name == "Zoë Hill"
    name_answers = Answers(choices={3: "new", 4: "out"}, mended_cells={3: {"name": "Carol Finch"}})
    (carol,) = added_players(import_members(club=cast.club, text=text, answers=name_answers))
    assert (carol.name, carol.phone) == ("Carol Finch", "01225 1")


def test_empty_rows_do_not_count(cast: Cast) -> None:
    text = "name\nNgaio Marsh\n" + ",,\n" * 5_000 + "Zoë Hill\n"
    member_import = import_members(club=cast.club, text=text)
    assert [player.name for player in added_players(member_import)] == ["Ngaio Marsh", "Zoë Hill"]


@pytest.mark.parametrize("label", ["Fakenham", "Team A", "not Tuesdays"])
def test_what_is_in_brackets_tells_namesakes_apart(cast: Cast, label: str) -> None:
    text = f"Jean Smith ({label})\nSmith, Jean (Harrogate)\n"
    names = [player.name for player in added_players(import_members(club=cast.club, text=text))]
    assert sorted(names) == sorted([f"Jean Smith ({label})", "Jean Smith (Harrogate)"])
    second_plan = plan_import(club=cast.club, text=text)
    assert [row.person and row.person.name for row in second_plan.lines] == [
        f"Jean Smith ({label})",
        "Jean Smith (Harrogate)",
    ]


def test_a_namesake_from_another_town_is_not_merged_without_a_question(cast: Cast) -> None:
    jean = make_player(cast.club, "Jean Smith")
    text = "Jean Smith (Harrogate)\n"
    (row,) = plan_import(club=cast.club, text=text).lines
    assert (row.is_doubtful, row.people) == (True, (jean,))
    (namesake,) = added_players(
        import_members(club=cast.club, text=text, answers=Answers(choices={1: "new"}))
    )
    assert namesake.name == "Jean Smith (Harrogate)"


def test_a_short_form_in_brackets_is_the_same_person(cast: Cast) -> None:
    margaret = make_player(cast.club, "Margaret Hill")
    (row,) = plan_import(club=cast.club, text="Margaret Hill (Peg)\n").lines
    assert (row.person, row.line.nicknames) == (margaret, ("Peg",))


def test_an_office_in_brackets_is_left_out_and_said(alice: Visitor, cast: Cast) -> None:
    page = alice.post(IMPORT, {"text": "Ann Dee (Hon. Sec.)\n"}).content.decode()
    assert "“(Hon. Sec.)” is left out." in page


FOOTER = "Chair: Ann Hill, Tel. 01328 123456"


@pytest.mark.parametrize("begin", ["Dee, Ann", 'name\n"Dee, Ann"', "surname,first name\nDee,Ann"])
def test_the_foot_of_a_list_is_nobody_unless_someone_says_so(
    alice: Visitor, cast: Cast, begin: str
) -> None:
    text = f'{begin}\n"{FOOTER}"\nTel. 01328 123456\ninfo@club.example\n'
    plan = plan_import(club=cast.club, text=text)
    line_kinds = [(row.line.name, row.line.no_person_reason) for row in plan.lines]
    feet = (FOOTER, "Tel. 01328 123456", "info@club.example")
    assert line_kinds == [("Ann Dee", ""), *((foot, "contact details") for foot in feet)]
    assert FOOTER in alice.post(IMPORT, {"text": text}).content.decode()
    with pytest.raises(Refused, match="Enter only the name here"):
        import_members(
            club=cast.club, text=text, answers=Answers(choices={plan.lines[1].line.number: "new"})
        )
    assert [player.name for player in added_players(import_members(club=cast.club, text=text))] == [
        "Ann Dee"
    ]


@pytest.mark.parametrize(
    "email_text",
    ["ann@example.org.", "<ann@example.org>", "Ann <ann@example.org>", "mailto:ann@example.org"],
)
def test_an_address_is_read_as_it_is_pasted(cast: Cast, email_text: str) -> None:
    (ann,) = added_players(
        import_members(club=cast.club, text=f"name,email\nAnn Dee,{email_text}\n")
    )
    assert ann.email == "ann@example.org"


NUMBERS = st.from_regex(r"(\+44 ?|0)[1-9][0-9]{3} ?[0-9]{3} ?[0-9]{3}", fullmatch=True)
MARKS = st.sampled_from([" or ", "/", " / ", "; ", ", ", " & ", " and ", "\n", ",", " OR "])


@given(st.lists(NUMBERS, min_size=1, max_size=4, unique=True), st.data())
def test_each_number_of_a_cell_is_read_as_it_is_written(
    numbers: list[str], data: st.DataObject
) -> None:
    cell = numbers[0] + "".join(data.draw(MARKS) + number for number in numbers[1:])
    assert split_phones(cell) == tuple(numbers)
    assert number_to_dial(cell) == numbers[0].replace(" ", "")
    line = read_line(2, {"name": "Ann Dee", "phone": cell})
    phones = [line.fields[key] for key in ("phone", "second_phone") if key in line.fields]
    assert phones == numbers[:2]
    notes = [
        f"Only two phone numbers can be kept, so {number} is left out." for number in numbers[2:]
    ]
    assert (list(line.notes), line.faults) == (notes, ())


@pytest.mark.parametrize(
    "cell",
    ["01904/555105", "01904 555105, ext 12", "01904 555105 / 6", "(01904) 555105", "999 or 112"],
)
def test_one_number_stays_whole(cell: str) -> None:
    assert split_phones(cell) == (cell,)
    assert read_line(2, {"name": "Ann Dee", "phone": cell}).fields == {"phone": cell}


@pytest.mark.parametrize(
    ("phone_text", "number"),
    [
        ("01328 123456 (not before 10)", "01328123456"),
        ("01328 123456 10am to 12", "01328123456"),
        ("Tel. 01328-123456", "01328123456"),
        ("(01328) 123456", "01328123456"),
        ("+44 (0)1328 123456", "+441328123456"),
        ("0044 1328 123456", "00441328123456"),
        ("01904 555105, ext 12", "01904555105"),
        ("flat 2: 01328 123456", "01328123456"),
        ("01225 45", "0122545"),
        ("999", "999"),
    ],
)
def test_a_telephone_dials_the_number_and_none_of_the_words(phone_text: str, number: str) -> None:
    assert number_to_dial(phone_text) == number


@pytest.mark.parametrize("cell", ["hello", "none", "-"])
def test_a_cell_without_a_number_is_no_telephone(cast: Cast, cell: str) -> None:
    plan = plan_import(club=cast.club, text=f"name,phone\nAnn Dee,{cell}\n")
    assert [row.problems for row in plan.lines] == [[f"{cell} is not a valid phone number."]]


def test_what_two_columns_have_of_three_numbers() -> None:
    cells = {"phone": "01904 555102/07700 900102", "second phone": "07700 900102"}
    line = read_line(2, {"name": "Ann Dee", **cells})
    assert line.fields == {"phone": "01904 555102", "second_phone": "07700 900102"}
    assert line.notes == ()


SHOUTED = 'Name,Nickname\nSMITH JONES,\n"O\'BRIEN, SEAN",PADDY\nMCDONALD ANN,\nCy Finch,\n'


def names_of(page: Any) -> list[str]:
    return [row.line.name for row in page.context["form"].plan.lines]


def test_names_in_capitals_are_written_as_people_write_them_unless_they_are_kept(
    alice: Visitor, cast: Cast
) -> None:
    page = alice.post(IMPORT, {"text": SHOUTED})
    assert names_of(page) == ["Smith Jones", "Sean O'Brien", "McDonald Ann", "Cy Finch"]
    assert "We write “SMITH JONES” as “Smith Jones”." in page.content.decode()
    kept_page = press(alice, page, letters="keep")
    assert names_of(kept_page) == ["SMITH JONES", "SEAN O'BRIEN", "MCDONALD ANN", "Cy Finch"]
    assert "Write names as Smith Jones" in kept_page.content.decode()
    small = press(alice, kept_page, capitals="keep", letters="small")
    press(alice, small, capitals="small")
    people = Player.objects.filter(club=cast.club).values_list("name", flat=True)
    assert {"Smith Jones", "Sean O'Brien", "McDonald Ann", "Cy Finch"} < set(people)
    assert Alias.objects.get(name="Paddy").player.name == "Sean O'Brien"


def test_names_in_capitals_that_are_kept_are_stored_so(alice: Visitor, cast: Cast) -> None:
    page = alice.post(IMPORT, {"text": "First name,Last name\nANN,VAN DYK\nBEN,HILL\n"})
    assert names_of(page) == ["Ann van Dyk", "Ben Hill"]
    press(alice, page, capitals="keep")
    assert cast.club.players.filter(name="ANN VAN DYK").exists()


FEW: Final = "MARY O'BRIEN\nsusan lee\nCy Finch\nJ B Moss MBE\nVACANT\nann\n"


@pytest.mark.parametrize("heading", ["", "name\n"])
def test_a_few_names_in_one_kind_of_letters_are_tidied_unless_they_are_kept(
    alice: Visitor, heading: str
) -> None:
    page = alice.post(IMPORT, {"text": heading + FEW})
    assert names_of(page)[:2] == ["Mary O'Brien", "Susan Lee"]
    text = unescape(page.content.decode())
    assert "2 names are all in capitals or all in small letters." in text
    assert "We write “MARY O'BRIEN” as “Mary O'Brien” and “susan lee” as “Susan Lee”." in text
    page = press(alice, page, letters="keep")
    assert names_of(page)[:2] == ["MARY O'BRIEN", "susan lee"]


def test_the_check_page_says_what_of_a_name_is_left_out_and_what_stays(alice: Visitor) -> None:
    text = "Mrs Joan Carter\nAnn Brown MBE, JP\nDr. Ken Ash\nPym, Mrs Una (Treasurer)\n"
    page = unescape(alice.post(IMPORT, {"text": text}).content.decode())
    for note in (
        *("“Mrs” is left out.", "“MBE” and “JP” are left out.", "“Dr.” stays in the name."),
        "“Mrs” and “(Treasurer)” are left out.",
    ):
        assert note in page


def test_the_check_page_counts_whom_it_makes_and_says_what_is_doubtful(alice: Visitor) -> None:
    text = "Mr & Mrs P Hollis\nVACANT\n7. Vacant\nVacant seat\nAnn Hill\nBen Hill\n"
    page = alice.post(IMPORT, {"text": text}).content.decode()
    assert "4 people found, counting both people on 1 line." in page
    assert "3 more lines are doubtful. They will be skipped unless you choose otherwise." in page


def test_a_program_says_whether_capitals_go(cast: Cast) -> None:
    for small_letters, name in ((False, "ANN HILL"), (True, "Ann Hill")):
        answers = Answers(small_letters=small_letters)
        (row,) = plan_import(club=cast.club, text="name\nANN HILL\n", answers=answers).lines
        assert row.line.name == name
