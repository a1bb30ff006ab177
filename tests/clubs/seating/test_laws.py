"""What holds for every seating, whoever comes and whatever they wish."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import HealthCheck, given, settings, strategies as st

from clubs.seating import Plan, Request, Round, plan
from clubs.seating.constructions import draft_seating
from clubs.seating.search import Allowance, Board, Dice, ExchangeSearch, board_for, round_calls
from tests.clubs.seating.recount import (
    WINDS,
    companies,
    meetings,
    numbered_names,
    places,
    repeats,
    seat,
    seats_held,
)

LAWFUL = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
SIZES = st.sampled_from([(4,), (4, 3), (4, 5, 3), (3, 4)])


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """Six to 60 players and up to three rounds, with wishes, and rounds already played."""
    names = numbered_names(draw(st.integers(6, 60)))
    rounds = draw(st.integers(1, 3))
    pairs = st.lists(st.permutations(names).map(lambda order: (order[0], order[1])), max_size=2)
    request = Request(
        players=names,
        rounds=rounds,
        seed=draw(st.integers(0, 9)),
        seconds=0.02,  # laws hold for whatever is found by then
        table_sizes=draw(SIZES),
        absent={draw(st.integers(1, rounds)): draw(st.lists(st.sampled_from(names), max_size=2))},
        apart=tuple(draw(pairs)),
        together=tuple(draw(pairs)),
        teams=draw(st.dictionaries(st.sampled_from(names), st.sampled_from("AB"), max_size=4)),
        fixed_table=draw(st.dictionaries(st.sampled_from(names), st.just(1), max_size=1)),
    )
    if draw(st.booleans()):
        first = plan(Request(names, 1, table_sizes=request.table_sizes, seconds=0.02))
        return replace(request, rounds=max(1, rounds - 1), played=first.rounds)
    return request


@LAWFUL
@given(requests())
def test_everybody_there_has_one_place_in_every_round(request: Request) -> None:
    seating_plan = plan(request)
    for number in _new_numbers(seating_plan):
        assert places(seating_plan.rounds[number - 1]) == sorted(request.roster(number))


@LAWFUL
@given(requests())
def test_every_table_has_a_size_and_the_winds_that_it_may(request: Request) -> None:
    seats = ("E", "S", "W", "N", "fifth")
    for round_ in plan(request).rounds:
        assert [table.number for table in round_.tables] == list(range(1, len(round_.tables) + 1))
        for table in round_.tables:
            assert len(table.seats) in request.table_sizes
            assert tuple(table.seats) == seats[: len(table.seats)]


@LAWFUL
@given(requests())
def test_the_report_says_what_the_rounds_say(request: Request) -> None:
    seating_plan = plan(request)
    meeting_counts = meetings(seating_plan.rounds)
    report = seating_plan.report
    assert report.repeated_meetings == repeats(seating_plan.rounds)
    assert report.most_meetings == max(meeting_counts.values(), default=0)
    assert report.least_possible <= report.repeated_meetings
    threes = games_of_three(seating_plan.rounds)
    assert report.wind_imbalance == sum(
        imbalance(seats, threes[name]) for name, seats in seats_held(seating_plan.rounds).items()
    )
    assert report.team_meetings == sum(
        times
        for (player, other_player), times in meeting_counts.items()
        if player in request.teams and request.teams[player] == request.teams.get(other_player)
    )


@LAWFUL
@given(requests())
def test_a_wish_is_kept_or_the_report_names_it(request: Request) -> None:
    seating_plan = plan(request)
    broken_wishes = {problem.path: problem.message for problem in seating_plan.report.broken}
    for index, (player, other_player) in enumerate(request.apart):
        have_met = (
            meetings(seating_plan.new_rounds)[min(player, other_player), max(player, other_player)]
            > 0
        )
        assert have_met == (f"apart.{index}" in broken_wishes)
    for index, (player, other_player) in enumerate(request.together):
        are_apart = any(
            _are_parted(request, seating_plan, n, player, other_player)
            for n in _new_numbers(seating_plan)
        )
        assert are_apart == (f"together.{index}" in broken_wishes)
        assert not are_apart or player in broken_wishes[f"together.{index}"]
    for name in request.fixed_table:
        is_elsewhere = any(
            name in table.names and table.number != 1
            for round_ in seating_plan.new_rounds
            for table in round_.tables
        )
        assert is_elsewhere == (f"fixed_table.{name}" in broken_wishes)


@LAWFUL
@given(requests())
def test_rounds_already_played_stay_as_they_were(request: Request) -> None:
    seating_plan = plan(request)
    assert seating_plan.rounds[: seating_plan.played_count] == request.played
    assert len(seating_plan.new_rounds) == request.rounds


@LAWFUL
@given(requests())
def test_no_clock_has_a_part_in_the_answer(request: Request) -> None:
    first, second = plan(request), plan(request)
    assert first.rounds == second.rounds
    assert first.report.cut_short == second.report.cut_short


@LAWFUL
@given(st.integers(5, 60), st.integers(1, 13), st.integers(0, 99))
def test_nobody_sits_out_twice_before_all_have_once(players: int, rounds: int, seed: int) -> None:
    turns: Counter[str] = Counter(dict.fromkeys(numbered_names(players), 0))
    for round_ in seat(players, rounds, seed=seed, seconds=0.02).rounds:
        assert len(round_.sitting_out) == players % 4
        turns.update(round_.sitting_out)
        assert max(turns.values()) - min(turns.values()) <= 1


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(2, 15), st.integers(1, 9), st.integers(0, 99))
def test_fours_have_their_winds_as_evenly_as_arithmetic_allows(
    tables: int, rounds: int, seed: int
) -> None:
    seating_plan = seat(4 * tables, rounds, seed=seed, seconds=0)
    for seats in seats_held(seating_plan.rounds).values():
        times = Counter(seats)
        assert {times[wind] for wind in WINDS} <= {rounds // 4, -(-rounds // 4)}
        blocks = [seats[start : start + 4] for start in range(0, rounds, 4)]
        assert all(len(set(block)) == len(block) for block in blocks)


@LAWFUL
@given(st.integers(6, 60), st.integers(2, 7), st.data())
def test_winds_stay_within_one_for_whoever_comes_and_goes(
    players: int, rounds: int, data: st.DataObject
) -> None:
    """At tables of four, whoever sits out or is away in some rounds."""
    names = numbered_names(players)
    absentees = st.lists(st.sampled_from(names), max_size=2)
    absent = data.draw(st.dictionaries(st.integers(1, rounds), absentees))
    seating_plan = seat(players, rounds, absent=absent, seconds=0.02)
    for seats in seats_held(seating_plan.rounds).values():
        times = [seats.count(wind) for wind in WINDS]
        assert max(times) - min(times) <= 1


@LAWFUL
@given(st.integers(8, 60), st.integers(1, 4), st.sampled_from([(4,), (4, 3), (4, 5, 3)]))
def test_two_who_are_to_be_kept_apart_never_meet(
    players: int, rounds: int, sizes: tuple[int, ...]
) -> None:
    seating_plan = seat(players, rounds, apart=(("P1", "P2"),), table_sizes=sizes, seconds=0.2)
    assert not any(
        {"P1", "P2"} <= company for round_ in seating_plan.rounds for company in companies(round_)
    )
    assert seating_plan.report.broken == ()


def imbalance(seats: list[str], threes: int) -> int:
    """How much more often than necessary one wind comes; no North is due at a table of three."""
    games = [seat for seat in seats if seat != "fifth"]
    norths_due = len(games) // 4
    winds: Sequence[str] = WINDS
    if games.count("N") < norths_due <= games.count("N") + threes:
        winds = "ESW"
    times = [games.count(wind) for wind in winds]
    return max(times) - min(times) - (1 if sum(times) % len(times) else 0)


def games_of_three(rounds: Sequence[Round]) -> Counter[str]:
    tables = (table for round_ in rounds for table in round_.tables if len(table.seats) == 3)
    return Counter(name for table in tables for name in table.seats.values())


def _new_numbers(seating_plan: Plan) -> range:
    return range(seating_plan.played_count + 1, len(seating_plan.rounds) + 1)


def _are_parted(
    request: Request, seating_plan: Plan, number: int, player: str, other_player: str
) -> bool:
    pair = {player, other_player}
    are_present = pair <= set(request.roster(number))
    return are_present and not any(
        pair <= company for company in companies(seating_plan.rounds[number - 1])
    )


def cost(board: Board) -> int:
    """Of every pair the meetings after the first, each dearer than the one before; turns too."""
    steps = [board.step(mate) for mate in range(len(board.price))]
    return (
        sum(
            price * (price - max(step, row_step)) // max(step, row_step)
            for row_step, row in zip(steps, board.price, strict=True)
            for step, price in zip(steps, row, strict=True)
        )
        // 4
    )


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.integers(9, 15), st.sampled_from([(4, 3), (4, 5), (3, 4), (3, 5), (4,)]), st.integers(0, 99)
)
def test_an_exchange_changes_the_cost_by_what_was_reckoned(
    players: int, sizes: tuple[int, ...], seed: int
) -> None:
    request = Request(numbered_names(players), 3, table_sizes=sizes)
    board, dice = board_for(request), Dice(seed)
    calls = round_calls(request, range(players))
    search = ExchangeSearch(board, draft_seating(board, calls, 0, dice, Allowance(9)), dice)
    for _ in range(20):
        number = dice.roll_below(3)
        player = calls[number].players[0]
        if player not in search.table_of[number]:
            continue
        cost_before, move = cost(board), search.best_exchange(number, player, 0)
        if move is not None:
            search.exchange(number, player, move[1])
            assert cost(board) - cost_before == move[0]
