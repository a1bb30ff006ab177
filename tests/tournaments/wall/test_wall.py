"""What hangs in the hall, and everyone's own place on their phone."""

from collections.abc import Sequence

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains

from clubs.evenings.selectors.floor import (
    GuidedSeat,
    PlayerSeat,
    WallPage,
    pages_of_columns,
    seat_pages,
)
from tests.tournaments.cups import (
    DRAWN,
    SECOND_WINS,
    close_round,
    finish,
    fresh,
    full_hall,
    make_cup,
    next_round,
    people,
    play_round,
    seated_cup,
    sits,
)
from tournaments.models import Entrant, OddNumber, Placement, Table, Tournament
from tournaments.results import services as results_services
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services
from tournaments.steps import services
from tournaments.wall.selectors import (
    MyRound,
    MyTournament,
    NowPage,
    TournamentWall,
    find_names,
    my_tournament,
    wall_of,
)

pytestmark = pytest.mark.django_db


def hung(cup: Tournament, *, show: str = "", page: str = "") -> TournamentWall:
    """The wall as it hangs at this moment."""
    return wall_of(fresh(cup), now=timezone.now(), show=show, page=page)


def kinds(cup: Tournament, *, show: str = "") -> list[str]:
    return [page.kind for page in hung(cup, show=show).pages]


def big(cup: Tournament) -> tuple[str, ...]:
    """What stands on the page of what goes on now, the huge letters first."""
    (page,) = hung(cup, show="clock").pages
    assert isinstance(page, NowPage)
    return (page.big, *page.lines)


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
    close_round(cup, DRAWN)
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
        close_round(cup, report)
    results_services.hide_last_round(tournament=fresh(cup))
    services.finish_tournament(tournament=cup)
    wall = hung(cup)
    assert [page.kind for page in wall.pages] == ["standings"]
    assert {line.row.total for line in wall.board.lines} == {0}
    assert big(cup) == ("All rounds finished", "The last round is hidden until the prize-giving.")
    results_services.release_results(tournament=fresh(cup))
    assert list(dict.fromkeys(kinds(cup))) == ["prizes", "standings"]
    assert kinds(cup, show="standings") == ["standings"]


@pytest.mark.parametrize(
    ("show", "page_kinds"),
    [
        ("seats", {"seats"}),
        ("tables", {"tables"}),
        ("clock", {"now"}),
        ("nonsense", {"seats", "now"}),
    ],
)
def test_each_projector_can_hang_one_thing(show: str, page_kinds: set[str]) -> None:
    assert set(kinds(full_hall(40), show=show)) == page_kinds


def test_a_projector_for_the_standings_says_what_goes_on_until_there_are_any() -> None:
    assert kinds(full_hall(16), show="standings") == ["now"]


def test_teams_have_a_page_of_their_own() -> None:
    cup = full_hall(16)
    Entrant.objects.filter(tournament=cup, number__lte=8).update(team="Bamboo")
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    assert kinds(cup) == ["now", "tables", "standings", "teams"]


def test_while_they_look_for_their_seats_the_standings_are_one_page() -> None:
    cup = full_hall(64, starts=True)
    close_round(cup, DRAWN)
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
    cup = seated_cup(entrants=5, rounds=1, odd=OddNumber.SIT_OUT, starts=False)
    resting = fresh(cup).rounds.get().sitting_out.get().name
    (page,) = hung(cup, show="seats").pages
    assert [seat.name for seat in seats_on([page]) if seat.table is None] == [resting]
    assert big(cup)[-1] == f"Sitting out: {resting}"


def seats_on(pages: Sequence[WallPage]) -> list[PlayerSeat]:
    """Everyone on these pages, as one reads them."""
    return [
        guided_seat.seat
        for page in pages
        for column in page.columns
        for guided_seat in column
        if isinstance(guided_seat, GuidedSeat)
    ]


def test_names_stand_as_they_are_written_and_are_found_by_surname() -> None:
    names = ("Zoë Abbott", "Ann Yeo", "lin Mei", "Łucja Łoś", "Bea", "Cy L.", "Ann Abbott")
    (page,) = seat_pages("Find", [PlayerSeat(name, 1, "E") for name in names])
    in_order = ["Ann Abbott", "Zoë Abbott", "Bea", "Cy L.", "Łucja Łoś", "lin Mei", "Ann Yeo"]
    assert [seat.name for seat in seats_on([page])] == in_order
    guided_seats = [
        guided_seat
        for column in page.columns
        for guided_seat in column
        if isinstance(guided_seat, GuidedSeat)
    ]
    assert [guided_seat.guide for guided_seat in guided_seats] == ["A", "", "B", "L", "", "M", "Y"]
    assert [guided_seat.surname for guided_seat in guided_seats] == [
        "Abbott",
        "Abbott",
        "Bea",
        "L.",
        "Łoś",
        "Mei",
        "Yeo",
    ]
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
    cut_pages = list(pages_of_columns(range(count)))
    assert (len(cut_pages), len(cut_pages[0]), len(cut_pages[0][0])) == (pages, columns, rows)
    assert [row for page in cut_pages for column in page for row in column] == list(range(count))


@pytest.mark.sampled(law="long plays")
def test_everybody_in_a_hall_of_four_hundred_is_on_one_page_once() -> None:
    seats = seats_on(hung(full_hall(400, rounds=1), show="seats").pages)
    assert sorted(seat.name for seat in seats) == sorted(people(400))
    assert {seat.table for seat in seats} == set(range(1, 101))


@pytest.mark.parametrize(
    ("page_text", "page_number", "following"),
    [("2", 2, 3), ("1", 1, 2), ("3", 3, 1), ("9", 1, 2), ("٣", 1, 2), ("", 1, 2)],
)
def test_the_wall_begins_with_the_page_asked_for(
    page_text: str, page_number: int, following: int
) -> None:
    wall = hung(full_hall(64, rounds=1), page=page_text)
    assert (wall.start_page, wall.next) == (page_number, following)


@pytest.mark.parametrize("rounds", [1, 3])
def test_the_wall_is_as_many_queries_after_one_round_as_after_three(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = full_hall(16, rounds=rounds, minutes=75, starts=True)
    for _ in range(rounds - 1):
        next_round(cup, SECOND_WINS)
    play_round(cup, SECOND_WINS)
    cup = fresh(cup)
    with django_assert_num_queries(10):
        wall_of(cup, now=timezone.now())


def wall_at(cup: Tournament) -> str:
    return f"/e/{cup.wall_key}/"


def test_the_screen_asks_for_one_thing_to_be_scanned(client: Client) -> None:
    page = client.get(wall_at(seated_cup(minutes_a_round=60))).content.decode()
    assert page.lower().count("scan") == 1
    assert "Scan to see your table and score" in page


def test_before_the_seating_the_wall_counts_who_has_entered(client: Client) -> None:
    page = client.get(wall_at(make_cup(entrants=7)))
    assertContains(page, '<p class="wall__clock wall__clock--words">7</p>', html=True)


def test_the_wall_shows_who_sits_where_and_who_leads(client: Client) -> None:
    cup = seated_cup(rounds=1, hands=1)
    assertNotContains(client.get(wall_at(cup)), "Standings")
    play_round(cup, SECOND_WINS)
    page = client.get(wall_at(cup))
    assertContains(page, 'data-page="standings"')
    assertContains(page, "+240")
    assertContains(page, "page=2")
    assertContains(client.get(wall_at(cup), {"page": "3"}), "page=1")


def test_a_projector_without_javascript_keeps_to_what_it_was_asked_for(client: Client) -> None:
    page = client.get(wall_at(full_hall(64)), {"show": "seats"})
    assertContains(page, "url=?show=seats&amp;page=2")
    assertNotContains(page, 'data-page="now"')


def test_the_wall_is_sent_again_only_when_there_is_news(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(rounds=1, hands=1)
    with django_assert_num_queries(1):
        assert client.get(wall_at(cup), {"v": cup.version}).status_code == 204
    play_round(cup, SECOND_WINS)
    news = client.get(wall_at(cup), {"v": cup.version})
    assertContains(news, "+240")
    assertNotContains(news, "<html")


def test_the_wall_leads_phones_to_their_own_names_and_no_further(client: Client) -> None:
    cup = full_hall(16, minutes=75, starts=True)
    page = client.get(wall_at(cup))
    assertContains(page, f"http://testserver/e/{cup.wall_key}/find/")
    assertContains(page, 'class="qr"')
    for table in Table.objects.filter(round__tournament=cup):
        assertNotContains(page, table.link_key)


def test_the_clock_of_the_hall_is_asked_for_by_itself(client: Client) -> None:
    cup = full_hall(16, minutes=75)
    assert client.get(f"{wall_at(cup)}clock/").content.strip() == b""
    services.start_round(tournament=cup)
    clock = client.get(f"{wall_at(cup)}clock/", {"as": "huge"})
    assertContains(clock, "clock--huge")
    assertContains(clock, f'data-at="{wall_at(cup)}clock/?as=huge"')
    assertContains(client.get(wall_at(cup)), "clock--corner")


def test_a_slip_in_the_address_is_explained(client: Client) -> None:
    for address in ("/e/nothing/", "/e/nothing/clock/", "/e/nothing/find/"):
        page = client.get(address)
        assertContains(page, "Nothing to show here", status_code=404)


@pytest.mark.parametrize("address", ["/e/wall-worker.js", "/w/wall-worker.js"])
def test_the_walls_own_worker_answers_for_walls_alone(client: Client, address: str) -> None:
    worker = client.get(address)
    assert worker["Content-Type"].startswith("text/javascript")
    assertContains(worker, 'pathname.startsWith("/static/")')


def me(cup: Tournament, name: str) -> MyTournament:
    entrant = Entrant.objects.get(tournament=cup, name=name)
    my_page = my_tournament(fresh(cup), entrant_id=entrant.pk, now=timezone.now())
    assert my_page is not None
    return my_page


def find(cup: Tournament) -> str:
    return f"/e/{cup.wall_key}/find/"


def two_rounds_played(*, last: bool = False) -> Tournament:
    """Four over two rounds: a win, then a draw that is still open."""
    cup = seated_cup(rounds=2, hands=1)
    close_round(cup, SECOND_WINS)
    if last:
        results_services.hide_last_round(tournament=fresh(cup))
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    return fresh(cup)


def test_i_see_my_table_my_wind_and_who_sits_with_me_from_my_own_chair() -> None:
    cup = full_hall(16)
    place = Placement.objects.filter(round__tournament=cup, round__number=1, table__number=3)[2]
    now = me(cup, place.entrant.name).now
    assert isinstance(now, MyRound)
    assert (now.number, now.table, now.wind) == (1, 3, "W")
    placements = Placement.objects.filter(table=place.table).order_by("seat__number")
    names = [placement.entrant.name for placement in placements]
    assert [(chair.position, chair.name) for chair in now.square] == [
        (1, names[2]),
        (2, names[3]),
        (3, names[0]),
        (4, names[1]),
    ]
    assert [chair.wind for chair in now.square] == ["W", "N", "E", "S"]


def test_my_other_rounds_say_what_i_made_and_where_i_sit_next() -> None:
    cup = full_hall(16, starts=True)
    close_round(cup, SECOND_WINS)
    own_page = me(cup, sits(cup, 2))
    assert own_page.now is not None
    assert own_page.now.number == 2
    assert [(my_round.number, my_round.points) for my_round in own_page.other_rounds] == [
        (1, "+240"),
        (3, ""),
    ]
    assert own_page.other_rounds[1].table is not None
    assert own_page.line is not None
    assert own_page.line.place == "1="
    assert own_page.figures[0] == ("Table points", "4")


def test_a_round_that_is_closed_is_among_my_rounds_also_if_it_is_the_last() -> None:
    cup = two_rounds_played()
    name = cup.entrants.all()[0].name
    assert [my_round.number for my_round in me(cup, name).other_rounds] == [1]
    services.close_round(tournament=cup)
    assert [my_round.number for my_round in me(cup, name).other_rounds] == [1, 2]


def test_what_a_kept_last_round_does_is_not_on_my_phone() -> None:
    cup = two_rounds_played(last=True)
    winner = sits(cup, 2, round_number=2)
    own_page = me(cup, winner)
    assert own_page.now is not None
    assert own_page.now.points == ""
    assert own_page.board.standing == "after round 1"
    results_services.release_results(tournament=cup)
    now = me(cup, winner).now
    assert now is not None
    assert now.points == "+240"


def test_kept_standings_are_those_after_the_last_hand() -> None:
    cup = seated_cup(rounds=1, hands=2)
    name = sits(cup, 2)
    for hands, gain in ((1, "+240"), (2, "+600")):
        play_round(cup, *[SECOND_WINS] * hands)
        assert dict(me(cup, name).figures)["Total gain"] == gain


def test_who_sits_out_is_told_so() -> None:
    cup = seated_cup(entrants=5, rounds=2, odd=OddNumber.SIT_OUT, starts=False)
    resting = cup.rounds.get(number=1).sitting_out.get()
    now = me(cup, resting.name).now
    assert now is not None
    assert (now.table, now.sits_out) == (None, True)


def test_a_substitute_finds_the_seat_under_either_name(client: Client) -> None:
    cup = seated_cup(rounds=1)
    place = Placement.objects.filter(round__tournament=cup)[0]
    changes.set_substitute(tournament=cup, entrant=place.entrant, name="Wendy Ware", number=1)
    (match,) = find_names(fresh(cup), search_text="wendy")
    assert (match.name, match.about) == ("Wendy Ware", f"substitute for {place.entrant.name}")
    page = client.get(find(cup), {"me": match.entrant_id})
    assertContains(page, f"Wendy Ware is playing for {place.entrant.name}.")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("luk", ["Ann Łukasiewicz", "Zoë Łukasiewicz"]),
        ("ZOE l", ["Zoë Łukasiewicz"]),
        ("nobody", []),
    ],
)
def test_a_few_letters_are_enough_accents_and_capitals_aside(text: str, names: list[str]) -> None:
    cup = make_cup(entrants=0)
    setup_services.enter_names(
        tournament=cup, names=["Zoë Łukasiewicz", "Ann Łukasiewicz", "Ben Brown"]
    )
    assert [match.name for match in find_names(fresh(cup), search_text=text)] == names


def test_without_javascript_letters_are_sent_and_a_name_is_pressed(client: Client) -> None:
    cup = full_hall(16)
    page = client.get(find(cup), {"find": "efua"})
    entrant = Entrant.objects.get(tournament=cup, name="Efua Abbott")
    assertContains(page, f'href="{find(cup)}?me={entrant.pk}"')
    assertNotContains(page, "Ann Abbott")
    assertContains(client.get(find(cup), {"find": "qqq"}), "No one found called “qqq”.")


def test_the_phone_remembers_me_until_i_say_that_it_is_not_me(client: Client) -> None:
    cup = full_hall(16)
    entrant = Entrant.objects.get(tournament=cup, name="Efua Abbott")
    client.get(find(cup), {"me": entrant.pk})
    assertContains(client.get(find(cup)), "<h1>Efua Abbott</h1>", html=True)
    cookie = client.cookies["me"]
    assert (cookie["path"], cookie["httponly"]) == (find(cup), True)
    client.get(find(cup), {"me": "0"})
    assertContains(client.get(find(cup)), "<h1>Find my table</h1>", html=True)


@pytest.mark.parametrize("key", ["999999", "x", "-1", "9" * 30, "²", ""])
def test_a_number_that_is_nobody_leads_to_the_list(client: Client, key: str) -> None:
    page = client.get(find(full_hall(16)), {"me": key})
    assertContains(page, "Find my table")


def test_somebody_of_another_tournament_is_not_shown_here(client: Client) -> None:
    cup = full_hall(16)
    other_cup = make_cup(entrants=4, club=cup.club)
    stranger = other_cup.entrants.all()[0]
    assertContains(client.get(find(cup), {"me": stranger.pk}), "Find my table")


def test_my_page_is_sent_again_only_when_there_is_news(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(rounds=1, hands=1)
    entrant = cup.entrants.all()[0]
    query = {"me": entrant.pk, "v": cup.version}
    with django_assert_num_queries(1):
        assert client.get(find(cup), query).status_code == 204
    play_round(cup, DRAWN)
    news = client.get(find(cup), query)
    assertContains(news, 'id="me"')
    assertNotContains(news, "<html")


def test_no_tables_link_is_on_the_page(client: Client) -> None:
    cup = full_hall(16, starts=True)
    page = client.get(find(cup), {"me": cup.entrants.all()[0].pk})
    for table in Table.objects.filter(round__tournament=cup):
        assertNotContains(page, table.link_key)


def test_the_clock_runs_on_my_phone(client: Client) -> None:
    cup = full_hall(16, minutes=75, starts=True)
    page = client.get(find(cup), {"me": cup.entrants.all()[0].pk})
    assertContains(page, f'data-at="/e/{cup.wall_key}/clock/"')


def test_at_the_end_i_read_my_place_and_the_way_to_the_results(client: Client) -> None:
    cup = finish(two_rounds_played())
    results_services.publish_results(tournament=cup)
    page = client.get(find(cup), {"me": cup.entrants.all()[0].pk})
    assertContains(page, "of 4</h2>")
    assertContains(page, f"/e/{cup.wall_key}/results/")


@pytest.mark.parametrize("rounds", [1, 3])
def test_my_page_is_as_many_queries_after_one_round_as_after_three(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = full_hall(16, rounds=rounds, minutes=75, starts=True)
    play_round(cup, SECOND_WINS)
    entrant, fresh_cup = cup.entrants.all()[0], fresh(cup)
    for queries in (8, 5):  # the standings are kept until something changes
        with django_assert_num_queries(queries):
            my_tournament(fresh_cup, entrant_id=entrant.pk, now=timezone.now())


def test_whoever_withdrew_is_marked_on_the_wall_beside_a_seat_and_a_place(client: Client) -> None:
    cup = seated_cup(entrants=8, rounds=2, hands=1)
    close_round(cup, SECOND_WINS)
    leaver = cup.entrants.get(name="Player 3")
    setup_services.withdraw(tournament=cup, entrant=leaver)
    wall = client.get(f"/e/{cup.wall_key}/")
    assertContains(wall, "3 (withdrew)", count=2)
    assertContains(client.get(f"/e/{cup.wall_key}/?show=tables"), "3 (withdrew)", count=1)
    places = Placement.objects.filter(round__number=2, table__placements__entrant=leaver)
    mate = places.exclude(entrant=leaver).first()
    assert mate is not None
    assertContains(client.get(f"/e/{cup.wall_key}/find/?me={mate.entrant_id}"), "3 (withdrew)")
    changes.set_substitute(tournament=cup, entrant=leaver, name="Joan Ash", number=2)
    wall = client.get(f"/e/{cup.wall_key}/")
    assertContains(wall, "Ash")
    assertContains(wall, "3 (withdrew)", count=1)
