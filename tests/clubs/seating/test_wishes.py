"""Apart, together, teams, fixed tables: kept where they can be, else reported by name."""

from itertools import combinations

from clubs.seating import Request, plan
from tests.clubs.seating.recount import companies, meetings, numbered, repeats, seat


def broken(**wishes: object) -> list[tuple[str, str]]:
    made = seat(8, 2, **wishes)
    return [(problem.where, problem.sentence) for problem in made.report.broken]


def test_a_couple_is_kept_apart_without_a_repeat() -> None:
    couples = tuple((f"P{n}", f"P{n + 1}") for n in range(1, 16, 2))
    made = seat(16, 4, apart=couples)
    met = meetings(made.rounds)
    assert [met[pair] for pair in couples] == [0] * 8
    assert (repeats(made.rounds), made.report.broken) == (0, ())


def test_friends_sit_together_every_round() -> None:
    made = seat(16, 4, together=(("P1", "P2"), ("P3", "P4")))
    for one in made.rounds:
        tables = companies(one)
        assert [sum({"P1", "P2"} <= table for table in tables) for _ in "1"] == [1]
        assert [sum({"P3", "P4"} <= table for table in tables) for _ in "1"] == [1]
    assert made.report.broken == ()


def test_team_mates_do_not_meet_while_they_need_not() -> None:
    teams = {f"P{n}": "ABCD"[n % 4] for n in range(1, 17)}
    made = seat(16, 4, teams=teams)
    met = meetings(made.rounds)
    mates = [pair for pair in combinations(sorted(teams), 2) if teams[pair[0]] == teams[pair[1]]]
    assert (sum(met[pair] for pair in mates), made.report.team_meetings) == (0, 0)
    assert repeats(made.rounds) == made.report.repeated_meetings == 0


def test_team_mates_who_must_meet_are_counted() -> None:
    made = seat(8, 1, teams={f"P{n}": "Bath" for n in range(1, 9)})
    assert made.report.team_meetings == 12


def test_five_friends_do_not_fit_one_table() -> None:
    friends = ("P1", "P2", "P3", "P4", "P5")
    said = broken(together=tuple(combinations(friends, 2)))
    assert {where for where, _ in said} <= {f"together.{n}" for n in range(10)}
    assert len(said) >= 4


def test_five_at_one_fixed_table_leave_one_elsewhere() -> None:
    said = broken(fixed_table=dict.fromkeys(("P1", "P2", "P3", "P4", "P5"), 1))
    assert len(said) >= 1
    assert all(
        sentence.startswith(f"{where[12:]} is to sit at table 1") for where, sentence in said
    )


def test_wishes_hold_when_rounds_were_played() -> None:
    names = numbered(12)
    first = plan(Request(players=names, rounds=1))
    pair = tuple(first.rounds[0].tables[0].names[:2])
    made = plan(Request(names, 2, played=first.rounds, apart=((pair[0], pair[1]),)))
    assert meetings(made.new_rounds)[min(pair), max(pair)] == 0
    assert made.report.broken == ()


def test_another_seed_draws_other_tables_and_the_same_seed_the_same() -> None:
    drawn = [seat(20, 5, seed=seed).rounds for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]
