"""The page of house rules shows what is otherwise than in the book, and hides nothing."""

import pytest

from scoring import house_rules, rule_set, rule_set_keys, sheet
from scoring.house import Change, marked

BMJA = rule_set("bmja")
OTHERWISE: list[tuple[dict[str, object], list[tuple[str, Change, str]]]] = [
    ({"points": {"Mah-Jong": 10}}, [("Mah-Jong", Change.OTHER, "In the rule book: Points: 20.")]),
    (
        {"points": {"Pung of 2s to 8s": [3, 4]}},
        [("Pung of 2s to 8s", Change.OTHER, "In the rule book: Exposed: 2.")],
    ),
    ({"doubles": {"No chows": 0}}, [("No chows", Change.GONE, "Not played here.")]),
    ({"without": ["triple_knitting"]}, [("Triple Knitting", Change.GONE, "Not played here.")]),
    (
        {"choices": {"false_mahjong_in_all": True}},
        [
            (
                "False Mah-Jong, after another hand was exposed",
                Change.OTHER,
                "In the rule book: 500 points to each other player; the hand is void.",
            ),
            (
                "A false Mah-Jong costs half the limit in all, not to each other player",
                Change.OTHER,
                "In the rule book: no.",
            ),
        ],
    ),
    (
        {
            "specials": [
                {
                    "key": "gerties_garter",
                    "name": "Gertie's Garter",
                    "tiles": "a1-7 b1-7",
                    "won": {"share": [1, 2]},
                }
            ]
        },
        [("Gertie's Garter", Change.NEW, "Not in the rule book.")],
    ),
]


@pytest.mark.parametrize(("otherwise", "told"), OTHERWISE)
def test_what_is_otherwise_is_said_beside_the_line(
    otherwise: dict[str, object], told: list[tuple[str, Change, str]]
) -> None:
    page = marked(house_rules({"base": "bmja", **otherwise}), BMJA)
    found = [(row.cells[0], row.change, row.said) for part in page for row in part.changes]
    assert found == told


@pytest.mark.parametrize("key", rule_set_keys())
def test_a_book_beside_itself_is_its_own_page(key: str) -> None:
    page = marked(rule_set(key), rule_set(key))
    assert [part.changes for part in page] == [()] * len(page)
    assert [(part.title, tuple(row.cells for row in part.rows)) for part in page] == [
        (part.title, part.rows) for part in sheet.sections(rule_set(key))
    ]


def test_every_line_of_the_house_and_of_the_book_is_on_the_page() -> None:
    house = house_rules({"base": "bmja", "limit": 500, "doubles": {"No chows": 0}})
    page = marked(house, BMJA)
    shown = {(part.title, row.cells) for part in page for row in part.rows}
    assert {(part.title, row) for part in sheet.sections(house) for row in part.rows} <= shown
    names = {(part.title, row.cells[0]) for part in page for row in part.rows}
    assert {(part.title, row[0]) for part in sheet.sections(BMJA) for row in part.rows} == names
