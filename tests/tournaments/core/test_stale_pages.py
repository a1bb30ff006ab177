"""A page that was left open steps on nothing else: it says what the other director did."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest
from django.test import Client

from tests.api import api_client, look, send
from tests.clubs.visits import Visitor
from tests.pageforms import hidden_in
from tests.people import Cast
from tests.tournaments.cups import DRAWN, fresh, make_cup, play_round, seated_cup, tables
from tournaments.models import Call, Entrant, Round, SeatingChange, Table, Tournament
from tournaments.results import services as results_services
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services
from tournaments.steps import services

WHY = {"reason": "hand 1 was misread"}
START, UNSTART, CLOSE, REOPEN = "start/", "start/undo/", "close/", "close/undo/"
Acts = tuple[tuple[str, dict[str, str]], ...]


class Stale(NamedTuple):
    """A form left open at a moment of the cup, what the other did since, and what is then read."""

    moment: str
    page: str
    form: str
    other_acts: Acts
    message: str
    form_data: dict[str, str] = {}


SWAP = {"way": "swap", "swap-number": "2", "swap-one": "{one}", "swap-other": "{other}"}
LEAVE, RETURN, MOVE = "entrants/{one}/withdraw/", "entrants/{one}/readmit/", "prizes/{prize}/move/"
TERMS = {"kind": "place", "place": "3", "of": "=", "name": "Third", "gift": "A cup"}
LOOKED_AT = (
    "seat/",
    "clear/",
    START,
    UNSTART,
    CLOSE,
    REOPEN,
    "finish/",
    "finish/undo/",
    "results/publish/",
)
CLOSED: Acts = ((CLOSE, {}), (START, {}))
PAGES = {
    "seat": Stale(
        "entered", "seat/", "seat/", (("seat/", {}),), "The seating was already drawn by Alice at"
    ),
    "seat, drawn anew since": Stale(
        "entered", "seat/", "seat/", (("seat/", {}), ("seating/changes/", SWAP)),
        "Alice swapped Player 1 and Player 2 in Autumn Cup at",
    ),
    "clear": Stale(
        "seated", "clear/", "clear/", (("seating/changes/", SWAP),),
        "Alice swapped Player 1 and Player 2 in Autumn Cup at",
    ),
    "start": Stale(
        "closed", START, START, ((START, {}), ("rounds/2/", {}), (CLOSE, {})),
        "Round 2 was already started by Alice at",
    ),
    "start, twice": Stale(
        "closed", START, START, ((START, {}),), "Round 2 was already started by Alice at"
    ),
    "take the start back": Stale(
        "started", UNSTART, UNSTART, ((UNSTART, {}),),
        "The start of round 1 was already undone by Alice at",
    ),
    "take another start back": Stale(
        "started", UNSTART, UNSTART, (("rounds/1/", {}), (CLOSE, {}), (START, {})),
        "Alice started round 2 of Autumn Cup at",
    ),
    "close": Stale(
        "played", CLOSE, CLOSE, (*CLOSED, ("rounds/2/", {})),
        "Round 1 was already closed by Alice at",
    ),
    "close a round that was reopened": Stale(
        "played", CLOSE, CLOSE, ((CLOSE, {}), (REOPEN, WHY)),
        "Alice reopened round 1 of Autumn Cup at",
    ),
    "start a round after another was reopened": Stale(
        "closed", START, START, ((REOPEN, WHY), (CLOSE, {})),
        "Alice closed round 1 of Autumn Cup at",
    ),
    "a table stopped in a round that was reopened": Stale(
        "started", CLOSE, "close/stopped/1/",
        (("rounds/1/", {}), (CLOSE, {}), (REOPEN, WHY)),
        "Alice reopened round 1 of Autumn Cup at",
    ),
    "publish results that were reopened and finished again": Stale(
        "finished", "results/publish/", "results/publish/",
        (("finish/undo/", WHY), ("finish/", {})), "Alice finished Autumn Cup at",
    ),
    "open a round again": Stale(
        "closed", REOPEN, REOPEN, ((START, {}), ("rounds/2/", {}), (CLOSE, {})),
        "Alice closed round 2 of Autumn Cup at", WHY,
    ),
    "open a round again, twice": Stale(
        "closed", REOPEN, REOPEN, ((REOPEN, WHY),),
        "Round 1 was already reopened by Alice at", WHY,
    ),
    "a table stopped": Stale(
        "started", CLOSE, "close/stopped/1/", (("rounds/1/", {}), (CLOSE, {}), (START, {})),
        "Alice started round 2 of Autumn Cup at",
    ),
    "finish": Stale(
        "over", "finish/", "finish/", (("finish/", {}), ("finish/undo/", WHY)),
        "Alice reopened Autumn Cup at",
    ),
    "finish, twice": Stale(
        "over", "finish/", "finish/", (("finish/", {}),),
        "The tournament was already finished by Alice at",
    ),
    "open the tournament again": Stale(
        "finished", "finish/undo/", "finish/undo/",
        (("finish/undo/", WHY), ("finish/", {})), "Alice finished Autumn Cup at", WHY,
    ),
    "publish": Stale(
        "finished", "results/publish/", "results/publish/", (("finish/undo/", WHY),),
        "Alice reopened Autumn Cup at",
    ),
    "publish, twice": Stale(
        "finished", "results/publish/", "results/publish/", (("results/publish/", {}),),
        "The results were already published by Alice at",
    ),
    "close the page of results": Stale(
        "published", "standings/", "results/withdraw/",
        (("results/withdraw/", {}), ("results/publish/", {})),
        "Alice published the results of Autumn Cup at",
    ),
    "keep the last round back": Stale(
        "over", "standings/", "results/hide/", (("results/hide/", {}), ("results/release/", {}),
        ("finish/", {})), "Alice finished Autumn Cup at",
    ),
    "release the last round": Stale(
        "hidden", "standings/", "results/release/", (("results/release/", {}),),
        "The last round was already shown by Alice at",
    ),
    "seat anew": Stale(
        "seated", "seating/changes/ways/", "seating/changes/anew/", (("seating/changes/", SWAP),),
        "Alice swapped Player 1 and Player 2 in Autumn Cup at",
    ),
    "change places, twice": Stale(
        "seated", "seating/changes/", "seating/changes/", (("seating/changes/", SWAP),),
        "Alice swapped Player 1 and Player 2 in Autumn Cup at", SWAP,
    ),
    "a substitute": Stale(
        "seated", "seating/changes/", "seating/changes/", (("seating/changes/anew/", {}),),
        "Alice reseated the remaining rounds of Autumn Cup at",
        {"way": "substitute", "substitute-number": "2", "substitute-entrant": "{one}",
         "substitute-name": "Joan"},
    ),
    "undo": Stale(
        "swapped", "seating/changes/", "seating/changes/undo/", (("seating/changes/undo/", {}),),
        "Alice undid a seating change in Autumn Cup at",
    ),
    "stop the clock": Stale(
        "started", "", "clock/set/", (("clock/set/", {"do": "pause"}),),
        "Alice set the clock of Autumn Cup at", {"do": "pause"},
    ),
    "ring the bell": Stale(
        "started", "", "clock/set/", (("rounds/1/", {}), (CLOSE, {}), (START, {})),
        "Alice started round 2 of Autumn Cup at", {"do": "ring"},
    ),
    "more minutes": Stale(
        "started", "", "clock/minutes/", (("rounds/1/", {}), (CLOSE, {}), (START, {})),
        "Alice started round 2 of Autumn Cup at", {"minutes": "5"},
    ),
    "answer a call": Stale(
        "called", "", "rounds/1/tables/1/call/answered/",
        (("rounds/1/tables/1/call/answered/", {}), ("call", {})),
        "Alice has already dealt with table 1, at",
    ),
    "withdraw, twice": Stale(
        "seated", LEAVE, LEAVE, ((LEAVE, {}),), "Player 1 was already withdrawn by Alice at"
    ),
    "withdraw again": Stale(
        "seated", LEAVE, LEAVE, ((LEAVE, {}), (RETURN, {})),
        "Alice readmitted Player 1 to Autumn Cup at",
    ),
    "return, twice": Stale(
        "withdrawn", "entrants/", RETURN, ((RETURN, {}),),
        "Player 1 was already added to the tournament by Alice at",
    ),
    "return again": Stale(
        "withdrawn", "entrants/", RETURN, ((RETURN, {}), (LEAVE, {})),
        "Alice withdrew Player 1 from Autumn Cup at",
    ),
    "move a prize up": Stale(
        "prizes", "prizes/", MOVE, ((MOVE, {"up": ""}),),
        "Alice moved a prize of Autumn Cup up or down at", {"up": ""},
    ),
    "move a prize down": Stale(
        "prizes", "prizes/", MOVE, ((MOVE, {"down": ""}),),
        "Alice moved a prize of Autumn Cup up or down at", {"down": ""},
    ),
    "delete a prize": Stale(
        "prizes", "prizes/", "prizes/{prize}/remove/", (("prizes/{prize}/", TERMS),),
        "Alice changed a prize of Autumn Cup at",
    ),
    "tick one prize each, twice": Stale(
        "prizes", "prizes/", "prizes/rule/", (("prizes/rule/", {"one_each": "on"}),),
        "“One prize per person” was already ticked by Alice at", {"one_each": "on"},
    ),
    "untick one prize each, twice": Stale(
        "ticked", "prizes/", "prizes/rule/", (("prizes/rule/", {}),),
        "“One prize per person” was already unticked by Alice at",
    ),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("name", PAGES)
def test_a_page_left_open_does_nothing_and_names_who_was_first(cast: Cast, name: str) -> None:
    stale, cup = PAGES[name], at_the_moment(cast, PAGES[name].moment)
    alice, dev = Visitor(cast.secretary), Visitor(cast.director)
    fields = left_open(dev, cup, stale)
    for path, form_data in stale.other_acts:
        act(alice, cup, path, form_data)
    state_before = state_of(cup)
    form_data = {**fields, **fill_in_keys(cup, stale.form_data)}
    answer = dev.post(page_url(cup, stale.form), form_data, follow=True)
    page = re.sub(r"\s+", " ", answer.content.decode())
    at_a_time = re.escape(stale.message) + r" \d{1,2}(:\d\d)?( noon| midnight|[ap]m)"
    assert re.search(at_a_time, page), reading(page)
    assert "already" in stale.message or ", after you opened this." in page
    assert state_of(cup) == state_before


OVER_THE_API = {
    "start": ("closed", START, "Round 2 was already started by Alice at"),
    "close": ("played", CLOSE, "Round 1 was already closed by Alice at"),
    "take the start back": ("started", UNSTART, "The start of round 1 was already undone by"),
    "open a round again": ("closed", REOPEN, "Round 1 was already reopened by Alice at"),
    "seat": ("entered", "seat/", "The seating was already drawn by Alice at"),
    "clear": ("seated", "clear/", "The seating was already cleared by Alice at"),
    "finish": ("over", "finish/", "The tournament was already finished by Alice at"),
    "open it again": ("finished", "finish/undo/", "The tournament was already reopened by"),
    "publish": ("finished", "results/publish/", "The results were already published by Alice at"),
}


@pytest.mark.parametrize("name", OVER_THE_API)
def test_a_program_that_names_what_it_looked_at_steps_on_nothing_else(
    cast: Cast, name: str
) -> None:
    moment, step, message = OVER_THE_API[name]
    cup = at_the_moment(cast, moment)
    reason_fields = WHY if step in {REOPEN, "finish/undo/"} else {}
    program = api_client(cast.director)
    url = f"/api/v1/clubs/{cup.club.slug}/tournaments/{cup.pk}/{step}"
    looked_at = look(program, url)
    number = looked_at.json()["round"]
    body = {**reason_fields, "round": number} if number else reason_fields
    act(Visitor(cast.secretary), cup, step, reason_fields)
    state_before = state_of(cup)
    answer = send(program, url, body, tag=looked_at.headers["ETag"])
    assert answer.status_code == 412
    (problem,) = answer.json()["problems"]
    assert problem["message"].startswith(message)
    assert problem["code"] == "already_done"
    assert state_of(cup) == state_before


ROUNDS = {
    name: OVER_THE_API[name]
    for name in ("start", "close", "take the start back", "open a round again")
}


@pytest.mark.parametrize("name", ROUNDS)
def test_a_program_that_names_no_round_is_named_to_who_comes_second(cast: Cast, name: str) -> None:
    moment, step, message = ROUNDS[name]
    cup, reason_fields = at_the_moment(cast, moment), WHY if step == REOPEN else {}
    dev = Visitor(cast.director)
    fields = hidden_in(
        dev.get(page_url(cup, step)).content.decode(), page_url(cup, step), page_url(cup, step)
    )
    url = f"/api/v1/clubs/{cup.club.slug}/tournaments/{cup.pk}/{step}"
    response = api_client(cast.secretary).post(url, reason_fields, content_type="application/json")
    assert response.status_code == 200
    page = dev.post(page_url(cup, step), {**fields, **reason_fields}, follow=True).content.decode()
    assert message.removesuffix(" Alice at").removesuffix(" by") in page
    assert re.search(r" by [^<]*Alice[^<]* at \d", page), reading(page)


@pytest.mark.sampled
@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_nobody_overtook_does_its_step(cast: Cast, name: str) -> None:
    stale, cup = PAGES[name], at_the_moment(cast, PAGES[name].moment)
    dev = Visitor(cast.director)
    fields, state_before = left_open(dev, cup, stale), state_of(cup)
    dev.post(page_url(cup, stale.form), {**fields, **fill_in_keys(cup, stale.form_data)})
    assert state_of(cup) != state_before


def left_open(client: Client, cup: Tournament, stale: Stale) -> dict[str, str]:
    """The hidden fields of the form, which carry what the page was shown for."""
    page = client.get(page_url(cup, stale.page))
    fields = hidden_in(page.content.decode(), page_url(cup, stale.page), page_url(cup, stale.form))
    assert {"round", "shown", "call"} & fields.keys(), f"{stale.form} carries no state"
    return {key: value for key, value in fields.items() if key != "way"}


def act(client: Client, cup: Tournament, path: str, form_data: dict[str, str]) -> None:
    """What the other does: a press on a page, hands for a round, or a table that calls."""
    if path.startswith("rounds/") and path.endswith(("1/", "2/")) and "tables" not in path:
        play_round(cup, DRAWN)
    elif path == "call":
        services.call_director(table=tables(cup)[0])
    else:
        page = page_url(cup, path)
        forms = client.get(page).content.decode() if path in LOOKED_AT else ""
        fields = hidden_in(forms, page, page) if forms else {}
        client.post(page, {**fields, **fill_in_keys(cup, form_data)})


def at_the_moment(cast: Cast, moment: str) -> Tournament:
    """A cup of two rounds of one hand against the clock, brought so far."""
    cup = make_cup(entrants=4, rounds=2, hands=1, club=cast.club)
    for step in STEPS[moment]:
        step(tournament=cup)
    return Tournament.objects.get(pk=cup.pk)


def against_the_clock(*, tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(minutes_a_round=60)


def play_drawn_hands(*, tournament: Tournament) -> None:
    play_round(tournament, DRAWN)


def swap_entrants(*, tournament: Tournament) -> None:
    entrant, other_entrant = tournament.entrants.all()[2:4]
    changes.swap(
        tournament=tournament, number=2, one=entrant, other=other_entrant, made_by="user 1"
    )


def call_director(*, tournament: Tournament) -> None:
    services.call_director(table=tables(tournament)[0])


def withdrawn(*, tournament: Tournament) -> None:
    first = tournament.entrants.get(number=1)
    setup_services.withdraw(tournament=tournament, entrant=first)


Step = Callable[..., object]
SEATED: tuple[Step, ...] = (against_the_clock, seating.seat_rounds)
STARTED = (*SEATED, services.start_round)
OVER = (
    *STARTED,
    play_drawn_hands,
    services.close_round,
    services.start_round,
    play_drawn_hands,
    services.close_round,
)
PRIZES: tuple[Step, ...] = (results_services.declare_usual_prizes,)
STEPS: dict[str, tuple[Step, ...]] = {
    "entered": (against_the_clock,),
    "seated": SEATED,
    "withdrawn": (*SEATED, withdrawn),
    "swapped": (*SEATED, swap_entrants),
    "started": STARTED,
    "called": (*STARTED, call_director),
    "played": (*STARTED, play_drawn_hands),
    "closed": (*STARTED, play_drawn_hands, services.close_round),
    "over": OVER,
    "hidden": (*OVER, results_services.hide_last_round),
    "finished": (*OVER, services.finish_tournament),
    "published": (*OVER, services.finish_tournament, results_services.publish_results),
    "prizes": PRIZES,
    "ticked": (*PRIZES, partial(results_services.set_prize_rule, one_each=True)),
}


def page_url(cup: Tournament, path: str) -> str:
    """The address of a page of the cup: of its first player, or of its third prize."""
    keys = {"one": cup.entrants.earliest("number").pk}
    if "{prize}" in path:
        keys["prize"] = cup.prizes.get(name="Third").pk
    return f"/c/{cup.club.slug}/tournaments/{cup.pk}/{path.format(**keys)}"


def fill_in_keys(cup: Tournament, form_data: dict[str, str]) -> dict[str, str]:
    """What is typed, with the first two players by their keys."""
    entrant, other_entrant = Entrant.objects.filter(tournament=cup).order_by("number")[:2]
    return {
        key: value.format(one=entrant.pk, other=other_entrant.pk)
        for key, value in form_data.items()
    }


def state_of(cup: Tournament) -> list[Any]:
    """Everything that one of the steps changes."""
    rounds = Round.objects.filter(tournament=cup).order_by("number")
    seats = cup.rounds.order_by("number").values_list("number", "placements__entrant")
    return [
        *Tournament.objects.filter(pk=cup.pk).values_list(
            "state", "hides_last_round", "published_at", "one_prize_each"
        ),
        *cup.entrants.values_list("pk", "state"),
        *cup.prizes.values_list("number", "name", "gift"),
        *rounds.values_list("state", "paused_at", "rung_at", "minutes_added"),
        *seats.values_list("placements__substitute", "placements__seat__number"),
        *Table.objects.filter(round__tournament=cup).values_list("pk", "stopped_at"),
        *Call.objects.values_list("pk", "answered_at"),
        *SeatingChange.objects.values_list("pk", "undone_at"),
        cup.drawings.count(),
    ]


def reading(page: str) -> str:
    """What the page says, for the report of a test that fails."""
    return re.sub(r"<[^>]+>", " ", page.partition("<main")[2])[:800]


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    """Four players with seats in two rounds, and five prizes."""
    cup = seated_cup(club=cast.club)
    results_services.declare_usual_prizes(tournament=cup)
    return cup


@pytest.fixture
def alice(cast: Cast) -> Client:
    return Visitor(cast.secretary)


def read_hidden_fields(client: Client, cup: Tournament, page: str, form: str) -> dict[str, str]:
    """The hidden fields of a form on a page."""
    return hidden_in(
        client.get(page_url(cup, page)).content.decode(), page_url(cup, page), page_url(cup, form)
    )


def press(client: Client, cup: Tournament, form: str, form_data: dict[str, str]) -> str:
    """The text of the page that follows the press."""
    answer = client.post(page_url(cup, form), form_data, follow=True)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.parametrize("act", ["withdraw", "note", "readmit"])
def test_someone_taken_off_the_list_for_good_is_no_missing_page(
    cast: Cast, alice: Client, director: Client, act: str
) -> None:
    cup = make_cup(entrants=4, club=cast.club)
    first = cup.entrants.get(number=1).pk
    form = f"entrants/{first}/withdraw/"
    alice.post(page_url(cup, form), read_hidden_fields(alice, cup, form, form))
    assert not Entrant.objects.filter(pk=first).exists()
    form_data = {"tick": "has_paid", "to": "yes"}
    page = press(director, cup, f"entrants/{first}/{act}/", form_data)
    assert re.search(r"This player was already withdrawn by Alice at [\w: ]+\.", page)
    looked_at = director.get(page_url(cup, form), follow=True)
    assert "This player was already withdrawn by Alice" in looked_at.content.decode()
    assert director.post(page_url(cup, f"entrants/{first + 1000}/{act}/")).status_code == 404


@pytest.mark.parametrize("form", ["remove/", "move/", ""])
def test_a_prize_that_is_gone_is_no_missing_page(
    cup: Tournament, alice: Client, director: Client, form: str
) -> None:
    first = cup.prizes.all()[0].pk
    hidden_fields = read_hidden_fields(director, cup, "prizes/", f"prizes/{first}/remove/")
    assert "First deleted." in press(alice, cup, f"prizes/{first}/remove/", hidden_fields)
    prize_names = list(cup.prizes.values_list("name", flat=True))
    page = press(director, cup, f"prizes/{first}/{form}", {**hidden_fields, "down": ""})
    assert re.search(r"This prize was already deleted by Alice at \d[\w: ]*\.", page)
    assert list(cup.prizes.values_list("name", flat=True)) == prize_names
    assert director.post(page_url(cup, f"prizes/{first + 1000}/{form}")).status_code == 404


@pytest.mark.parametrize("is_ticked", [True, False])
def test_one_prize_per_person_is_not_ticked_back_unseen(
    cup: Tournament, alice: Client, director: Client, *, is_ticked: bool
) -> None:
    results_services.set_prize_rule(tournament=cup, one_each=not is_ticked)
    hidden_fields = read_hidden_fields(director, cup, "prizes/", "prizes/rule/")
    now, old_fields = ({"one_each": "on"} if is_on else {} for is_on in (is_ticked, not is_ticked))
    press(alice, cup, "prizes/rule/", {**hidden_fields, **now})
    page = press(director, cup, "prizes/rule/", {**hidden_fields, **old_fields})
    expected_text = (
        r"Alice changed the prize rules of Autumn Cup at \d[\w: ]*, after you opened this\."
    )
    assert re.search(expected_text, page)
    assert fresh(cup).one_prize_each is is_ticked


@pytest.mark.parametrize("act", ["withdraw", "readmit"])
def test_a_program_that_sends_what_it_read_is_told_who_was_first(
    cast: Cast, cup: Tournament, act: str
) -> None:
    program, alice = api_client(cast.director), api_client(cast.secretary)
    if act == "readmit":
        withdrawn(tournament=cup)
    url = f"/api/v1{page_url(cup, 'entrants/{one}/').replace('/c/', '/clubs/')}"
    response = look(program, f"{url}withdraw/") if act == "withdraw" else program.get(url)
    tag = response.headers["ETag"]
    assert send(alice, f"{url}{act}/", {}, tag=tag).status_code < 300
    answer = send(program, f"{url}{act}/", {}, tag=tag)
    (problem,) = answer.json()["problems"]
    assert (answer.status_code, problem["code"]) == (412, "already_done")
    assert "Player 1 was already" in problem["message"]
    assert "Alice" in problem["message"]


CHANGES = "seating/changes/"


def substitute(client: Client, cup: Tournament, name: str, state: str, number: int = 1) -> Any:
    """Enter a substitute for the player of that number from round 1 on."""
    form_data = {
        "way": "substitute",
        "substitute-entrant": cup.entrants.get(number=number).pk,
        "substitute-name": name,
        "substitute-number": "1",
        "substitute-goes_on": "on",
        "shown": state,
    }
    return client.post(page_url(cup, CHANGES), form_data, follow=True)


def joan_sits_in(cup: Tournament, alice: Client, director: Client, number: int = 1) -> str:
    """Alice enters Joan for a player; returns the state that the director's page was shown for."""
    state = read_hidden_fields(director, cup, CHANGES, CHANGES)["shown"]
    substitute(
        alice, cup, "Joan", read_hidden_fields(alice, cup, CHANGES, CHANGES)["shown"], number
    )
    return state


def sits_in(cup: Tournament) -> set[str]:
    return set(cup.entrants.get(number=1).placements.values_list("substitute", flat=True))


def test_the_second_director_reads_who_entered_whom_and_replaces_no_one(
    cup: Tournament, alice: Client, director: Client
) -> None:
    answer = substitute(director, cup, "Sue", joan_sits_in(cup, alice, director))
    assert answer.status_code == 422
    page = answer.content.decode()
    expected_text = (
        r"Joan is already the substitute for Player 1 in rounds 1, 2, entered by Alice at \d"
    )
    assert re.search(expected_text, re.sub(r"\s+", " ", page))
    assert 'value="Sue"' in page
    assert sits_in(cup) == {"Joan"}
    substitute(
        director,
        cup,
        "Sue",
        hidden_in(page, page_url(cup, CHANGES), page_url(cup, CHANGES))["shown"],
    )
    assert sits_in(cup) == {"Sue"}


def test_the_same_substitute_entered_twice_is_done_already(
    cup: Tournament, alice: Client, director: Client
) -> None:
    answer = substitute(director, cup, "Joan", joan_sits_in(cup, alice, director))
    assert answer.status_code == 200
    assert "Joan is already the substitute for Player 1" in answer.content.decode()
    assert "Nothing was changed" not in answer.content.decode()


def test_a_substitute_for_another_seat_names_who_changed_the_seating(
    cup: Tournament, alice: Client, director: Client
) -> None:
    state = joan_sits_in(cup, alice, director, number=2)
    page = substitute(director, cup, "Sue", state).content.decode()
    assert re.search(r"Alice [^.]*Player 2 in Autumn Cup at [\w: ]+, after you opened", page)
    assert sits_in(cup) == {""}


def test_a_program_replaces_no_substitute_that_it_has_not_read(cast: Cast, cup: Tournament) -> None:
    program, alice = api_client(cast.director), api_client(cast.secretary)
    cup_url = f"/api/v1/clubs/{cup.club.slug}/tournaments/{cup.pk}/"
    tag = program.get(f"{cup_url}{CHANGES}").headers["ETag"]
    body = {"entrant": cup.entrants.get(number=1).pk, "number": 1}
    first = send(alice, f"{cup_url}{CHANGES}substitute/", {**body, "name": "Joan"}, tag=tag)
    assert first.status_code == 200
    answer = send(program, f"{cup_url}{CHANGES}substitute/", {**body, "name": "Sue"}, tag=tag)
    (problem,) = answer.json()["problems"]
    assert answer.status_code == 412
    assert re.search(r"Joan is already the substitute for Player 1.*Alice", problem["message"])
    assert sits_in(cup) == {"Joan"}
