"""The entry list: pasted, ticked, typed or read in; who comes, waits, pays and withdraws."""

from collections import Counter
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring.scorebook.refusals import Refused
from tests.people import Cast, make_player
from tests.tournaments.cups import DRAWN, close_round, make_cup, page_of, seated_cup
from tournaments.models import Capacity, EntrantState, OddNumber, Placement, Tournament
from tournaments.results.selectors.standings import standings_of
from tournaments.rounds.selectors import rounds_of
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services, written_entries
from tournaments.steps.selectors import preflight, preflight_withdrawal

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("entrants", "house_players"), [(4, 0), (5, 3), (14, 2), (15, 1), (16, 0)])
def test_house_players_fill_the_last_table_and_are_not_ranked(
    entrants: int, house_players: int
) -> None:
    cup = seated_cup(entrants=entrants, rounds=3, odd=OddNumber.HOUSE, starts=False)
    house = Placement.objects.filter(capacity=Capacity.HOUSE)
    assert house.count() == house_players * 3
    assert set(house.values_list("entrant__is_house", flat=True)) <= {True}
    assert Placement.objects.count() == (entrants + house_players) * 3
    assert len(standings_of(cup)) == entrants


@pytest.mark.parametrize("entrants", [5, 6, 7, 13, 18])
def test_players_sit_out_in_turn(entrants: int) -> None:
    cup = seated_cup(entrants=entrants, rounds=4, odd=OddNumber.SIT_OUT, starts=False)
    rest_counts = Counter(name for round_ in rounds_of(cup) for name in round_.sitting_out)
    assert sum(rest_counts.values()) == entrants % 4 * 4
    turns = [rest_counts[f"Player {number}"] for number in range(1, entrants + 1)]
    assert max(turns) - min(turns) <= 1


def test_house_players_leave_with_the_seating() -> None:
    cup = seated_cup(entrants=6, odd=OddNumber.HOUSE, starts=False)
    seating.clear_rounds(tournament=cup)
    assert cup.entrants.filter(is_house=True).count() == 0


def test_who_comes_when_all_places_are_taken_waits_until_somebody_withdraws() -> None:
    cup = make_cup(entrants=0)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.WAIT, places=4)
    setup_services.enter_names(tournament=cup, names=["Ann", "Ben", "Cy", "Di", "Eve", "Fay"])
    waiting = cup.entrants.filter(state=EntrantState.WAITING)
    assert [entrant.name for entrant in waiting] == ["Eve", "Fay"]
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(name="Ben"))
    assert [entrant.name for entrant in waiting.all()] == ["Fay"]
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.WAIT, places=None)
    assert not waiting.all().exists()


def test_fewer_than_four_places_are_refused() -> None:
    cup = make_cup(entrants=0)
    with pytest.raises(Refused, match="Enter 4 places or more"):
        setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.WAIT, places=3)


def test_who_arrives_late_gets_a_seat_in_the_rounds_to_come() -> None:
    cup = seated_cup(entrants=8, rounds=3, hands=1, odd=OddNumber.SIT_OUT)
    close_round(cup, DRAWN)
    late_entrant = setup_services.enter_entrant(tournament=cup, name="Late Larry")
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    first, *later_rounds = rounds_of(Tournament.objects.get())
    assert [round_.sitting_out for round_ in (first, *later_rounds)].count(()) == 1
    seats = late_entrant.placements.count() + late_entrant.rounds_out.count()
    assert seats == 2
    assert first.tables[0].hands == 1


def test_who_withdraws_after_a_round_keeps_the_result_and_loses_the_seats_to_come() -> None:
    cup = seated_cup(entrants=8, rounds=3, hands=1, odd=OddNumber.HOUSE)
    close_round(cup, DRAWN)
    leaving = cup.entrants.get(number=2)
    setup_services.withdraw(tournament=cup, entrant=leaving)
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    assert leaving.placements.count() == 1
    assert Placement.objects.filter(entrant__is_house=True).count() == 2
    rounds_by_name = {row.name: row.rounds for row in standings_of(cup)}
    assert (len(rounds_by_name), rounds_by_name["Player 2"]) == (8, 1)
    setup_services.readmit(tournament=cup, entrant=leaving)
    changes.reseat_rounds(tournament=cup, made_by="user 1")
    assert leaving.placements.count() == 3


def test_house_players_cannot_withdraw() -> None:
    cup = seated_cup(entrants=7, odd=OddNumber.HOUSE, starts=False)
    with pytest.raises(Refused, match="House players are added and removed automatically"):
        setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(is_house=True))


def test_team_mates_are_kept_apart() -> None:
    cup = make_cup(entrants=0, rounds=1)
    for number in range(16):
        team = "Bamboo" if number < 4 else ""
        setup_services.enter_entrant(tournament=cup, name=f"Player {number}", team=team)
    seating.seat_rounds(tournament=cup)
    tables = Placement.objects.filter(entrant__team="Bamboo").values_list("table", flat=True)
    assert len(set(tables)) == 4


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    return make_cup(entrants=0, club=cast.club)


def entrants_url(cup: Tournament, place: str = "") -> str:
    """The page of the entries, or one below it."""
    return page_of(cup, f"entrants/{place}")


def entrant_rows(cup: Tournament) -> list[tuple[str, str, str | None]]:
    """Name, club, and the member that the entrant is known as."""
    return [
        (entrant.name, entrant.from_club, entrant.player.name if entrant.player else None)
        for entrant in cup.entrants.select_related("player")
    ]


def paste(director: Client, cup: Tournament, text: str) -> Any:
    """The check page of a pasted list."""
    return director.post(entrants_url(cup), {"way": "names", "names": text})


def import_shown(director: Client, cup: Tournament, page: Any) -> Any:
    """Press “Import” on the check page as it is shown."""
    form_data = {**sent_by(page), "enter": "yes"}
    columns = page.context["columns"].columns_now
    return director.post(entrants_url(cup, "list/"), {**form_data, "shown": columns})


def sent_by(page: Any) -> dict[str, Any]:
    """What the check page sends of the list."""
    form = page.context["form"]
    return {name: form[name].value() for name in ("text", "is_pasted")}


def test_pasted_names_are_looked_at_and_enter_and_members_are_known(
    director: Client, cup: Tournament
) -> None:
    page = paste(director, cup, "Ann Abbott\r\n\r\n  pat \r\nZoë Łukasiewicz\r\n")
    assertContains(page, "No one has been entered yet. 3 entries found.")
    assert entrant_rows(cup) == []
    assertRedirects(import_shown(director, cup, page), entrants_url(cup))
    assert entrant_rows(cup) == [
        ("Ann Abbott", "", None),
        ("pat", "", "Pat"),
        ("Zoë Łukasiewicz", "", None),
    ]
    assertContains(director.get(entrants_url(cup)), "3 entered")


def test_a_pasted_list_is_read_as_people_write_it(director: Client, cup: Tournament) -> None:
    text = (
        "Entry list, Larkhill Open\n1. Peter Harding\n2. Mrs Margaret Brown\n3) Dyer, Di\n"
        "Waiting list:\n4. Ann Brown, MBE\nPage 1 of 1\n"
    )
    page = paste(director, cup, text)
    assert [entry.name for entry in page.context["tried"].entries] == [
        *("Peter Harding", "Margaret Brown", "Di Dyer", "Ann Brown")
    ]
    assert [(row.reason, row.text) for row in page.context["tried"].skipped_lines] == [
        ("a heading", "Entry list, Larkhill Open"),
        ("a heading", "Waiting list:"),
        ("a page number", "Page 1 of 1"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Jane Doe\tBath\tBath A\nCy Firth\tWells\t",
        "1\tJane Doe\tBath\tBath A\n2\tCy Firth\tWells\t",
        "Player\tClub\tTeam\nJane Doe\tBath\tBath A\nCy Firth\tWells\t",
        "Jane Doe; Bath; Bath A\nCy Firth; Wells",
        "Jane Doe, Bath, Bath A\nCy Firth, Wells, , yes",
    ],
)
def test_cells_of_a_spreadsheet_are_name_club_and_team(
    director: Client, cup: Tournament, text: str
) -> None:
    entries = paste(director, cup, text).context["tried"].entries
    assert [(entry.name, entry.from_club, entry.team) for entry in entries] == [
        ("Jane Doe", "Bath", "Bath A"),
        ("Cy Firth", "Wells", ""),
    ]


def test_entrants_in_capitals_are_written_as_people_write_them_unless_they_are_kept(
    director: Client, cup: Tournament
) -> None:
    page = paste(director, cup, "DOE, JANE\tHILL TOP\nFIRTH, CY\tWELLS")
    assert [entry.name for entry in page.context["tried"].entries] == ["Jane Doe", "Cy Firth"]
    assertContains(page, "We write “DOE, JANE” as “Jane Doe”.")
    capitals_page = director.post(entrants_url(cup, "list/"), {**sent_by(page), "letters": "keep"})
    assertContains(capitals_page, "Write names as Jane Doe")
    assert [entry.name for entry in capitals_page.context["tried"].entries] == [
        "JANE DOE",
        "CY FIRTH",
    ]
    form_data = {**sent_by(capitals_page), "shown": capitals_page.context["columns"].columns_now}
    director.post(entrants_url(cup, "list/"), {**form_data, "capitals": "keep", "enter": "yes"})
    assert [name for name, _, _ in entrant_rows(cup)] == ["JANE DOE", "CY FIRTH"]


def test_a_line_with_more_than_a_name_among_names_is_to_be_corrected(
    director: Client, cup: Tournament
) -> None:
    text = "Di Dyer\nFirth, Cy\nGareth Jones, Cardiff, The Red Dragons\nEthel Ram; Wigan\nJo Hill"
    page = paste(director, cup, text)
    assertContains(page, "Enter only the name here. Other details go in columns of their own.", 2)
    assert import_shown(director, cup, page).status_code == 422
    assert entrant_rows(cup) == []


def test_a_pasted_line_for_two_people_is_to_be_corrected(director: Client, cup: Tournament) -> None:
    page = paste(director, cup, "Carol and Derek Finch\nDi Dyer\nMr & Mrs T Dunn")
    message = "Carol and Derek Finch are two people: Carol Finch and Derek Finch."
    assertContains(page, f"Line 1: {message} Enter each of them separately.")
    assertContains(page, "Mr &amp; Mrs T Dunn are two people: T Dunn and Mrs Dunn.")
    assert [entry.name for entry in page.context["tried"].entries] == ["Di Dyer"]


def test_a_wrong_line_is_named_none_is_entered_and_nothing_typed_is_lost(
    director: Client, cup: Tournament
) -> None:
    text = f"Ann Abbott\n\nann abbott\n<b>Ben</b>\n{'x' * 300}\nDi Dyer"
    answer = paste(director, cup, text)
    for message in (
        "Line 3: Ann Abbott is on line 1 too.",
        "Line 4: A name cannot contain &lt; or &gt;.",
        "Line 5: That name is too long. Use 80 characters or fewer.",
        "ann abbott\n&lt;b&gt;Ben&lt;/b&gt;",
        "Di Dyer",
    ):
        assertContains(answer, message)
    assert entrant_rows(cup) == []
    second_answer = director.post(entrants_url(cup, "list/"), {**sent_by(answer), "again": "yes"})
    assertContains(second_answer, "Line 3: Ann Abbott is on line 1 too.")
    assert str(second_answer.context["form"]["text"].value()).splitlines()[2] == "ann abbott"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Hargreaves, Margaret", "Margaret Hargreaves"),
        ("Mrs Margaret Hargreaves", "Margaret Hargreaves"),
        ("Margaret Hargreaves, MBE", "Margaret Hargreaves"),
    ],
)
def test_one_more_entrant_is_read_as_a_list_is(
    director: Client, cast: Cast, cup: Tournament, text: str, name: str
) -> None:
    make_player(cast.club, "Margaret Hargreaves")
    director.post(entrants_url(cup), {"way": "one", "name": text})
    assert entrant_rows(cup) == [(name, "", name)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n \n", "Enter at least one name."),
        ("x\n" * 401, "Enter 400 names or fewer. This list has 401."),
    ],
)
def test_a_paste_that_is_no_list_is_refused(
    director: Client, cup: Tournament, text: str, message: str
) -> None:
    answer = director.post(entrants_url(cup), {"way": "names", "names": text})
    assertContains(answer, message, status_code=422)


def test_namesakes_are_entered_with_what_is_in_brackets(cup: Tournament) -> None:
    names = ["Jean Smith (Fakenham)", "Smith, Jean (Team A)", "Jean Smith (Harrogate)"]
    setup_services.enter_names(tournament=cup, names=names)
    spoken_names = ["Jean Smith (Fakenham)", "Jean Smith (Team A)", "Jean Smith (Harrogate)"]
    assert list(cup.entrants.order_by("number").values_list("name", flat=True)) == spoken_names


def test_a_member_with_a_short_form_in_brackets_is_known_and_entered_once(cup: Tournament) -> None:
    margaret = make_player(cup.club, "Margaret Hill")
    entrant = setup_services.enter_entrant(tournament=cup, name="Hill, Margaret (Peg)")
    assert (entrant.name, entrant.player) == ("Margaret Hill (Peg)", margaret)
    setup_services.enter_entrant(tournament=cup, name="Susan Dee")
    with pytest.raises(Refused, match="already entered"):
        setup_services.enter_entrant(tournament=cup, name="Susan Dee (Sue)")


def test_a_visitor_is_entered_with_a_club(director: Client, cup: Tournament) -> None:
    form_data = {"way": "one", "name": "Ingrid Sørensen", "from_club": "Hill Top Tiles"}
    assertRedirects(director.post(entrants_url(cup), form_data), entrants_url(cup))
    assert entrant_rows(cup) == [("Ingrid Sørensen", "Hill Top Tiles", None)]
    second_response = director.post(entrants_url(cup), form_data)
    assertContains(second_response, "Ingrid Sørensen is already entered.", status_code=422)
    assertContains(second_response, 'value="Hill Top Tiles"', status_code=422)


def test_members_are_ticked_until_they_are_entered(
    director: Client, cast: Cast, cup: Tournament
) -> None:
    make_player(cast.club, "Left Long Ago", is_active=False)
    members = cast.club.players.filter(name__in=["Pat", "Alice"]).values_list("pk", flat=True)
    page = director.get(entrants_url(cup))
    assertContains(page, 'type="checkbox"', count=4)
    assertNotContains(page, "Left Long Ago")
    answer = director.post(entrants_url(cup), {"way": "members", "players": list(members)})
    assertRedirects(answer, entrants_url(cup))
    assert entrant_rows(cup) == [("Alice", "", "Alice"), ("Pat", "", "Pat")]
    assertContains(director.get(entrants_url(cup)), 'type="checkbox"', count=2)
    second_answer = director.post(entrants_url(cup), {"way": "members", "players": list(members)})
    assertContains(second_answer, "is already entered or is not in the club", status_code=422)


def test_who_withdraws_is_off_the_list_or_stays_as_withdrawn_once_seated(
    director: Client, cast: Cast
) -> None:
    cup = make_cup(entrants=5, rounds=1, club=cast.club)
    last = cup.entrants.get(number=5)
    assertRedirects(director.post(entrants_url(cup, f"{last.pk}/withdraw/")), entrants_url(cup))
    assert cup.entrants.count() == 4
    seating.seat_rounds(tournament=cup)
    first = cup.entrants.get(number=1)
    assertRedirects(director.post(entrants_url(cup, f"{first.pk}/withdraw/")), entrants_url(cup))
    first.refresh_from_db()
    assert first.state == EntrantState.WITHDRAWN


def test_entries_are_listed_by_surname_and_who_waits_by_arrival(
    director: Client, cast: Cast
) -> None:
    names = ["Ann Webb", "Bea O’Rourke", "Cy Ogilvie", "Di Abbott"]
    cup = make_cup(club=cast.club, names=names)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.WAIT, places=4)
    setup_services.enter_names(tournament=cup, names=["Ed Young", "Flo Ash"])
    page = director.get(page_of(cup, "entrants/")).content.decode()
    in_order = ["Di Abbott", "Cy Ogilvie", "Bea O’Rourke", "Ann Webb", "Ed Young", "Flo Ash"]
    assert sorted(in_order, key=page.index) == in_order
    desk = director.get(page_of(cup)).content.decode()
    assert sorted(in_order[:4], key=desk.index) == in_order[:4]


def test_a_form_of_no_known_way_changes_nothing(director: Client, cup: Tournament) -> None:
    assert director.post(entrants_url(cup), {"way": "sideways", "name": "Ann"}).status_code == 200
    assert entrant_rows(cup) == []


@pytest.mark.parametrize("player_key", ["0", "-1", "Pat", "²", str(9**40)])
def test_who_is_no_member_cannot_be_ticked(
    director: Client, cup: Tournament, player_key: str
) -> None:
    answer = director.post(entrants_url(cup), {"way": "members", "players": [player_key]})
    assertContains(answer, "Someone you chose is already entered", status_code=422)
    assert entrant_rows(cup) == []


LIST = "Name;Club;Team;Paid\nAnn Abbott;Hill Top;Bamboo;yes\n\nZoë Łukasiewicz;;;\n"


def entered_with_teams(cup: Tournament) -> list[tuple[object, ...]]:
    return list(cup.entrants.values_list("name", "from_club", "team", "has_paid"))


def test_a_file_is_shown_first_and_entered_when_it_is_right(
    director: Client, cup: Tournament
) -> None:
    file = SimpleUploadedFile("entries.csv", LIST.encode())
    page = director.post(entrants_url(cup, "list/"), {"file": file})
    assertContains(page, "No one has been entered yet. 2 entries found.")
    assertContains(page, "Hill Top")
    assert entered_with_teams(cup) == []
    answer = director.post(entrants_url(cup, "list/"), {"text": LIST, "enter": "yes"})
    assertRedirects(answer, entrants_url(cup))
    assert entered_with_teams(cup) == [
        ("Ann Abbott", "Hill Top", "Bamboo", True),
        ("Zoë Łukasiewicz", "", "", False),
    ]


def test_every_wrong_line_is_named_and_nobody_is_entered(director: Client, cup: Tournament) -> None:
    setup_services.enter_entrant(tournament=cup, name="Ann Abbott")
    form_data = {"text": "name,club\nann abbott,\n<b>,\nBen Brown,\n", "enter": "yes"}
    page = director.post(entrants_url(cup, "list/"), form_data)
    for message in ("Line 2: Ann Abbott is already entered.", "Line 3: A name cannot contain"):
        assertContains(page, message, status_code=422)
    assert cup.entrants.count() == 1


MESSY = """Riverside Autumn Cup – entries

Surname,First name,Home club,Diet
Ashworth,Margaret,Hill Top,
Brown,Ben,,vegetarian
<b>,,,
Surname,First name,Home club,Diet
Total,,2,
"""


def test_a_messy_list_is_checked_and_its_good_lines_are_entered(
    director: Client, cup: Tournament
) -> None:
    page = director.post(entrants_url(cup, "list/"), {"text": MESSY})
    preview = page.context["tried"]
    assert [entry.name for entry in preview.entries] == ["Margaret Ashworth", "Ben Brown"]
    assert [row.entry.line for row in preview.faulty] == [6]
    assert [row.line for row in preview.skipped_lines] == [1, 7, 8]
    assertContains(page, "1 column is not imported: Diet.")
    assertContains(page, "Line 6: A name cannot contain &lt; or &gt;.")
    assert entered_with_teams(cup) == []
    answer = director.post(
        entrants_url(cup, "list/"), {"text": MESSY, "enter": "yes", "rest": "yes"}
    )
    assertRedirects(answer, entrants_url(cup), fetch_redirect_response=False)
    assertContains(
        director.get(entrants_url(cup)), "2 entries imported. 1 line was skipped: &lt;b&gt;."
    )
    assert entered_with_teams(cup) == [
        ("Margaret Ashworth", "Hill Top", "", False),
        ("Ben Brown", "", "", False),
    ]


def test_other_columns_are_shown_again_before_anyone_is_entered(
    director: Client, cup: Tournament
) -> None:
    text = "Name,Side\nAnn Abbott,Bamboo\n"
    columns = (
        director.post(entrants_url(cup, "list/"), {"text": text}).context["columns"].columns_now
    )
    form_data = {"text": text, "column_1": "name", "column_2": "team", "enter": "yes"}
    preview = director.post(entrants_url(cup, "list/"), {**form_data, "shown": columns})
    assert [entry.team for entry in preview.context["tried"].entries] == ["Bamboo"]
    assert entered_with_teams(cup) == []
    director.post(
        entrants_url(cup, "list/"), {**form_data, "shown": preview.context["columns"].columns_now}
    )
    assert entered_with_teams(cup) == [("Ann Abbott", "", "Bamboo", False)]


def test_no_one_is_entered_without_a_column_of_names(director: Client, cup: Tournament) -> None:
    text = "Who,Team\nAnn,Bamboo\n"
    page = director.post(entrants_url(cup, "list/"), {"text": text, "enter": "yes"})
    assertContains(page, "Choose which column holds the names.", status_code=422)


def test_a_list_that_is_sent_twice_is_entered_once(director: Client, cup: Tournament) -> None:
    for _ in range(2):
        answer = director.post(entrants_url(cup, "list/"), {"text": LIST, "enter": "yes"})
        assertRedirects(answer, entrants_url(cup), fetch_redirect_response=False)
    assertContains(
        director.get(entrants_url(cup)), "Everyone on this list has already been entered."
    )
    assert cup.entrants.count() == 2


def test_a_team_is_one_however_it_is_spelt(director: Client, cup: Tournament) -> None:
    text = "name,team\nAnn,Greens\nBen,GREENS\nCy, greens \nDi,Reds\n"
    page = director.post(entrants_url(cup, "list/"), {"text": text})
    assertContains(page, "“GREENS” and “Greens” are the same team, so both become “Greens”.")
    director.post(entrants_url(cup, "list/"), {"text": text, "enter": "yes"})
    setup_services.enter_entrant(tournament=cup, name="Eve", team="Gréens")
    teams = dict(
        cup.entrants.filter(name__in=("Ann", "Ben", "Cy", "Eve")).values_list("name", "team")
    )
    assert teams == dict.fromkeys(("Ann", "Ben", "Cy", "Eve"), "Greens")


def test_a_file_without_names_is_refused(director: Client, cup: Tournament) -> None:
    page = director.post(entrants_url(cup, "list/"), {"text": "who,where\nAnn,Hill Top"})
    assertContains(page, "name, and club, team, couple and paid if you have them", status_code=422)


def test_the_list_that_is_saved_can_be_read_in_again(director: Client, cup: Tournament) -> None:
    setup_services.enter_entrant(
        tournament=cup, name="Ann Abbott", from_club="=Hill", team="'Bamboo'"
    )
    text = director.get(entrants_url(cup, "list.csv")).content.decode("utf-8-sig")
    assert text.splitlines() == [
        "Number,Name,Club,Team,Couple,Couple with,Paid,Here,State",
        "1,Ann Abbott,'=Hill,''Bamboo',,,no,no,entered",
    ]
    assert written_entries.read_entries(text).entries == (
        setup_services.Entry(2, "Ann Abbott", "=Hill", "'Bamboo'", has_paid=False, is_typed=False),
    )


def test_arrivals_and_fees_are_ticked_on_the_list(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=4, club=cast.club)
    entrant = cup.entrants.get(number=1)
    note_url = entrants_url(cup, f"{entrant.pk}/note/")
    answer = director.post(note_url, {"tick": "is_here", "to": "yes"})
    assertRedirects(answer, entrants_url(cup, f"#entrant-{entrant.pk}"))
    director.post(note_url, {"tick": "has_paid", "to": "yes"})
    director.post(note_url, {"tick": "name", "to": "yes"})
    assertContains(director.get(entrants_url(cup)), "1 of 4 checked in, 1 of 4 paid.")
    director.post(note_url, {"tick": "is_here", "to": "no"})
    assertContains(director.get(entrants_url(cup)), "0 of 4 checked in, 1 of 4 paid.")


def test_places_and_an_odd_number_are_chosen_with_the_entries(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=6, club=cast.club)
    form_data = {"way": "rules", "odd_number": "house", "places": "3"}
    wrong = director.post(entrants_url(cup), form_data)
    assertContains(wrong, "Enter a number from 4 to 400.", status_code=422)
    form_data["places"] = "6"
    assertRedirects(director.post(entrants_url(cup), form_data), entrants_url(cup))
    director.post(entrants_url(cup), {"way": "one", "name": "Late Larry", "team": "Bamboo"})
    page = director.get(entrants_url(cup))
    assertContains(page, "6 entered of 6 places")
    assertContains(page, "1 waiting")
    larry = cup.entrants.get(name="Late Larry")
    assert (larry.state, larry.team) == (EntrantState.WAITING, "Bamboo")
    director.post(entrants_url(cup, f"{larry.pk}/readmit/"))
    assertContains(director.get(entrants_url(cup)), "7 entered of 6 places")


@pytest.mark.sampled(law="long plays")
def test_who_comes_and_goes_during_the_day_is_seated_anew_and_undone(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(entrants=8, rounds=3, hands=1, club=cast.club, odd=OddNumber.HOUSE)
    close_round(cup, DRAWN)
    first = cup.entrants.get(number=1)
    director.post(entrants_url(cup, f"{first.pk}/withdraw/"))
    director.post(entrants_url(cup), {"way": "one", "name": "Late Larry"})
    director.post(entrants_url(cup), {"way": "one", "name": "Late Lucy"})
    page = director.get(entrants_url(cup))
    assertContains(page, "still has a seat in rounds 2, 3")
    assertContains(page, "has no seat in the remaining rounds")
    answer = director.post(page_of(cup, "seating/changes/anew/"), follow=True)
    assertContains(answer, "Rounds 2 to 3 reseated for 9 players.")
    page = director.get(entrants_url(cup))
    assertNotContains(page, "has no seat in the remaining rounds")
    assertContains(page, "House players:")
    answer = director.post(page_of(cup, "seating/changes/undo/"), follow=True)
    assertContains(answer, "Undone: Rounds 2 to 3 reseated for 9 players.")
    assertContains(
        director.post(page_of(cup, "seating/changes/undo/"), follow=True),
        "There is no seating change to undo.",
    )


def test_two_change_places_by_choosing_both(director: Client, cast: Cast) -> None:
    cup = seated_cup(entrants=8, club=cast.club)
    entrant, other_entrant = cup.entrants.all()[:2]
    form_data = {
        "way": "swap",
        "swap-number": 1,
        "swap-one": entrant.pk,
        "swap-other": other_entrant.pk,
    }
    answer = director.post(page_of(cup, "seating/changes/"), form_data, follow=True)
    assertContains(answer, "Player 1 and Player 2 swapped places in round 1.")
    assertContains(answer, "Undo")
    form_data["swap-other"] = entrant.pk
    wrong = director.post(page_of(cup, "seating/changes/"), form_data)
    assertContains(wrong, "Choose two different players.", status_code=422)
    wrong = director.post(page_of(cup, "seating/changes/"), {"way": "swap"})
    assertContains(wrong, "Choose a round.", status_code=422)


def test_a_substitute_is_shown_where_they_sit(director: Client, cast: Cast) -> None:
    cup = seated_cup(entrants=8, club=cast.club)
    entrant = cup.entrants.get(number=1)
    form_data = {
        "way": "substitute",
        "substitute-entrant": entrant.pk,
        "substitute-name": "Sue Sub",
        "substitute-number": 1,
        "substitute-goes_on": "on",
    }
    answer = director.post(page_of(cup, "seating/changes/"), form_data, follow=True)
    assertContains(answer, "Sue Sub is playing for Player 1 in 2 rounds.")
    assertContains(director.get(page_of(cup, "")), "for Player 1")
    assertContains(director.get(page_of(cup, "seating/")), "substitute: Sue Sub")
    form_data["substitute-name"] = ""
    answer = director.post(page_of(cup, "seating/changes/"), form_data, follow=True)
    assertContains(answer, "Player 1 plays without a substitute in 2 rounds.")


def test_without_a_seating_there_is_nothing_to_change(director: Client, cast: Cast) -> None:
    cup = make_cup(entrants=4, club=cast.club)
    assertContains(director.get(page_of(cup, "seating/changes/")), "No seating to change")


def test_the_warning_ends_when_a_substitute_has_the_seat(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=8, rounds=2, club=cast.club)
    leaver = cup.entrants.get(number=1)
    setup_services.withdraw(tournament=cup, entrant=leaver)
    assertContains(director.get(entrants_url(cup)), "still has a seat in rounds 1, 2")
    changes.set_substitute(tournament=cup, entrant=leaver, name="Joan", number=1, goes_on=False)
    assertContains(director.get(entrants_url(cup)), "still has a seat in round 2")
    changes.set_substitute(tournament=cup, entrant=leaver, name="Joan", number=2)
    assertNotContains(director.get(entrants_url(cup)), "still has a seat")
    worries = preflight(cup, "start").worries + preflight_withdrawal(leaver).worries
    assert not any("seat" in worry.sentence for worry in worries)


def test_thirty_players_read_what_to_do_before_they_are_seated(
    director: Client, cast: Cast
) -> None:
    cup = make_cup(entrants=30, club=cast.club)
    page = director.get(entrants_url(cup))
    assertContains(page, "30 players do not divide into tables of four")
    assertContains(page, "Add 2 more, or choose house players or sitting out in turn.")
    assertContains(page, 'href="#id_odd_number"')
    assertContains(page, 'id="id_odd_number"')
    assertNotContains(page, "Continue to seating")
    director.post(entrants_url(cup), {"way": "rules", "odd_number": "house", "places": ""})
    page = director.get(entrants_url(cup))
    assertContains(page, "Continue to seating")
    assertNotContains(page, "do not divide into")
