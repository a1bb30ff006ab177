"""Who sat at each single hand: substitutes who come, and players who return, in mid-round."""

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertContains

from clubs.models.names import ORGANISER_READER
from clubs.table.event import PlayedTable
from clubs.table.services import record_agreement
from scoring.scorebook.consent import shown_digest
from scoring.scorebook.models import AgreementPolicy
from scoring.scorebook.refusals import Refused
from scoring.scorebook.selectors import hand_row
from tests.api import api_client, game_at
from tests.paper import words_of
from tests.people import Cast
from tests.tournaments.cups import DRAWN, SECOND_WINS, fresh, page_of, seated_cup, send_hand, tables
from tournaments.models import Placement, Table, Tournament
from tournaments.results.exports import hands_csv, played_hands, results_json, rounds_csv
from tournaments.results.papers import results_pdf
from tournaments.results.selectors.results import results_of
from tournaments.rounds.selectors import disputes_of
from tournaments.seating.services import changes
from tournaments.steps import services
from tournaments.table.event import RoundTable

pytestmark = pytest.mark.django_db


def second(cup: Tournament) -> Placement:
    """The second seat of the only table, which wins in ``SECOND_WINS``."""
    return Placement.objects.select_related("entrant").get(round__tournament=cup, seat__number=2)


def sits_in(cup: Tournament, name: str, **options: Any) -> int:
    """Someone sits in for the player of the second seat; without a name the player returns."""
    entrant = second(cup).entrant
    return changes.set_substitute(tournament=cup, entrant=entrant, name=name, number=1, **options)


def shared_seat(**cup_fields: Any) -> Tournament:
    """Six hands of one round: Ada plays 1 to 3, Bea 4 and 5, and the player returns for 6."""
    cup = seated_cup(rounds=1, hands=6, **cup_fields)
    (table,) = tables(cup)
    sits_in(cup, "Ada")
    for number in range(1, 7):
        if number in (4, 6):
            sits_in(cup, "Bea" if number == 4 else "")
        send_hand(table, number, SECOND_WINS if number in (2, 3, 5) else DRAWN)
    return fresh(cup)


def names_of_hands(table: Table) -> list[str]:
    view = RoundTable(table).view(ORGANISER_READER)
    return [hand.names[2] for hand in view.hands]


def test_each_hand_names_who_played_it() -> None:
    cup = shared_seat()
    player = second(cup).entrant.name
    (table,) = tables(cup)
    assert names_of_hands(table) == ["Ada", "Ada", "Ada", "Bea", "Bea", player]
    (linked_table,) = RoundTable(table).tables().values()
    assert [hand.names[2] for hand in linked_table.hands] == names_of_hands(table)
    assert second(cup).earlier_sitters == [[3, "Ada"], [5, "Bea"]]


def test_files_name_who_played_each_hand() -> None:
    cup = shared_seat()
    results, player = results_of(cup), second(cup).entrant.name
    hands = hands_csv(cup, results).decode("utf-8-sig").splitlines()
    player_rows = [line.split(",") for line in hands if line.split(",")[3] == player]
    assert [row[4] for row in player_rows] == ["Ada", "Ada", "Ada", "Bea", "Bea", ""]
    data = json.loads(results_json(cup, results))
    assert [hand["winner"] for hand in data["hands"]] == [None, "Ada", "Ada", None, "Bea", None]
    assert f'{player},"Ada (hands 1 to 3), Bea (hands 4 to 5)",6,' in rounds_csv(
        cup, results
    ).decode("utf-8-sig")


def test_feats_belong_to_whoever_sat_there_and_points_to_the_player() -> None:
    cup = shared_seat()
    results, player = results_of(cup), second(cup).entrant.name
    assert results.records.feats["mahjongs"] == {
        **{place.entrant.name: 0 for place in Placement.objects.all()},
        "Ada": 2,
        "Bea": 1,
    }
    assert results.records.most_mahjongs == ("Ada",)
    assert [(hand.name, hand.number) for hand in results.records.highest] == [
        ("Ada", 2), ("Ada", 3), ("Bea", 5)
    ]  # fmt: skip
    assert results.board.lines[0].row.name == player
    assert results.board.lines[0].row.total == 240 + 360 + 360  # as South, then twice as East
    assert results.cross.substitutes == (
        f"Ada played for {player} in round 1 (hands 1 to 3)",
        f"Bea played for {player} in round 1 (hands 4 to 5)",
    )


def test_paper_names_who_played_one_after_the_other() -> None:
    cup = shared_seat()
    results = results_of(cup)
    paper = " ".join(words_of(results_pdf(cup, results, hands=played_hands(cup, results))))
    assert f"Ada then Bea then {second(cup).entrant.name}" in paper


def test_an_agreement_stays_with_whoever_gave_it() -> None:
    cup = seated_cup(rounds=1, hands=3, agreement=AgreementPolicy.ALL)
    (table,) = tables(cup)
    hand, player = send_hand(table, 1, SECOND_WINS).hand, second(cup).entrant.name
    digest = shown_digest(hand_row(hand), substitutes={}, rules=table.game.rules)
    agrees = {"table": RoundTable(table), "hand_id": hand.pk, "agrees": True, "said_by": "table 1"}
    record_agreement(**agrees, seats=[2], seen_digest=digest)  # type: ignore[arg-type]
    sits_in(cup, "Ada")
    page = PlayedTable(event=RoundTable(Table.objects.get(pk=table.pk)), sent_by="x")
    (review,) = page.reviews.values()
    assert (review.sentence, review.lapsed_names) == (
        f"{player} has agreed. Not yet: {other_names(cup)}.",
        "",
    )
    # Whoever was there agrees to the hand as it was, also after the change.
    record_agreement(**agrees, seats=[1, 3, 4], seen_digest=digest)  # type: ignore[arg-type]
    hand.refresh_from_db()
    assert hand.state == "agreed"


def other_names(cup: Tournament) -> str:
    places = Placement.objects.filter(round__tournament=cup).exclude(seat__number=2)
    return ", ".join(place.entrant.name for place in places)


def test_a_problem_is_reported_by_whoever_played_the_hand() -> None:
    cup = seated_cup(rounds=1, hands=3, agreement=AgreementPolicy.ALL)
    (table,) = tables(cup)
    hand, player = send_hand(table, 1, SECOND_WINS).hand, second(cup).entrant.name
    digest = shown_digest(hand_row(hand), substitutes={}, rules=table.game.rules)
    record_agreement(
        table=RoundTable(table),
        hand_id=hand.pk,
        seats=[2],
        agrees=False,
        seen_digest=digest,
        said_by="x",
    )
    sits_in(cup, "Ada")
    (dispute,) = disputes_of(cup)
    assert [complaint.name for complaint in dispute.complaints] == [player]


def test_a_substitute_entered_late_has_the_hands_that_the_director_says() -> None:
    cup = seated_cup(rounds=1, hands=6)
    (table,), player = tables(cup), second(cup).entrant.name
    for number in (1, 2, 3):
        send_hand(table, number)
    sits_in(cup, "Ada")
    assert names_of_hands(table) == [player, player, player]
    sits_in(cup, "Ada", from_hand=2)
    assert names_of_hands(table) == [player, "Ada", "Ada"]
    sits_in(cup, "Ada", from_hand=1)
    assert names_of_hands(table) == ["Ada", "Ada", "Ada"]
    sits_in(cup, "Bea", from_hand=3)
    assert names_of_hands(table) == ["Ada", "Ada", "Bea"]
    sits_in(cup, "", from_hand=1)
    assert names_of_hands(table) == [player, player, player]
    assert second(cup).earlier_sitters == []


def test_nobody_plays_from_a_hand_that_comes_later() -> None:
    cup = seated_cup(rounds=1, hands=6)
    send_hand(tables(cup)[0], 1)
    with pytest.raises(Refused, match="The next hand at that table is hand 2"):
        sits_in(cup, "Ada", from_hand=3)


def test_whoever_comes_after_the_last_hand_has_played_none() -> None:
    cup = seated_cup(rounds=1, hands=1)
    send_hand(tables(cup)[0], 1, SECOND_WINS)
    sits_in(cup, "Ada")
    services.close_round(tournament=cup)
    results = results_of(cup)
    assert results.cross.substitutes == ()
    assert "Ada" not in rounds_csv(cup, results).decode()
    assert results.records.most_mahjongs == (second(cup).entrant.name,)


@pytest.mark.parametrize(
    ("goes_on", "message"),
    [("on", " The final is drawn later: add them again when it is seated."), ("", "playing for")],
)
def test_a_substitute_who_goes_on_is_told_of_the_final(
    cast: Cast, director: Client, goes_on: str, message: str
) -> None:
    cup = seated_cup(rounds=2, club=cast.club, has_final=True)
    substitution = {"entrant": cup.entrants.get(number=1).pk, "name": "Sue Sub", "number": 1}
    form_data = {
        f"substitute-{name}": value for name, value in {**substitution, "goes_on": goes_on}.items()
    }
    page = director.post(
        page_of(cup, "seating/changes/"), {"way": "substitute", **form_data}, follow=True
    )
    assertContains(page, message)
    assert ("drawn later" in page.content.decode()) is bool(goes_on)


def test_the_pages_say_from_which_hand_somebody_sits_in(cast: Cast, director: Client) -> None:
    cup = seated_cup(rounds=1, hands=6, club=cast.club)
    send_hand(tables(cup)[0], 1, SECOND_WINS)
    entrant = second(cup).entrant
    form_data = {
        "way": "substitute",
        "substitute-entrant": entrant.pk,
        "substitute-name": "Sue Sub",
        "substitute-number": 1,
        "substitute-from_hand": "",
    }
    answer = director.post(page_of(cup, "seating/changes/"), form_data, follow=True)
    assertContains(answer, f"Sue Sub is playing for {entrant.name} in 1 round.")
    assertContains(director.get(page_of(cup, "seating/")), f"for {entrant.name}, from hand 2")
    page = director.get(page_of(cup, "rounds/1/tables/1/"))
    assertContains(page, f'Sue<span class="sub">{entrant.name}: hand 1</span>')
    form_data |= {"substitute-name": "Bea", "substitute-from_hand": "9"}
    page = director.post(page_of(cup, "seating/changes/"), form_data)
    assertContains(page, "The next hand at that table is hand 2.", status_code=422)


def test_a_program_says_from_which_hand_somebody_sits_in(cast: Cast) -> None:
    cup = seated_cup(rounds=1, hands=6, club=cast.club)
    send_hand(tables(cup)[0], 1, SECOND_WINS)
    entrant, program = second(cup).entrant, api_client(cast.director)
    cup_url = f"/api/v1/clubs/{cast.club.slug}/tournaments/{cup.pk}/"
    body = {"entrant": entrant.pk, "name": "Ada", "number": 1}
    program.post(f"{cup_url}seating/changes/substitute/", body, content_type="application/json")
    game = game_at(tables(cup)[0])
    table = program.get(game).json()
    (hand,) = table["hands"]
    assert hand["outcome"].startswith(f"{entrant.name} (South)")
    seat = table["seats"][1]
    assert (seat["name"], seat["entrant_id"], seat["player_id"]) == (
        "Ada",
        entrant.pk,
        entrant.player_id,
    )
    (seating_table,) = program.get(f"{cup_url}seating/").json()["rounds"][0]["tables"]
    assert (seating_table["places"][1]["substitute"], seating_table["places"][1]["first_hand"]) == (
        "Ada",
        2,
    )
    body |= {"from_hand": 1}
    program.post(f"{cup_url}seating/changes/substitute/", body, content_type="application/json")
    (hand,) = program.get(game).json()["hands"]
    assert hand["outcome"].startswith("Ada (South)")
