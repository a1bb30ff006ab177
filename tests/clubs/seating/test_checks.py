"""A request that cannot be seated is answered with all that is wrong, in sentences."""

from dataclasses import replace

import pytest

from clubs.seating import BadRequest, Request, Round, Table, check, plan, table_sizes_for

FOUR = ("Ann", "Ben", "Cy", "Di")
WISH = Request(players=FOUR, rounds=1)
SEATED = {"E": "Ann", "S": "Ben", "W": "Cy", "N": "Di"}


def sentences(request: Request) -> list[str]:
    return [problem.sentence for problem in check(request)]


@pytest.mark.parametrize(
    ("request_", "sentence"),
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
def test_what_cannot_be_is_said_in_a_sentence(request_: Request, sentence: str) -> None:
    assert sentences(request_) == [sentence]


@pytest.mark.parametrize(
    ("played", "sentence"),
    [
        (Round((Table(1, SEATED),), ("Ann",)), "Ann has more than one place in round 1."),
        (Round((Table(0, SEATED),)), "Round 1 has a table 0; tables are 1 to 2000."),
        (
            Round((Table(1, {"E": "Ann", "S": "Ben"}),)),
            "Table 1 of round 1 has E, S; it needs three or more of E, S, W, N, fifth.",
        ),
        (Round((Table(1, SEATED | {"E": "Zoë"}),)), "Zoë is not among the players."),
    ],
)
def test_a_played_round_must_have_been_possible(played: Round, sentence: str) -> None:
    assert sentences(replace(WISH, played=(played,))) == [sentence]


def test_everything_wrong_is_said_at_once() -> None:
    request = replace(WISH, rounds=-1, apart=(("Ann", "Zoë"),), teams={"Yan": "Bath"})
    assert [problem.where for problem in check(request)] == ["rounds", "apart.0", "teams.Yan"]


def test_an_impossible_request_is_refused_whole() -> None:
    with pytest.raises(BadRequest) as refused:
        plan(replace(WISH, players=("Ann", "Ben")))
    assert str(refused.value) == "A table needs at least 4 players; there are only 2."


@pytest.mark.parametrize(
    ("players", "preferred", "sizes"),
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
    players: int, preferred: tuple[int, ...], sizes: list[int]
) -> None:
    assert table_sizes_for(players, preferred) == sizes


@pytest.mark.parametrize("players", [-1, 0, 1, 2])
def test_two_players_make_no_table(players: int) -> None:
    with pytest.raises(BadRequest) as refused:
        table_sizes_for(players)
    assert str(refused.value) == f"A table needs at least 3 players; there are only {players}."
