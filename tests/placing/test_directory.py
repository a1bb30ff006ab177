"""The directory of clubs: each in its database, and nobody writes while a club is moved."""

import pytest
from django.db import transaction

from clubs.core.directory import BeingMoved, at_club, database_of, for_new_clubs, in_each, moving
from clubs.databases import MAIN, at, current
from clubs.models import Club, ClubPlace, User
from config.club_databases import KEYS_EACH
from tests.people import make_club, make_player
from tests.placing.placed import placed_club
from tests.threads import at_once


def test_a_club_is_found_where_it_was_made() -> None:
    placed_club("north")
    assert database_of("riverside") == "north"
    with at_club("riverside"):
        assert current() == "north"
        assert Club.objects.get().slug == "riverside"
    assert current() == MAIN
    assert not Club.objects.exists()


def test_a_club_without_a_place_is_in_the_main_database() -> None:
    make_club()
    with at_club("riverside", writes=True):
        assert (current(), Club.objects.count()) == (MAIN, 1)


def test_keys_say_in_which_database_a_row_was_made() -> None:
    keys = [
        make_club("main", "main").pk,
        placed_club("north", "n").pk,
        placed_club("south", "s").pk,
    ]
    assert [key // KEYS_EACH for key in keys] == [0, 1, 2]


def test_transactions_begin_in_the_clubs_database() -> None:
    club = placed_club("south")
    with at("south"), transaction.atomic():
        make_player(club, "Bertie")
        transaction.set_rollback(True)
    with at("south"):
        assert not club.players.exists()


def test_accounts_are_written_in_the_main_database_and_copied() -> None:
    club = placed_club("north")
    with at("north"):
        user = club.memberships.get().user
        assert (user.name, user.password) == ("Ann", "")
    account = User.objects.get()
    assert account.check_password("four winds blow")
    account.name = "Anne"
    account.save()
    with at("north"):
        assert club.memberships.get().user.name == "Anne"


def test_a_name_changed_at_a_club_is_changed_in_the_main_database() -> None:
    club = placed_club("north")
    account = User.objects.get()
    with at("north"):
        account.name = "Anne"
        account.save()
        assert club.memberships.get().user.name == "Anne"
    assert User.objects.get().name == "Anne"
    assert User.objects.get().check_password("four winds blow")


def test_new_clubs_go_where_there_are_fewest() -> None:
    assert for_new_clubs() == "north"
    placed_club("north")
    assert for_new_clubs() == "south"


def test_while_a_club_is_moved_only_the_mover_writes() -> None:
    club, other = placed_club("north"), placed_club("north", "hilltop")

    def write(slug: str) -> str:
        try:
            with at_club(slug, writes=True):
                return current()
        except BeingMoved:
            return "refused"

    with moving([club], to="south"):
        answers = at_once([lambda: write(club.slug), lambda: write(other.slug)])
    assert answers == ["refused", "north"]
    assert write(club.slug) == "south"


def test_a_move_that_fails_leaves_the_club_where_it_was() -> None:
    club = placed_club("north")
    with pytest.raises(ZeroDivisionError), moving([club], to="south"):
        raise ZeroDivisionError
    with at_club(club.slug, writes=True):
        assert current() == "north"


def test_back_to_the_main_database_it_needs_no_place() -> None:
    with moving([placed_club("north")], to=MAIN):
        pass
    assert not ClubPlace.objects.exists()


def test_work_is_done_in_each_database() -> None:
    placed_club("north")
    make_club("main", "main")
    assert in_each(Club.objects.count) == [1, 1, 0]
