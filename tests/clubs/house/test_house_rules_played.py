"""What pages, printouts and practice evenings make of a club's own rules."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from clubs.evenings.practice_play import Dealer, deal_reports
from clubs.house import services
from clubs.league.selectors.records import special_book
from clubs.table.papers.cards import blank_table
from clubs.table.papers.score_sheets import how_to_paragraphs
from clubs.table.selectors.rules import aid_of, asker_of
from scoring import RuleSet, deals, house
from scoring.hands.tiles import JOKER
from scoring.scorebook.reports import reckon
from tests.clubs.table.phones import AtEvening, playing
from tests.people import Cast

FOR_ALL = {"payments": {"discarder": "for_all", "east": 1, "losers_settle": False}}
WHOLE = "EE.B456WeeeO22-B111~Drrrr..won-discard-O2"


def rules_of(**data: Any) -> RuleSet:
    return house.house_rules({"base": "bmja", "name": "Ours"} | data)


def table_under(cast: Cast, **data: Any) -> AtEvening:
    """A table of an evening that plays these rules."""
    declared_rules = house.read_house_rules({"base": "bmja", "name": "Ours"} | data)
    house_rules = services.save_house_rules(club=cast.club, declared_rules=declared_rules)
    return AtEvening.create(playing(house_rules.edition.key, cast))


@pytest.mark.django_db
def test_the_phone_asks_who_discarded_where_the_discarder_pays_for_all(cast: Cast) -> None:
    table = table_under(cast, **FOR_ALL)
    page = table.phone.look()
    assertContains(page, "Who discarded the last tile?")
    assertContains(page, "No, pay as the rules say")
    scores = {"score_1": 20, "score_2": 60, "score_3": 8, "score_4": 4}
    hand = table.phone.enter(winner=2, last_tile=3, **scores)
    assert hand.payments == [[3, 2, 180]]
    assertNotContains(table.phone.look(), "Margaret pays")


@pytest.mark.django_db
def test_the_phone_does_not_ask_it_where_everyone_pays(cast: Cast) -> None:
    page = table_under(cast, chows=None).phone.look()
    assertNotContains(page, "Who discarded the last tile?")
    assertContains(page, "No, everyone pays their own")


@pytest.mark.django_db
def test_a_hand_above_the_limit_of_others_is_saved(cast: Cast) -> None:
    table = table_under(cast, limits={"ordinary": None})
    scores = {"score_1": 20, "score_2": 1504, "score_3": 8, "score_4": 4}
    assert table.phone.enter(winner=2, **scores).scores[2] == 1504
    assert special_book(cast.club).hands == ()


@pytest.mark.django_db
def test_a_hand_at_the_highest_of_several_limits_is_a_limit_hand(cast: Cast) -> None:
    table = table_under(cast, limits={"ordinary": 300, "special": 2000, "losers": 100})
    scores = {"score_1": 20, "score_2": 2000, "score_3": 8, "score_4": 4}
    table.phone.enter(winner=2, **scores)
    assert [hand.score for hand in special_book(cast.club).hands] == [2000]


@pytest.mark.django_db
def test_the_calculator_names_the_limit_that_counts(cast: Cast, client: Client) -> None:
    table = table_under(cast, limits={"ordinary": 100})
    page = client.get(reverse("score-rules", args=[table.row.game.rules]), {"hand": WHOLE})
    assertContains(page, "Reduced to the limit of 100.")


@pytest.mark.django_db
def test_a_score_sheet_says_how_this_club_pays_and_deals(cast: Cast) -> None:
    table = table_under(
        cast, **FOR_ALL, passing={"goulash": False, "prevailing": False, "most_hands": 5}
    )
    text = " ".join(how_to_paragraphs(blank_table("Riverside", "Evening", table.row.game.rules, 4)))
    assert "The discarder alone pays, as much as all would pay together" in text
    assert "East: Pays and is paid like the others" in text
    assert "Write D for the player who discarded the last tile" in text
    assert "The most hands of East: 5 hands in a row" in text
    for word in ("goulash", "prevailing", "twice", "pays the difference"):
        assert word not in text


def test_a_joker_is_shown_only_where_a_goulash_is_played() -> None:
    for rules, is_shown in ((rules_of(), True), (rules_of(passing={"goulash": False}), False)):
        aid = aid_of(rules, asker_of(rules), JOKER)
        assert ((JOKER,) in aid.rows, aid.tile is not None) == (is_shown, is_shown)


def test_nobody_asks_what_prevails_where_no_wind_does() -> None:
    rules = rules_of(passing={"prevailing": False})
    aid = aid_of(rules, asker_of(rules), "WE")
    assert (aid.asker.prevailing, aid.tile and aid.tile.notes) == (None, ("East’s own wind.",))


@pytest.mark.parametrize(
    "data",
    [
        {"chows": 0, "minimum": {"doubles": 1, "points": 100}},
        {"one_suit": True, "minimum": {"doubles": 3}},
        {"one_suit": "every hand", "losers_score": False},
        {"base": "english", "chows": 0, "one_suit": True},
        FOR_ALL,
    ],
)
@pytest.mark.parametrize("seats", [3, 4])
def test_a_practice_evening_deals_only_hands_that_the_club_knows(
    data: dict[str, Any], seats: int
) -> None:
    rules, outcomes = rules_of(**data), list[int | None]()
    for report in deal_reports(Dealer(7), rules, 12, seats=seats):
        deal = deals(outcomes, rules=rules, seats=seats, wind_rounds=None).deals[-1]
        reckon(report, deal, rules)
        outcomes.append(report.winner)
    assert sum(winner is not None for winner in outcomes) > 6
