"""Someone is erased while somebody else writes about them: no word of theirs stays.

Each pair is tried several times, as only some of them meet.
"""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Final

import pytest

from clubs.messages.services import draft_invitations, draft_message, draft_no_evening
from clubs.models import Batch, Club, Player, Role, User
from clubs.privacy.services import erase_player
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import make_players
from tests.people import make_club, make_player, make_user
from tests.threads import at_once
from tests.tournaments.privacy.test_personal_data import columns_with

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
TODAY: Final = date(2026, 11, 22)
NAME: Final = "Maud Pemberton"
TRIES: Final = 6
Write = Callable[[Club, Player, User], Callable[[], object]]


def letter(club: Club, maud: Player, author: User) -> Callable[[], object]:
    return partial(
        draft_message,
        club=club,
        subject=f"To {NAME}",
        text=f"Dear {NAME}",
        readers=[maud],
        made_by=author,
    )


def no_evening(club: Club, maud: Player, author: User) -> Callable[[], object]:
    readers = [maud, *club.players.filter(name="Ann")]
    return partial(
        draft_no_evening,
        club=club,
        held_on=TODAY,
        day_text="Tuesday",
        reason=f"for {NAME}",
        readers=readers,
        made_by=author,
    )


def invitation(club: Club, maud: Player, author: User) -> Callable[[], object]:
    return partial(
        draft_invitations,
        club=club,
        held_on=TODAY,
        day_text=f"Tuesday at {NAME}’s",
        readers=[maud],
        made_by=author,
    )


@pytest.mark.parametrize("write", [letter, no_evening, invitation])
def test_what_is_written_about_someone_who_is_erased_names_nobody(write: Write) -> None:
    refusal_count = 0
    for attempt in range(TRIES):
        club = make_club(f"Club {attempt}", f"club-{attempt}")
        author = make_user(club, f"Alice {attempt}", Role.SECRETARY)
        maud = make_player(club, NAME, email="maud@example.org")
        make_players(club, 2)
        erase = partial(erase_player, player=maud, today=TODAY)
        draft_result, erase_result = at_once([write(club, maud, author), erase])
        assert isinstance(erase_result, Player)
        refusal_count += isinstance(draft_result, Refused)
        assert (columns_with(NAME), columns_with("maud@example.org")) == ([], [])
    assert Batch.objects.count() == TRIES - refusal_count
