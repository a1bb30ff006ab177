"""What cannot have happened at a table is scored as it is told, and never without a word."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest

from scoring import rule_set, rule_set_keys
from scoring.commands import COMMANDS, answer
from scoring.hands.hand import Fact, WonBy
from tests.scoring.stories import (
    CLAIMED,
    CONCEALED_KONG,
    ENDINGS,
    SETTLED,
    STORIES,
    Fields,
    loser,
    mahjong,
)

KEYS = rule_set_keys()


def reply(fields: Fields, key: str = "bmja", command: str = "score") -> Fields:
    return answer(json.dumps(fields).encode(), COMMANDS[command], rule_set(key))


def notices(fields: Fields, key: str = "bmja", command: str = "score") -> list[tuple[str, str]]:
    """The code and the field of each notice; the hand must be scored."""
    said: Any = reply(fields, key, command)
    assert said["valid"], said
    return [(notice["code"], notice["where"]) for notice in said.get("notices", ())]


@pytest.mark.parametrize(
    ("key", "fields", "expected"),
    [story[1:] for story in STORIES],
    ids=[story[0] for story in STORIES],
)
def test_an_impossible_story_has_its_notice(
    key: str, fields: Fields, expected: list[tuple[str, str]]
) -> None:
    assert notices(fields, key) == expected


def test_a_notice_is_a_sentence_that_says_what_to_look_at() -> None:
    said: Any = reply(mahjong(won_by="wall", bonuses=["F1"], seatwind="S"))
    assert [notice["message"] for notice in said["notices"]] == [
        "“bonuses” is not a field of a hand and was ignored; perhaps “bonus” was meant.",
        "“seatwind” is not a field of a hand and was ignored; perhaps “seat_wind” was meant.",
    ]
    far: Any = reply({"tiles": []} | loser(sets=[CLAIMED | {"why": "pung"}], concealed=[]))
    assert [notice["message"] for notice in far["notices"][:1]] == [
        "“why” is not a field of a set and was ignored; the fields are tiles and exposed."
    ]


@pytest.mark.parametrize(
    ("key", "fields", "expected"),
    [story[1:] for story in ENDINGS],
    ids=[story[0] for story in ENDINGS],
)
def test_an_impossible_ending_has_its_notice(
    key: str, fields: Fields, expected: list[tuple[str, str]]
) -> None:
    assert notices(SETTLED | fields, key, "settle") == expected


@pytest.mark.parametrize("command", ["settle", "play"])
def test_where_there_is_nothing_to_say_the_answer_has_no_notices(command: str) -> None:
    fields = {"settle": SETTLED, "play": {"outcomes": ["1", "draw"]}}[command]
    assert "notices" not in reply(fields, "bmja", command)
    assert notices(fields | {"round": 4}, "bmja", command) == [("unknown_field", "round")]


@pytest.mark.parametrize("key", KEYS)
def test_who_went_mah_jong_neither_discards_nor_pays(key: str) -> None:
    for where in ("discarder", "pays_for_all"):
        said: Any = reply(SETTLED | {"won_by": "discard", where: "S"}, key, "settle")
        assert ("bad_seat", where) in {(one["code"], one["where"]) for one in said["problems"]}


class End(NamedTuple):
    """How one player's hand may end, as far as the sets on the table, the seat and facts go."""

    way: WonBy
    deals: bool
    claimed: bool
    concealed_kong: bool
    bonus: bool
    called: bool


def played(*, deals: bool, first_draw_is_first_turn: bool) -> Iterator[End]:
    """Every end that one player's hand can come to, turn by turn.

    The dealer's first turn begins with 14 tiles, everyone else's with a claim or a draw. A call
    is made with nothing claimed, by others than the dealer on the dealt tiles at the earliest, and
    nothing is claimed after it.
    """
    for bonus in (False, True):  # replaced before anybody plays
        nothing = {"deals": deals, "bonus": bonus}
        if deals:
            yield End(WonBy.DEALT, claimed=False, concealed_kong=False, called=False, **nothing)
        else:
            for way, called in product((WonBy.FIRST_DISCARD, WonBy.FIRST_DRAW), (False, True)):
                yield End(way, claimed=False, concealed_kong=False, called=called, **nothing)
        for claimed, kong, called in product((False, True), repeat=3):
            if called and claimed:
                continue
            held = {"claimed": claimed, "concealed_kong": kong, "called": called} | nothing
            yield from (End(way, **held) for way in AT_ANY_TIME)
            if kong or bonus:
                yield End(WonBy.LOOSE_TILE, **held)
            if deals or not first_draw_is_first_turn:
                yield End(WonBy.FIRST_DRAW, **held)


AT_ANY_TIME = (
    *(WonBy.WALL, WonBy.LAST_WALL_TILE, WonBy.DISCARD, WonBy.LAST_DISCARD, WonBy.ROBBED_KONG),
)


def told_as(end: End, *, bonus_tiles: bool) -> Fields:
    """The end as a line of `score`; a robbed tile completes a chow."""
    sets = [CLAIMED] * end.claimed + [CONCEALED_KONG] * end.concealed_kong
    fields = mahjong(*sets, won_by=end.way.value, seat_wind="E" if end.deals else "S")
    fields["bonus"] = ["F3"] if end.bonus and bonus_tiles else []
    fields["facts"] = [Fact.ORIGINAL_CALL.value] if end.called else []
    if end.way is WonBy.ROBBED_KONG:
        fields["concealed"] = [*fields["concealed"][:-5], "B7", "B8", "B9", "B6", "B6"]
    return fields


@pytest.mark.parametrize("key", KEYS)
def test_just_what_cannot_be_played_has_a_notice(key: str) -> None:
    """Every way to win with every mixture of sets, bonus tiles, seats and calls."""
    rules = rule_set(key)
    bonus_tiles = rules.bonus_points is not None
    on_first_turn = key == "tallies"
    can_be = {
        end
        for deals in (False, True)
        for end in played(deals=deals, first_draw_is_first_turn=on_first_turn)
    }
    flags = product((False, True), repeat=5)
    for end in (End(way, *rest) for way, rest in product(WonBy, list(flags))):
        if end.bonus and not bonus_tiles:
            continue
        assert (notices(told_as(end, bonus_tiles=bonus_tiles), key) == []) == (end in can_be), end
