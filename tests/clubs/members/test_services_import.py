"""Reading members from a file: looked at first, stored as chosen, taken back."""

from datetime import date

import pytest

from clubs.core.people_names import How
from clubs.members.selectors import plan_import
from clubs.members.services import import_members, undo_import
from clubs.models import Alias, MemberImport, Player
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import make_players, night
from tests.people import Cast, make_player

COLUMNS = (
    "The first line must contain the column names: name, and email, phone, joined, paid until, "
    "nickname and shown as if you have them."
)


@pytest.fixture
def margaret(cast: Cast) -> Player:
    player = make_player(cast.club, "Margaret Ashworth", phone="01225 1", email="m@example.org")
    Alias.objects.create(club=cast.club, player=player, name="Peg", name_key="peg")
    return player


def faults_of(cast: Cast, text: str, choices: dict[int, str] | None = None) -> list[str]:
    """The sentences with which the file is refused; nobody may have been added."""
    before = cast.club.players.count()
    with pytest.raises(Refused) as refused:
        import_members(club=cast.club, text=text, choices=choices)
    assert cast.club.players.count() == before
    return [problem.sentence for problem in refused.value.problems]


def added(made: MemberImport) -> list[Player]:
    return list(Player.objects.filter(pk__in=made.added))


def test_people_are_added_and_known_ones_left_alone(cast: Cast) -> None:
    made = import_members(
        club=cast.club, text="\ufeffName,Email\nZoë Łukasiewicz,zoe@example.org\n\nPAT,\n"
    )
    assert [(player.name, player.email) for player in added(made)] == [
        ("Zoë Łukasiewicz", "zoe@example.org")
    ]
    assert set(made.before) == {str(made.added[0])}


@pytest.mark.parametrize(
    "text",
    [
        "email;name\n;Ngaio Marsh",
        "name\tshoe size\nNgaio Marsh\t38",
        "name\nNgaio Marsh",
        'name\n"Marsh, Ngaio"',
        "Forename,Surname\nNgaio,Marsh",
        "First name,Known as,Last name\nNgaio,,Marsh",
    ],
)
def test_semicolons_tabs_and_other_columns_are_understood(cast: Cast, text: str) -> None:
    made = import_members(club=cast.club, text=text)
    assert [player.name for player in added(made)] == ["Ngaio Marsh"]


def test_everything_that_a_line_tells_is_stored(cast: Cast) -> None:
    made = import_members(
        club=cast.club,
        text="name,telephone,mobile,member since,paid until,known as\n"
        "Ngaio Marsh,01225 1234,07700 1,1/9/2019,31 August 2027,Ngi; Roy\n",
    )
    ngaio = added(made)[0]
    assert (ngaio.phone, ngaio.joined_on, ngaio.paid_until) == (
        "01225 1234",
        date(2019, 9, 1),
        date(2027, 8, 31),
    )
    assert [alias.name for alias in ngaio.aliases.all()] == ["Ngi", "Roy"]


@pytest.mark.parametrize(
    ("written", "how"),
    [
        ("MARGARET  ASHWORTH", How.SAME),
        ("Márgaret Ashworth", How.SAME),
        ("Ashworth Margaret", How.ORDER),
        ('"Ashworth, Margaret"', How.SAME),
        ("peg", How.NICKNAME),
        ("M. Ashworth", How.INITIALS),
        ("Margret Ashworth", How.DOUBTFUL),
        ("Maggie Ashworth", How.DOUBTFUL),
        ("Ashworth", How.DOUBTFUL),
        ("Ngaio Marsh", How.NEW),
    ],
)
def test_a_person_is_known_again(cast: Cast, margaret: Player, written: str, how: How) -> None:
    (planned,) = plan_import(club=cast.club, text=f"name\n{written}")
    assert planned.how == how
    assert planned.people == (() if how == How.NEW else (margaret,))


def test_nothing_is_stored_by_looking(cast: Cast, margaret: Player) -> None:
    plan_import(club=cast.club, text="name,phone\nMargaret Ashworth,2\nNgaio,")
    assert Player.objects.get(pk=margaret.pk).phone == "01225 1"
    assert not Player.objects.filter(name="Ngaio").exists()


def test_somebody_new_with_a_known_address_is_asked_about(cast: Cast, margaret: Player) -> None:
    (planned,) = plan_import(club=cast.club, text="name,email\nBill Brown,M@example.org")
    assert (planned.how, planned.people) == (How.DOUBTFUL, (margaret,))


def test_the_secretary_must_choose_where_it_is_doubtful(cast: Cast, margaret: Player) -> None:
    text = "name\nMargret Ashworth"
    assert faults_of(cast, text) == [
        "Line 2: choose whether Margret Ashworth is Margaret Ashworth, or a new person."
    ]
    made = import_members(club=cast.club, text=text, choices={2: f"{margaret.pk}"})
    assert made.added == []
    assert [alias.name for alias in margaret.aliases.all()] == ["Margret Ashworth", "Peg"]
    (planned,) = plan_import(club=cast.club, text=text)
    assert planned.how == How.NICKNAME


def test_whoever_is_like_somebody_can_be_somebody_else(cast: Cast, margaret: Player) -> None:
    made = import_members(club=cast.club, text="name\nM Ashworth", choices={2: "new"})
    assert [player.name for player in added(made)] == ["M Ashworth"]


def test_a_line_can_be_left_out(cast: Cast) -> None:
    made = import_members(club=cast.club, text="name\nNgaio\nZoë", choices={2: "out"})
    assert [player.name for player in added(made)] == ["Zoë"]


def test_two_lines_cannot_be_one_person(cast: Cast, margaret: Player) -> None:
    text = "name\nM Ashworth\nPeg"
    assert [row.how for row in plan_import(club=cast.club, text=text)] == [How.DOUBTFUL] * 2
    both = {2: f"{margaret.pk}", 3: f"{margaret.pk}"}
    (said,) = faults_of(cast, text, both)
    assert said.startswith("Lines 2 and 3 are both for Margaret Ashworth. Leave one")


def test_nobody_of_another_club_can_be_chosen(cast: Cast, margaret: Player) -> None:
    carol = Player.objects.get(name="Carol")
    assert faults_of(cast, "name\nNgaio", {2: f"{carol.pk}"})


def test_a_nickname_is_one_persons(cast: Cast, margaret: Player) -> None:
    text = "name,nickname\nNgaio,Peg\nZoë,\n"
    assert faults_of(cast, text) == ["Line 2: Peg is already the name of another member."]


def test_every_faulty_line_is_named(cast: Cast) -> None:
    text = (
        "name,email,phone,joined,kind\nNgaio,,,,\n,x@example.org,,,\nNgaio,,,,\n"
        "<b>,not an address,none,31/31/2020,friend\n"
    )
    assert faults_of(cast, text) == [
        "Line 2: Ngaio is in the file twice.",
        "Line 3: Enter a name.",
        "Line 4: Ngaio is in the file twice.",
        "Line 5: A name cannot contain < or >.",
        "Line 5: friend must be member or guest.",
        "Line 5: not an address is not a valid email address.",
        "Line 5: none is not a valid phone number.",
        "Line 5: 31/31/2020 is not a valid date. Use a date like 24/11/2026.",
    ]


def test_blank_lines_do_not_shift_the_numbers(cast: Cast) -> None:
    assert faults_of(cast, "name\n\n\n<i>\n") == ["Line 4: A name cannot contain < or >."]


def test_a_file_without_names_of_columns_is_refused(cast: Cast) -> None:
    assert faults_of(cast, "Ngaio,ngaio@example.org\n") == [
        f"{COLUMNS} Yours says: ngaio, ngaio@example.org."
    ]


def test_an_empty_file_is_refused(cast: Cast) -> None:
    assert faults_of(cast, "") == [f"{COLUMNS} Yours says: nothing."]


def test_a_first_line_without_end_is_refused(cast: Cast) -> None:
    assert faults_of(cast, "name," + "x" * 140_000) == [
        "The file cannot be read as CSV: field larger than field limit (131072)."
    ]


def test_a_file_of_thousands_is_refused(cast: Cast) -> None:
    assert faults_of(cast, "name\n" + "Ngaio\n" * 2001) == [
        "The file has 2,001 lines. Import 2,000 or fewer."
    ]


def test_a_list_is_taken_back_with_one_press(cast: Cast, margaret: Player) -> None:
    text = "name,phone,joined,nickname\nMargaret Ashworth,2,1/9/2019,Maggie\nNgaio,,,Ngi\n"
    before = (margaret.phone, margaret.joined_on)
    made = import_members(club=cast.club, text=text)
    undo_import(made=made)
    margaret.refresh_from_db()
    assert (margaret.phone, margaret.joined_on) == before
    assert [alias.name for alias in Alias.objects.all()] == ["Peg"]
    assert not Player.objects.filter(name="Ngaio").exists()


def test_what_is_newer_stands_in_the_way_and_is_said(cast: Cast, margaret: Player) -> None:
    made = import_members(club=cast.club, text="name,phone\nMargaret Ashworth,2\nNgaio,\n")
    ngaio = Player.objects.get(name="Ngaio")
    night(cast.club, date(2026, 11, 17), [ngaio, *make_players(cast.club, 3)])
    Player.objects.filter(pk=margaret.pk).update(phone="3")
    with pytest.raises(Refused) as refused:
        undo_import(made=made)
    assert {problem.sentence for problem in refused.value.problems} == {
        "Margaret Ashworth: phone was changed since.",
        "Ngaio was here on an evening since.",
        "Ngaio sat at a table since.",
    }
    assert Player.objects.filter(name="Ngaio").exists()


def test_a_list_is_taken_back_once(cast: Cast) -> None:
    made = import_members(club=cast.club, text="name\nNgaio")
    undo_import(made=made)
    with pytest.raises(Refused, match="already been undone"):
        undo_import(made=made)


@pytest.mark.parametrize("count", [1, 3])
def test_looking_at_a_list_asks_no_more_for_more_people(
    cast: Cast, count: int, django_assert_num_queries: object
) -> None:
    make_players(cast.club, count)
    with django_assert_num_queries(2):  # type: ignore[operator]
        plan_import(club=cast.club, text="name\nNgaio\nZoë\nCy")
