"""Two workers keep to one timetable, or two secretaries erase one person, at the same moment."""

from datetime import date
from functools import partial

import pytest

from clubs.models import Erasure
from clubs.privacy import services
from clubs.privacy.services import erase_player
from tests.people import make_club, make_player
from tests.threads import at_once

YESTERDAY, TODAY = date(2026, 11, 21), date(2026, 11, 22)
LONG_AGO = date(2015, 3, 3)
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def test_a_day_is_run_by_one_of_four_workers() -> None:
    club = make_club()
    make_player(club, "Ida Long", kind="guest", joined_on=LONG_AGO)
    terms = {"guests": 12, "lapsed": 24, "letters": 12, "money": 84}
    services.agree(club=club, terms=terms, today=YESTERDAY)
    answers = at_once([partial(services.run, club=club, today=TODAY)] * 4)
    assert sorted(map(bool, answers)) == [False, False, False, True]
    assert Erasure.objects.count() == 1


def test_of_two_who_erase_the_same_person_one_is_told_that_it_is_done() -> None:
    player = make_player(make_club(), "Maud Pemberton")
    answers = at_once([partial(erase_player, player=player, today=TODAY)] * 2)
    assert "This person’s data has already been deleted." in {str(answer) for answer in answers}
    assert Erasure.objects.count() == 1
