"""Plans that are known to exist are found, and what must repeat repeats as little as is known."""

from collections import Counter
from functools import partial
from time import process_time

import pytest

from clubs.seating import Plan, PlannedTable, Round
from clubs.seating.constructions import galois_field, perfect_rounds
from clubs.seating.sitting_out import resting_rounds
from tests.clubs.seating.recount import meetings, numbered_names, repeats, seat, seats_held

NOBODY_SITS_OUT = [
    *((16, 5), (20, 5), (24, 7), (28, 9), (32, 10), (36, 11), (40, 13), (44, 14), (48, 15)),
    *((52, 17), (56, 17), (60, 19), (64, 21), (72, 9), (80, 10), (100, 10), (200, 8), (400, 10)),
]
WITHOUT_A_RETURN = [
    *((20, 5), (24, 5), (28, 7), (32, 8), (36, 9), (40, 9), (44, 11), (48, 11), (56, 12)),
    *((60, 12), (64, 10), (100, 10), (400, 10)),
]
SOME_SIT_OUT = [
    *((15, 5), (19, 5), (23, 7), (27, 9), (31, 10), (35, 10), (43, 14), (63, 12)),  # three
    *((22, 5), (26, 7), (30, 9), (34, 10), (38, 11), (98, 8)),  # two
    *((21, 5), (25, 7), (29, 9), (33, 10), (37, 11), (45, 12)),  # one
]


@pytest.mark.parametrize(("players", "rounds"), WITHOUT_A_RETURN)
def test_nobody_returns_to_a_table(players: int, rounds: int) -> None:
    report = seat(players, rounds, seconds=60).report
    assert (report.repeated_meetings, report.table_revisits) == (0, 0)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("players", "rounds", "least", "most"),
    [
        *((8, 6, 44, 3), (8, 7, 56, 3), (12, 6, 42, 3), (12, 8, 78, 3), (12, 11, 132, 3)),
        *((16, 6, 24, 2), (16, 8, 72, 2), (16, 10, 120, 2), (20, 7, 20, 2), (20, 8, 50, 2)),
        *((20, 10, 110, 2), (24, 9, 48, 2), (24, 11, 120, 2), (28, 10, 42, 2), (32, 11, 32, 2)),
        *((32, 12, 80, 2), (40, 14, 60, 2)),
    ],
)
def test_forced_repeats_come_to_the_bound(players: int, rounds: int, least: int, most: int) -> None:
    report = seat(players, rounds, seconds=60).report
    meeting_counts = (report.repeated_meetings, report.least_possible, report.most_meetings)
    assert meeting_counts == (least, least, most)


@pytest.mark.parametrize(
    ("players", "rounds", "known_repeats", "most"), [(12, 4, 15, 3), (20, 6, 6, 2), (24, 8, 18, 2)]
)
def test_where_the_bound_is_not_reached_the_best_known_is(
    players: int, rounds: int, known_repeats: int, most: int
) -> None:
    report = seat(players, rounds).report
    assert (report.repeated_meetings, report.most_meetings) == (known_repeats, most)


@pytest.mark.parametrize("order", [5, 7, 8, 9, 16, 25, 27])
def test_a_field_divides_by_everything_but_nothing(order: int) -> None:
    field = galois_field(order)
    assert field is not None
    elements = list(range(order))
    for element in elements[1:]:
        assert (
            sorted(field.multiply(element, other_element) for other_element in elements) == elements
        )
        assert sorted(field.add(element, other_element) for other_element in elements) == elements


@pytest.mark.parametrize("order", [1, 6, 10, 12, 100])
def test_there_is_no_field_of_an_order_that_is_no_power_of_a_prime(order: int) -> None:
    assert galois_field(order) is None


def test_a_perfect_plan_ends_where_one_more_round_must_repeat() -> None:
    assert [len(perfect_rounds(players, 50)) for players in (8, 16, 20, 40)] == [0, 5, 5, 13]


def test_a_perfect_plan_is_cast_so_that_team_mates_never_meet() -> None:
    teams = {f"P{number}": str(number % 10) for number in range(1, 41)}
    seating_plan = seat(40, 8, teams=teams, seconds=60)
    assert (seating_plan.report.team_meetings, repeats(seating_plan.rounds)) == (0, 0)


COUPLES = (("P1", "P6"), ("P19", "P20"))


@pytest.mark.parametrize(
    ("players", "rounds", "teams", "couples"),
    [
        *((16, 4, 4, ()), (24, 6, 6, ()), (28, 7, 7, ()), (28, 8, 7, ())),
        *((28, 7, 7, COUPLES), (28, 7, 4, COUPLES), (32, 8, 8, COUPLES)),
    ],
)
def test_teams_of_four_and_couples_never_meet_and_nobody_meets_twice(
    players: int, rounds: int, teams: int, couples: tuple[tuple[str, str], ...]
) -> None:
    team_of = {f"P{number}": str(number % teams) for number in range(1, 4 * teams + 1)}
    seating_plan = seat(players, rounds, teams=team_of, apart=couples)
    assert (seating_plan.report.team_meetings, seating_plan.report.broken) == (0, ())
    assert (repeats(seating_plan.rounds), seating_plan.report.wind_imbalance) == (0, 0)


@pytest.mark.sampled
@pytest.mark.parametrize(("players", "rounds"), [*NOBODY_SITS_OUT, *SOME_SIT_OUT])
def test_nobody_meets_twice_or_sits_out_twice(players: int, rounds: int) -> None:
    seating_plan = seat(players, rounds, seconds=60)
    turns = turns_out(seating_plan)
    assert (repeats(seating_plan.rounds), seating_plan.report.repeated_meetings) == (0, 0)
    assert (len(turns), turns.total()) == (players % 4 * rounds,) * 2
    assert seating_plan.report.wind_imbalance == 0


@pytest.mark.sampled(days=2)
@pytest.mark.parametrize(
    ("players", "rounds", "known_repeats"), [(19, 6, 3), (23, 8, 10), (27, 10, 19)]
)
def test_rounds_beyond_the_plan_add_few_repeats(
    players: int, rounds: int, known_repeats: int
) -> None:
    assert repeats(seat(players, rounds).rounds) <= known_repeats


@pytest.mark.parametrize(("players", "first", "later_count"), [(15, 2, 3), (23, 3, 4), (26, 3, 4)])
def test_a_plan_with_turns_at_sitting_out_is_carried_on(
    players: int, first: int, later_count: int
) -> None:
    first_rounds = seat(players, first + later_count, seed=3).rounds[:first]
    full_plan = seat(players, later_count, seed=3, played=first_rounds)
    assert (repeats(full_plan.rounds), max(turns_out(full_plan).values())) == (0, 1)


def test_whoever_is_to_be_apart_is_so_where_players_sit_out() -> None:
    teams = {f"P{number}": f"T{number % 5}" for number in range(1, 16)}
    report = seat(15, 4, teams=teams, apart=(("P1", "P2"),)).report
    assert (report.repeated_meetings, report.team_meetings, report.broken) == (0, 0, ())


def test_whoever_comes_later_sits_out_no_sooner_than_others() -> None:
    seating_plan = seat(15, 5, absent=dict.fromkeys((1, 2), ("P15",)))
    assert max(turns_out(seating_plan).values()) <= 1


@pytest.mark.parametrize("players", [9, 13, 17, 18, 22, 23, 54])
def test_a_plan_seats_everybody_once_a_round(players: int) -> None:
    for resting_round in resting_rounds(players, 12):
        seated_players = [place for table in resting_round.tables for place in table]
        assert sorted([*seated_players, *resting_round.resting_places]) == list(range(players))


@pytest.mark.parametrize(("players", "first", "later_count"), [(16, 2, 3), (32, 4, 4), (40, 3, 4)])
def test_a_perfect_plan_is_carried_on(players: int, first: int, later_count: int) -> None:
    first_plan = seat(players, first, seed=3)
    full_plan = seat(players, later_count, seed=3, played=first_plan.rounds)
    assert repeats(full_plan.rounds) == 0
    assert full_plan.report.wind_imbalance == 0


def test_a_search_that_time_cuts_says_so() -> None:
    seating_plan = seat(12, 6, seconds=0)
    assert seating_plan.report.cut_short
    assert seating_plan.report.wind_imbalance == 0


@pytest.mark.parametrize(("players", "sizes"), [(12, (4,)), (13, (4, 5, 3)), (13, (4, 3))])
def test_the_bound_on_seconds_does_not_change_what_is_found(
    players: int, sizes: tuple[int, ...]
) -> None:
    brief, long_plan = (
        seat(players, 2, table_sizes=sizes, seconds=seconds) for seconds in (20, 90)
    )
    assert (brief.rounds, brief.report.cut_short) == (long_plan.rounds, False)


def test_memory_of_people_who_stayed_at_home_is_passed_over() -> None:
    meeting_counts = {frozenset(("P1", "Zoë")): 9, frozenset(("P1", "P2")): 1}
    assert not meetings(seat(8, 1, past_meetings=meeting_counts).rounds)["P1", "P2"]


def test_five_weeks_bring_ever_new_companions() -> None:
    meeting_counts: Counter[frozenset[str]] = Counter()
    for week in range(5):
        meeting_counts += memory_of(seat(16, 1, seed=week, past_meetings=meeting_counts).rounds)
    assert sum(meeting_counts.values()) == 120
    assert len(meeting_counts) >= 108
    assert max(meeting_counts.values()) <= 2


def test_thirteen_at_two_fours_and_a_five_meet_again_as_seldom_as_they_can() -> None:
    seating_plan = seat(13, 4, table_sizes=(4, 5, 3))
    assert seating_plan.report.repeated_meetings <= 26
    assert max(meetings(seating_plan.rounds).values()) <= 3
    assert not seating_plan.report.cut_short


@pytest.mark.parametrize("players", [10, 15, 20])
def test_everybody_starts_as_fifth_once(players: int) -> None:
    seating_plan = seat(players, 5, table_sizes=(5,), seconds=0.5)
    turns = {seats.count("fifth") for seats in seats_held(seating_plan.rounds).values()}
    assert turns == {1}
    assert seating_plan.report.wind_imbalance == 0


def test_a_table_of_three_has_no_north() -> None:
    seating_plan = seat(15, 4, table_sizes=(4, 3))
    threes = [list(t.seats) for r in seating_plan.rounds for t in r.tables if len(t.seats) == 3]
    assert threes == [["E", "S", "W"]] * 4


@pytest.mark.parametrize("players", [13, 14, 15, 17, 18, 22])
def test_as_few_tables_of_three_as_can_be(players: int) -> None:
    seating_plan = seat(players, 2, table_sizes=(4, 3), seconds=0.1)
    sizes = Counter(len(table.seats) for table in seating_plan.rounds[0].tables)
    assert sizes == {3: -players % 4, 4: (players - 3 * (-players % 4)) // 4}


def evening(
    players: int, meeting_counts: Counter[frozenset[str]] | None = None, seed: int = 0
) -> Plan:
    return seat(players, 1, table_sizes=(4, 5, 3), past_meetings=meeting_counts or {}, seed=seed)


def memory_of(rounds: tuple[Round, ...]) -> Counter[frozenset[str]]:
    return Counter(map(frozenset, meetings(rounds).elements()))


def turns_out(seating_plan: Plan) -> Counter[str]:
    return Counter(name for round_ in seating_plan.rounds for name in round_.sitting_out)


@pytest.mark.parametrize("players", [16, 21, 24, 30])
def test_nobody_sits_with_last_weeks_companions(players: int) -> None:
    last_week = memory_of(evening(players).rounds)
    tonight = memory_of(evening(players, last_week, seed=1).rounds)
    assert tonight & last_week == Counter()


@pytest.mark.parametrize("players", [3, 5, 6, 7, 13, 20, 29, 50, 100])
def test_an_evening_is_seated_while_they_hang_up_their_coats(players: int) -> None:
    meeting_counts: Counter[frozenset[str]] = Counter()
    for week in range(4):
        meeting_counts += memory_of(evening(players, meeting_counts, seed=week).rounds)
    began = process_time()
    seating_plan = evening(players, meeting_counts, seed=4)
    assert process_time() - began < 1
    assert (seating_plan.report.cut_short, seating_plan.rounds[0].sitting_out) == (False, ())


def test_who_sat_out_already_sits_now() -> None:
    second = seat(7, 1, played=seat(7, 1).rounds)
    first, now = (set(round_.sitting_out) for round_ in second.rounds)
    assert (len(first), len(now), first & now) == (3, 3, set())


@pytest.mark.parametrize(("players", "sizes"), [(8, (4,)), (16, (4,)), (24, (4,)), (15, (5,))])
def test_rounds_played_count_for_winds(players: int, sizes: tuple[int, ...]) -> None:
    hour = partial(seat, players, 4, table_sizes=sizes, seconds=0.1)
    afternoon = hour(played=hour().rounds)
    turns = [Counter(seats) for seats in seats_held(afternoon.rounds).values()]
    assert afternoon.report.wind_imbalance == 0
    assert all(max(turn.values()) <= 2 for turn in turns)


def test_rounds_played_count_for_tables() -> None:
    assert seat(32, 1, played=seat(32, 1).rounds).report.table_revisits == 0


@pytest.mark.parametrize(
    ("players", "rounds", "sizes", "least"),
    [
        (8, 2, (4,), 0),  # 6 meetings each of 7
        (8, 4, (4,), 20),  # 8 players have 5 meetings too many, each counted twice
        (12, 4, (4,), 6),
        (5, 2, (5,), 10),
        (13, 4, (4, 5), 10),  # 4 x (6 + 6 + 10) meetings of 78 pairs
        (8, 3, (5, 3), 11),  # 3 x (10 + 3) meetings of 28 pairs
        (7, 2, (4, 3), 0),
    ],
)
def test_more_meetings_than_pairs_must_repeat(
    players: int, rounds: int, sizes: tuple[int, ...], least: int
) -> None:
    report = seat(players, rounds, table_sizes=sizes, seconds=0.05).report
    assert report.least_possible == least
    assert report.repeated_meetings >= least


def test_repeats_that_were_played_cannot_be_undone() -> None:
    fours = [numbered_names(16)[start : start + 4] for start in range(0, 16, 4)]
    tables = tuple(
        PlannedTable(number, dict(zip("ESWN", four, strict=True)))
        for number, four in enumerate(fours, 1)
    )
    second_report = seat(16, 3, played=(Round(tables), Round(tables))).report
    assert (second_report.repeated_meetings, second_report.least_possible) == (24, 24)
    mixed_plan = seat(16, 1, table_sizes=(5, 3), played=(Round(tables), Round(tables)))
    assert mixed_plan.report.least_possible == 24
