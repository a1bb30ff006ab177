"""Tournaments in every state, the forms that their pages show, and odd ways to fill them in."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, reverse
from hypothesis import strategies as st

from clubs.models import Club
from scoring.scorebook.selectors import receipt_address
from tests.pageforms import Form, forms_in
from tests.people import Cast
from tests.scoring.scorebook.book import dispute
from tests.tournaments.cups import DRAWN, SECOND_WINS, case, fresh, make_cup, play_round, tables
from tournaments.models import Tournament
from tournaments.results import services as results_services
from tournaments.seating.services import seating
from tournaments.steps import services
from tournaments.table import services as table_services
from tournaments.table.views import phone_patterns
from tournaments.urls import urlpatterns

ODD = (
    *("", " ", "0", "-1", "1", "2", "5", "1000000", "9" * 40, "-" + "9" * 40, "1e5", "0.5", "½"),
    *("²", "٣", "nobody", "on", "None", "<b>", "x" * 10_000, "Ann\0", "\0", "🀄", "E", "\u202e"),
    *("2026-02-30", "9999-12-31", "0001-01-01", str(UUID(int=1)), "1,2", "\n\n", "a;b\n1;2"),
)
ODD_FILES = (b"", b"\xff\xfe\x00", b"name\n\x00", b"name,name\nAnn,Ann\n", b'"' * 300, b"PK\3\4")
MEANT = {
    "name": "Zoë",
    "names": "Zoë\nYan",
    "text": "name\nZoë\nYan",
    "reason": "A slip",
    "score_1": "20",
    "score_2": "60",
    "score_3": "8",
    "score_4": "4",
    "winner": "2",
    "points": "-50",
    "seat": "1",
    "number": "1",
    "minutes": "5",
    "places": "12",
    "find": "Ann",
    "held_on": "2026-12-01",
    "rounds": "3",
    "hands_a_round": "4",
    "minutes_a_round": "60",
}
IDS = (0, 1, 2, 3, 99, 9**40)


def forms_of(client: Client, address: str) -> list[Form]:
    """The forms of a tournament's page that the page shows to whoever asks."""
    return [
        form
        for form in read_forms(client, address)
        if form.address.split("/")[1] in {"c", "r", "e"}
    ]


def read_forms(client: Client, address: str) -> list[Form]:
    """The forms that the page shows to whoever asks."""
    page = client.get(address)
    if page.status_code != 200 or "html" not in page.headers["Content-Type"]:
        return []
    return forms_in(page.content.decode(), address)


def every_state(cast: Cast) -> list[Tournament]:
    """One taking entries, one seated, one in play, one by standing, one published, one elsewhere.

    The one in play has a clock, prizes, a hand that is not agreed, a ruling and a table calling.
    """
    seating_steps = (seating.seat_rounds,)
    playing_steps = (*seating_steps, services.start_round, _play)
    closing_steps = (*playing_steps, services.close_round)
    ending_steps = (*closing_steps, services.start_round, _play, services.close_round)
    cups = [
        _prepare_cup(cast.club, "Cup 1", ()),
        _prepare_cup(cast.club, "Cup 2", seating_steps, start_stake=2000),
        _prepare_cup(cast.club, "Cup 3", (*playing_steps, _trouble), minutes_a_round=60),
        _prepare_cup(cast.club, "Cup 4", closing_steps, by_standing_from=2),
        _prepare_cup(
            cast.club,
            "Cup 5",
            (*ending_steps, services.finish_tournament, results_services.publish_results),
        ),
    ]
    elsewhere = cast.stranger.memberships.get().club
    return [*cups, _prepare_cup(elsewhere, "Far Cup", playing_steps)]


def _prepare_cup(
    club: Club, name: str, steps: Sequence[Callable[..., Any]], **cup_fields: Any
) -> Tournament:
    names = [f"{name} {letter}" for letter in "ABCDEFGH"]
    cup = make_cup(club=club, name=name, names=names, rounds=2, hands=2, **cup_fields)
    for step in steps:
        step(tournament=cup)
    return fresh(cup)


def _play(*, tournament: Tournament) -> None:
    play_round(tournament, SECOND_WINS, DRAWN)


def _trouble(*, tournament: Tournament) -> None:
    (table, other_table) = tables(tournament)
    results_services.declare_usual_prizes(tournament=tournament)
    services.call_director(table=table)
    dispute(other_table.game.hands.get(number=2))
    table_services.adjust_points(case=case(table, 1), points=-100)


def address_in(cup: Tournament, pattern: URLPattern, **odd_parts: Any) -> str:
    """The address of this pattern in a tournament, with odd parts where they are given."""
    seated_tables = tables(cup)
    hand = seated_tables[0].game.hands.last() if seated_tables else None
    drawing, prize, printing = cup.drawings.first(), cup.prizes.first(), cup.printings.first()
    is_phone = str(pattern.pattern).startswith("r/")
    parts = {
        "club": cup.club.slug,
        "pk": cup.pk,
        "tournament": cup.pk,
        "key": seated_tables[0].link_key if is_phone and seated_tables else cup.wall_key,
        "entrant": cup.entrants.earliest("number").pk,
        "hand": hand.pk if hand else 1,
        "code": receipt_address(hand) if hand else "x",
        "prize": prize.pk if prize else 1,
        "drawing": drawing.pk if drawing else 1,
        "printout": "standings",
        "job": printing.pk if printing else UUID(int=1),
        **odd_parts,
    }
    names = pattern.pattern.converters
    return reverse(str(pattern.name), kwargs={name: parts.get(name, 1) for name in names})


def patterns() -> list[URLPattern]:
    """Every address of tournaments."""
    return [*phone_patterns, *urlpatterns]


def all_rows() -> dict[str, list[Any]]:
    """Every row of the club, the score book and the tournaments."""
    rooms = ("clubs", "scorebook", "tournaments")
    models = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.app_label in rooms
    ]
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values_list())
        for model in models
    }


@st.composite
def filled_in(draw: st.DrawFn, form: Form) -> dict[str, Any]:
    """The form as someone sends it: much as it is meant, one or two fields odd or missing."""
    names = [name for name in form.fields if name != "csrfmiddlewaretoken"]
    form_data: dict[str, Any] = {}
    for name in names:
        values = [*form.fields[name], *filter(None, [MEANT.get(name.split("-")[-1])])]
        form_data[name] = draw(st.sampled_from([value for value in values if value] or [""]))
    for name in draw(st.lists(st.sampled_from(names), max_size=2)) if names else []:
        form_data[name] = draw(_oddly(is_file=name in form.files))
    return {name: value for name, value in form_data.items() if value is not None}


def _oddly(*, is_file: bool) -> st.SearchStrategy[Any]:
    if is_file:
        return st.sampled_from(ODD_FILES).map(
            lambda content: SimpleUploadedFile("list.csv", content)
        )
    odd_values = st.sampled_from(ODD)
    return st.one_of(
        odd_values, odd_values, odd_values, st.none(), st.lists(odd_values, max_size=3)
    )
