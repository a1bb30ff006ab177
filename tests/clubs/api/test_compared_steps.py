"""Every step that compares an ETag is done with a fresh one, and not with another."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest
from django.test import Client
from django.urls import reverse

from clubs import api_urls as club_urls
from clubs.evenings.services import ending, evenings
from clubs.models import Session, SessionSeat
from tests.api import api_client, handlers_of, look, send
from tests.clubs.evenings.test_stale_evening import at_the_moment as evening_at
from tests.clubs.nights import DRAWN, SECOND_WINS, post
from tests.clubs.office import parts_of
from tests.people import Cast, make_player
from tests.tournaments.core.test_stale_pages import at_the_moment as cup_at
from tests.tournaments.cups import make_cup, play_round, tables
from tournaments import api_urls as tournament_urls
from tournaments.models import OddNumber, Tournament
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

Keys = dict[str, Any]
A_REASON: Final = {"reason": "misread"}
ITS_DRY_RUN: Final = ""


class Attempt(NamedTuple):
    """A step at a moment; ``reads`` is the operation whose ETag it takes, or its own dry run."""

    moment: Callable[[Cast], Keys]
    reads: str = ITS_DRY_RUN
    make_data: Callable[[Keys], dict[str, Any]] = lambda _: {}


def constant_data(**data: Any) -> Callable[[Keys], dict[str, Any]]:
    """The same, whoever is there."""
    return lambda _: data


# An evening of two tables of four


def evening(moment: str, *steps: Callable[[Session], object]) -> Callable[[Cast], Keys]:
    """The parts of addresses at an evening that was brought so far, and who is there."""

    def make_keys(cast: Cast) -> Keys:
        session = evening_at(cast, moment)
        for step in steps:
            step(session)
        seats = SessionSeat.objects.filter(session=session).order_by("pk")
        keys: Keys = {"club": cast.club.slug, "evening": session.pk, "number": 1}
        keys["seated"] = list(seats.values_list("player", flat=True))
        keys["waiting"] = list(cast.club.players.filter(name__startswith="Late").order_by("pk"))
        table = session.tables.order_by("number").first()
        if table is not None:
            hand = table.game.hands.filter(is_current=True).first()
            keys |= {"game": table.game_id, "hand": hand and hand.pk, "table": table}
        return keys

    return make_keys


def hands(session: Session) -> None:
    """Each table plays one, and not the same."""
    first, second = session.tables.order_by("number")
    post(first, SECOND_WINS)
    post(second, DRAWN)


def three_wait(session: Session) -> None:
    for name in ("Late Lou", "Late Mo", "Late Ned"):
        evenings.tick(session=session, player=make_player(session.club, name), is_here=True)


def seat_late_player(session: Session) -> None:
    """Someone who is waiting joins the first table."""
    three_wait(session)
    late_player, *_ = session.club.players.filter(name__startswith="Late")
    evenings.join_table(session=session, player=late_player, number=1)


def cancel_evening(session: Session) -> None:
    ending.cancel_session(session=session, reason="by mistake")


def in_game(**data: Any) -> Callable[[Keys], dict[str, Any]]:
    return constant_data(seat=1, other_seat=2, first=1, **A_REASON, **data)


THE_EVENING: Final = "api-evening-detail"
SEATED: Final = evening("seated")
PLAYED: Final = evening("seated", hands)
WAITING: Final = evening("seated", three_wait)
OTHER_WINNER: Final = {"winner": 1, "scores": {"1": 60, "2": 20, "3": 8, "4": 4}}
AT_AN_EVENING: Final[dict[str, Attempt]] = {
    "api-evening-seat": Attempt(evening("here"), THE_EVENING),
    "api-evening-clear": Attempt(SEATED, THE_EVENING),
    "api-evening-close": Attempt(PLAYED, THE_EVENING),
    "api-evening-reopen": Attempt(evening("closed"), THE_EVENING),
    "api-evening-cancel": Attempt(PLAYED, THE_EVENING, constant_data(**A_REASON)),
    "api-evening-restore": Attempt(evening("seated", hands, cancel_evening), THE_EVENING),
    "api-evening-places": Attempt(
        SEATED, THE_EVENING, lambda keys: {"one": keys["seated"][0], "other": keys["seated"][-1]}
    ),
    "api-evening-move": Attempt(
        SEATED, THE_EVENING, lambda keys: {"player": keys["seated"][-1], "number": 1}
    ),
    "api-evening-comes": Attempt(
        WAITING, THE_EVENING, lambda keys: {"player": keys["waiting"][0].pk, "number": 1}
    ),
    "api-evening-leaves": Attempt(
        SEATED, THE_EVENING, lambda keys: {"leaver": keys["seated"][0], "then": "ends"}
    ),
    "api-evening-new-table": Attempt(
        WAITING, THE_EVENING, lambda keys: {"players": [player.pk for player in keys["waiting"]]}
    ),
    "api-evening-change-undo": Attempt(evening("seated", hands, seat_late_player), THE_EVENING),
    "api-game-agree": Attempt(PLAYED, "api-game-hand"),
    "api-game-dispute": Attempt(PLAYED, "api-game-hand", constant_data(seat=1)),
    "api-game-correct-scores": Attempt(PLAYED, make_data=in_game()),
    "api-game-correct-seats": Attempt(PLAYED, make_data=in_game(right="names")),
    "api-game-correct-sheets": Attempt(
        PLAYED, make_data=constant_data(other=2, first=1, **A_REASON)
    ),
    "api-game-correct-winner": Attempt(
        PLAYED, make_data=constant_data(hand=1, report=OTHER_WINNER, **A_REASON)
    ),
}

# A tournament of one table and two rounds, against the clock


def cup(moment: str, *steps: Callable[[Tournament], object]) -> Callable[[Cast], Keys]:
    """The parts of addresses at a tournament that was brought so far, and who plays."""

    def make_keys(cast: Cast) -> Keys:
        tournament = cup_at(cast, moment)
        for step in steps:
            step(tournament)
        tournament.refresh_from_db()
        return keys_of(tournament)

    return make_keys


def keys_of(tournament: Tournament) -> Keys:
    entrants = list(tournament.entrants.order_by("number").values_list("pk", "name"))
    first = next(iter(tables(tournament)), None)
    return {
        "club": tournament.club.slug,
        "tournament": tournament.pk,
        "entrant": entrants[0][0],
        "other": entrants[1][0],
        "names": [name for _, name in entrants],
        "round": 2,
        "game": first and first.game_id,
    }


def from_standings(cast: Cast) -> Keys:
    """The first round is closed, and the second is seated by the standings."""
    tournament = make_cup(entrants=4, rounds=2, hands=1, club=cast.club, by_standing_from=2)
    seating.seat_rounds(tournament=tournament)
    services.start_round(tournament=tournament)
    play_round(tournament, DRAWN)
    services.close_round(tournament=tournament)
    return keys_of(tournament)


def with_a_house_player(cast: Cast) -> Keys:
    """After the first round a player has gone home: a house player may take over the seats."""
    tournament = make_cup(entrants=12, rounds=3, hands=1, club=cast.club, odd=OddNumber.HOUSE)
    seating.seat_rounds(tournament=tournament)
    services.start_round(tournament=tournament)
    play_round(tournament, DRAWN)
    services.close_round(tournament=tournament)
    first = tournament.entrants.get(number=1)
    setup_services.withdraw(tournament=tournament, entrant=first)
    return keys_of(tournament)


def swapped_seats(keys: Keys) -> list[str]:
    first, second, *other_names = keys["names"]
    return [second, first, *other_names]


THE_TOURNAMENT: Final = "api-tournament-detail"
THE_CLOCK: Final = "api-clock"
THE_CHANGES: Final = "api-seating-changes"
AT_A_TOURNAMENT: Final[dict[str, Attempt]] = {
    "api-tournament-seat": Attempt(cup("entered")),
    "api-tournament-clear": Attempt(cup("seated")),
    "api-round-start": Attempt(cup("seated")),
    "api-round-unstart": Attempt(cup("started")),
    "api-round-close": Attempt(cup("played")),
    "api-round-reopen": Attempt(cup("closed"), make_data=constant_data(**A_REASON)),
    "api-tournament-finish": Attempt(cup("over")),
    "api-tournament-reopen": Attempt(cup("finished"), make_data=constant_data(**A_REASON)),
    "api-results-publish": Attempt(cup("finished")),
    "api-stop-tables": Attempt(cup("started"), "post api-round-close"),
    "api-results-hide": Attempt(cup("over"), THE_TOURNAMENT),
    "api-results-release": Attempt(cup("hidden"), THE_TOURNAMENT),
    "api-results-withdraw": Attempt(cup("published"), THE_TOURNAMENT),
    "api-clock-set": Attempt(cup("started"), THE_CLOCK, constant_data(action="pause")),
    "api-clock-minutes": Attempt(cup("started"), THE_CLOCK, constant_data(minutes=5)),
    "api-game-minutes": Attempt(cup("started"), "api-game-clock", constant_data(minutes=5)),
    "api-entrant-withdraw": Attempt(cup("seated")),
    "api-entrant-readmit": Attempt(cup("withdrawn"), "api-entrant-detail"),
    "api-seating-swap": Attempt(
        cup("seated"),
        THE_CHANGES,
        lambda keys: {"number": 1, "one": keys["entrant"], "other": keys["other"]},
    ),
    "api-seating-substitute": Attempt(
        cup("seated"),
        THE_CHANGES,
        lambda keys: {"number": 1, "entrant": keys["entrant"], "name": "Late Lou"},
    ),
    "api-seating-anew": Attempt(with_a_house_player, THE_CHANGES),
    "api-seating-takeover": Attempt(
        with_a_house_player, THE_CHANGES, lambda keys: {"leaver": keys["entrant"], "newcomer": 0}
    ),
    "api-round-by-standing": Attempt(from_standings),
    "api-seating-by-hand": Attempt(
        cup("seated"),
        "api-seating-by-hand",
        lambda keys: {"tables": [{"number": 1, "names": swapped_seats(keys)}]},
    ),
    "api-seating-list": Attempt(
        cup("seated"), make_data=lambda keys: {"text": f"2,1,{','.join(swapped_seats(keys))}"}
    ),
}


def player(cast: Cast) -> Keys:
    return {"club": cast.club.slug, "player": make_player(cast.club, "Maud").pk}


ATTEMPTS: Final = {
    **AT_AN_EVENING,
    **AT_A_TOURNAMENT,
    "api-player-renew": Attempt(player, "api-player-detail"),
}


def address_of(name: str, keys: Keys) -> str:
    return reverse(name, kwargs={part: keys[part] for part in parts_of(name)})


def read(client: Client, name: str, keys: Keys) -> str:
    """The ETag of what the step of that name takes."""
    attempt = ATTEMPTS[name]
    if attempt.reads.startswith("api-"):
        return str(client.get(address_of(attempt.reads, keys)).headers["ETag"])
    step = attempt.reads.removeprefix("post ") or name
    data = attempt.make_data(keys) if step == name else {}
    return str(look(client, address_of(step, keys), data).headers["ETag"])


def steps_that_compare() -> set[str]:
    """The names of all operations that take the ETag of a reading."""
    return {
        str(pattern.name)
        for pattern in (*club_urls.urlpatterns, *tournament_urls.urlpatterns)
        for handler in handlers_of(pattern.callback).values()
        if getattr(handler, "reading", "")
    }


def test_every_step_that_compares_an_etag_is_tried() -> None:
    assert steps_that_compare() == {*ATTEMPTS}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_a_step_is_done_with_a_fresh_etag_and_not_with_another(cast: Cast, name: str) -> None:
    attempt, secretary = ATTEMPTS[name], api_client(cast.secretary)
    keys = attempt.moment(cast)
    address, data = address_of(name, keys), attempt.make_data(keys)
    tag = read(secretary, name, keys)
    stale_response = send(secretary, address, data, tag='"stale"')
    assert (stale_response.status_code, stale_response.headers["Content-Type"]) == (
        412,
        "application/problem+json",
    )
    response = send(secretary, address, data, tag=tag)
    assert response.status_code < 300, response.content
