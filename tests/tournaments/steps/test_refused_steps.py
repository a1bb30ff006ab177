"""A refused step leaves no trace: no row, no line of the activity log, nobody on the entry list."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import Any, Final
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings, strategies as st
from pytest_django.asserts import assertContains, assertNotContains

from clubs.models import AuditEntry
from tests.api import api_client, game_at, look, patch, send
from tests.clubs.visits import Visitor
from tests.pageforms import hidden_in
from tests.people import Cast
from tests.sampling import examples
from tests.tournaments.cups import SECOND_WINS, make_cup, page_of, play_round, seated_cup
from tournaments.models import Entrant, OddNumber, Round, RoundState, Table, Tournament
from tournaments.setup import services as setup_services
from tournaments.steps import services

pytestmark = pytest.mark.django_db
BAD_REQUEST: Final = 400
PAIR: Final = ("leaver", "newcomer")


def all_rows() -> list[list[tuple[Any, ...]]]:
    """Every row of tournaments and of the score book, and the activity log."""
    models = [*apps.get_app_config("tournaments").get_models()]
    models += [*apps.get_app_config("scorebook").get_models(), AuditEntry]
    rows = [list(model._base_manager.order_by("pk").values_list()) for model in models]
    through_model = Round.sitting_out.through
    return [*rows, list(through_model._base_manager.order_by("pk").values_list())]


@dataclass
class Director:
    """Presses steps over the API: some as they are, some stale, some that cannot be."""

    client: Client
    cup: Tournament
    chance: Random
    stale: list[str] = field(default_factory=lambda: ['"stale"'])

    @property
    def url(self) -> str:
        return f"/api/v1/clubs/{self.cup.club.slug}/tournaments/{self.cup.pk}/"

    def press(self, path: str, *, tag: str = "", **body: Any) -> Any:
        """A step of the tournament, or at a whole address."""
        address = path if path.startswith("/") else f"{self.url}{path}"
        return send(self.client, address, body, tag=tag)

    def tag(self, path: str) -> str:
        """The ETag of a step's dry run; empty if it was refused."""
        tag: str = look(self.client, f"{self.url}{path}").headers.get("ETag", "")
        return tag

    def sure_step(self, path: str) -> Any:
        """The step as its page shows it now."""
        answer = look(self.client, f"{self.url}{path}")
        number = answer.json().get("round")
        body = {} if number is None else {"round": number}
        return self.press(path, tag=answer.headers["ETag"], **body)

    def step(self, path: str, **body: Any) -> Any:
        """The step as its page shows it now, or as it showed it some steps ago, or nonsense."""
        answer = look(self.client, f"{self.url}{path}")
        number = answer.json().get("round")
        if number is not None:
            body["round"] = self.chance.choice([number, number, number, number + 1, 1])
        return self.press(path, tag=self.state(answer.headers.get("ETag")), **body)

    def state(self, fresh: str | None) -> str:
        if fresh:
            self.stale.append(fresh)
        return self.chance.choice([fresh or "", fresh or "", self.chance.choice(self.stale)])

    def seats(self) -> str:
        """The ETag of the seating, now or of some steps ago."""
        return self.state(self.tag("seat/"))

    def entrant(self) -> int:
        """Somebody on the list, a house player too, or nobody."""
        keys = list(Entrant.objects.filter(tournament=self.cup).values_list("pk", flat=True))
        return self.chance.choice([*keys, 999_999])

    def game(self) -> str:
        """The game of some table of some round, or one that is not there."""
        round_, number = self.chance.choice([1, 1, 2, 3]), self.chance.choice([1, 2, 3])
        table = Table.objects.filter(round__in=self.cup.rounds.filter(number=round_), number=number)
        return game_at(table[0]) if table else "/api/v1/games/999999/"


def reported_hand(**body: Any) -> dict[str, Any]:
    """A hand that seat 1 won, or another one."""
    scores = {"1": 28, "2": 8, "3": 4, "4": 0}
    return {"submission_id": str(uuid4()), "winner": 1, "scores": scores, "number": 1, **body}


def hand(director: Director) -> Any:
    number = director.chance.choice([1, 1, 2])
    return director.press(f"{director.game()}hands/", **reported_hand(number=number))


def hand_of_table(director: Director, action: str, **body: Any) -> Any:
    game = director.game()
    hands = director.client.get(game).json().get("hands", [])
    key = director.chance.choice([*(row["id"] for row in hands), 999_999])
    return director.press(f"{game}hands/{key}/{action}/", **body)


def ruling(director: Director) -> Any:
    kind = director.chance.choice(["cannon", "false_mahjong_exposed", "adjustment", "nonsense"])
    body: dict[str, Any] = {
        "submission_id": str(uuid4()),
        "what": kind,
        "seat": director.chance.choice([1, 2]),
    }
    points: dict[str, Any] = (
        {"points": director.chance.choice([0, 5])} if kind == "adjustment" else {}
    )
    return director.press(f"{director.game()}rulings/", reason="seen", number=1, **body, **points)


def withdraw(director: Director) -> Any:
    key = director.entrant()
    return director.press(
        f"entrants/{key}/withdraw/", tag=director.state(director.tag(f"entrants/{key}/withdraw/"))
    )


def by_standing(director: Director) -> Any:
    return director.press(
        "seating/by-standings/", tag=director.state(director.tag("seating/by-standings/"))
    )


def by_hand(director: Director) -> Any:
    names = list(director.cup.entrants.order_by("number").values_list("name", flat=True))[:4]
    director.chance.shuffle(names)
    tables = [{"number": 1, "names": names}]
    return director.press(
        "seating/by-hand/2/", tag=director.state(""), tables=tables, others_sit_out=True
    )


def play_all(director: Director) -> Any:
    """A hand at every table of the round; the answer of the last one, or of no game."""
    playing = Table.objects.filter(round__in=director.cup.rounds.filter(state=RoundState.PLAYING))
    games = [game_at(table) for table in playing] or [director.game()]
    scores = {"1": 4, "2": 52, "3": 8, "4": 0}
    return [
        director.press(f"{game}hands/", **reported_hand(winner=2, scores=scores)) for game in games
    ][-1]


STEPS: Final[dict[str, Callable[[Director], Any]]] = {
    "seat": lambda director: director.step("seat/"),
    "clear": lambda director: director.step("clear/"),
    "start": lambda director: director.step("start/"),
    "unstart": lambda director: director.step("start/undo/"),
    "close": lambda director: director.step("close/"),
    "reopen": lambda director: director.step("close/undo/", reason="a slip"),
    "finish": lambda director: director.step("finish/"),
    "resume": lambda director: director.step("finish/undo/", reason="a slip"),
    "publish": lambda director: director.step("results/publish/"),
    "play": play_all,
    "hand": hand,
    "undo": lambda director: hand_of_table(director, "undo"),
    "correct": lambda director: hand_of_table(
        director, "correct", winner=2, scores={"1": 4, "2": 52, "3": 8, "4": 0}, reason="a slip"
    ),
    "ruling": ruling,
    "stop": lambda director: director.press(
        f"{director.game()}stop/", action=director.chance.choice(["stop", "play_on"])
    ),
    "stop all": lambda director: director.press(
        "stop-tables/", round=director.chance.choice([1, 2])
    ),
    "withdraw": withdraw,
    "readmit": lambda director: director.press(
        f"entrants/{director.entrant()}/readmit/", tag=director.state(None)
    ),
    "enter": lambda director: director.press(
        "entrants/names/", names=[f"Late {director.chance.randint(1, 9)}"]
    ),
    "anew": lambda director: director.press("seating/changes/reseat/", tag=director.seats()),
    "swap": lambda director: director.press(
        "seating/changes/swap/",
        number=2,
        one=director.entrant(),
        other=director.entrant(),
        tag=director.seats(),
    ),
    "substitute": lambda director: director.press(
        "seating/changes/substitute/",
        entrant=director.entrant(),
        name=director.chance.choice(["Sue", "", "Late 3"]),
        number=1,
        tag=director.seats(),
    ),
    "takeover": lambda director: director.press(
        "seating/changes/takeover/",
        leaver=director.entrant(),
        newcomer=director.chance.choice([0, director.entrant()]),
        tag=director.seats(),
    ),
    "undo a change": lambda director: director.press(
        "seating/changes/undo/", change=director.chance.choice([1, 9])
    ),
    "by standing": by_standing,
    "by hand": by_hand,
    "rounds": lambda director: patch(
        director.client, f"{director.url}settings/", rounds=director.chance.choice([2, 4, 0])
    ),
    "odd number": lambda director: patch(
        director.client,
        f"{director.url}entrants/terms/",
        odd_number=director.chance.choice(["house", "sit_out", "x"]),
    ),
}


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


PRESSED: Final = st.lists(st.sampled_from(sorted(STEPS)), min_size=8, max_size=25)
CUPS: Final = st.tuples(st.integers(8, 10), st.sampled_from(["house", "sit_out"]), st.booleans())


@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(cup=CUPS, steps=PRESSED, seed=st.integers(0, 2**16))
def test_a_refused_step_leaves_no_trace(
    cast: Cast, cup: tuple[int, str, bool], steps: list[str], seed: int
) -> None:
    entrants, odd_number, is_by_standing = cup
    with rolled_back():
        cup_settings: dict[str, Any] = {"by_standing_from": 2} if is_by_standing else {}
        event = make_cup(
            entrants=entrants,
            rounds=3,
            hands=1,
            club=cast.club,
            odd=OddNumber(odd_number),
            **cup_settings,
        )
        director = Director(api_client(cast.director), event, Random(seed))
        opening = [director.sure_step("seat/"), director.sure_step("start/"), play_all(director)]
        assert [answer.status_code for answer in opening] == [200, 200, 201]
        for name in chain(["close"], steps):
            rows_before = all_rows()
            answer = STEPS[name](director)
            if answer.status_code >= BAD_REQUEST and name != "play":
                assert all_rows() == rows_before, f"{name} was refused: {answer.content!r}"


def house_cup(cast: Cast) -> tuple[Director, Tournament]:
    """Eleven and a house player have played a round, and one has gone home."""
    cup = seated_cup(entrants=12, rounds=4, hands=1, club=cast.club, odd=OddNumber.HOUSE)
    play_round(cup, SECOND_WINS)
    services.close_round(tournament=cup)
    setup_services.withdraw(tournament=cup, entrant=cup.entrants.get(name="Player 1"))
    return Director(api_client(cast.director), cup, Random(1)), cup


def test_the_page_lets_a_house_player_take_over(cast: Cast, director: Client) -> None:
    _, cup = house_cup(cast)
    page = page_of(cup, "seating/changes/ways/")
    text = director.get(page).content.decode()
    form = hidden_in(text, page, page_of(cup, "seating/changes/takeover/"))
    answer = director.post(page_of(cup, "seating/changes/takeover/"), form, follow=True)
    assertContains(answer, "House player takes over the places of Player 1.")


def test_a_stale_reseating_names_the_swap_that_came_before(cast: Cast, director: Client) -> None:
    _, cup = house_cup(cast)
    page = page_of(cup, "seating/changes/ways/")
    text = director.get(page).content.decode()
    form = hidden_in(text, page, page_of(cup, "seating/changes/anew/"))
    entrant, other_entrant = cup.entrants.filter(name__in=["Player 2", "Player 3"])
    other_director = Visitor(cast.secretary)
    other_director.post(
        page_of(cup, "seating/changes/"),
        {"way": "swap", "swap-number": "2", "swap-one": entrant.pk, "swap-other": other_entrant.pk},
    )
    answer = director.post(page_of(cup, "seating/changes/anew/"), form, follow=True)
    assertContains(answer, "swapped Player 2 and Player 3")
    assertNotContains(answer, "reseated the remaining rounds")
    assert not cup.entrants.filter(is_house=True).exists()
    assert not AuditEntry.objects.filter(what="seating-anew").exists()


def test_a_house_player_takes_over_from_whoever_has_left(cast: Cast) -> None:
    director, cup = house_cup(cast)
    (option,) = [
        option
        for option in director.client.get(f"{director.url}seating/changes/options/").json()[
            "options"
        ]
        if option["leaver"]
    ]
    assert option["newcomer"] == 0
    assert not cup.entrants.filter(is_house=True).exists()
    tag = director.tag("seat/")
    answer = director.press("seating/changes/takeover/", tag=tag, **{k: option[k] for k in PAIR})
    assert answer.status_code == 201
    (house,) = cup.entrants.filter(is_house=True)
    assert house.placements.count() == 3
    line = AuditEntry.objects.order_by("pk").last()
    assert line is not None
    assert line.about["newcomer"] == house.pk
    assert cup.changes.get().what == "House player takes over the places of Player 1"
