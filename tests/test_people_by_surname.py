"""Every list of people stands in one order, by surname: Mrs Ann Baker under B.

Pages, printouts, files and the API have it from one sort. A database would sort by a column, and
each kind of database in its own way.
"""

import re
from pathlib import Path
from typing import Any, Final

import pytest
from django import forms
from django.urls import reverse
from django.utils import timezone

from clubs.core.forms import PersonField
from clubs.models import Club, Player, Role
from clubs.models.names import by_surname
from tests.api import api_client
from tests.clubs.nights import evening_of
from tests.paper import words_of
from tests.people import browser_of, make_club, make_player, make_user
from tests.tournaments.cups import make_cup

ROOT: Final = Path(__file__).parents[1]
BY_NAME: Final = re.compile(r"order_by\([^)]*\"(?:player__|entrant__)?name(?:_key)?\"")
BY_FIRST_LETTER: Final = re.compile(
    r"key=lambda (\w+): (?:\(.*)?(?:(?<!surname_key\()\b\1\.name(?!\w)|(?<!sur)name_key\(\1\.name"
    r"|\b\1\[0\]\.casefold)"
)
OTHER_FIELDS: Final = re.compile(r"forms\.Model(?:Multiple)?ChoiceField\(")
# In these the names are of clubs, files and other things.
OF_OTHER_THINGS: Final = {
    "clubs/hosting/selectors.py",
    "clubs/accounts/services.py",
    "tournaments/away.py",
    "tournaments/seating/services/by_hand.py",  # names to look up
    "clubs/league_rules/standings.py",  # the places, from which a page makes its list
}
EVENINGS: Final = {"clubs/messages/forms.py", "clubs/league/forms.py", "clubs/core/forms.py"}


def sources() -> dict[str, str]:
    paths = (path for app in ("clubs", "tournaments") for path in (ROOT / app).rglob("*.py"))
    return {
        str(path.relative_to(ROOT)): path.read_text()
        for path in paths
        if "migrations" not in path.parts
    }


@pytest.mark.parametrize("sort", [BY_NAME, BY_FIRST_LETTER])
def test_no_list_of_people_goes_by_first_letter(sort: re.Pattern[str]) -> None:
    paths = {path for path, source in sources().items() if sort.search(source)}
    assert paths <= OF_OTHER_THINGS


def test_people_are_chosen_from_a_list_by_surname() -> None:
    paths = {path for path, source in sources().items() if OTHER_FIELDS.search(source)}
    assert paths <= EVENINGS


@pytest.fixture
def club(db: None) -> Club:
    club = make_club()
    for name in ("Zoë Abbott", "Mrs Ann Baker", "Piet van Dyk", "Ann Webb", "Dr Cy Carr"):
        make_player(club, name)
    return club


IN_ORDER: Final = ["Zoë Abbott", "Mrs Ann Baker", "Dr Cy Carr", "Piet van Dyk", "Ann Webb"]


def test_a_title_and_a_first_name_do_not_count(club: Club) -> None:
    names = [player.name for player in by_surname(club.players.all())]
    assert sorted(names, key=IN_ORDER.index) == names


def test_a_choice_of_a_person_is_by_surname(club: Club) -> None:
    field = PersonField(Player.objects.all(), empty_label="Choose a person")
    form = type("Form", (forms.Form,), {"who": field})()
    labels = [str(label) for _, label in form.fields["who"].choices]
    assert labels == ["Choose a person", *IN_ORDER]


# By first letter they would stand in the opposite order.
WRITTEN_APART: Final = [
    "Zara Abbott",
    "Yannick",
    "Xenia O’Shaughnessy",
    "Willem van der Berg",
    "Aaron Wolstenholme-Smythe",
]
BY_SURNAME: Final = [WRITTEN_APART[index] for index in (0, 2, 3, 4, 1)]


@pytest.fixture
def riverside(db: None) -> Club:
    """A club whose people stand in another order by surname than by first name."""
    riverside = make_club()
    make_user(riverside, "Zz", Role.SECRETARY)
    for name in WRITTEN_APART:
        make_player(riverside, name)
    return riverside


def in_text(text: str) -> list[str]:
    """The five names in the order in which they first stand there."""
    plain = " ".join(text.replace("&#x27;", "’").split())
    places = {name: plain.find(name) for name in WRITTEN_APART}
    assert -1 not in places.values(), places
    return sorted(WRITTEN_APART, key=lambda name: places[name])


def places_of_lists(club: Club) -> tuple[list[str], list[str]]:
    """Where its people are listed: over the API, and on pages, printouts and in files."""
    people = list(club.players.filter(name__in=WRITTEN_APART))
    club_args: list[Any] = [club.slug]
    tonight = [*club_args, evening_of(club, people, timezone.localdate()).pk]
    cup = [*club_args, make_cup(club=club, names=["Someone Else"]).pk]
    api = {
        "api-player-list": club_args,
        "api-member-list": club_args,
        "api-evening-check-in": tonight,
    }
    api |= {"api-entrant-member-list": cup}
    other_lists = {"members": club_args, "members-csv": club_args, "members-pdf": club_args}
    other_lists |= {"evening": tonight, "door-pdf": tonight, "entrants": cup}
    return (
        [reverse(name, args=args) for name, args in api.items()],
        [reverse(name, args=args) for name, args in other_lists.items()],
    )


def test_the_api_lists_people_as_pages_printouts_and_files_do(riverside: Club) -> None:
    secretary = riverside.memberships.get().user
    over_api, elsewhere = places_of_lists(riverside)
    client, browser = api_client(secretary), browser_of(secretary)
    for place in over_api:
        names = [row["name"] for row in client.get(place).json()["results"]]
        assert [name for name in names if name in WRITTEN_APART] == BY_SURNAME, place
    for place in elsewhere:
        content = browser.get(place).content
        text = "\n".join(words_of(content)) if place.endswith(".pdf") else content.decode()
        assert in_text(text) == BY_SURNAME, place


def test_the_pages_of_the_api_go_on_in_one_order(riverside: Club) -> None:
    for number in range(60):
        make_player(riverside, f"Ann{number:02} B{59 - number:02}")
    api = api_client(riverside.memberships.get().user)
    address = reverse("api-member-list", args=[riverside.slug])
    pages = [api.get(f"{address}?page={page}").json()["results"] for page in (1, 2)]
    names = [row["name"] for page in pages for row in page]
    assert len(pages[0]) == 50
    assert names == [player.name for player in by_surname(riverside.players.all())]
