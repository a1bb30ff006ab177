"""The scorer puts several hands right at a table: looks first, does it, takes it back."""

from datetime import date
from functools import partial
from typing import Any, Self

import pytest
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from clubs.evenings.selectors.evenings import rankings_of, result_of
from clubs.models import SessionTable
from clubs.table import services
from scoring.scorebook.models import Hand, Repair, RepairKind
from scoring.scorebook.refusals import Refused
from scoring.scorebook.services import Mistake, RepairResult
from scoring.scorebook.verifying import recount
from tests.clubs.nights import make_players, make_season, night
from tests.clubs.table.phones import DRAWN, SOUTH_WINS, At, AtEvening, AtRound, Phone
from tests.people import Cast, make_club
from tests.scoring.scorebook.book import EAST_WINS
from tests.threads import at_once
from tests.tournaments.cups import play_round, tables
from tournaments.models import Table
from tournaments.results.selectors.standings import standings_of

NIGHT = date(2026, 11, 17)
SEATS = {"kind": "seats", "seat": 1, "other_seat": 2, "first": 1, "last": "end", "right": "names"}


class TwoTables(AtEvening):
    """Of an evening in a season: Ann, Ben, Cy, Di at the first, Ed, Flo, Gus, Hal at the other."""

    @classmethod
    def create(cls, cast: Cast, players: int = 8) -> Self:
        make_season(cast.club)
        members = make_players(cast.club, players)
        return cls(night(cast.club, NIGHT, members[:4], members[4:]).tables.get(number=1))

    @property
    def other_table(self) -> SessionTable:
        row: SessionTable = self.row.session.tables.get(number=2)
        return row


class TwoOfARound(AtRound):
    @classmethod
    def create(cls, cast: Cast, entrants: int = 8) -> Self:
        return super().create(cast, entrants)

    @property
    def other_table(self) -> Table:
        return tables(self.cup)[1]


@pytest.fixture
def evening(cast: Cast) -> TwoTables:
    return TwoTables.create(cast)


@pytest.fixture
def round_(cast: Cast) -> TwoOfARound:
    return TwoOfARound.create(cast)


@pytest.fixture(params=[TwoTables, TwoOfARound], ids=["evening", "round"])
def game_table(request: pytest.FixtureRequest, cast: Cast) -> At:
    game_table: At = request.param.create(cast)
    return game_table


@pytest.fixture
def wizard(cast: Cast, evening: TwoTables) -> Phone:
    """The scorer's page of the evening's first table."""
    return Phone(evening.desk_url("repair"), cast.scorer)


def seats_mixed(game_table: At) -> Mistake:
    """The first two players had each other's winds."""
    return Mistake(kind=RepairKind.SEATS, game_id=game_table.row.game_id, first=1, seats=(1, 2))


def put_right(
    game_table: At, mistake: Mistake | None = None, mark: str | None = None
) -> RepairResult:
    return services.repair_hands(
        table=game_table.event,
        mistake=mistake or seats_mixed(game_table),
        description="what was done",
        reason="seen on paper",
        made_by="user 1",
        mark=mark,
    )


def save(wizard: Phone, inputs: dict[str, Any], **extra_fields: Any) -> Any:
    """Look at it, then do it with the mark that the page carries."""
    preview = wizard.press(**inputs, step="see")
    assert preview.status_code == 200
    carried_data = {"mark": preview.context["mark"], "reason": "seen on paper", "step": "save"}
    return wizard.press(**{**inputs, **carried_data, **extra_fields})


# At either kind of table


def test_what_was_looked_at_is_done(cast: Cast, game_table: At) -> None:
    game_table.post(SOUTH_WINS)
    names, version = game_table.names, game_table.version()
    answer = save(Phone(game_table.desk_url("repair"), cast.scorer), SEATS)
    assert answer["Location"] == game_table.event.address
    repair = Repair.objects.get()
    assert repair.words == (
        f"{names[1]} and {names[2]} sat in each other’s seats from hand 1 on: "
        "only the winds are swapped."
    )
    assert (repair.reason, repair.made_by) == ("seen on paper", f"user {cast.scorer.pk}")
    assert game_table.version() == version + 1
    assert game_table.row.game.seats.get(number=2).points == 360
    assert recount().differences == ()


def test_the_sheets_of_two_tables_change_places(
    cast: Cast, game_table: TwoTables | TwoOfARound
) -> None:
    game_table.post(SOUTH_WINS, DRAWN)
    wizard = Phone(game_table.desk_url("repair"), cast.scorer)
    assert "Table 2" in wizard.text(kind="sheets")
    save(wizard, {"kind": "sheets", "other": game_table.other_table.game_id, "first": 1})
    counts = [
        row.game.hands.filter(is_current=True).count()
        for row in (game_table.row, game_table.other_table)
    ]
    assert (counts, game_table.other_table.game.seats.get(number=2).points) == ([0, 2], 240)
    assert Repair.objects.get().words == "All hands of table 1 and table 2 are swapped."
    first = {"evening": "Table", "tournament": "Round 1, table"}[game_table.event.desk]
    label = f"{first} 1 and {first} 2"
    assert label in wizard.client.get(game_table.event.repairs).content.decode()
    assert recount().differences == ()


def test_a_repair_is_taken_back_once(cast: Cast, game_table: At) -> None:
    game_table.post(SOUTH_WINS)
    repair = put_right(game_table).repair
    undo_page = Phone(game_table.desk_url("repair-back", repair.pk), cast.scorer)
    desk = game_table.desk(cast.scorer)
    assert undo_page.address in desk.text()
    assert undo_page.look().context["moved"]
    assert game_table.row.game.seats.get(number=2).points == 360
    assert undo_page.press()["Location"] == game_table.event.address
    assert game_table.row.game.seats.get(number=2).points == 240
    assert "undone" in undo_page.client.get(game_table.event.repairs).content.decode()
    second_html = undo_page.client.get(undo_page.address, follow=True).content.decode()
    assert "This correction has already been undone" in second_html
    assert recount().differences == ()


def test_what_is_finished_is_not_repaired(cast: Cast, game_table: At) -> None:
    game_table.post(SOUTH_WINS)
    game_table.finish()
    assert game_table.desk(cast.scorer).look().status_code == 200
    leads = Phone(game_table.desk_url("repair"), cast.scorer).look()
    assert (leads.status_code, leads["Location"]) == (302, game_table.event.address)
    reasons = {"evening": "This evening is finished", "tournament": "This tournament is finished"}
    with pytest.raises(Refused, match=reasons[game_table.event.desk]):
        put_right(game_table)


# At a round


def test_the_director_sees_who_moves_in_the_standings(cast: Cast, round_: TwoOfARound) -> None:
    play_round(round_.cup, SOUTH_WINS, DRAWN)
    wizard = Phone(round_.desk_url("repair"), cast.director)
    (ranking,) = wizard.press(**SEATS, step="see").context["moved"]
    assert ranking.columns == ("Table points", "Total")
    assert ranking.places >= 2
    standings_before = {row.name: (row.place, row.total) for row in standings_of(round_.cup)}
    save(wizard, SEATS)
    standings_after = standings_of(round_.cup)
    assert standings_before != {row.name: (row.place, row.total) for row in standings_after}
    new_places = {move.new_row.name: move.new_row.place for move in ranking.moves}
    now = {row.name: f"{row.place}{'=' if row.is_tied else ''}" for row in standings_after}
    assert new_places.items() <= now.items()
    assert recount().differences == ()


def test_a_table_of_a_closed_round_can_still_be_put_right(round_: TwoOfARound) -> None:
    round_.close()
    put_right(round_)
    assert round_.row.game.seats.get(number=2).points == 360


def test_tables_of_two_rounds_keep_their_sheets(round_: TwoOfARound) -> None:
    later_table, _ = tables(round_.cup, 2)
    round_.post(SOUTH_WINS)
    mistake = Mistake(
        kind=RepairKind.SHEETS, game_id=round_.row.game_id, other_id=later_table.game_id, first=1
    )
    with pytest.raises(Refused, match="Choose a table of this round"):
        put_right(round_, mistake)


def test_the_desk_leads_to_what_was_put_right(cast: Cast, round_: TwoOfARound) -> None:
    desk = reverse("tournament", args=["riverside", round_.cup.pk])
    assert round_.event.repairs in Phone(desk, cast.director).text()


# At an evening


def test_the_evening_leads_to_what_was_put_right(cast: Cast, evening: TwoTables) -> None:
    page = reverse("evening", args=["riverside", evening.row.session_id])
    evening.post(EAST_WINS)
    leads = [
        evening.event.repairs in Phone(page, user).text() for user in (cast.scorer, cast.player)
    ]
    assert leads == [True, False]


def test_the_wizard_asks_what_happened_once_there_is_a_hand(
    evening: TwoTables, wizard: Phone
) -> None:
    assert "There is nothing to correct" in wizard.text()
    evening.post(EAST_WINS)
    for phrase in ("sat in each other’s seats", "Another player went", "figures", "sheets"):
        assert phrase in wizard.text()


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("seats", ["seat", "other_seat", "first", "last", "right"]),
        ("figures", ["seat", "other_seat", "first", "last"]),
        ("sheets", ["other", "first"]),
    ],
)
def test_each_kind_has_its_questions(
    evening: TwoTables, wizard: Phone, kind: str, fields: list[str]
) -> None:
    evening.post(EAST_WINS)
    assert list(wizard.look(kind=kind).context["form"].fields) == fields


def test_looking_shows_who_moves_and_changes_nothing(evening: TwoTables, wizard: Phone) -> None:
    evening.post(SOUTH_WINS, DRAWN)
    result_before = result_of(evening.row.session)
    page = wizard.press(**SEATS, step="see")
    night_ranking, league = page.context["moved"]
    moves = [(move.new_row.name, move.text, move.figures) for move in night_ranking.moves]
    assert moves == [
        ("Ben", "stays 1", (("+240", "+360"),)),
        ("Ann", "stays 2", (("−64", "−92"),)),
        ("Cy", "stays 3", (("−80", "−128"),)),
        ("Di", "stays 4", (("−96", "−140"),)),
    ]
    assert league.title.endswith("Autumn 2026")
    assert [hand.number for hand in page.context["changes"][0].hands] == [1, 2]
    assert (result_of(evening.row.session), Repair.objects.count()) == (result_before, 0)
    assert not Hand.objects.filter(is_current=False).exists()


def test_the_table_reads_what_was_put_right_and_why(
    cast: Cast, evening: TwoTables, wizard: Phone
) -> None:
    evening.post(SOUTH_WINS)
    save(wizard, SEATS)
    for text in (evening.phone.text("hands/"), evening.desk(cast.scorer).text()):
        assert "Ann and Ben sat in each other’s seats" in text
        assert "seen on paper" in text


def test_figures_are_put_right_by_the_form(evening: TwoTables, wizard: Phone) -> None:
    evening.post(SOUTH_WINS, SOUTH_WINS)
    save(wizard, {"kind": "figures", "seat": 3, "other_seat": 4, "first": 2, "last": 2})
    assert [(hand.score_3, hand.score_4) for hand in evening.current()] == [(8, 4), (4, 8)]
    assert Repair.objects.get().words == "The scores of Cy and Di are swapped in hand 2."


def test_another_winner_is_chosen_for_a_hand(evening: TwoTables, wizard: Phone) -> None:
    evening.post(SOUTH_WINS, SOUTH_WINS)
    assert "?kind=winner&amp;hand=2" in wizard.text(kind="winner")
    form = wizard.look(kind="winner", hand="1").context["form"]
    assert form["score_2"].value() == 60
    save(wizard, {"kind": "winner", "hand": 1, "winner": 1, "score_1": 60, "score_2": 20})
    assert [(hand.winner, hand.deal["dealer"]) for hand in evening.current()] == [(1, 1), (2, 1)]
    assert Repair.objects.get().words == "Hand 1: Ann went Mah-Jong."


@pytest.mark.parametrize(
    ("inputs", "field"),
    [
        ({**SEATS, "other_seat": 1}, "other_seat"),
        ({**SEATS, "right": ""}, "right"),
        ({**SEATS, "first": 9}, "first"),
        ({**SEATS, "first": 2, "last": 1}, "last"),
        ({"kind": "figures"}, "seat"),
        ({"kind": "sheets", "other": "7", "first": 1}, "other"),
        ({"kind": "winner", "hand": 1, "winner": ""}, "winner"),
    ],
)
def test_what_is_missing_is_asked_for_at_its_field(
    evening: TwoTables, wizard: Phone, inputs: dict[str, Any], field: str
) -> None:
    evening.post(SOUTH_WINS, DRAWN)
    page = wizard.press(**inputs, step="see")
    assert (page.status_code, field in page.context["form"].errors) == (422, True)


@pytest.mark.parametrize("inputs", [{"kind": "nonsense"}, {"kind": "winner", "hand": "x"}, {}])
def test_an_unknown_kind_is_asked_for_again(
    evening: TwoTables, wizard: Phone, inputs: dict[str, str]
) -> None:
    evening.post(DRAWN)
    assert wizard.press(**inputs).status_code == wizard.look(**inputs).status_code == 200


def test_a_hand_that_no_longer_fits_is_named_with_its_player(cast: Cast) -> None:
    table = night(cast.club, NIGHT, make_players(cast.club, 5)).tables.get()
    evening_table = AtEvening(table)
    evening_table.post(EAST_WINS)
    page = Phone(evening_table.desk_url("repair"), cast.scorer).press(
        **{**SEATS, "other_seat": 5, "step": "see"}
    )
    ((error,),) = page.context["form"].errors.values()
    assert page.status_code == 422
    assert error == (
        "Table 1, hand 1 would not fit: Ann would sit out and cannot have gone Mah-Jong."
    )


def test_without_a_reason_nothing_is_done_and_nothing_is_lost(
    evening: TwoTables, wizard: Phone
) -> None:
    evening.post(SOUTH_WINS)
    page = save(wizard, SEATS, reason=" ")
    assert (page.status_code, Repair.objects.count()) == (422, 0)
    assert ("seat", "1") in page.context["carried"]
    assert "Enter a reason for the correction." in page.content.decode()


def test_a_hand_entered_meanwhile_is_looked_at_first(evening: TwoTables, wizard: Phone) -> None:
    evening.post(SOUTH_WINS)
    mark = wizard.press(**SEATS, step="see").context["mark"]
    evening.post(DRAWN, first=2)
    form_data = {**SEATS, "mark": mark, "reason": "paper", "step": "save"}
    page = wizard.press(**form_data)
    assert (page.status_code, Repair.objects.count()) == (422, 0)
    assert "A hand was entered or changed while you were working" in page.content.decode()
    assert wizard.press(**{**form_data, "mark": page.context["mark"]}).status_code == 302


def test_what_was_said_can_be_changed(evening: TwoTables, wizard: Phone) -> None:
    evening.post(SOUTH_WINS)
    form = wizard.press(**SEATS, step="change").context["form"]
    assert [form[name].value() for name in ("seat", "other_seat")] == ["1", "2"]


def test_taking_back_shows_who_moves(cast: Cast, evening: TwoTables) -> None:
    evening.post(SOUTH_WINS)
    undo_page = Phone(evening.desk_url("repair-back", put_right(evening).repair.pk), cast.scorer)
    assert undo_page.look().context["moved"][0].moves[0].new_row.figures == ("+240",)


def test_another_tables_repair_is_not_found(cast: Cast, evening: TwoTables) -> None:
    evening.post(SOUTH_WINS)
    repair = put_right(evening).repair
    other_table = AtEvening(evening.other_table)
    assert (
        Phone(other_table.desk_url("repair-back", repair.pk), cast.scorer).look().status_code == 404
    )


def test_another_evenings_table_keeps_its_sheet(cast: Cast, evening: TwoTables) -> None:
    players = [place.player for place in evening.row.places.order_by("seat__number")]
    elsewhere = night(cast.club, NIGHT.replace(day=24), players).tables.get()
    evening.post(SOUTH_WINS)
    mistake = Mistake(
        kind=RepairKind.SHEETS, game_id=evening.row.game_id, other_id=elsewhere.game_id, first=1
    )
    with pytest.raises(Refused, match="Choose a table of this evening"):
        put_right(evening, mistake)


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_repairs_costs_the_same_however_long(
    evening: TwoTables, wizard: Phone, count: int
) -> None:
    evening.post(SOUTH_WINS)
    for _ in range(count):
        put_right(evening)
    with assertNumQueries(5):
        wizard.client.get(evening.event.repairs)


def test_the_league_moves_with_the_evening(evening: TwoTables) -> None:
    evening.post(SOUTH_WINS)
    figures_before = {row.name: row.figures for row in rankings_of(evening.row.session)[1].rows}
    put_right(evening)
    figures_after = {row.name: row.figures for row in rankings_of(evening.row.session)[1].rows}
    assert (figures_before["Ben"], figures_after["Ben"]) == (("+240",), ("+360",))


# While the table goes on: one waits for the other, both are kept


@pytest.fixture
def alone() -> AtEvening:
    club = make_club()
    table = night(club, NIGHT, make_players(club, 4)).tables.get()
    evening_table = AtEvening(table)
    evening_table.post(SOUTH_WINS)
    return evening_table


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_a_hand_and_a_repair_at_the_same_moment_are_both_kept(
    transactional_db: None, alone: AtEvening
) -> None:
    for number in (2, 3, 4):
        at_once([partial(put_right, alone), partial(alone.post, SOUTH_WINS, first=number)])
    assert len(alone.current()) == 4
    assert Repair.objects.count() == 3
    assert recount().differences == ()


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_of_two_who_put_the_same_right_one_looks_again(
    transactional_db: None, alone: AtEvening
) -> None:
    stale_repair = partial(put_right, alone, mark=put_right(alone).mark)
    assert [type(answer).__name__ for answer in at_once([stale_repair, stale_repair])] == [
        "Refused",
        "Refused",
    ]
    assert Repair.objects.count() == 1
