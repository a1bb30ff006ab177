"""A club writes its own rules, looks at them beside the book, keeps them and plays by them."""

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, connection, transaction
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.house import services
from clubs.house.forms.house_rules import HouseRulesForm, number_lines_of
from clubs.league import services as league_services
from clubs.models import Club, HouseRules
from clubs.table.selectors.rules import house_rules_of, rules_offered, summary_of
from scoring import house, rule_set_keys
from scoring.scorebook import services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Edition
from scoring.scorebook.refusals import Refused
from tests.clubs.visits import Visitor
from tests.people import Cast, make_club

pytestmark = pytest.mark.django_db

GARTER = {
    "key": "gerties_garter",
    "name": "Gertie's Garter",
    "tiles": "a1-7 b1-7",
    "won": {"share": [1, 2]},
}
FOLDS = ["choices", "limits", "mahjong", "payments", "passing", "hands", "numbers", "lines"]
ENDS = {"name": "Pair of 1s or 9s", "sets": ["pair", "of_terminals"], "points": [2, 4]}
CALL_DOUBLES = "choice_original_call_winner_doubles"
ANY_TWO_SUITS = "choice_knitting_in_any_two_suits"
OWN = "/c/riverside/settings/house-rules/"


def riverside_rules(**rules_data: Any) -> house.HouseRules:
    return house.read_house_rules(
        {"base": "bmja", "name": "Riverside rules", "limit": 500} | rules_data
    )


def save_rules(club: Club, **rules_data: Any) -> HouseRules:
    return services.save_house_rules(club=club, declared_rules=riverside_rules(**rules_data))


def form_data(initial_rules: house.HouseRules, **changed_fields: Any) -> dict[str, Any]:
    """The form as a browser sends it, untouched but for what is changed."""
    form = HouseRulesForm(starting_rules=initial_rules)
    values = {name: form[name].value() for name in form.fields}
    data = {name: value for name, value in values.items() if value is not None}
    return data | {"lines": json.dumps(initial_rules.as_data())} | changed_fields


def filled_in(initial_rules: house.HouseRules, **changed_fields: Any) -> house.HouseRules:
    """What the form makes of that."""
    form = HouseRulesForm(form_data(initial_rules, **changed_fields), starting_rules=initial_rules)
    assert form.is_valid(), form.errors
    rules: house.HouseRules = form.cleaned_data["declared"]
    return rules


@pytest.mark.parametrize("book", rule_set_keys())
def test_an_untouched_form_is_the_book(book: str) -> None:
    rules = house.read_house_rules({"base": book, "name": "Ours"})
    assert filled_in(rules) == rules


@pytest.mark.parametrize(
    "rules_data",
    [
        {"limit": 400},
        {"choices": {"knitting_in_any_two_suits": True, "original_call_winner_doubles": 1}},
        {"points": {"Flower or season": 2, "Pung of 2s to 8s": [2, 5], "Mah-Jong": 10}},
        {"doubles": {"No chows": 0, "Set of dragons": 2}},
        {"without": ["purity", "triple_knitting"]},
        {"specials": [GARTER]},
    ],
)
def test_the_form_holds_what_it_begins_with(rules_data: dict[str, Any]) -> None:
    rules = riverside_rules(**rules_data)
    assert filled_in(rules).as_data() == rules.as_data()


def test_ticks_and_numbers_become_house_rules() -> None:
    changed_fields = {"name": "  Purbeck ", "limit": "600", "without": ["triple_knitting"]}
    changed_fields |= {
        "choice_knitting_in_any_two_suits": "True",
        "points_8_0": "2",
        "doubles_8_0": "0",
    }
    assert filled_in(riverside_rules(), **changed_fields).as_data() == {
        "base": "bmja/2008",
        "name": "Purbeck",
        "limit": 600,
        "choices": {"knitting_in_any_two_suits": True},
        "points": {"Flower or season": 2},
        "doubles": {"No chows": 0},
        "without": ["triple_knitting"],
    }


@pytest.mark.parametrize(
    ("changed_fields", "field", "message"),
    [
        ({"name": ""}, "name", "Enter a name for your house rules."),
        ({"limit": ""}, "limit", "Enter a whole number from 1 to 1,000,000."),
        ({"limit": "0"}, "limit", "Enter a whole number from 1 to 1,000,000."),
        ({"points_0_0": "lots"}, "points_0_0", "Enter a whole number from 0 to 10,000."),
        ({"doubles_0_0": "21"}, "doubles_0_0", "Enter a whole number from 0 to 20."),
        ({"without": ["whist"]}, "without", "That hand is not in this rule book. Choose another."),
        ({CALL_DOUBLES: "3"}, CALL_DOUBLES, "Enter a whole number from 1 to 2."),
        ({ANY_TWO_SUITS: "perhaps"}, ANY_TWO_SUITS, "Choose yes or no."),
    ],
)
def test_what_cannot_be_is_said_at_its_field(
    changed_fields: dict[str, Any], field: str, message: str
) -> None:
    form = HouseRulesForm(
        form_data(riverside_rules(), **changed_fields), starting_rules=riverside_rules()
    )
    assert form.errors == {field: [message]}


def test_a_name_that_stands_twice_in_the_book_has_one_number() -> None:
    names = [line.name for line in number_lines_of(rule_set("bmja")) if line.kind == "points"]
    assert names.count("Winning tile a loose tile") == 1
    assert len(names) == len(set(names))


def test_rules_without_a_limit_may_stay_without() -> None:
    rules = house.read_house_rules({"base": "safalra", "name": "Ours"})
    assert filled_in(rules, limit="").limit is None


def test_what_is_looked_at_is_marked_and_not_kept(alice: Visitor) -> None:
    page = alice.post(OWN, form_data(riverside_rules(), without=["triple_knitting"]))
    assertContains(page, "Not saved yet")
    assertContains(page, "In the rule book: A hand scores 1,000 at most.")
    assertContains(page, "Not played here.")
    assert (page.context["printed"].count, Edition.objects.count()) == (20, 0)
    second_page = alice.post(OWN, form_data(riverside_rules(specials=[GARTER])))
    assertContains(second_page, "Gertie&#x27;s Garter")
    assertContains(second_page, "Not in the rule book.")


def test_rules_are_kept_and_can_be_chosen_for_the_club(alice: Visitor, cast: Cast) -> None:
    looked_at = alice.post(OWN, form_data(riverside_rules()))
    answer = alice.post(f"{OWN}save/", {"lines": looked_at.context["lines"]})
    assertRedirects(answer, "/c/riverside/settings/rules/")
    house_rules = HouseRules.objects.get()
    assert (house_rules.club, house_rules.made_by) == (cast.club, cast.secretary)
    assert house_rules.edition.name == "Riverside rules"
    alice.post("/c/riverside/settings/rules/", {"rules": house_rules.edition.key})
    cast.club.refresh_from_db()
    assert cast.club.rules == house_rules.edition.key
    assertContains(alice.get("/c/riverside/settings/rules/"), "in use")


def test_whoever_goes_back_finds_what_was_typed(alice: Visitor) -> None:
    looked_at = alice.post(OWN, form_data(riverside_rules(), limit="321"))
    page = alice.post(OWN, {"lines": looked_at.context["lines"]})
    assertContains(page, 'name="limit" value="321"')
    as_lines = alice.post(f"{OWN}text/", {"lines": looked_at.context["lines"]})
    assertContains(as_lines, "&quot;limit&quot;: 321")


def test_mistakes_in_the_form_lose_nothing(alice: Visitor) -> None:
    page = alice.post(
        OWN, form_data(riverside_rules(specials=[GARTER]), limit="none", points_0_0="3")
    )
    assert page.status_code == 422
    assertContains(page, 'name="limit" value="none"', status_code=422)
    assertContains(page, 'name="points_0_0" value="3"', status_code=422)
    assertContains(page, "Gertie&#x27;s Garter", status_code=422)


@pytest.mark.parametrize(
    ("rules_data", "changed_fields", "open_sections"),
    [
        ({}, {}, []),
        ({}, {"limit": "none"}, []),
        ({"without": ["purity"]}, {}, ["hands"]),
        ({"doubles": {"Robbing a kong": 0}}, {}, ["numbers"]),
        ({}, {"without": ["no such hand"]}, ["hands"]),
        ({}, {"points_0_0": "3", "limit": "none"}, ["numbers"]),
        ({"limits": None, "chows": None, "payments": {"east": 1}}, {}, FOLDS[1:4]),
        ({"passing": {"most_hands": 5}, "fishing": False}, {}, ["passing", "hands"]),
        ({"more_points": [ENDS]}, {}, ["lines"]),
    ],
)
def test_the_page_folds_away_what_is_as_in_the_book(
    alice: Visitor,
    rules_data: dict[str, Any],
    changed_fields: dict[str, Any],
    open_sections: list[str],
) -> None:
    rules = riverside_rules(**rules_data)
    data = (
        form_data(rules, **changed_fields)
        if changed_fields
        else {"lines": json.dumps(rules.as_data())}
    )
    page = alice.post(OWN, data)
    sections = page.context["form"].sections
    assert [section.key for section in sections] == FOLDS
    assert [section.key for section in sections if section.is_unusual] == open_sections
    text = page.content.decode()
    folds = re.findall(r'<details class="fold house__section" id="section-([a-z]+)"( open)?>', text)
    assert [key for key, is_open in folds if is_open] == open_sections
    as_printed = 7 - len(set(open_sections) - {"lines"})
    assert text.count("You play as in the rule book.") == as_printed


def test_a_file_of_lines_is_read(alice: Visitor) -> None:
    text = json.dumps(riverside_rules(specials=[GARTER]).as_data())
    file = SimpleUploadedFile("riverside.json", text.encode("utf-8-sig"))
    page = alice.post(f"{OWN}text/", {"sent": "yes", "file": file})
    assertContains(page, "Save house rules")


def test_everything_wrong_with_lines_is_said_at_once_with_its_place(alice: Visitor) -> None:
    text = json.dumps({"base": "bmja", "limit": 0, "without": ["whist"], "points": {"Bridge": 2}})
    page = alice.post(f"{OWN}text/", {"sent": "yes", "lines": text})
    assert page.status_code == 422
    places = [error.partition(":")[0] for error in page.context["form"].errors["lines"]]
    assert places == ["limit", "points.Bridge", "without.0"]
    assertContains(page, "&quot;Bridge&quot;", status_code=422)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Choose a file, or paste the rules here."),
        ('{"base": "bmja",\n "limit" 500}', "Line 2, character 10: there is a mistake here."),
        ("[" * 100_000, "We cannot read this text. Check that you pasted the right thing."),
        ("9" * 5_000, "We cannot read this text. Check that you pasted the right thing."),
        ("[]", "This is not the JSON object of a club&#x27;s house rules."),
        ('{"base": "whist"}', "base: whist cannot be used here"),
        ('{"base": "bmja", "name": "\\u0000"}', "cannot be used here"),
        ("x" * 100_001, "That text is too long."),
    ],
)
def test_lines_that_are_none_are_told_so(alice: Visitor, text: str, message: str) -> None:
    page = alice.post(f"{OWN}text/", {"sent": "yes", "lines": text})
    assertContains(page, message, status_code=422)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"x" * 100_001, b""])
def test_a_file_that_is_none_is_told_so(alice: Visitor, content: bytes) -> None:
    file = SimpleUploadedFile("riverside.json", content)
    page = alice.post(f"{OWN}text/", {"sent": "yes", "file": file})
    assert (page.status_code, next(iter(page.context["form"].errors))) == (422, "file")


def test_lines_that_were_tampered_with_are_not_kept(alice: Visitor) -> None:
    page = alice.post(f"{OWN}save/", {"lines": '{"base": "bmja", "limit": -1}'})
    assert (page.status_code, HouseRules.objects.count()) == (422, 0)
    assert alice.post(OWN, {"lines": "nonsense"}).status_code == 404


def test_a_name_that_is_none_is_not_kept() -> None:
    with pytest.raises(Refused, match="cannot contain < or >"):
        save_rules(make_club(), name="<b>Ours</b>")


@pytest.mark.parametrize("query", ["base=whist", "base=bmja/2008~0", "from=999", f"from={10**30}"])
def test_what_is_not_there_cannot_be_begun_with(alice: Visitor, query: str) -> None:
    assert alice.get(f"{OWN}?{query}").status_code == 404


def test_nobody_begins_with_the_rules_of_another_club(alice: Visitor) -> None:
    elsewhere = save_rules(Club.objects.get(slug="hill-top"))
    assert alice.get(f"{OWN}?from={elsewhere.pk}").status_code == 404
    assert alice.post(f"{OWN}{elsewhere.pk}/retire/").status_code == 404


def test_a_new_version_stands_beside_the_old_one(alice: Visitor, cast: Cast) -> None:
    first = save_rules(cast.club)
    page = alice.get(f"{OWN}?from={first.pk}")
    assertContains(page, 'name="limit" value="500"')
    looked_at = alice.post(OWN, form_data(riverside_rules(), limit="600"))
    alice.post(f"{OWN}save/", {"lines": looked_at.context["lines"]})
    assert [(row.title, row.summary) for row in house_rules_of(cast.club)] == [
        ("Riverside rules, version 2", "limit 600"),
        ("Riverside rules, version 1", "limit 500"),
    ]


def test_the_same_rules_once_more_are_the_same(cast: Cast) -> None:
    first = save_rules(cast.club)
    services.retire_house_rules(club=cast.club, pk=first.pk)
    repeat = save_rules(cast.club)
    assert (repeat, repeat.retired_at, HouseRules.objects.count()) == (first, None, 1)


def test_two_clubs_may_keep_the_same_rules() -> None:
    house_rules = save_rules(make_club())
    other_rules = save_rules(make_club("Hill Top Tiles", "hill-top"))
    assert (house_rules.edition, house_rules.club) == (other_rules.edition, house_rules.club)
    assert len(house_rules_of(other_rules.club)) == 1


def test_retired_rules_are_no_longer_offered_but_for_whoever_holds_them(cast: Cast) -> None:
    house_rules = save_rules(cast.club)
    services.retire_house_rules(club=cast.club, pk=house_rules.pk)
    assert house_rules.edition.key not in dict(rules_offered(cast.club))
    choices = dict(rules_offered(cast.club, current=house_rules.edition.key))
    assert choices[house_rules.edition.key] == "Riverside rules"
    services.offer_house_rules(club=cast.club, pk=house_rules.pk)
    assert house_rules.edition.key in dict(rules_offered(cast.club))


def test_rules_that_the_club_plays_are_not_retired(alice: Visitor, cast: Cast) -> None:
    house_rules = save_rules(cast.club)
    league_services.change_rules(club=cast.club, rules=house_rules.edition.key)
    page = alice.post(f"{OWN}{house_rules.pk}/retire/", follow=True)
    message = "The club plays Riverside rules. Choose different rules for the club first."
    assertContains(page, message)
    house_rules.refresh_from_db()
    assert house_rules.retired_at is None


def test_rules_are_retired_and_offered_again_on_the_page(alice: Visitor, cast: Cast) -> None:
    house_rules = save_rules(cast.club)
    assertContains(alice.post(f"{OWN}{house_rules.pk}/retire/", follow=True), "retired")
    assertContains(alice.post(f"{OWN}{house_rules.pk}/offer/", follow=True), "can be chosen again")


def test_an_edition_that_a_club_has_kept_cannot_be_deleted(cast: Cast) -> None:
    def delete() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM scorebook_edition")
            connection.check_constraints()

    save_rules(cast.club)
    with pytest.raises(IntegrityError):
        delete()
    assert Edition.objects.count() == 1


def test_the_rules_page_of_house_rules_marks_what_differs(cast: Cast, client: Client) -> None:
    house_rules = save_rules(cast.club, without=["triple_knitting"])
    page = client.get(f"/rules/{house_rules.edition.key}/")
    assertContains(page, "Riverside rules")
    assertContains(page, "In the rule book: A hand scores 1,000 at most.")
    assertContains(page, 'href="/rules/bmja/2008/"')
    assertNotContains(client.get("/rules/bmja/"), "Recorded")


@pytest.mark.parametrize("rules", [1, 3])
def test_the_list_of_house_rules_takes_one_query(
    rules: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club = make_club()
    for number in range(rules):
        key = save_rules(club, limit=500 + number).edition.key
        scorebook.open_games(rules=key, sizes=[4] * number)
    with django_assert_num_queries(1):
        rows = house_rules_of(club)
    assert [row.games for row in rows] == list(reversed(range(rules)))


def test_a_summary_counts_what_is_otherwise() -> None:
    numbers = {"points": {"Mah-Jong": 10}, "doubles": {"No chows": 0}}
    choices = {"knitting_in_any_two_suits": True}
    rules = riverside_rules(**numbers, without=["purity"], specials=[GARTER], choices=choices)
    assert summary_of(rules.as_data()) == (
        "limit 500, 1 open point, 2 changed numbers, 1 hand left out, 1 special hand of its own"
    )
    assert summary_of({"base": "bmja"}) == "same as the rule book"
    assert summary_of({"limit": None}) == "no limit"


@pytest.mark.parametrize(
    ("rules_data", "summary"),
    [
        ({"limits": None}, "no limit for any hand"),
        ({"limits": {"ordinary": None, "losers": None}}, "a limit for special hands only"),
        ({"limits": {"ordinary": None}}, "no limit for an ordinary Mah-Jong"),
        ({"limits": {"ordinary": 300}}, "several limits"),
        ({"chows": None}, "any number of chows"),
        ({"chows": 0}, "no chows"),
        ({"chows": {"most": 1, "players": 3}}, "1 chow"),
        ({"chows": {"players": None}}, "a different number of chows"),
        ({"one_suit": True}, "one suit"),
        ({"one_suit": "every hand"}, "one suit in every hand"),
        ({"minimum": {"doubles": 1, "points": 100}}, "minimum 1 double or 100 points"),
        ({"minimum_with_two": None}, "no minimum with two players"),
        ({"losers_score": False}, "only the winner scores"),
        ({"fishing": False}, "a hand one tile short scores nothing"),
        (
            {"payments": {"east": 1, "losers_settle": False}},
            "East pays like the others, losers do not settle",
        ),
        ({"payments": {"east": 3, "with_two": True}}, "East pays 3 times, also with two players"),
        (
            {"payments": {"unclaimed": 2}},
            "everyone pays twice the score for a tile that was not claimed",
        ),
        ({"payments": None}, "nobody pays"),
        ({"payments": {"discarder": "for_all"}}, "the discarder pays for all"),
        ({"payments": {"discarder": {"alone": 2}}}, "the discarder alone pays"),
        ({"payments": {"discarder": {"times": 2}}}, "the discarder pays more"),
        ({"passing": {"goulash": False, "prevailing": False}}, "no goulash, no prevailing wind"),
        ({"passing": {"draw_moves": True}}, "a drawn hand passes the deal on"),
        (
            {"passing": {"most_hands": 5, "most_wins": 3}},
            "5 hands in a row at most, 3 Mah-Jongs in a row at most",
        ),
        (
            {"more_points": [ENDS], "values": {"purity": {"doubles": 1}}},
            "1 line of its own, 1 hand with a different value",
        ),
    ],
)
def test_a_summary_says_what_is_played_otherwise(rules_data: dict[str, Any], summary: str) -> None:
    assert summary_of(riverside_rules(**rules_data).as_data()) == f"limit 500, {summary}"


def test_a_summary_names_the_dealer_where_east_need_not_deal() -> None:
    data = {"base": "tallies", "payments": {"east": 1, "discarder": None}}
    summary = "the dealer pays like the others, the discarder pays like the others"
    assert summary_of(house.read_house_rules(data).as_data()) == summary


def test_a_season_plays_by_house_rules(cast: Cast, alice: Visitor) -> None:
    house_rules = save_rules(cast.club)
    page = alice.get("/c/riverside/seasons/new/")
    assertContains(page, f'href="/rules/{house_rules.edition.key}/"')
    spring = {"name": "Spring", "starts_on": "2027-01-01", "ends_on": "2027-05-01"}
    rules = {"ranking": "total", "rules": house_rules.edition.key}
    alice.post("/c/riverside/seasons/new/", spring | rules)
    season = cast.club.leagues.get().seasons.get()
    assert rule_set(season.plays).name == "Riverside rules"
    assertContains(alice.get(f"/c/riverside/seasons/{season.pk}/"), "Riverside rules")
