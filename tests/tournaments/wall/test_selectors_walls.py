"""What hangs in the hall: the pages that matter now, each name in its place."""

from collections.abc import Sequence

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubs.evenings.selectors.floor import Guided, WallPage, Where, pages_of_columns, seat_pages
from tests.tournaments.cups import DRAWN, SECOND_WINS, make_cup, play_round
from tests.tournaments.halls import full_hall, names
from tournaments.models import Entrant, OddNumber, Tournament
from tournaments.results import services as results_services
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services
from tournaments.wall.selectors import NowPage, TournamentWall, wall_of

pytestmark = pytest.mark.django_db


def hung(cup: Tournament, *, show: str = "", page: str = "") -> TournamentWall:
    """The wall as it hangs at this moment."""
    fresh = Tournament.objects.get(pk=cup.pk)
    return wall_of(fresh, now=timezone.now(), show=show, page=page)


def kinds(cup: Tournament, *, show: str = "") -> list[str]:
    return [page.kind for page in hung(cup, show=show).pages]


def big(cup: Tournament) -> tuple[str, ...]:
    """What stands on the page of what goes on now, the huge letters first."""
    (page,) = hung(cup, show="clock").pages
    assert isinstance(page, NowPage)
    return (page.big, *page.words)


def test_the_wall_follows_the_tournament_from_the_entries_to_the_prizes() -> None:
    cup = make_cup(entrants=16, rounds=2, hands=1)
    assert big(cup) == ("16", "have entered. Tables will be announced soon.")
    seating.seat_rounds(tournament=cup)
    assert kinds(cup) == ["seats", "now"]
    assert big(cup) == ("Round 1", "starts soon. Find your name and take your seat.")
    services.start_round(tournament=cup)
    assert kinds(cup) == ["now", "tables"]
    assert big(cup) == ("0 of 4", "tables have finished round 1.")
    play_round(cup, SECOND_WINS)
    assert kinds(cup) == ["now", "tables", "standings"]
    services.close_round(tournament=cup)
    assert kinds(cup) == ["seats", "now", "standings"]
    services.start_round(tournament=cup)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    assert kinds(cup) == ["now", "standings"]
    assert big(cup) == ("All rounds finished", "Prize-giving soon.")
    services.finish_tournament(tournament=cup)
    assert list(dict.fromkeys(kinds(cup))) == ["prizes", "standings"]
    assert kinds(cup, show="standings") == ["standings"]
    assert big(cup) == ("The end", "Thank you for playing.")


def test_a_last_round_that_is_kept_shows_neither_prizes_nor_the_last_gains() -> None:
    cup = make_cup(entrants=4, rounds=2, hands=1)
    seating.seat_rounds(tournament=cup)
    for report in (DRAWN, SECOND_WINS):
        services.start_round(tournament=cup)
        play_round(cup, report)
        services.close_round(tournament=cup)
    results_services.hide_last_round(tournament=Tournament.objects.get(pk=cup.pk))
    services.finish_tournament(tournament=cup)
    wall = hung(cup)
    assert [page.kind for page in wall.pages] == ["standings"]
    assert {line.row.total for line in wall.board.lines} == {0}
    assert big(cup) == ("All rounds finished", "The last round is hidden until the prize-giving.")
    results_services.release_results(tournament=Tournament.objects.get(pk=cup.pk))
    assert list(dict.fromkeys(kinds(cup))) == ["prizes", "standings"]
    assert kinds(cup, show="standings") == ["standings"]


@pytest.mark.parametrize(
    ("show", "shown"),
    [
        ("seats", {"seats"}),
        ("tables", {"tables"}),
        ("clock", {"now"}),
        ("nonsense", {"seats", "now"}),
    ],
)
def test_each_projector_can_hang_one_thing(show: str, shown: set[str]) -> None:
    assert set(kinds(full_hall(40), show=show)) == shown


def test_a_projector_for_the_standings_says_what_goes_on_until_there_are_any() -> None:
    assert kinds(full_hall(16), show="standings") == ["now"]


def test_teams_have_a_page_of_their_own() -> None:
    cup = full_hall(16)
    Entrant.objects.filter(tournament=cup, number__lte=8).update(team="Bamboo")
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    assert kinds(cup) == ["now", "tables", "standings", "teams"]


def test_while_they_look_for_their_seats_the_standings_are_one_page() -> None:
    cup = full_hall(64)
    services.start_round(tournament=cup)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    assert kinds(cup) == ["seats", "seats", "now", "standings"]


def test_the_clock_is_on_its_page_and_in_the_corner_once_the_round_is_started() -> None:
    cup = full_hall(16, minutes=75)
    assert hung(cup).clock is None
    assert big(cup)[-1] == "75 minutes to play"
    services.start_round(tournament=cup)
    wall = hung(cup)
    assert wall.clock is not None
    assert [page.clock for page in wall.pages if isinstance(page, NowPage)] == [wall.clock]


def test_while_the_clock_waits_for_everybody_to_sit_the_names_hang_beside_it() -> None:
    cup = full_hall(16, minutes=75)
    services.start_round(tournament=cup, clock_waits=True)
    assert kinds(cup) == ["now", "seats"]
    (page,) = hung(cup, show="clock").pages
    assert isinstance(page, NowPage)
    assert page.clock is not None
    assert page.clock.face == "waiting"


def test_who_sits_out_is_in_the_list_of_names_and_on_the_page_of_now() -> None:
    cup = make_cup(entrants=5, rounds=1)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    seating.seat_rounds(tournament=Tournament.objects.get(pk=cup.pk))
    resting = Tournament.objects.get(pk=cup.pk).rounds.get().sitting_out.get().name
    (page,) = hung(cup, show="seats").pages
    assert [seat.name for seat in seats_on([page]) if seat.table is None] == [resting]
    assert big(cup)[-1] == f"Sitting out: {resting}"


def seats_on(pages: Sequence[WallPage]) -> list[Where]:
    """Everyone on these pages, as one reads them."""
    return [
        one.where
        for page in pages
        for column in page.columns
        for one in column
        if isinstance(one, Guided)
    ]


def test_names_stand_as_they_are_written_and_are_found_by_surname() -> None:
    written = ("Zoë Abbott", "Ann Yeo", "lin Mei", "Łucja Łoś", "Bea", "Cy L.", "Ann Abbott")
    (page,) = seat_pages("Find", [Where(name, 1, "E") for name in written])
    in_order = ["Ann Abbott", "Zoë Abbott", "Bea", "Cy L.", "Łucja Łoś", "lin Mei", "Ann Yeo"]
    assert [seat.name for seat in seats_on([page])] == in_order
    guided = [one for column in page.columns for one in column if isinstance(one, Guided)]
    assert [one.guide for one in guided] == ["A", "", "B", "L", "", "M", "Y"]
    assert [one.surname for one in guided] == ["Abbott", "Abbott", "Bea", "L.", "Łoś", "Mei", "Yeo"]
    assert page.note == "surnames A to Y"


@pytest.mark.parametrize(
    ("count", "pages", "columns", "rows"),
    [
        (1, 1, 1, 1),
        (16, 1, 2, 8),
        (24, 1, 2, 12),
        (28, 1, 2, 14),
        (29, 1, 3, 10),
        (64, 2, 3, 11),
        (400, 10, 3, 14),
    ],
)
def test_a_fuller_hall_has_more_pages_and_no_smaller_letters(
    count: int, pages: int, columns: int, rows: int
) -> None:
    cut = list(pages_of_columns(range(count)))
    assert (len(cut), len(cut[0]), len(cut[0][0])) == (pages, columns, rows)
    assert [row for page in cut for column in page for row in column] == list(range(count))


@pytest.mark.sampled(law="long plays")
def test_everybody_in_a_hall_of_four_hundred_is_on_one_page_once() -> None:
    shown = seats_on(hung(full_hall(400, rounds=1), show="seats").pages)
    assert sorted(seat.name for seat in shown) == sorted(names(400))
    assert {seat.table for seat in shown} == set(range(1, 101))


@pytest.mark.parametrize(
    ("asked", "shown", "following"),
    [("2", 2, 3), ("1", 1, 2), ("3", 3, 1), ("9", 1, 2), ("٣", 1, 2), ("", 1, 2)],
)
def test_the_wall_begins_with_the_page_asked_for(asked: str, shown: int, following: int) -> None:
    wall = hung(full_hall(64, rounds=1), page=asked)
    assert (wall.shown, wall.next) == (shown, following)


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_wall_is_as_many_queries_after_one_round_as_after_three(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = full_hall(16, rounds=rounds, minutes=75)
    for number in range(1, rounds + 1):
        services.start_round(tournament=cup)
        play_round(cup, SECOND_WINS)
        if number < rounds:
            services.close_round(tournament=cup)
    fresh = Tournament.objects.get(pk=cup.pk)
    with django_assert_num_queries(10):
        wall_of(fresh, now=timezone.now())
