"""The command line: one request in, one answer out, and never a traceback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from clubs.seating.__main__ import answer

ROOT = Path(__file__).parents[3]
EIGHT = {"players": 8, "rounds": 2, "seconds": 1}


def asked(**fields: object) -> dict[str, object]:
    return answer(json.dumps(fields).encode())


def problems(found: dict[str, object]) -> list[tuple[str, str]]:
    said = found["problems"]
    assert isinstance(said, list)
    return [(problem["code"], problem["where"]) for problem in said]


def command(text: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-m", "clubs.seating", *arguments]
    return subprocess.run(line, input=text, capture_output=True, cwd=ROOT, check=False)  # noqa: S603


def test_the_command_answers_with_one_object() -> None:
    done = command(b'{"players": ["Ann", "Ben", "Cy", "Di"], "rounds": 1}')
    found = json.loads(done.stdout)
    assert (done.returncode, done.stderr, list(found)) == (0, b"", ["rounds", "report"])
    [table] = found["rounds"][0]["tables"]
    assert (table["table"], list(table["seats"])) == (1, ["E", "S", "W", "N"])
    assert sorted(table["seats"].values()) == ["Ann", "Ben", "Cy", "Di"]


def test_another_process_answers_alike() -> None:
    asked_for = {
        "players": ["Zoë", *(f"P{n}" for n in range(18))],
        "rounds": 3,
        "table_sizes": [4, 3],
        "apart": [["Zoë", "P1"]],
        "teams": {"P1": "Bath", "P2": "Bath"},
        "seconds": 0.1,
    }
    text = json.dumps(asked_for).encode()
    first, second = (
        subprocess.run(
            [sys.executable, "-m", "clubs.seating"],
            input=text,
            capture_output=True,
            cwd=ROOT,
            check=True,
            env={"PYTHONHASHSEED": order},
        )
        for order in ("1", "2")
    )
    assert json.loads(first.stdout)["rounds"] == json.loads(second.stdout)["rounds"]


def test_the_report_names_what_the_contract_names() -> None:
    report = asked(players=16, rounds=5)["report"]
    assert isinstance(report, dict)
    del report["seconds"], report["table_revisits"]
    assert report == {
        "repeated_meetings": 0,
        "least_possible": 0,
        "most_meetings": 1,
        "wind_imbalance": 0,
        "team_meetings": 0,
        "broken": [],
        "cut_short": False,
    }


def test_a_wrong_command_line_is_status_2() -> None:
    assert command(b"", "--quickly").returncode == 2


def test_a_number_of_players_becomes_names() -> None:
    found = asked(players=4, rounds=1)
    assert isinstance(found["rounds"], list)
    [table] = found["rounds"][0]["tables"]
    assert sorted(table["seats"].values()) == ["1", "2", "3", "4"]


def test_an_answer_is_input_for_the_rounds_to_come() -> None:
    first = asked(**EIGHT)["rounds"]
    both = asked(**EIGHT, played=first)["rounds"]
    assert isinstance(both, list)
    assert (both[:2], len(both)) == (first, 4)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", [("not_json", "")]),
        (b"\xff", [("not_json", "")]),
        (b"[" * 100_000, [("not_json", "")]),
        (b"[]", [("not_an_object", "")]),
        (b"{}", [("missing_field", "players"), ("missing_field", "rounds")]),
    ],
)
def test_what_is_no_request_is_said(text: bytes, expected: list[tuple[str, str]]) -> None:
    assert problems(answer(text)) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"players": -3}, ("bad_value", "players")),
        ({"players": 10**9}, ("too_many_players", "players")),
        ({"players": ["Ann", 2, "Cy", "Di"]}, ("bad_value", "players.1")),
        ({"rounds": True}, ("bad_value", "rounds")),
        ({"rounds": -1}, ("bad_rounds", "rounds")),
        ({"seconds": float("inf")}, ("bad_seconds", "seconds")),
        ({"seconds": "long"}, ("bad_value", "seconds")),
        ({"table_sizes": 4}, ("bad_value", "table_sizes")),
        ({"apart": [["1"]]}, ("bad_value", "apart.0")),
        ({"absent": {"last": ["1"]}}, ("bad_value", "absent.last")),
        ({"teams": ["1"]}, ("bad_value", "teams")),
        (
            {"played": [{"tables": [{"table": 1, "seats": {"Q": "1"}}]}]},
            ("bad_value", "played.0.tables.0.seats"),
        ),
        ({"togther": []}, ("unknown_field", "togther")),
    ],
)
def test_a_value_of_the_wrong_kind_is_named(
    fields: dict[str, object], expected: tuple[str, str]
) -> None:
    assert problems(asked(**(EIGHT | fields))) == [expected]


def test_what_reads_is_judged_beside_what_does_not_read() -> None:
    found = asked(players=-3, rounds=-1, seconds="long", apart=[["1", "99"], ["1"]])
    assert problems(found) == [
        ("bad_value", "players"),
        ("bad_value", "seconds"),
        ("bad_value", "apart.1"),
        ("bad_rounds", "rounds"),
    ]


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats() | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)
FIELDS = ("players", "rounds", "seed", "table_sizes", "played", "absent", "apart", "teams")


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), ANYTHING))
def test_any_json_has_a_plan_or_sentences(fields: dict[str, object]) -> None:
    found = asked(**(EIGHT | fields))
    assert list(found) in (["rounds", "report"], ["problems"])
    said = found.get("problems", [])
    assert isinstance(said, list)
    assert all(problem["message"].endswith(".") for problem in said)
