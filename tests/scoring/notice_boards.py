"""The notice boards of tests/examples: read as data, played, and printed as a page of the docs.

After a change of the boards: python -m tests.scoring.notice_boards > docs/rules/notice-boards.md
"""

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

from scoring import BadInput, RuleSet, hand_from_json, house_rules, rule_set, score
from scoring.house import marked_sections
from tests.scoring.worked import Case, play_case, settled_gains, table

KINDS = ("hand", "settlement", "game")
TILES = re.compile(r"([BCO])(\d+)|([WDFS][A-Z\d])")
RECKONING_FIELDS = {"limited": "is_limited"}
BOARDS: list[Case] = table("notice_boards")["board"]
ELSEWHERE: list[Case] = table("notice_boards")["elsewhere"]
Differences = list[list[str]]


def data_of(board: Case) -> dict[str, Any]:
    """What the club enters."""
    data: dict[str, Any] = json.loads(board["data"])
    return data


def tiles(text: str) -> list[str]:
    """The tiles that are written: `C222WE` is three 2s of characters and an east wind."""
    return [
        tile
        for suit, numbers, other_tile in TILES.findall(text)
        for tile in ([f"{suit}{number}" for number in numbers] if suit else [other_tile])
    ]


def hand_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a hand as JSON has them."""
    sets = [{"tiles": tiles(group), "exposed": True} for group in fields.get("open", "").split()]
    sets += [
        {"tiles": tiles(group), "exposed": False} for group in fields.get("closed", "").split()
    ]
    return {
        "seat_wind": fields["seat"],
        "prevailing_wind": fields.get("wind"),
        "sets": sets,
        "concealed": tiles(fields["hand"]),
        "bonus": tiles(fields.get("bonus", "")),
        "facts": fields.get("facts", []),
        "players": fields.get("players", 4),
        "mahjong": "by" in fields,
        "won_by": fields.get("by"),
        "winning_tile": fields.get("on"),
    }


def scored_as(case: Case, rules: RuleSet) -> dict[str, Any]:
    """What the engine says of a hand, as far as the case says it too."""
    try:
        hand = score(hand_from_json(hand_fields(case["fields"]), rules), rules)
    except BadInput as bad:
        return {"problems": [problem.code.value for problem in bad.problems]}
    return {
        name: getattr(hand, RECKONING_FIELDS.get(name, name), None) for name in case["expected"]
    }


def is_as_worked(kind: str, case: Case, rules: RuleSet) -> bool:
    """Whether the engine comes to what the case works out by hand."""
    if kind == "hand":
        return bool(scored_as(case, rules) == case["expected"])
    if kind == "settlement":
        return bool(settled_gains(case, rules) == case["gain"])
    as_played = play_case(case, rules)
    return bool(as_played == {name: case[name] for name in as_played})


def differences(board: Case) -> Differences:
    """The lines of the club's page that are not as in the book: name, how, and what is said."""
    data = data_of(board)
    page = marked_sections(house_rules(data), rule_set(data["base"]))
    return [[row.cells[0], row.change.name, row.book_text] for part in page for row in part.changes]


CHANGED = {"NEW": "added", "OTHER": "changed", "GONE": "left out"}


def page() -> str:
    """Every board as a page of the docs."""
    boards = (line for board in BOARDS for line in _board(board))
    return "\n".join([*_top(), *boards, *_elsewhere()]) + "\n"


def _top() -> Iterator[str]:
    yield "# Notice boards of real clubs"
    yield ""
    yield (
        "What clubs and rule sheets say, and how to enter it as house rules. Worked hands, payments"
        " and games in `tests/examples/notice_boards.toml` play each board, and this page is made"
        " from that file (`python -m tests.scoring.notice_boards`). The notices are in our own"
        " words; what was read of each source, and what is our reading, stands with it."
    )
    yield ""
    titles = [*(board["title"] for board in BOARDS), "Other notices that cannot be entered"]
    yield from (f"- [{title}](#{_anchor(title)})" for title in titles)


def _board(board: Case) -> Iterator[str]:
    yield from ("", f"## {board['title']}", "")
    yield from (f"Where: {board['where']}.", "", f"Source: {board['source']}.", "")
    yield from (board["read"], "", "The notice:", "")
    yield from (f"- {line}" for line in board["says"])
    yield from ("", "To enter:", "", "```json", board["data"].strip(), "```", "")
    yield from ("What differs on the club's page from the rule book:", "")
    yield from ("| Line | How | What is said |", "| --- | --- | --- |")
    yield from (
        f"| {name} | {CHANGED[change]} | {text} |" for name, change, text in board["differs"]
    )
    yield from ("", "Worked out:", "")
    yield from (
        f"- {case['title']}: {case['working']}."
        for kind in ("hand", "settlement")
        for case in board.get(kind, ())
    )
    if board["cannot"]:
        yield from ("", "Not possible:", "", *(f"- {line}" for line in board["cannot"]))


def _elsewhere() -> Iterator[str]:
    yield from ("", "## Other notices that cannot be entered", "")
    yield from ("| The notice | Why not | Source |", "| --- | --- | --- |")
    yield from (f"| {case['says']} | {case['why']} | {case['source']} |" for case in ELSEWHERE)


def _anchor(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


if __name__ == "__main__":
    sys.stdout.write(page())
