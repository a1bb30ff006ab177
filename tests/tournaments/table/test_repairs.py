"""Several hands of a tournament put right: the same wizard, the standings, the finished cup."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.table import services as at_table
from scoring.scorebook.models import Repair, RepairKind
from scoring.scorebook.refusals import Refused
from scoring.scorebook.repairs import Mistake
from scoring.scorebook.verifying import recount
from tests.people import PASSWORD, Cast
from tests.tournaments.cups import DRAWN, SECOND_WINS, play_round, post, seated_cup, tables
from tournaments.models import Table, Tournament
from tournaments.results.selectors.standings import standings
from tournaments.steps import services as steps_services
from tournaments.table.event import RoundTable


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    """Two tables, their first round being played."""
    return seated_cup(entrants=8, rounds=2, hands=2, club=cast.club)


@pytest.fixture
def director(client: Client, cast: Cast) -> Client:
    client.login(username=cast.director.email, password=PASSWORD)
    return client


def at(name: str, table: Table, *more: Any) -> str:
    where = ["riverside", table.round.tournament_id, table.round.number, table.number]
    return reverse(name, args=[*where, *more])


def seats_mixed(table: Table) -> Mistake:
    return Mistake(kind=RepairKind.SEATS, game_id=table.game_id, first=1, seats=(1, 2))


def put_right(cup: Tournament, mistake: Mistake) -> Repair:
    table = RoundTable(Table.objects.get(game=mistake.game_id))
    return at_table.repair_hands(
        table=table, mistake=mistake, words="done", reason="on paper", made_by="user 1"
    ).repair


def test_the_director_sees_who_moves_in_the_standings_and_does_it(
    director: Client, cup: Tournament
) -> None:
    one, other = tables(cup)
    post(one, SECOND_WINS, DRAWN)
    post(other, SECOND_WINS, SECOND_WINS)
    told = {
        "kind": "seats",
        "seat": 1,
        "other_seat": 2,
        "first": 1,
        "last": "end",
        "right": "winds",
    }
    seen = director.post(at("tournament-repair", one), {**told, "step": "see"})
    (ranking,) = seen.context["moved"]
    assert ranking.columns == ("Table points", "Total")
    assert ranking.places >= 2
    before = standings(cup)
    done = {**told, "mark": seen.context["mark"], "reason": "on paper", "step": "save"}
    answer = director.post(at("tournament-repair", one), done)
    assert answer["Location"] == at("tournament-table", one)
    after = standings(cup)
    assert {row.name: (row.place, row.total) for row in before} != {
        row.name: (row.place, row.total) for row in after
    }
    moved = {move.after.name: move.after.place for move in ranking.moves}
    now = {row.name: f"{row.place}{'=' if row.is_tied else ''}" for row in after}
    assert moved.items() <= now.items()
    assert recount().differences == ()


def test_the_desk_leads_to_what_was_put_right(director: Client, cup: Tournament) -> None:
    desk = director.get(reverse("tournament", args=[cup.club.slug, cup.pk])).content.decode()
    assert reverse("tournament-repairs", args=[cup.club.slug, cup.pk]) in desk


def test_two_tables_of_a_round_change_sheets(director: Client, cup: Tournament) -> None:
    one, other = tables(cup)
    post(one, SECOND_WINS, DRAWN)
    told = {"kind": "sheets", "other": other.game_id, "first": 1}
    page = director.get(at("tournament-repair", one), {"kind": "sheets"})
    assert "Table 2" in page.content.decode()
    seen = director.post(at("tournament-repair", one), {**told, "step": "see"})
    done = {**told, "mark": seen.context["mark"], "reason": "mixed up", "step": "save"}
    director.post(at("tournament-repair", one), done)
    counts = [table.game.hands.filter(is_current=True).count() for table in (one, other)]
    assert counts == [0, 2]
    assert other.game.seats.get(number=2).points == 240
    listed = director.get(reverse("tournament-repairs", args=["riverside", cup.pk]))
    assert "Round 1, table 1 and Round 1, table 2" in listed.content.decode()


def test_a_repair_is_taken_back(director: Client, cup: Tournament) -> None:
    one, _ = tables(cup)
    post(one, SECOND_WINS)
    made = put_right(cup, seats_mixed(one))
    back = at("tournament-repair-back", one, made.pk)
    assert director.get(back).status_code == 200
    assert director.post(back)["Location"] == at("tournament-table", one)
    assert one.game.seats.get(number=2).points == 240
    assert recount().differences == ()


def test_a_table_of_a_closed_round_can_still_be_put_right(cup: Tournament) -> None:
    play_round(cup, SECOND_WINS, DRAWN)
    steps_services.close_round(tournament=cup)
    one, _ = tables(cup)
    put_right(cup, seats_mixed(one))
    assert one.game.seats.get(number=2).points == 360


def test_a_finished_tournament_is_not_repaired(director: Client, cast: Cast) -> None:
    cup = seated_cup(rounds=1, hands=1, club=cast.club)
    (table,) = tables(cup)
    post(table, SECOND_WINS)
    steps_services.close_round(tournament=cup)
    steps_services.finish_tournament(tournament=cup)
    assert director.get(at("tournament-repair", table)).status_code == 302
    with pytest.raises(Refused, match="This tournament is finished"):
        put_right(cup, seats_mixed(table))


def test_tables_of_two_rounds_keep_their_sheets(cup: Tournament) -> None:
    (one, _), (later, _) = tables(cup), tables(cup, 2)
    post(one, SECOND_WINS)
    mistake = Mistake(kind=RepairKind.SHEETS, game_id=one.game_id, other_id=later.game_id, first=1)
    with pytest.raises(Refused, match="Choose a table of this round"):
        put_right(cup, mistake)


@pytest.mark.parametrize(
    ("who", "may"),
    [
        ("secretary", 200),
        ("director", 200),
        ("scorer", 200),
        ("player", 403),
        ("member of another club", 403),
        ("nobody", 302),
    ],
)
def test_who_may_take_a_repair_back(
    client: Client, cast: Cast, cup: Tournament, who: str, may: int
) -> None:
    one, _ = tables(cup)
    post(one, SECOND_WINS)
    made = put_right(cup, seats_mixed(one))
    if user := cast.everybody()[who]:
        client.login(username=user.email, password=PASSWORD)
    assert client.get(at("tournament-repair-back", one, made.pk)).status_code == may
