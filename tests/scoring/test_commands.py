"""The engine from outside: its command line, its page in the guides, and its public names."""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import example, given, settings, strategies as st

import scoring
from scoring import (
    BadHand,
    Hand,
    Kind,
    Tile,
    TileSet,
    Wind,
    WonBy,
    detective,
    explain,
    explaining,
    hand_from_json,
    house,
    read_set,
    rule_set,
    rule_set_keys,
    score,
    tiles_of,
    totals,
)
from scoring.__main__ import COMMANDS, answer_line, read_lines
from scoring.table import sticks
from tests.sampling import examples
from tests.scoring.worked import cases

_STRICT = (sys.executable, "-m", "mypy", "--strict")
BMJA = rule_set("bmja")
HANDS = [case for case in cases("hand") if "house" not in case]
WINNER = HANDS[0]["fields"]
CODES = st.sampled_from(["B1", "B2", "B3", "DR", "F1", "JK"])
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
SETS = st.lists(st.fixed_dictionaries({"tiles": st.lists(CODES | JUNK), "exposed": JUNK}) | JUNK)
FIELDS = {
    "score": [*WINNER, "bonus", "winning_tile", "facts", "players", "goulash", "id"],
    "explain": [*WINNER, "bonus", "winning_tile", "facts", "players", "goulash", "id"],
    "settle": ["scores", "winner", "dealer", "won_by", "discarder", "pays_for_all", "id"],
    "play": ["outcomes", "rounds", "seats", "id"],
}
WHOLE: dict[str, dict[str, Any]] = {
    "score": HANDS[40]["fields"],
    "explain": HANDS[40]["fields"],
    "settle": cases("settlement")[0]["fields"],
    "play": {"outcomes": ["1", "draw", "3"], "rounds": 4},
}


def python(
    arguments: Sequence[str], input_bytes: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, *arguments],
        input=input_bytes,
        capture_output=True,
        check=False,
        timeout=60,
    )


def run(arguments: Sequence[str], input_bytes: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return python(["-m", "scoring", *arguments], input_bytes)


def test_each_line_has_its_answer_in_order() -> None:
    lines = [json.dumps({"id": case["id"]} | case["fields"]) for case in HANDS]
    ran = run(["score", "--rules", "bmja"], ("\n".join([*lines, "{oops"])).encode())
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [case["id"] for case in HANDS] + [None]
    assert [answer.get("total") for answer in answers[:-1]] == [
        case["expected"].get("total") for case in HANDS
    ]
    assert (ran.returncode, ran.stderr) == (0, b"")


class Trickle(io.RawIOBase):
    """A stream that gives no more than so many bytes at once."""

    def __init__(self, text: bytes, most: int) -> None:
        self._text, self._most = io.BytesIO(text), most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._text.read(min(self._most, len(buffer)))
        buffer[: len(chunk)] = chunk
        return len(chunk)


@given(
    lines=st.lists(st.binary(max_size=9).filter(lambda line: b"\n" not in line)), ends=st.booleans()
)
def test_a_line_is_whole_however_it_arrives(lines: list[bytes], ends: bool) -> None:
    text = b"\n".join(lines) + b"\n" * ends
    expected_lines = text.split(b"\n")
    if not expected_lines[-1]:
        expected_lines.pop()
    for most in (1, 2, 5, 100):
        stream: Any = io.BufferedReader(Trickle(text, most))
        assert [line for group in read_lines(stream) for line in group] == expected_lines


@pytest.mark.parametrize("seats", [-1, 0, 1, 6, 4.5, "4"])
def test_a_table_of_none_or_of_too_many_is_not_played(seats: Any) -> None:
    line = json.dumps({"outcomes": ["draw"], "seats": seats})
    answer = json.loads(run(["play", "--rules", "bmja"], line.encode()).stdout)
    assert (answer["valid"], answer["problems"][0]["where"]) == (False, "seats")


@pytest.mark.parametrize(
    "arguments",
    [[], ["score"], ["score", "--rules", "no-such"], ["juggle", "--rules", "bmja"]],
    ids=" ".join,
)
def test_a_wrong_command_line_is_status_2(arguments: list[str]) -> None:
    ran = run(arguments)
    assert (ran.returncode, ran.stdout, b"Traceback" in ran.stderr) == (2, b"", False)


PRINTED = [
    (
        "score --rules bmja",
        "{oops",
        (
            '{"id": null, "valid": false, "problems": [{"code": "not_an_object", "where": "",'
            ' "message": "This is not a line of JSON."}]}'
        ),
    ),
    (
        "settle --rules bmja/2008",
        '{"scores": {"E": 4, "W": 20}, "winner": "W"}',
        (
            '{"id": null, "valid": true, "payments": [{"from": "E", "to": "W", "points": 20}],'
            ' "gain": {"E": -20, "W": 20}}'
        ),
    ),
    (
        "play --rules bmja",
        '{"id": "g", "outcomes": [], "rounds": null}',
        (
            '{"id": "g", "valid": true, "hands": [{"number": 1, "winds": {"1": "E", "2": "S",'
            ' "3": "W", "4": "N"}, "dealer": "1", "prevailing_wind": "E", "goulash": false}],'
            ' "finished": false}'
        ),
    ),
]


@pytest.mark.parametrize(
    ("arguments", "line", "expected_output"), PRINTED, ids=["score", "settle", "play"]
)
def test_an_answer_to_the_letter(arguments: str, line: str, expected_output: str) -> None:
    assert run(arguments.split(), line.encode()).stdout.decode() == f"{expected_output}\n"


def test_play_names_the_first_dealer_under_tallies() -> None:
    ran = run(["play", "--rules", "tallies"], b'{"outcomes": ["draw", "3"], "dealer": "2"}')
    assert [hand["dealer"] for hand in json.loads(ran.stdout)["hands"]] == ["2", "2", "3"]


@pytest.mark.parametrize("dealer", [2, "E", None, "0"])
def test_a_first_dealer_is_the_number_of_a_seat(dealer: object) -> None:
    line = json.dumps({"outcomes": [], "dealer": dealer}).encode()
    (problem,) = json.loads(run(["play", "--rules", "tallies"], line).stdout)["problems"]
    assert (problem["code"], problem["where"]) == ("bad_value", "dealer")


def test_house_rules_come_from_a_file(tmp_path: Path) -> None:
    house = tmp_path / "riverside.json"
    house.write_text('{"base": "bmja", "name": "Riverside", "limit": 300}')
    wonders = next(case for case in HANDS if case["id"] == "bmja-317")
    ran = run(["score", "--rules", str(house)], json.dumps(wonders["fields"]).encode())
    assert json.loads(ran.stdout)["total"] == 300
    page = run(["rules", "--rules", str(house)]).stdout.decode()
    assert page.startswith("# Riverside (bmja/2008~")


@pytest.mark.parametrize(
    ("text", "expected_text"),
    [
        (None, "No such file"),
        ("{", "Expecting property name"),
        ('{"base": "bmja", "limit": 0}', "0 cannot be used here; it must be a whole number"),
    ],
)
def test_house_rules_that_cannot_be_read_are_status_2(
    tmp_path: Path, text: str | None, expected_text: str
) -> None:
    house = tmp_path / "club.json"
    if text is not None:
        house.write_text(text)
    ran = run(["rules", "--rules", str(house)])
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert expected_text in ran.stderr.decode()


def test_rules_prints_the_page() -> None:
    text, data = run(["rules", "--rules", "bmja"]), run(["rules", "--rules=bmja", "--format=json"])
    assert text.stdout.decode().startswith("# BMJA rules (bmja/2008)\n")
    assert json.loads(data.stdout)["name"] == "BMJA rules"


@pytest.mark.parametrize(
    "line",
    [b"", b"\xff\xfe", b"[" * 100_000, b"1" * 5_000, b"NaN", b'"hand"', b"null", b"[{}]"],
    ids=["empty", "bytes", "deep", "huge", "nan", "text", "null", "list"],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_line_that_is_no_object(command: str, line: bytes) -> None:
    answer = answer_line(line, COMMANDS[command], BMJA)
    problems = cast(list[dict[str, str]], answer["problems"])
    assert (answer["valid"], [problem["code"] for problem in problems]) == (
        False,
        ["not_an_object"],
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_line_without_its_fields(command: str) -> None:
    answer = answer_line(b'{"id": "x"}', COMMANDS[command], BMJA)
    problems = cast(list[dict[str, str]], answer["problems"])
    assert (answer["id"], {problem["code"] for problem in problems}) == ("x", {"missing_field"})


@settings(max_examples=examples(400), deadline=None)
@given(st.data())
def test_whatever_stands_in_a_field_there_is_an_answer(data: st.DataObject) -> None:
    command = data.draw(st.sampled_from(sorted(COMMANDS)))
    field = data.draw(st.sampled_from(FIELDS[command]))
    line = json.dumps(WHOLE[command] | {field: data.draw(SETS | JUNK)}).encode()
    answer = answer_line(line, COMMANDS[command], BMJA)
    assert answer["valid"] in {True, False}
    assert ("problems" in answer) or answer["valid"]
    json.dumps(answer, allow_nan=False)


@given(st.binary(max_size=60))
@example(b'{"id": "\\ud800"}')
def test_whatever_the_line_there_is_an_answer(line: bytes) -> None:
    for command in COMMANDS.values():
        assert answer_line(line, command, BMJA)["valid"] is False


PAGE = (Path(__file__).parents[2] / "docs" / "engine.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, flags=re.DOTALL)


def printed_by_the_page() -> list[str]:
    """What the blocks of Python print one after another, each knowing what went before."""
    namespace: dict[str, Any] = {}
    outputs = []
    for language, block in BLOCKS:
        if language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile(block, "docs/engine.md", "exec"), namespace)  # noqa: S102 - our own page
            outputs.append(output.getvalue())
    return outputs


def test_the_page_prints_what_it_says() -> None:
    output_blocks = [block for language, block in BLOCKS if language == "output"]
    assert len(output_blocks) >= 5
    assert printed_by_the_page() == output_blocks


def test_a_program_like_the_page_passes_strict_type_checks(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("\n".join(block for language, block in BLOCKS if language == "python"))
    result = subprocess.run(  # noqa: S603 - our own program
        # Without the settings of this project, as a caller's own have none for the engine.
        [*_STRICT, "--follow-imports=silent", "--config-file", os.devnull, str(program)],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"MYPY_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout


def test_a_hand_of_types_is_the_hand_of_its_json() -> None:
    """East is the dealer of both: under tallies the dealt hand of East is the Heavenly Hand."""
    tallies = rule_set("tallies")
    codes = "B1 B1 B1 B2 B3 B4 C5 C5 C5 O7 O8 O9 WN WN"
    dealt_hand = Hand(concealed=tiles_of(codes), mahjong=True, won_by=WonBy.DEALT)
    fields = {"concealed": codes.split(), "mahjong": True, "won_by": "dealt"}
    assert dealt_hand == hand_from_json(fields, tallies)
    assert score(dealt_hand, tallies).total == 2000
    assert not Hand(seat_wind=Wind.S).dealer
    assert Hand(seat_wind=Wind.S, dealer=True).dealer


@pytest.mark.parametrize(
    ("kind", "codes"),
    [(Kind.PUNG, "B1 B1 B2"), (Kind.CHOW, "B8 B9 C1"), (Kind.KONG, "DR DR DR"), (Kind.CHOW, "")],
)
def test_a_set_of_types_that_is_none_is_a_problem_of_the_hand(kind: Kind, codes: str) -> None:
    tiles = tiles_of(codes)
    tile_set = TileSet(kind, tiles[0] if tiles else Tile("B1"), tiles, exposed=True)
    for evaluate_hand in (score, explain):
        with pytest.raises(BadHand) as refusal:
            evaluate_hand(Hand(sets=(tile_set,)), rule_set("bmja"))
        (problem,) = refusal.value.problems
        assert (problem.code, problem.path) == ("bad_set", "sets.0")


def test_a_set_of_a_code_that_is_no_tile() -> None:
    with pytest.raises(BadHand, match="X1 is not the code of a tile"):
        read_set(tiles_of("B1 X1 B1"), exposed=True)


@pytest.mark.parametrize("key", rule_set_keys())
def test_a_code_that_is_no_tile_is_a_problem_of_the_hand(key: str) -> None:
    with pytest.raises(BadHand) as refusal:
        score(Hand(concealed=tiles_of("B1 B1 Q7")), rule_set(key))
    (problem,) = refusal.value.problems
    assert (problem.code, problem.path) == ("unknown_tile", "concealed.2")
    assert problem.message == "Q7 is not the code of a tile."


def test_rules_are_named_in_a_few_words() -> None:
    assert repr(BMJA) == "<RuleSet bmja/2008: BMJA rules>"


def test_the_first_example_has_ten_lines() -> None:
    _language, first = BLOCKS[0]
    code = [line for line in first.splitlines() if line.strip() and "import" not in line]
    assert len(code) <= 10


def test_the_command_line_answers_as_on_the_page() -> None:
    consoles = [block.splitlines() for language, block in BLOCKS if language == "console"]
    assert consoles
    for command, *answers in consoles:
        echo_command, _bar, python_command = command.removeprefix("$ ").partition(" | ")
        _echo, line = shlex.split(echo_command)
        assert (
            python(shlex.split(python_command)[1:], line.encode()).stdout.decode().splitlines()
            == answers
        )


def test_the_page_names_every_rule_set() -> None:
    last = PAGE.rpartition("The rule sets are")[2]
    assert [key for key in rule_set_keys() if f"`{key}`" not in last] == []


LATER = (detective, explaining, house, sticks, totals)
LOADED = "import sys, scoring; print(*(name for name in sys.modules if name.startswith('scoring')))"


def test_every_public_name_is_there() -> None:
    assert sorted(set(scoring.__all__)) == scoring.__all__
    assert [name for name in scoring.__all__ if not hasattr(scoring, name)] == []


def test_scoring_a_hand_loads_nothing_that_it_does_not_need() -> None:
    loaded_modules = set(python(["-c", LOADED]).stdout.decode().split())
    assert "scoring.pricing" in loaded_modules
    assert loaded_modules.isdisjoint(module.__name__ for module in LATER)


def test_a_name_that_there_is_not() -> None:
    with pytest.raises(AttributeError, match="'scoring' has no attribute 'whist'"):
        attrgetter("whist")(scoring)
