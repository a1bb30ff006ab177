"""The director's desk: the next step, which tables want looking at, and who has called."""

from datetime import datetime, timedelta
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.seating.why import join_with_and
from scoring import rule_set, rule_set_keys
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused
from tests.people import Cast
from tests.scoring.scorebook.book import agree, dispute
from tests.threads import at_once
from tests.tournaments.cups import (
    DRAWN,
    NAMES,
    SECOND_WINS,
    close_round,
    finish,
    fresh,
    make_cup,
    page_of,
    play_round,
    post,
    seated_cup,
    seated_cups,
    sits,
    tables,
)
from tournaments.desk.selectors import desk_state, find_current_table
from tournaments.models import Call, OddNumber, Table, Tournament
from tournaments.results.services import publish_results
from tournaments.rounds.watch import Watch, duration_text, is_outdated, time_ago
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db


def step(cup: Tournament) -> tuple[str, str]:
    """What the desk asks for now: title and button."""
    desk_step = desk_state(fresh(cup)).step
    return (desk_step.title, desk_step.button)


@pytest.mark.parametrize(
    ("entrant_count", "text"),
    [
        (0, "No entries yet. Tables seat four: 4 more make 4."),
        (1, "1 player has entered. Tables seat four: 3 more make 4."),
        (
            7,
            (
                "7 players have entered. Tables seat four: 1 more makes 8. "
                "You can also use house players, or let players sit out in turn."
            ),
        ),
    ],
)
def test_players_are_asked_for_until_they_fill_tables_of_four(
    entrant_count: int, text: str
) -> None:
    desk_step = desk_state(make_cup(entrants=entrant_count)).step
    assert (desk_step.title, desk_step.address) == ("Add players", "entrants")
    assert desk_step.text == text


@pytest.mark.parametrize(
    ("entrant_count", "odd_number", "text"),
    [
        (7, OddNumber.HOUSE, "at 2 tables"),
        (7, OddNumber.HOUSE, " 1 house player fills the last table."),
        (6, OddNumber.HOUSE, " 2 house players fill the last table."),
        (7, OddNumber.SIT_OUT, "at 1 table,"),
        (7, OddNumber.SIT_OUT, " 3 players sit out each round, in turn."),
        (5, OddNumber.SIT_OUT, " 1 player sits out each round, in turn."),
    ],
)
def test_the_desk_says_what_is_done_with_an_odd_number(
    entrant_count: int, odd_number: OddNumber, text: str
) -> None:
    desk_step = desk_state(make_cup(entrants=entrant_count, odd=odd_number)).step
    assert desk_step.title == f"{entrant_count} players are ready to be seated"
    assert text in desk_step.text


def test_the_desk_leads_from_the_seating_to_the_last_standing() -> None:
    cup = make_cup(entrants=4, rounds=2, hands=1)
    assert step(cup) == ("4 players are ready to be seated", "Seat the 2 rounds")
    seating.seat_rounds(tournament=cup)
    assert step(cup) == ("Round 1 of 2 is seated", "Start round 1")
    services.start_round(tournament=cup)
    assert step(cup) == ("Round 1 is being played", "Close round 1")
    close_round(cup, DRAWN)
    assert step(cup) == ("Round 2 of 2 is seated", "Start round 2")
    services.start_round(tournament=cup)
    close_round(cup, DRAWN)
    assert step(cup) == ("All rounds are closed", "Finish the tournament")
    services.finish_tournament(tournament=cup)
    assert step(cup) == ("The tournament is finished", "Publish the results")
    publish_results(tournament=cup)
    assert step(cup) == ("The results are published", "")


def test_the_desk_says_that_publishing_shows_a_hidden_round() -> None:
    cup = seated_cup(rounds=1, hands=1)
    close_round(cup, DRAWN)
    services.finish_tournament(tournament=fresh(cup))
    Tournament.objects.update(hides_last_round=True)
    assert step(fresh(cup)) == ("The tournament is finished", "Show last round and publish")


def test_the_desk_counts_the_tables_that_are_done() -> None:
    cup = seated_cup(entrants=16, rounds=1, hands=2)
    post(tables(cup)[0], DRAWN, DRAWN)
    assert desk_state(cup).step.text == "1 of 4 tables has finished."


def ways_back_of(cup: Tournament) -> list[str]:
    """The links below the step, in words."""
    return [link.text for link in desk_state(fresh(cup)).undo_steps]


def test_every_state_has_a_way_out() -> None:
    cup = make_cup(entrants=4, rounds=2, hands=1)
    assert ways_back_of(cup) == []
    seating.seat_rounds(tournament=cup)
    assert ways_back_of(cup) == ["Clear the seating"]
    services.start_round(tournament=cup)
    assert ways_back_of(cup) == ["Undo the start", "Clear the seating"]
    play_round(cup, DRAWN)
    assert ways_back_of(cup) == []
    services.close_round(tournament=cup)
    assert ways_back_of(cup) == ["Reopen round 1"]
    services.start_round(tournament=cup)
    assert ways_back_of(cup) == ["Undo the start"]
    finish(cup, DRAWN)
    assert ways_back_of(cup) == ["Reopen the tournament"]


NOW = timezone.now()


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


def begin_round(cup: Tournament, *, ago: float) -> datetime:
    """The round began so many minutes ago; returns the time to look at it."""
    cup.rounds.filter(number=1).update(started_at=NOW - minutes(ago))
    return NOW


def agree_hands(table: Table, *, ago: float, hands: int = 1) -> None:
    """The table has played so many hands, all agreed, the last so many minutes ago."""
    for hand in post(table, *[DRAWN] * hands):
        agree(hand)
    Hand.objects.filter(game=table.game).update(sent_at=NOW - minutes(ago))


def watch(cup: Tournament, watched_at: datetime = NOW) -> Watch:
    return desk_state(fresh(cup), watched_at=watched_at).watch


def marks_by_table(
    cup: Tournament, watched_at: datetime = NOW
) -> list[tuple[int, list[tuple[str, str]]]]:
    """Table numbers with their marks, in the order of the desk."""
    return [
        (watched_table.table.number, [(mark.sign, mark.text) for mark in watched_table.marks])
        for watched_table in watch(cup, watched_at).tables
    ]


def test_trouble_stands_above_what_waits_and_what_is_done() -> None:
    cup = seated_cup(entrants=28, rounds=1, hands=2)
    calling_table, disputed_table, silent, waiting, idle, playing, done_table = tables(cup)
    moment = begin_round(cup, ago=60)
    agree_hands(done_table, ago=3, hands=2)
    agree_hands(playing, ago=3)
    post(waiting, DRAWN)
    agree_hands(silent, ago=20)
    dispute(post(disputed_table, DRAWN)[0])
    services.call_director(table=calling_table, reason="We do not agree")
    Call.objects.update(called_at=moment - minutes(2))
    services.answer_call(table=services.call_director(table=idle).table, answered_by="user 1")
    assert marks_by_table(cup, moment) == [
        (1, [("called", "called 2 minutes ago"), ("idle", "not started")]),
        (2, [("trouble", "hand 1 not agreed")]),
        (3, [("quiet", "no hand for 20 minutes"), ("playing", "hand 1 of 2")]),
        (4, [("waiting", "hand 1 not agreed yet"), ("playing", "hand 1 of 2")]),
        (5, [("idle", "not started")]),
        (6, [("playing", "hand 1 of 2")]),
        (7, [("done", "done")]),
    ]  # fmt: skip
    assert [watched_table.table.number for watched_table in watch(cup, moment).urgent_tables] == [
        1,
        2,
        3,
    ]
    assert watch(cup, moment).tables[0].call.what == "We do not agree"  # type: ignore[union-attr]


def test_the_desk_says_which_table_is_short_of_players_and_what_can_be_done(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(names=NAMES, rounds=2, hands=1, club=cast.club, starts=False)
    assertNotContains(director.get(page_of(cup)), "short of players")
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(name="Ann Abbott"))
    remaining_players = [
        name for name in map(partial(sits, cup), (1, 2, 3, 4)) if name != "Ann Abbott"
    ]
    warning = (
        f"Table 1 has only 3 players: {join_with_and(remaining_players)}. Ann Abbott has withdrawn."
    )
    page = director.get(page_of(cup))
    assertContains(page, "Round 1 of 2 is seated, but a table is short of players")
    assertContains(
        page, f"{warning} Reseat the round, or let someone else play. A table of three can"
    )
    assertContains(page, f'id="other" href="{page_of(cup, "seating/changes/")}"')
    services.start_round(tournament=cup)
    page = director.get(page_of(cup))
    assertContains(page, f"{warning} Someone else can play: add a substitute.")
    assertContains(page, 'id="other"')
    play_round(cup, SECOND_WINS)
    assertNotContains(director.get(page_of(cup)), "has withdrawn")


@pytest.mark.parametrize("rules", [*rule_set_keys()])
def test_three_play_on_with_an_empty_seat_only_where_every_hand_has_a_score(
    director: Client, cast: Cast, rules: str
) -> None:
    cup = seated_cup(rounds=1, hands=1, club=cast.club, rules=rules, starts=False)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(number=1))
    page = director.get(page_of(cup)).content.decode()
    assert ("enter 0 for the empty seat" in page) == rule_set(rules).losers_score


def test_the_desk_names_few_tables_that_are_short_and_counts_the_others(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(entrants=20, rounds=1, hands=1, club=cast.club, starts=False)
    for table in range(1, 6):
        name = sits(cup, 1, table=table)
        setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(name=name))
    page = director.get(page_of(cup))
    assertContains(page, "is seated, but 5 tables are short of players")
    assertContains(page, "Table 3 has only 3 players")
    assertNotContains(page, "Table 4 has only 3 players")
    assertContains(page, "2 more tables are short.")


def test_without_a_call_the_desk_says_how_many_hands_are_not_agreed(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(entrants=12, rounds=1, hands=2, club=cast.club)
    assertContains(director.get(page_of(cup)), "No tables need attention")
    first, second, third = tables(cup)
    post(first, DRAWN)
    message = "No calls. 1 hand is not agreed yet at 1 table."
    assertContains(director.get(page_of(cup)), message)
    post(second, DRAWN, DRAWN)
    page = director.get(page_of(cup))
    assertContains(page, "No calls. 3 hands are not agreed yet at 2 tables.")
    assertContains(page, "2 hands not agreed yet")
    assertContains(director.get(page_of(cup, "close/")), "tables 1 and 2: 3 hands have not been")
    services.call_director(table=third)
    assertContains(director.get(page_of(cup)), "1 table needs attention")


def test_once_the_tournament_is_finished_no_hand_waits_to_be_agreed(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(entrants=4, rounds=1, hands=2, club=cast.club)
    (table,) = tables(cup)
    first, _ = post(table, DRAWN, DRAWN)
    places = (page_of(cup), page_of(cup, "rounds/1/tables/1/"), f"/r/{table.link_key}/hands/")
    for place in places:
        assertContains(director.get(place), "not agreed yet")
    services.close_round(tournament=cup)
    dispute(first)
    desk = director.get(page_of(cup)).content.decode()
    assert desk.index("1 hand needs a decision") < desk.index('id="round"')
    services.finish_tournament(tournament=cup)
    for place in places:
        assertNotContains(director.get(place), "not agreed yet")
    assertContains(director.get(places[1]), "counts as entered")
    assertNotContains(director.get(page_of(cup)), "needs a decision")


def test_who_called_first_stands_first() -> None:
    cup = seated_cup(entrants=12, rounds=1)
    first, second, third = tables(cup)
    for table, waits in ((first, 1), (second, 5), (third, 3)):
        call = services.call_director(table=table)
        Call.objects.filter(pk=call.pk).update(called_at=NOW - minutes(waits))
    assert [watched_table.table.number for watched_table in watch(cup).tables] == [2, 3, 1]


def test_a_table_is_silent_from_the_20th_minute_after_its_last_hand() -> None:
    cup = seated_cup(rounds=1, hands=2)
    begin_round(cup, ago=90)
    agree_hands(tables(cup)[0], ago=0)
    assert [table.sign for table in watch(cup, NOW + minutes(19.9)).tables] == ["playing"]
    assert [table.sign for table in watch(cup, NOW + minutes(20)).tables] == ["quiet"]


def test_while_the_clock_stands_nobody_is_silent_and_the_minutes_count_anew() -> None:
    cup = seated_cup(rounds=1)
    begin_round(cup, ago=90)
    assert len(watch(cup).urgent_tables) == 1
    cup.rounds.update(paused_at=NOW - minutes(40))
    assert watch(cup).urgent_tables == ()
    cup.rounds.update(paused_at=None, resumed_at=NOW - minutes(19))
    assert watch(cup).urgent_tables == ()
    assert len(watch(cup, NOW + minutes(1)).urgent_tables) == 1


def test_the_picture_holds_until_a_table_turns_silent_and_then_for_a_minute() -> None:
    cup = seated_cup(entrants=8, rounds=1, hands=2)
    begin_round(cup, ago=5)
    agree_hands(tables(cup)[0], ago=1)
    assert watch(cup).valid_until == NOW + minutes(15)
    later_time = NOW + minutes(16)
    assert watch(cup, later_time).valid_until == later_time + minutes(1)
    for table in tables(cup):
        services.stop_table(table=table)
    assert watch(cup).valid_until is None


@pytest.mark.parametrize(
    ("until_text", "due"),
    [
        (str(int(NOW.timestamp()) - 1), True),
        (str(int(NOW.timestamp()) + 5), False),
        ("", False),
        ("soon", True),
        ("9" * 15, False),
        ("9" * 400, True),
    ],
    ids=["its time has come", "its time will come", "no time", "no sense", "never", "no number"],
)
def test_a_picture_is_due_when_its_time_has_come(until_text: str, due: bool) -> None:
    assert is_outdated(until_text, now=NOW) is due


@pytest.mark.parametrize(
    ("minute_count", "duration", "time_text"),
    [
        (0.5, "0 minutes", "just now"),
        (1, "1 minute", "1 minute ago"),
        (119, "119 minutes", "119 minutes ago"),
        (120, "2 hours", "2 hours ago"),
    ],
)
def test_how_long_is_told_in_words(minute_count: float, duration: str, time_text: str) -> None:
    assert duration_text(NOW - minutes(minute_count), NOW) == duration
    assert time_ago(NOW - minutes(minute_count), NOW) == time_text


def test_who_only_looks_on_is_told_of_the_play_alone() -> None:
    cup = seated_cup(rounds=1)
    begin_round(cup, ago=90)
    services.call_director(table=tables(cup)[0])
    desk_watch = desk_state(cup).watch
    assert [mark.text for table in desk_watch.tables for mark in table.marks] == ["not started"]
    assert (desk_watch.urgent_tables, desk_watch.valid_until) == ((), None)


@pytest.mark.parametrize(
    ("text", "number"), [("3", 3), ("5", None), ("", None), ("x", None), ("9" * 30, None)]
)
def test_a_table_is_found_by_its_number(text: str, number: int | None) -> None:
    cup = seated_cup(entrants=16, rounds=2)
    table = find_current_table(cup, text)
    assert (table.number if table else None) == number


@pytest.fixture
def table(cast: Cast) -> Table:
    return tables(seated_cup(rounds=2, hands=1, club=cast.club))[0]


def phone(table: Table) -> str:
    return reverse("round-table", args=[table.link_key])


def test_a_call_from_the_phone_is_on_the_desk_until_somebody_is_there(
    client: Client, director: Client, cast: Cast, table: Table
) -> None:
    version_before = Tournament.objects.get().version
    assertContains(client.get(f"{phone(table)}more/"), "Call the director")
    response = client.post(f"{phone(table)}call/", {"what": "We do not agree"})
    assertRedirects(response, phone(table))
    assert Tournament.objects.get().version == version_before + 1
    assertContains(client.get(phone(table)), "You called the director</strong> just now")
    page = director.get(page_of(table.round.tournament))
    assertContains(page, "1 table needs attention")
    assertContains(page, "<title>(1) Autumn Cup")
    assertContains(page, "We do not agree")
    url = reverse("table-call-answered", args=["riverside", table.round.tournament_id, 1, 1])
    assertContains(director.post(url, follow=True), "Call from table 1 dealt with.")
    call = Call.objects.get()
    assert (call.answered_by, call.what) == (f"user {cast.director.pk}", "We do not agree")
    assertContains(client.get(f"{phone(table)}more/"), "Call the director")
    assertContains(director.post(url, follow=True), "Dev has already dealt with table 1, at ")


def test_a_table_that_needs_nobody_any_more_says_so(client: Client, table: Table) -> None:
    client.post(f"{phone(table)}call/", {"what": "something made up"})
    client.post(f"{phone(table)}call/", {"step": "cancel"})
    call = Call.objects.get()
    assert (call.what, call.answered_by) == ("", f"round table {table.pk}")
    assert call.answered_at is not None


def test_pressed_twice_it_is_one_call_and_a_later_one_is_another(table: Table) -> None:
    first = services.call_director(table=table, reason="A question about the rules")
    assert services.call_director(table=table) == first
    assert services.answer_call(table=table, answered_by="user 1") is True
    assert services.answer_call(table=table, answered_by="user 2") is False
    assert services.call_director(table=table) != first
    assert list(Call.objects.values_list("answered_by", flat=True)) == ["user 1", ""]


def test_the_phone_asks_how_its_call_stands(client: Client, table: Table) -> None:
    services.call_director(table=table)
    part = client.get(f"{phone(table)}call/")
    assertContains(part, "Cancel call")
    assertNotContains(part, "<html")


def test_closing_the_round_ends_its_calls_and_takes_no_more(client: Client, table: Table) -> None:
    services.call_director(table=table)
    play_round(table.round.tournament, DRAWN)
    services.close_round(tournament=table.round.tournament)
    assert Call.objects.get().answered_at is not None
    with pytest.raises(Refused, match="which is closed"):
        services.call_director(table=table)
    assertNotContains(client.get(phone(table)), "Call the director")
    answer = client.post(f"{phone(table)}call/", follow=True)
    assertContains(answer, "This card is for round 1, which is closed.")


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_two_phones_at_once_make_one_call() -> None:
    for cup in seated_cups(rounds=1):
        (table,) = tables(cup)
        call = partial(services.call_director, table=table)
        first_call, second_call = at_once([call, call])
        assert isinstance(first_call, Call)
        assert first_call == second_call
    assert Call.objects.count() == 4


def test_the_desk_is_told_anew_when_its_minutes_have_passed(director: Client, table: Table) -> None:
    url, version = page_of(table.round.tournament), Tournament.objects.get().version
    now = int(timezone.now().timestamp())
    assert director.get(url, {"v": version, "until": now + 60}).status_code == 204
    table.round.tournament.rounds.filter(number=1).update(
        started_at=timezone.now() - timedelta(minutes=21)
    )
    news = director.get(url, {"v": version, "until": now - 1})
    assertContains(news, "<title>(1) Autumn Cup")
    assertContains(news, "no hand for 21 minutes")
    assertNotContains(news, "<html")


def test_the_desk_shows_only_what_wants_looking_at_if_asked(cast: Cast, director: Client) -> None:
    cup = seated_cup(entrants=12, rounds=1, club=cast.club)
    services.call_director(table=tables(cup)[1])
    url = page_of(cup)
    page = director.get(url, {"only": ""})
    assertContains(page, 'id="row-2"')
    assertNotContains(page, 'id="row-1"')
    assertContains(page, "&amp;only")
    assertContains(director.get(url), 'id="row-1"')


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("number=2", "rounds/1/tables/2/"),
        ("number= 2 &sheet=yes", "rounds/1/tables/2/score-sheet/"),
    ],
)
def test_the_desk_leads_to_a_table_by_its_number(
    cast: Cast, director: Client, query: str, path: str
) -> None:
    cup = seated_cup(entrants=12, rounds=2, club=cast.club)
    home = page_of(cup)
    assertRedirects(director.get(f"{home}tables/?{query}"), f"{home}{path}")
    missing = director.get(f"{home}tables/?number=40", follow=True)
    assertContains(missing, "There is no table “40” in this round.")


def test_a_finished_desk_offers_nothing_for_entering_hands(director: Client, cast: Cast) -> None:
    cup = seated_cup(rounds=1, hands=1, club=cast.club)
    play_round(cup, DRAWN)
    labels = ("Enter paper score sheet", "table cards (PDF)", "score sheets (PDF)", "Corrections")
    desk = director.get(page_of(cup))
    for text in labels:
        assertContains(desk, text)
    services.close_round(tournament=cup)
    services.finish_tournament(tournament=cup)
    desk = director.get(page_of(cup))
    for text in labels:
        assertNotContains(desk, text)
    prizes = director.get(page_of(cup, "prizes/"))
    assertContains(prizes, "These standard prizes are shown with the results:")
