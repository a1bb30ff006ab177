"""The entry list: pasted, ticked, typed one by one, and left again."""

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests.people import Cast, make_player
from tests.tournaments.cups import make_cup
from tournaments.models import EntrantState, Tournament, TournamentState
from tournaments.seating.services import seating


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    return make_cup(entrants=0, club=cast.club)


def list_of(cup: Tournament) -> str:
    return f"/c/riverside/tournaments/{cup.pk}/entrants/"


def entered(cup: Tournament) -> list[tuple[str, str, str | None]]:
    """Name, club, and the member that the entrant is known as."""
    return [
        (entrant.name, entrant.from_club, entrant.player.name if entrant.player else None)
        for entrant in cup.entrants.select_related("player")
    ]


def test_pasted_names_enter_and_members_are_known(director: Client, cup: Tournament) -> None:
    typed = "Ann Abbott\r\n\r\n  pat \r\nZoë Łukasiewicz\r\n"
    answer = director.post(list_of(cup), {"way": "names", "names": typed})
    assertRedirects(answer, list_of(cup))
    assert entered(cup) == [
        ("Ann Abbott", "", None),
        ("pat", "", "Pat"),
        ("Zoë Łukasiewicz", "", None),
    ]
    assertContains(director.get(list_of(cup)), "3 entered")


def test_a_wrong_line_is_named_none_is_entered_and_nothing_typed_is_lost(
    director: Client, cup: Tournament
) -> None:
    typed = f"Ann Abbott\n\nann abbott\n<b>Ben</b>\n{'x' * 300}\nDi Dyer"
    answer = director.post(list_of(cup), {"way": "names", "names": typed})
    for sentence in (
        "Line 3: ann abbott is already entered.",
        "Line 4: A name cannot contain &lt; or &gt;.",
        "Line 5: That name is too long. Use 80 characters or fewer.",
        "ann abbott\n&lt;b&gt;Ben&lt;/b&gt;",
        "Di Dyer",
    ):
        assertContains(answer, sentence, status_code=422)
    assert entered(cup) == []


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (" \n \n", "Enter at least one name."),
        ("x\n" * 401, "Enter 400 names or fewer. This list has 401."),
    ],
)
def test_a_paste_that_is_no_list_is_refused(
    director: Client, cup: Tournament, typed: str, sentence: str
) -> None:
    answer = director.post(list_of(cup), {"way": "names", "names": typed})
    assertContains(answer, sentence, status_code=422)


def test_a_visitor_is_entered_with_a_club(director: Client, cup: Tournament) -> None:
    typed = {"way": "one", "name": "Ingrid Sørensen", "from_club": "Hill Top Tiles"}
    assertRedirects(director.post(list_of(cup), typed), list_of(cup))
    assert entered(cup) == [("Ingrid Sørensen", "Hill Top Tiles", None)]
    again = director.post(list_of(cup), typed)
    assertContains(again, "Ingrid Sørensen is already entered.", status_code=422)
    assertContains(again, 'value="Hill Top Tiles"', status_code=422)


def test_members_are_ticked_until_they_are_entered(
    director: Client, cast: Cast, cup: Tournament
) -> None:
    make_player(cast.club, "Left Long Ago", is_active=False)
    members = cast.club.players.filter(name__in=["Pat", "Alice"]).values_list("pk", flat=True)
    page = director.get(list_of(cup))
    assertContains(page, 'type="checkbox"', count=4)
    assertNotContains(page, "Left Long Ago")
    answer = director.post(list_of(cup), {"way": "members", "players": list(members)})
    assertRedirects(answer, list_of(cup))
    assert entered(cup) == [("Alice", "", "Alice"), ("Pat", "", "Pat")]
    assertContains(director.get(list_of(cup)), 'type="checkbox"', count=2)
    again = director.post(list_of(cup), {"way": "members", "players": list(members)})
    assertContains(again, "is already entered or is not in the club", status_code=422)


def test_who_withdraws_is_off_the_list_or_stays_as_withdrawn_once_seated(
    director: Client, cast: Cast
) -> None:
    cup = make_cup(entrants=5, rounds=1, club=cast.club)
    last = cup.entrants.get(number=5)
    assertRedirects(director.post(f"{list_of(cup)}{last.pk}/withdraw/"), list_of(cup))
    assert cup.entrants.count() == 4
    seating.seat_rounds(tournament=cup)
    first = cup.entrants.get(number=1)
    assertRedirects(director.post(f"{list_of(cup)}{first.pk}/withdraw/"), list_of(cup))
    first.refresh_from_db()
    assert first.state == EntrantState.WITHDRAWN


def test_names_for_a_finished_tournament_are_refused_in_a_sentence(
    director: Client, cast: Cast
) -> None:
    cup = make_cup(entrants=4, rounds=1, club=cast.club)
    Tournament.objects.update(state=TournamentState.FINISHED)
    answer = director.post(list_of(cup), {"way": "one", "name": "Late Larry"})
    assertContains(answer, "so its entries cannot change", status_code=422)


def test_a_form_of_no_known_way_changes_nothing(director: Client, cup: Tournament) -> None:
    assert director.post(list_of(cup), {"way": "sideways", "name": "Ann"}).status_code == 200
    assert entered(cup) == []


@pytest.mark.parametrize("told", ["0", "-1", "Pat", "²", str(9**40)])
def test_who_is_no_member_cannot_be_ticked(director: Client, cup: Tournament, told: str) -> None:
    answer = director.post(list_of(cup), {"way": "members", "players": [told]})
    assertContains(answer, "Someone you chose is already entered", status_code=422)
    assert entered(cup) == []
