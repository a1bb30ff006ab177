"""What is asked of the seating: checked in sentences, and read from the command line."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from clubs.seating import (
    BadRequest,
    PlannedTable,
    Request,
    Round,
    check_request,
    plan,
    table_sizes_for,
)
from clubs.seating.__main__ import answer_request

FOUR = ("Ann", "Ben", "Cy", "Di")
WISH = Request(players=FOUR, rounds=1)
SEATED = {"E": "Ann", "S": "Ben", "W": "Cy", "N": "Di"}


ROOT = Path(__file__).parents[3]
EIGHT = {"players": 8, "rounds": 2, "seconds": 1}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats() | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)
FIELDS = ("players", "rounds", "seed", "table_sizes", "played", "absent", "apart", "teams")


def sentences(request: Request) -> list[str]:
    return [problem.message for problem in check_request(request)]


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (replace(WISH, rounds=-1), "The number of rounds is from 0 to 200, not -1."),
        (replace(WISH, seconds=-0.5), "The seconds to search are 0 or more, not -0.5."),
        (
            replace(WISH, table_sizes=(4, 6)),
            "Table sizes are 3, 4 and 5, each named once; these were named: 4, 6.",
        ),
        (
            replace(WISH, players=("Ann", "Ann", "Cy", "Di")),
            "2 players are called Ann; give each a different name.",
        ),
        (replace(WISH, players=("Ann", " ", "Cy", "Di")), "A player has no name."),
        (replace(WISH, apart=(("Ann", "Zoë"),)), "Zoë is not among the players."),
        (
            replace(WISH, together=(("Ann", "Ann"),)),
            "Ann is paired with themselves; a pair is two players.",
        ),
        (replace(WISH, teams={"Zoë": "Bath"}), "Zoë is not among the players."),
        (replace(WISH, absent={3: ["Ann"]}), "There is no round 3; the rounds are 1 to 1."),
        (replace(WISH, absent={1: ["Ann"]}), "A table needs at least 4 players; there are only 3."),
        (
            replace(WISH, fixed_table={"Ann": 2}),
            "Ann cannot always sit at table 2; the tables are 1 to 1.",
        ),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(request_: Request, message: str) -> None:
    assert sentences(request_) == [message]


@pytest.mark.parametrize(
    ("played_round", "message"),
    [
        (Round((PlannedTable(1, SEATED),), ("Ann",)), "Ann has more than one place in round 1."),
        (Round((PlannedTable(0, SEATED),)), "Round 1 has a table 0; tables are 1 to 2000."),
        (
            Round((PlannedTable(1, {"E": "Ann", "S": "Ben"}),)),
            "Table 1 of round 1 has E, S; it needs three or more of E, S, W, N, fifth.",
        ),
        (Round((PlannedTable(1, SEATED | {"E": "Zoë"}),)), "Zoë is not among the players."),
    ],
)
def test_a_played_round_must_have_been_possible(played_round: Round, message: str) -> None:
    assert sentences(replace(WISH, played=(played_round,))) == [message]


def test_everything_wrong_is_said_at_once() -> None:
    request = replace(WISH, rounds=-1, apart=(("Ann", "Zoë"),), teams={"Yan": "Bath"})
    assert [problem.path for problem in check_request(request)] == [
        "rounds",
        "apart.0",
        "teams.Yan",
    ]


def test_an_impossible_request_is_refused_whole() -> None:
    with pytest.raises(BadRequest) as error:
        plan(replace(WISH, players=("Ann", "Ben")))
    assert str(error.value) == "A table needs at least 4 players; there are only 2."


@pytest.mark.parametrize(
    ("players", "preferred_sizes", "sizes"),
    [
        (3, (4, 5, 3), [3]),
        (5, (4, 5, 3), [5]),
        (6, (4, 5, 3), [3, 3]),
        (12, (4, 5, 3), [4, 4, 4]),
        (13, (4, 5, 3), [4, 4, 5]),
        (14, (4, 5, 3), [4, 5, 5]),
        (14, (4, 3, 5), [4, 4, 3, 3]),
        (13, (4, 3), [4, 3, 3, 3]),
        (14, (4,), [4, 4, 4]),
    ],
)
def test_few_tables_are_not_of_the_liked_size(
    players: int, preferred_sizes: tuple[int, ...], sizes: list[int]
) -> None:
    assert table_sizes_for(players, preferred_sizes) == sizes


@pytest.mark.parametrize("players", [-1, 0, 1, 2])
def test_two_players_make_no_table(players: int) -> None:
    with pytest.raises(BadRequest) as error:
        table_sizes_for(players)
    assert str(error.value) == f"A table needs at least 3 players; there are only {players}."


def request_plan(**fields: object) -> dict[str, object]:
    return answer_request(json.dumps(fields).encode())


def problems(answer: dict[str, object]) -> list[tuple[str, str]]:
    problem_rows = answer["problems"]
    assert isinstance(problem_rows, list)
    return [(problem["code"], problem["where"]) for problem in problem_rows]


def command(text: bytes, *arguments: str, seed: str = "0") -> subprocess.CompletedProcess[bytes]:
    line, env = [sys.executable, "-m", "clubs.seating", *arguments], {"PYTHONHASHSEED": seed}
    return subprocess.run(  # noqa: S603
        line, input=text, capture_output=True, cwd=ROOT, check=False, env=env
    )


def test_the_command_answers_with_one_object() -> None:
    result = command(b'{"players": ["Ann", "Ben", "Cy", "Di"], "rounds": 1}')
    answer = json.loads(result.stdout)
    assert (result.returncode, result.stderr, list(answer)) == (0, b"", ["rounds", "report"])
    [table] = answer["rounds"][0]["tables"]
    assert (table["table"], list(table["seats"])) == (1, ["E", "S", "W", "N"])
    assert sorted(table["seats"].values()) == ["Ann", "Ben", "Cy", "Di"]


def test_another_process_answers_alike() -> None:
    request = {
        "players": ["Zoë", *(f"P{n}" for n in range(18))],
        "rounds": 3,
        "table_sizes": [4, 3],
        "apart": [["Zoë", "P1"]],
        "teams": {"P1": "Bath", "P2": "Bath"},
        "seconds": 0.1,
    }
    text = json.dumps(request).encode()
    first, second = (json.loads(command(text, seed=seed).stdout) for seed in "12")
    assert first["rounds"] == second["rounds"]


def test_the_report_names_what_the_contract_names() -> None:
    report = request_plan(players=16, rounds=5)["report"]
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
    answer = request_plan(players=4, rounds=1)
    assert isinstance(answer["rounds"], list)
    [table] = answer["rounds"][0]["tables"]
    assert sorted(table["seats"].values()) == ["1", "2", "3", "4"]


def test_an_answer_is_input_for_the_rounds_to_come() -> None:
    first = request_plan(**EIGHT)["rounds"]
    all_rounds = request_plan(**EIGHT, played=first)["rounds"]
    assert isinstance(all_rounds, list)
    assert (all_rounds[:2], len(all_rounds)) == (first, 4)


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
    assert problems(answer_request(text)) == expected


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
    assert problems(request_plan(**(EIGHT | fields))) == [expected]


def test_what_reads_is_judged_beside_what_does_not_read() -> None:
    answer = request_plan(players=-3, rounds=-1, seconds="long", apart=[["1", "99"], ["1"]])
    assert problems(answer) == [
        ("bad_value", "players"),
        ("bad_value", "seconds"),
        ("bad_value", "apart.1"),
        ("bad_rounds", "rounds"),
    ]


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), ANYTHING))
def test_any_json_has_a_plan_or_sentences(fields: dict[str, object]) -> None:
    answer = request_plan(**(EIGHT | fields))
    assert list(answer) in (["rounds", "report"], ["problems"])
    problem_rows = answer.get("problems", [])
    assert isinstance(problem_rows, list)
    assert all(problem["message"].endswith(".") for problem in problem_rows)
