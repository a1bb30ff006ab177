"""The form of house rules says all that a club's rules can say, and what of it cannot be played."""

from typing import Any

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from clubs.house.forms.house_questions import yes_or_no_field
from clubs.house.forms.house_rules import HouseRulesForm
from scoring import house, rule_set_keys
from scoring.rules.rule_set import RuleSet
from scoring.rulesets import rule_set
from tests.clubs.house.test_house_rules import OWN, filled_in, form_data, riverside_rules
from tests.clubs.visits import Visitor

GARTER = {"key": "garter", "name": "Garter", "tiles": "a1-7 b1-7", "won": {"share": [1, 2]}}
ENDS = {"name": "Pair of 1s or 9s", "sets": ["pair", "of_terminals"], "points": [2, 4]}
THREE = {"name": "Three concealed", "when": ["three_concealed_pungs", "no_chows"], "doubles": 1}
GREEN = {"name": "Green dragons", "sets": ["pung", "of_dragons"], "doubles": 1}
FISHED = {"name": "No 1s or 9s", "when": ["no_terminals"], "doubles": 1, "who": "everyone"}
BOUQUET = {"name": "All flowers", "when": ["all_flowers"], "points": 10, "who": "everyone"}
ROBBED = {"name": "Robbed", "when": ["robbed_kong"], "points": 10}

ANSWERS: list[dict[str, Any]] = [
    {"limits": None},
    {"limits": {"ordinary": None, "losers": None}},
    {"limits": {"ordinary": None}},
    {"limits": {"ordinary": 300, "special": 2000, "losers": 200}},
    {"chows": None},
    {"chows": 0},
    {"chows": 2},
    {"chows": {"most": 3, "players": 3, "in_a_goulash": True}},
    {"chows": {"players": None}},
    {"one_suit": True},
    {"one_suit": "every hand"},
    {"minimum": {"doubles": 1, "points": 100}},
    {"minimum": {"doubles": 2}, "minimum_with_two": None},
    {"minimum_with_two": {"points": 100}},
    {"fishing": False},
    {"bonus_tiles_beside": False},
    {"losers_score": False},
    {"payments": {"east": 1, "losers_settle": False}},
    {"payments": {"east": 3, "with_two": True}},
    {"payments": None},
    {"payments": {"discarder": "for_all"}},
    {"payments": {"discarder": {"alone": 2}}},
    {"payments": {"discarder": {"times": 3}}},
    {"payments": {"unclaimed": 2}},
    {"passing": {"goulash": False, "prevailing": False, "draw_moves": True}},
    {"passing": {"most_hands": 5, "most_wins": 3}},
    {"passing": {"most_draws": 2}},
    {"values": {"knitting": {"won": 400, "fishing": None}, "purity": {"doubles": 2}}},
    {"values": {"imperial_jade": {"won": {"share": [3, 4]}, "fishing": 100}}},
    {"more_points": [ENDS, ROBBED, BOUQUET], "more_doubles": [THREE, GREEN, FISHED]},
    {"specials": [GARTER], "more_points": [ENDS]},
]


@pytest.mark.parametrize("data", ANSWERS)
def test_the_form_says_all_that_the_data_says(data: dict[str, Any]) -> None:
    rules = riverside_rules(**data)
    assert filled_in(rules).as_data() == rules.as_data()


@pytest.mark.parametrize("book", rule_set_keys())
def test_rules_of_every_book_go_through_the_form(book: str) -> None:
    data: dict[str, Any] = {"chows": 0, "one_suit": True, "passing": {"most_hands": 4}}
    book_rules = rule_set(book)
    if not book_rules.losers.unless:
        data["losers_score"] = not book_rules.losers.score
    if book_rules.payments:
        data["payments"] = {"east": 3, "discarder": "for_all"}
    hand = (*book_rules.specials[:1],)
    data["values"] = {special.key: {"won": 90} for special in hand}
    data["more_points"] = [ROBBED, ENDS | {"name": "Ends"}]
    rules = house.read_house_rules({"base": book, "name": "Ours"} | data)
    assert filled_in(rules).as_data() == rules.as_data()


def test_what_is_entered_as_in_the_book_is_left_out() -> None:
    rules = riverside_rules(limit=1000)
    changed_fields = {"value_knitting_won": "500", "value_knitting_fishing": "1/5"}
    changed_fields |= {"value_imperial_jade_won": "1,000", "value_purity_doubles": "3"}
    changed_fields |= {"limits": "different"}
    changed_fields |= {f"limits_{kind}": "1000" for kind in ("ordinary", "special", "losers")}
    assert filled_in(rules, **changed_fields).as_data() == {
        "base": "bmja/2008",
        "name": "Riverside rules",
    }


@pytest.mark.parametrize(
    ("changed_fields", "expected_data"),
    [
        ({"limits": "special"}, {"limits": {"ordinary": None, "losers": None}}),
        ({"limits": "none"}, {"limits": dict.fromkeys(("ordinary", "special", "losers"))}),
        (
            {"limits": "different", "limits_special": "500", "limits_losers": "100"},
            {"limits": {"ordinary": None, "losers": 100}},
        ),
        ({"chows_most": "2", "chows_players": "3"}, {"chows": {"most": 2, "players": 3}}),
        ({"minimum_doubles": "1"}, {"minimum": {"doubles": 1}}),
        (
            {"minimum_with_two_doubles": "", "minimum_with_two_points": ""},
            {"minimum_with_two": None},
        ),
        ({"discarder": "alone", "discarder_times": "2"}, {"payments": {"discarder": {"alone": 2}}}),
        (
            {"discarder": "for_all", "payments_east": "1"},
            {"payments": {"east": 1, "discarder": "for_all"}},
        ),
        (
            {"passing_most_hands": "5", "passing_goulash": "False"},
            {"passing": {"goulash": False, "most_hands": 5}},
        ),
        (
            {"value_knitting_won": "2/5", "value_knitting_fishing": "0"},
            {"values": {"knitting": {"won": {"share": [2, 5]}, "fishing": None}}},
        ),
    ],
)
def test_answers_become_the_data_of_house_rules(
    changed_fields: dict[str, str], expected_data: dict[str, Any]
) -> None:
    data = filled_in(riverside_rules(), **changed_fields).as_data()
    plain = {"base": "bmja/2008", "name": "Riverside rules", "limit": 500}
    assert data == plain | expected_data


def line(place: int, **filled_fields: str) -> dict[str, str]:
    """The fields of an own line, as a browser sends them."""
    blank = {"name": "", "much": "", "concealed": "", "of": "points"}
    fields = blank | dict.fromkeys(("when_0", "when_1", "when_2"), "") | filled_fields
    return {f"line_{place}_{name}": value for name, value in fields.items()}


def test_lines_of_points_and_doubles_are_entered_in_rows() -> None:
    rows = line(0, name="Pair of 1s or 9s", when_0="set:pair", when_1="set:of_terminals", much="2")
    rows |= line(1)
    rows |= line(2, name="Robbed", when_2="hand:robbed_kong", much="10")
    rows |= line(3, name="No 1s or 9s", when_0="hand:no_terminals", much="1", of="doubles")
    rows |= {"line_0_concealed": "4", "line_3_everyone": "on", "line_count": "4"}
    data = filled_in(riverside_rules(), **rows).as_data()
    assert (data["more_points"], data["more_doubles"]) == ([ENDS, ROBBED], [FISHED])


@pytest.mark.parametrize(
    ("filled_fields", "field", "message"),
    [
        ({"name": "", "when_0": "set:pair"}, "name", "Enter a name for this line."),
        ({"much": "", "when_0": "set:pair"}, "much", "Enter how many points or doubles"),
        ({}, "when_0", "Choose what it is for."),
        ({"when_0": "set:pair", "when_1": "hand:east"}, "when_0", "Choose only what the whole"),
        ({"when_0": "hand:east", "concealed": "4"}, "concealed", "Leave this empty"),
        ({"when_0": "set:pair", "of": "doubles", "concealed": "4"}, "concealed", "Leave this"),
        ({"when_0": "hand:robbed_kong", "everyone": "on"}, "everyone", "how a hand is won"),
        ({"when_0": "set:pair", "of": "doubles", "much": "21"}, "much", "Enter a whole number"),
        ({"when_0": "set:pair", "much": "0"}, "much", "0 cannot be used here"),
        ({"when_0": "set:pung", "when_1": "set:pair"}, "when_0", "cannot be used here"),
        ({"when_0": "set:pair", "name": "Mah-Jong"}, "name", "cannot be used here"),
        (
            {"when_0": "hand:robbed_kong", "of": "doubles", "everyone": "on"},
            "everyone",
            "it depends on how a hand is won",
        ),
    ],
)
def test_what_is_wrong_with_a_line_is_said_at_its_field(
    filled_fields: dict[str, str], field: str, message: str
) -> None:
    data = form_data(riverside_rules(more_points=[ROBBED])) | line(
        1, **{"name": "Ends", "much": "2"} | filled_fields
    )
    form = HouseRulesForm(data, starting_rules=riverside_rules(more_points=[ROBBED]))
    assert message in form.errors[f"line_1_{field}"][0]


@pytest.mark.parametrize(
    ("changed_fields", "field"),
    [
        ({"value_knitting_won": "5000"}, "value_knitting_won"),
        ({"value_knitting_fishing": "600"}, "value_knitting_fishing"),
        ({"value_knitting_won": "half"}, "value_knitting_won"),
        ({"value_knitting_won": "1/0"}, "value_knitting_won"),
        ({"without": ["knitting"], "value_knitting_won": "300"}, "value_knitting_won"),
        ({"discarder": "alone"}, "discarder_times"),
        ({"discarder": "times", "discarder_times": "1"}, "discarder_times"),
        ({"payments_east": "11"}, "payments_east"),
        ({"payments_unclaimed": "0"}, "payments_unclaimed"),
        ({"losers_score": "False", "fishing": "False"}, "fishing"),
        ({"passing_most_hands": "3", "passing_most_wins": "3"}, "passing_most_wins"),
        ({"passing_most_hands": "3", "passing_most_draws": "3"}, "passing_most_draws"),
        ({"passing_draw_moves": "True", "passing_most_draws": "2"}, "passing_most_draws"),
        ({"passing_most_draws": "1"}, "passing_most_draws"),
        ({"minimum_points": "0"}, "minimum_points"),
        ({"limits": "different", "limits_losers": "x"}, "limits_losers"),
        ({"limits": "different", "limits_losers": "9", "losers_score": "False"}, "limits_losers"),
        ({"chows_most": "7"}, "chows_most"),
        ({"choice_original_call_winner_doubles": "3"}, "choice_original_call_winner_doubles"),
    ],
)
def test_what_cannot_be_played_is_said_at_its_field(
    changed_fields: dict[str, Any], field: str
) -> None:
    form = HouseRulesForm(
        form_data(riverside_rules(), **changed_fields), starting_rules=riverside_rules()
    )
    assert list(form.errors) == [field]


def test_losers_that_settle_though_only_the_winner_scores_are_said_at_their_field() -> None:
    rules = house.read_house_rules({"base": "tallies", "name": "Ours"})
    form = HouseRulesForm(form_data(rules, payments_losers_settle="True"), starting_rules=rules)
    assert list(form.errors) == ["payments_losers_settle"]


@pytest.mark.parametrize("book", rule_set_keys())
def test_what_makes_no_sense_for_a_book_is_not_asked(book: str) -> None:
    form = HouseRulesForm(starting_rules=house.read_house_rules({"base": book, "name": "Ours"}))
    book_rules: RuleSet = form.book
    pays = book_rules.payments is not None
    assert ("discarder" in form.fields, "payments_east" in form.fields) == (pays, pays)
    assert ("limits" in form.fields) == (book_rules.adding is None)
    assert ("line_0_of" in form.fields) == (book_rules.adding is None)
    assert ("passing_prevailing" in form.fields) == book_rules.passing.prevailing
    assert ("minimum_with_two_points" in form.fields) == (2 in book_rules.seats)
    assert ("losers_score" in form.fields) == (book_rules.losers.unless is None)


def test_another_line_is_added_without_losing_what_was_typed(alice: Visitor) -> None:
    rows = line(0, name="Pair of 1s or 9s", when_0="set:pair", much="x")
    data = form_data(riverside_rules(), limit="none", **rows) | {"line_count": "1", "more": "yes"}
    page = alice.post(OWN, data)
    assert page.status_code == 200
    assertContains(page, 'name="limit" value="none"')
    assertContains(page, 'name="line_0_much" value="x"')
    assertContains(page, 'name="line_1_name"')
    assertContains(page, 'id="section-lines" open')
    assertNotContains(page, "There is a problem")


@pytest.mark.parametrize("count", ["51", "9" * 5000, "-1", "²", "x", ""])
def test_no_count_of_lines_breaks_the_form(alice: Visitor, count: str) -> None:
    rows = line(0, name="Pair of 1s or 9s", when_0="set:pair", much="2")
    page = alice.post(
        OWN, form_data(riverside_rules(), limit="none", **rows) | {"line_count": count}
    )
    assert page.status_code == 422
    assertContains(page, 'name="limit" value="none"', status_code=422)


def test_a_wrong_answer_loses_no_line(alice: Visitor) -> None:
    rows = line(0, name="Pair of 1s or 9s", when_0="set:pair", much="2")
    rows |= line(1, name="Robbed", when_0="hand:robbed_kong", much="many") | {"line_count": "2"}
    page = alice.post(OWN, form_data(riverside_rules(), **rows))
    assertContains(page, 'name="line_1_much" value="many"', status_code=422)
    assertContains(page, 'value="Pair of 1s or 9s"', status_code=422)


def test_an_answer_that_nobody_offers_differs_from_the_book() -> None:
    """The page asks it of a form that was refused, to leave open what is not as in the book."""
    field = yes_or_no_field("Chows", book=True)
    assert [field.has_changed("True", value) for value in ("True", "False", "<wrong>")] == [
        False,
        True,
        True,
    ]


def test_all_that_is_wrong_is_said_at_once() -> None:
    changed_fields = {"limit": "none", "discarder": "alone"} | line(0, name="Ends", much="2")
    form = HouseRulesForm(
        form_data(riverside_rules(), **changed_fields), starting_rules=riverside_rules()
    )
    assert list(form.errors) == ["limit", "line_0_when_0", "discarder_times"]


def test_every_question_says_what_the_book_says(alice: Visitor) -> None:
    page = alice.get(f"{OWN}?base=bmja")
    for text in (
        "1 at most, as in the rule book",
        "The rule book says 2. Enter 1 if East pays like everyone else.",
        "The rule book says 500 (1/2 of the limit); one tile short 200 (1/5 of the limit).",
        "Everyone, as for any other Mah-Jong, as in the rule book",
    ):
        assertContains(page, text)


def test_the_preview_lists_every_difference(alice: Visitor) -> None:
    rules = riverside_rules(limit=1000)
    changed_fields = {
        "discarder": "for_all",
        "passing_most_hands": "5",
        "without": ["triple_knitting"],
    }
    page = alice.post(OWN, form_data(rules, **changed_fields))
    tiles = "Four threes of one number in the three suits and two of one number in two suits"
    assertContains(page, "3 differences from BMJA rules")
    rows = [row for section in page.context["printed"].changed_sections for row in section.changes]
    assert [(row.cells[0].text, row.house_text, row.in_the_book) for row in rows] == [
        (
            "Triple Knitting",
            "Not played",
            f"{tiles}; 500 (1/2 of the limit); one tile short 200 (1/5 of the limit)",
        ),
        (
            "Winner on a claimed tile",
            "The discarder alone pays, as much as all would pay together",
            "No such line",
        ),
        (
            "The most hands of East",
            "5 hands in a row; then the winds move on by one, no matter who won",
            "No such line",
        ),
    ]
