"""A late arrival or a withdrawal in a seated tournament: `python -m benchmarks.reseating`.

Each event is seated, some rounds are played, players come or leave, and the waiting rounds are
fitted to that in two ways: with a new draw, and with the fewest moves.
"""

import time
from collections.abc import Callable
from dataclasses import replace

from clubs.seating import Plan, Request, plan
from clubs.seating.amending import amend_rounds, moved_seats

# Players, rounds, rounds played; +1: one comes, -2: two leave.
EVENTS = (
    *((28, 7, 1, 1), (28, 7, 2, 1), (28, 7, 3, 1), (28, 7, 2, -1), (28, 7, 3, -1)),
    *((16, 5, 2, -1), (20, 5, 2, -1), (24, 6, 2, -1), (24, 6, 2, 1), (40, 8, 2, -1)),
    *(
        (18, 5, 2, -1),
        (18, 5, 1, 1),
        (27, 7, 2, 1),
        (21, 6, 2, -1),
        (100, 8, 3, 1),
        (400, 10, 4, -1),
    ),
    *((16, 4, 1, 1), (16, 4, 2, -2), (20, 5, 2, 2), (22, 6, 2, -2), (28, 7, 2, 3), (28, 7, 2, -3)),
    *((32, 6, 2, -4), (40, 8, 3, 2), (40, 8, 3, 4), (41, 8, 2, 1), (41, 8, 2, -1), (41, 8, 3, -3)),
)
# The same with teams of four for all, and a couple of two teams who must not meet.
TEAM_EVENTS = ((28, 7, 1, 1), (28, 7, 2, -1), (40, 8, 2, -2))
COUPLE = ("P1", "P6")


def request_after(
    players: int, rounds: int, rounds_played: int, change: int, *, in_teams: bool = False
) -> tuple[Request, Plan]:
    """The seating's request for the rounds that wait, and the event as it was seated."""
    names = tuple(f"P{number}" for number in range(1, players + 1))
    teams = {name: f"T{index % (players // 4)}" for index, name in enumerate(names) if in_teams}
    separated_pairs = (COUPLE,) if in_teams else ()
    event = plan(Request(names, rounds, seed=1, teams=teams, apart=separated_pairs))
    round_numbers = range(rounds_played + 1, rounds + 1)
    absent_players = names[4 : 4 + max(0, -change)]
    request = Request(
        players=(*names, *(f"Late {number}" for number in range(1, change + 1))),
        rounds=rounds - rounds_played,
        seed=1,
        seconds=5,
        played=event.rounds[:rounds_played],
        absent=dict.fromkeys(round_numbers, absent_players),
        teams=teams,
        apart=separated_pairs,
    )
    return request, event


def cells(event: Plan, rounds_played: int, make_plan: Callable[[], Plan | None]) -> str:
    """Repeats / returns to a table / seats changed / winds off balance, and processor seconds."""
    start = time.process_time()
    result = make_plan()
    seconds = time.process_time() - start
    if result is None:
        return "–"
    report = result.report
    seat_changes = moved_seats(event.rounds[rounds_played:], result.new_rounds)
    figures = (report.repeated_meetings, report.table_revisits, seat_changes, report.wind_imbalance)
    return f"{' / '.join(map(str, figures))} ({seconds:.2f} s)"


def main() -> None:
    print("| event | a new draw | fewest moves |")
    print("| --- | --- | --- |")
    events = [*((event, False) for event in EVENTS), *((event, True) for event in TEAM_EVENTS)]
    for (players, rounds, rounds_played, change), in_teams in events:
        request, event = request_after(players, rounds, rounds_played, change, in_teams=in_teams)
        waiting = event.rounds[rounds_played:]
        draw_request = replace(request, rounds=len(waiting))
        row = [
            cells(event, rounds_played, lambda: plan(draw_request)),  # noqa: B023
            cells(event, rounds_played, lambda: amend_rounds(request, waiting)),  # noqa: B023
        ]
        change_label = f"{abs(change)} {'more' if change > 0 else 'fewer'} after {rounds_played}"
        teams = ", in teams" if in_teams else ""
        print(f"| {players} × {rounds}{teams}, {change_label} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
