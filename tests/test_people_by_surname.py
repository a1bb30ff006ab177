"""Every list of people stands in one order, by surname: Mrs Ann Baker under B.

The pages of the API may go by a column, as a program sorts for itself.
"""

import re
from pathlib import Path
from typing import Final

import pytest
from django import forms

from clubs.core.forms import PersonField
from clubs.models import Club, Player
from clubs.models.names import by_surname
from tests.people import make_club, make_player

ROOT: Final = Path(__file__).parents[1]
BY_NAME: Final = re.compile(r"order_by\([^)]*\"(?:player__|entrant__)?name(?:_key)?\"")
BY_FIRST_LETTER: Final = re.compile(
    r"key=lambda (\w+): (?:\(.*)?(?:(?<!surname_key\()\b\1\.name(?!\w)|(?<!sur)name_key\(\1\.name"
    r"|\b\1\[0\]\.casefold)"
)
OTHER_FIELDS: Final = re.compile(r"forms\.Model(?:Multiple)?ChoiceField\(")
# In these the names are of clubs, files and other things, or a page of the API goes by a column.
OF_OTHER_THINGS: Final = {
    "clubs/hosting/selectors.py",
    "clubs/accounts/services.py",
    "clubs/evenings/api/calendar.py",
    "clubs/members/api.py",
    "tournaments/setup/api.py",
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
    found = {path for path, source in sources().items() if sort.search(source)}
    assert found <= OF_OTHER_THINGS


def test_people_are_chosen_from_a_list_by_surname() -> None:
    found = {path for path, source in sources().items() if OTHER_FIELDS.search(source)}
    assert found <= EVENINGS


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
