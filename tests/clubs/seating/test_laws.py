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
    numbered,
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
    names = numbered(draw(st.integers(6, 60)))
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
    made = plan(request)
    for number in _new_numbers(made):
        assert places(made.rounds[number - 1]) == sorted(request.roster(number))


@LAWFUL
@given(requests())
def test_every_table_has_a_size_and_the_winds_that_it_may(request: Request) -> None:
    seats = ("E", "S", "W", "N", "fifth")
    for one in plan(request).rounds:
        assert [table.number for table in one.tables] == list(range(1, len(one.tables) + 1))
        for table in one.tables:
            assert len(table.seats) in request.table_sizes
            assert tuple(table.seats) == seats[: len(table.seats)]


@LAWFUL
@given(requests())
def test_the_report_says_what_the_rounds_say(request: Request) -> None:
    made = plan(request)
    met = meetings(made.rounds)
    report = made.report
    assert report.repeated_meetings == repeats(made.rounds)
    assert report.most_meetings == max(met.values(), default=0)
    assert report.least_possible <= report.repeated_meetings
    threes = games_of_three(made.rounds)
    assert report.wind_imbalance == sum(
        imbalance(held, threes[name]) for name, held in seats_held(made.rounds).items()
    )
    assert report.team_meetings == sum(
        times
        for (one, other), times in met.items()
        if one in request.teams and request.teams[one] == request.teams.get(other)
    )


@LAWFUL
@given(requests())
def test_a_wish_is_kept_or_the_report_names_it(request: Request) -> None:
    made = plan(request)
    named = {problem.where: problem.sentence for problem in made.report.broken}
    for index, (one, other) in enumerate(request.apart):
        met = meetings(made.new_rounds)[min(one, other), max(one, other)] > 0
        assert met == (f"apart.{index}" in named)
    for index, (one, other) in enumerate(request.together):
        parted = any(_are_parted(request, made, n, one, other) for n in _new_numbers(made))
        assert parted == (f"together.{index}" in named)
        assert not parted or one in named[f"together.{index}"]
    for name in request.fixed_table:
        away = any(
            name in table.names and table.number != 1
            for played in made.new_rounds
            for table in played.tables
        )
        assert away == (f"fixed_table.{name}" in named)


@LAWFUL
@given(requests())
def test_rounds_already_played_stay_as_they_were(request: Request) -> None:
    made = plan(request)
    assert made.rounds[: made.played] == request.played
    assert len(made.new_rounds) == request.rounds


@LAWFUL
@given(requests())
def test_no_clock_has_a_part_in_the_answer(request: Request) -> None:
    first, second = plan(request), plan(request)
    assert first.rounds == second.rounds
    assert first.report.cut_short == second.report.cut_short


@LAWFUL
@given(st.integers(5, 60), st.integers(1, 13), st.integers(0, 99))
def test_nobody_sits_out_twice_before_all_have_once(players: int, rounds: int, seed: int) -> None:
    turns: Counter[str] = Counter(dict.fromkeys(numbered(players), 0))
    for one in seat(players, rounds, seed=seed, seconds=0.02).rounds:
        assert len(one.sitting_out) == players % 4
        turns.update(one.sitting_out)
        assert max(turns.values()) - min(turns.values()) <= 1


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(2, 15), st.integers(1, 9), st.integers(0, 99))
def test_fours_have_their_winds_as_evenly_as_arithmetic_allows(
    tables: int, rounds: int, seed: int
) -> None:
    made = seat(4 * tables, rounds, seed=seed, seconds=0)
    for held in seats_held(made.rounds).values():
        times = Counter(held)
        assert {times[wind] for wind in WINDS} <= {rounds // 4, -(-rounds // 4)}
        blocks = [held[start : start + 4] for start in range(0, rounds, 4)]
        assert all(len(set(block)) == len(block) for block in blocks)


@LAWFUL
@given(st.integers(6, 60), st.integers(2, 7), st.data())
def test_winds_stay_within_one_for_whoever_comes_and_goes(
    players: int, rounds: int, data: st.DataObject
) -> None:
    """At tables of four, whoever sits out or is away in some rounds."""
    names = numbered(players)
    away = st.lists(st.sampled_from(names), max_size=2)
    absent = data.draw(st.dictionaries(st.integers(1, rounds), away))
    made = seat(players, rounds, absent=absent, seconds=0.02)
    for held in seats_held(made.rounds).values():
        times = [held.count(wind) for wind in WINDS]
        assert max(times) - min(times) <= 1


@LAWFUL
@given(st.integers(8, 60), st.integers(1, 4), st.sampled_from([(4,), (4, 3), (4, 5, 3)]))
def test_two_who_are_to_be_kept_apart_never_meet(
    players: int, rounds: int, sizes: tuple[int, ...]
) -> None:
    made = seat(players, rounds, apart=(("P1", "P2"),), table_sizes=sizes, seconds=0.2)
    assert not any({"P1", "P2"} <= company for one in made.rounds for company in companies(one))
    assert made.report.broken == ()


def imbalance(held: list[str], threes: int) -> int:
    """How much more often than necessary one wind comes; no North is due at a table of three."""
    games = [seat for seat in held if seat != "fifth"]
    norths_due = len(games) // 4
    winds: Sequence[str] = WINDS
    if games.count("N") < norths_due <= games.count("N") + threes:
        winds = "ESW"
    times = [games.count(wind) for wind in winds]
    return max(times) - min(times) - (1 if sum(times) % len(times) else 0)


def games_of_three(rounds: Sequence[Round]) -> Counter[str]:
    tables = (table for one in rounds for table in one.tables if len(table.seats) == 3)
    return Counter(name for table in tables for name in table.seats.values())


def _new_numbers(made: Plan) -> range:
    return range(made.played + 1, len(made.rounds) + 1)


def _are_parted(request: Request, made: Plan, number: int, one: str, other: str) -> bool:
    pair = {one, other}
    there = pair <= set(request.roster(number))
    return there and not any(pair <= company for company in companies(made.rounds[number - 1]))


def cost(board: Board) -> int:
    """Of every pair the meetings after the first, each dearer than the one before; turns too."""
    steps = [board.step(mate) for mate in range(len(board.price))]
    return (
        sum(
            price * (price - max(step, own)) // max(step, own)
            for own, row in zip(steps, board.price, strict=True)
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
    request = Request(numbered(players), 3, table_sizes=sizes)
    board, dice = board_for(request), Dice(seed)
    calls = round_calls(request, range(players))
    search = ExchangeSearch(board, draft_seating(board, calls, 0, dice, Allowance(9)), dice)
    for _ in range(20):
        number = dice.below(3)
        player = calls[number].players[0]
        if player not in search.table_of[number]:
            continue
        before, move = cost(board), search.best_exchange(number, player, 0)
        if move is not None:
            search.exchange(number, player, move[1])
            assert cost(board) - before == move[0]
