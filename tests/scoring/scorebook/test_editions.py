"""House rules are kept once, never changed, and games under them are counted by them for ever."""

import ast
import json
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from hypothesis import given, strategies as st

from scoring import UnknownRuleSet, house_rules, rule_set_keys, scale
from scoring.house import read_house_rules
from scoring.scorebook import editions
from scoring.scorebook.models import Edition, Game
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.scoring.scorebook.book import EAST_WINS_IN_TILES, open_game, play, points
from tests.test_architecture import ROOT, SOURCES

pytestmark = pytest.mark.django_db

RIVERSIDE: dict[str, Any] = {
    "base": "bmja",
    "name": "Riverside rules",
    "limit": 500,
    "points": {"Mah-Jong": 10},
    "without": ["triple_knitting"],
}


def keep(**otherwise: object) -> Edition:
    return editions.store_edition(read_house_rules(RIVERSIDE | otherwise))


def test_the_same_rules_are_kept_once_however_they_are_written() -> None:
    first = keep()
    second_edition = keep(base="bmja/2008", without=["triple_knitting"], choices={})
    assert (second_edition, Edition.objects.count()) == (first, 1)
    assert first.key.startswith("bmja/2008~")
    assert len(first.key) <= 40


@pytest.mark.parametrize("otherwise", [{"limit": 600}, {"name": "Hill Top"}, {"without": []}])
def test_other_rules_or_another_name_are_another_edition(otherwise: dict[str, Any]) -> None:
    assert keep(**otherwise).key != keep().key


def test_an_edition_answers_by_its_key_like_a_rule_set_of_a_book() -> None:
    edition = keep()
    rules = editions.rule_set(edition.key)
    assert (rules.key, rules.name, rules.limit) == (edition.key, "Riverside rules", 500)
    assert scale(rules) == scale(editions.rule_set("bmja"))
    assert rules.choice == house_rules(RIVERSIDE).choice


def test_a_process_asks_for_an_edition_once(django_assert_num_queries: Any) -> None:
    key = keep(name="Asked once").key
    with django_assert_num_queries(1):
        assert editions.rule_set(key) is editions.rule_set(key)


@pytest.mark.parametrize("key", ["bmja/2008~0000000000000000", "whist", "~"])
def test_a_key_that_nobody_kept_is_told_apart(key: str) -> None:
    with pytest.raises(UnknownRuleSet, match=r"There is no rule set|No house rules are kept"):
        editions.rule_set(key)


def test_points_add_up_within_a_book_and_within_one_edition_of_house_rules() -> None:
    assert editions.has_same_rules("bmja", "bmja/2008")
    assert editions.has_same_rules("bmja/2008~1", "bmja/2008~1")
    assert not editions.has_same_rules("bmja/2008~1", "bmja/2008~2")
    assert not editions.has_same_rules("bmja/2008~1", "bmja/2008")
    assert not editions.has_same_rules("bmja", "tallies")


@pytest.mark.sampled(law="long plays")
def test_a_game_under_house_rules_is_counted_by_them() -> None:
    game = open_game(rules=keep().key)
    book = open_game(rules="bmja")
    (hand,), (by_the_book,) = play(game, EAST_WINS_IN_TILES), play(book, EAST_WINS_IN_TILES)
    # 12 points of pungs and 10 for Mah-Jong instead of 20, doubled for no chows.
    assert (by_the_book.scores[1], hand.scores[1]) == (64, 44)
    assert hand.limit == 500
    assert sum(points(game)) == 0
    assert recount().differences == ()


@pytest.mark.sampled(law="long plays")
def test_old_games_are_counted_as_they_were_when_newer_house_rules_are_kept() -> None:
    game = open_game(rules=keep().key)
    play(game, EAST_WINS_IN_TILES)
    newer = open_game(rules=keep(limit=40).key)
    play(newer, EAST_WINS_IN_TILES)
    editions._house_rule_set.cache_clear()
    assert recount().differences == ()
    assert (max(points(game)), max(points(newer))) == (264, 240)


@pytest.mark.sampled(law="long plays")
def test_a_score_over_the_clubs_own_limit_is_refused_by_the_database() -> None:
    game = open_game(rules=keep(limit=40).key)
    (hand,) = play(game, Report(winner=2, totals={1: 20, 2: 40, 3: 8, 4: 4}))
    with pytest.raises(IntegrityError, match="score_2_within_limit"), transaction.atomic():
        type(hand).objects.filter(pk=hand.pk).update(score_2=42)


@pytest.mark.parametrize("change", ["name = 'Whist'", "declaration = '{}'", "key = 'bmja'"])
def test_no_edition_is_ever_changed(change: str) -> None:
    edition = keep()
    with (
        pytest.raises(DatabaseError, match="an edition is never edited"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE scorebook_edition SET {change}")  # noqa: S608 - from above
    assert editions.declaration_of(edition.key).name == "Riverside rules"


def test_a_recount_names_an_edition_that_is_read_otherwise_than_it_was_kept() -> None:
    declaration = read_house_rules(RIVERSIDE | {"limit": 40}).as_data()
    Edition.objects.create(key="bmja/2008~0", name="Riverside rules", declaration=declaration)
    Edition.objects.create(key="bmja/2008~1", name="Old", declaration={"base": "whist"})
    read_message, unread = recount().differences
    assert read_message.startswith("Riverside rules (bmja/2008~0) is now read as bmja/2008~")
    assert unread.startswith("Old (bmja/2008~1) cannot be read any more: whist cannot be used here")


BEFORE_PENALTIES = [  # keys that were given before penalties stood on the page of BMJA rules
    ("bmja/2008~59c23200da2bb5a0", RIVERSIDE),
    ("bmja/2008~1278a9a7b0530ee6", RIVERSIDE | {"choices": {"false_mahjong_in_all": True}}),
    ("english/2~6bf5439b63fc792f", {"base": "english/2", "name": "Ours"}),
]


@pytest.mark.sampled(days=4)
@pytest.mark.parametrize(("key", "data"), BEFORE_PENALTIES)
def test_a_game_from_before_penalties_stood_on_the_page(key: str, data: dict[str, Any]) -> None:
    declared_rules = read_house_rules(data)
    old = Edition.objects.create(
        key=key, name=declared_rules.name, declaration=declared_rules.as_data()
    )
    game = open_game(rules=key)
    play(game, EAST_WINS_IN_TILES)
    assert recount().differences == ()
    assert scale(editions.rule_set(key)) == scale(declared_rules.rules)
    assert editions.store_edition(declared_rules) == old
    assert Edition.objects.count() == 1


@given(
    base=st.sampled_from(rule_set_keys()),
    limit=st.none() | st.integers(1, 5_000),
    left_out=st.sets(st.integers(0, 18)),
    turned_choices=st.sets(st.integers(0, 14)),
    points=st.dictionaries(st.integers(0, 6), st.tuples(st.integers(0, 99), st.integers(0, 99))),
)
def test_kept_rules_are_read_as_they_were_declared(
    base: str,
    limit: int | None,
    left_out: set[int],
    turned_choices: set[int],
    points: dict[int, Any],
) -> None:
    book = editions.rule_set(base)
    choices = [line for line in book.choices if isinstance(line.value, bool)]
    house_data: dict[str, Any] = {
        "base": base,
        "choices": {
            line.name: not line.value for n, line in enumerate(choices) if n in turned_choices
        },
        "without": [hand.key for n, hand in enumerate(book.specials) if n in left_out],
        "points": {
            line.name: list(points[n]) for n, line in enumerate(book.set_points) if n in points
        },
    }
    declared_rules = read_house_rules(house_data | ({"limit": limit} if limit else {}))
    restored_rules = read_house_rules(json.loads(json.dumps(declared_rules.as_data())))
    assert editions.house_rules_key(restored_rules) == editions.house_rules_key(declared_rules)
    assert restored_rules.rules == declared_rules.rules


@pytest.mark.parametrize("key", rule_set_keys())
def test_every_rule_set_can_be_begun_from(key: str) -> None:
    edition = editions.store_edition(read_house_rules({"base": key, "name": "Ours"}))
    game = open_game(rules=edition.key)
    assert Game.objects.get(pk=game.pk).rules == edition.key
    assert editions.rule_set(edition.key).name == "Ours"


def test_whoever_writes_in_the_book_asks_the_editions_for_its_rules() -> None:
    """The engine alone knows no house rules that were kept, so no app asks it for a rule set."""
    asking = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if path.relative_to(ROOT).parts[0] in ("clubs", "tournaments", "config")
        or path.is_relative_to(ROOT / "scoring" / "scorebook")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("scoring")
        if node.module != "scoring.scorebook.editions"
        and "rule_set" in [alias.name for alias in node.names]
    ]
    assert asking == []
