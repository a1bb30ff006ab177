"""A club moves: all of it arrives and is compared, and its score books are as they were sealed."""

from datetime import date
from io import BytesIO
from operator import itemgetter
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from clubs.clubfile.contents import book_keys_of
from clubs.clubfile.selectors import digest_of_club
from clubs.clubfile.services import import_club
from clubs.core.audit_log import audit_rows
from clubs.evenings.event import EveningTable
from clubs.models import (
    Club,
    Invitation,
    Membership,
    Player,
    PlayerMerge,
    Role,
    RoleInvitation,
    SessionTable,
    User,
)
from clubs.privacy.services import erase_player
from clubs.table import services as at_table
from clubs.tenancy import club_scope
from scoring.scorebook.ledger import short_code
from scoring.scorebook.models import Book, Hand, Link, Repair
from scoring.scorebook.refusals import Refused
from scoring.scorebook.selectors import link_with_code
from scoring.scorebook.services import adjust_points
from scoring.scorebook.verifying import verify_book
from tests.clubs.clubfile.moving import Rows, change_file, file_of, move_club, remove
from tests.people import PASSWORD, Cast, browser_of, make_player
from tests.test_other_clubs import make_everything
from tournaments.backup import run_command_on
from tournaments.models import Round

DAY = date(2026, 11, 24)


@pytest.fixture
def club(cast: Cast) -> Club:
    """A club with one of everything, beside another one whose rows lie between."""
    make_everything(Club.objects.get(slug="hill-top"), cast.stranger)
    make_everything(cast.club, cast.secretary)
    return cast.club


def findings(club: Club) -> list[object]:
    return [finding for book in book_keys_of(club) for finding in verify_book(book).findings]


def test_a_club_that_moves_is_the_same_everywhere(club: Club, cast: Cast) -> None:
    file, manifest = file_of(club)
    remove(club)
    new_club = import_club(file, user=cast.secretary).club
    assert new_club.pk != club.pk
    assert new_club.uid == club.uid
    new_club.audit_entries.filter(what="bring_club").delete()
    _, new_manifest = file_of(new_club)
    assert (new_manifest.digest, new_manifest.counts) == (manifest.digest, manifest.counts)
    assert manifest.counts["scorebook.Hand"] > 1
    assert not findings(new_club)


def test_hands_of_before_and_after_three_moves_are_all_as_sealed(club: Club, cast: Cast) -> None:
    for _ in range(3):
        club = move_club(club, cast.secretary).club
        table = SessionTable.objects.get(session__club=club)
        seat = table.game.seats.get(number=2)
        adjust_points(seat=seat, points=-10, written_by="user 1", reason="late")
        assert not findings(club)
    moves = Book.objects.get(session__club=club).moves
    lasts = [last for last, _ in moves]
    assert lasts == sorted(set(lasts))
    assert len(lasts) == 3


def test_a_row_that_is_changed_after_a_move_is_found(club: Club, cast: Cast) -> None:
    club = move_club(club, cast.secretary).club
    hand = Hand.objects.filter(game__session_table__session__club=club).latest("pk")
    Hand.objects.filter(pk=hand.pk).update(reason="better so")
    (finding,) = findings(club)
    assert f"hand row {hand.pk}: reason" in str(finding).replace("', text='", ": ")


def test_a_correction_can_be_undone_after_a_move(club: Club, cast: Cast) -> None:
    club = move_club(club, cast.secretary).club
    with club_scope(club.pk):
        table = SessionTable.objects.get(session__club=club)
        repair = Repair.objects.get(games__game=table.game_id)
        at_table.undo_repair(table=EveningTable(table), repair=repair, undone_by="user 1")
    assert not findings(club)


def test_a_printed_code_is_found_again_after_a_move(club: Club, cast: Cast) -> None:
    link = Link.objects.filter(book__session__club=club).latest("number")
    club = move_club(club, cast.secretary).club
    matching_link = link_with_code(short_code(link.digest))
    assert matching_link is not None
    assert matching_link.book.session.club == club


def test_links_that_were_printed_or_sent_open_nothing_elsewhere(club: Club, cast: Cast) -> None:
    key = SessionTable.objects.get(session__club=club).link_key
    assert browser_of(None).get(f"/t/{key}/").status_code == 200
    new = SessionTable.objects.get(session__club=move_club(club, cast.secretary).club).link_key
    assert browser_of(None).get(f"/t/{key}/").status_code == 404
    assert browser_of(None).get(f"/t/{new}/").status_code == 200


def test_the_other_organisers_are_invited_and_players_wait(club: Club, cast: Cast) -> None:
    club_import = move_club(club, cast.secretary)
    assert Membership.objects.get(club=club_import.club).user == cast.secretary
    invitations = {row.email: row for row in RoleInvitation.objects.filter(club=club_import.club)}
    assert set(invitations) == {
        *("b@example.org", "dev@example.org", "sunil@example.org", "pat@example.org")
    }
    assert invitations["dev@example.org"].has_ended
    assert invitations["pat@example.org"].has_ended
    assert invitations["pat@example.org"].player == Player.objects.get(
        club=club_import.club, name="Pat"
    )


def test_the_activity_log_says_who_it_was(club: Club, cast: Cast) -> None:
    browser_of(cast.director).post(f"/c/{club.slug}/practice/start/")
    player = make_player(club, "Wen Li")
    browser_of(cast.secretary).post(
        f"/c/{club.slug}/members/{player.pk}/personal-data/delete/", {"name": "Wen Li"}
    )
    remove(club.rehearsals.get())
    club = move_club(club, cast.secretary).club
    with club_scope(club.pk):
        sentences = [row.sentence for row in audit_rows(club, club.audit_entries.order_by("pk"))]
    assert "Alice deleted A former player’s personal data." in sentences
    assert "Dev started a practice evening." in sentences
    assert sentences[-1] == "Alice imported the club from another Tongbox."


def test_an_erased_person_does_not_come_back(club: Club, cast: Cast) -> None:
    player = make_player(club, "Wen Li", email="wen@example.org")
    erase_player(player=player, today=DAY, made_by=cast.secretary)
    file, _ = file_of(club)
    remove(club)
    new_club = import_club(file, user=cast.secretary).club
    assert b"Wen Li" not in file.getvalue()
    assert Player.objects.filter(club=new_club, erased_on=DAY, email="").count() == 1


def test_a_merge_can_be_undone_after_a_move(club: Club, cast: Cast) -> None:
    club = move_club(club, cast.secretary).club
    merge = PlayerMerge.objects.get(club=club)
    page = f"/c/{club.slug}/members/duplicates/{merge.pk}/undo/"
    assert browser_of(cast.secretary).post(page).status_code == 302
    assert Player.objects.get(pk=merge.gone_id).is_active


def test_rounds_seated_by_standings_keep_their_order(club: Club, cast: Cast) -> None:
    rounds = Round.objects.filter(tournament__club=club)
    entrants = list(rounds[0].tournament.entrants.order_by("-number"))
    rounds.update(seated_in_order=[entrant.pk for entrant in entrants])
    club = move_club(club, cast.secretary).club
    round_ = Round.objects.filter(tournament__club=club)[0]
    numbers = dict(round_.tournament.entrants.values_list("pk", "number"))
    assert [numbers[key] for key in round_.seated_in_order] == [e.number for e in entrants]


def test_answers_to_invitations_arrive_with_links_of_their_own(club: Club, cast: Cast) -> None:
    player = make_player(club, "Wen Li")
    old = Invitation.objects.create(club=club, held_on=DAY, player=player, answer="yes").key
    invitation = Invitation.objects.get(club=move_club(club, cast.secretary).club, held_on=DAY)
    assert (invitation.answer, invitation.player.name) == ("yes", "Wen Li")
    assert invitation.key != old


def test_a_club_that_is_here_is_not_brought_again(club: Club, cast: Cast) -> None:
    file, _ = file_of(club)
    with pytest.raises(Refused, match=r"This club is already here, as Riverside Mah-Jong Club\."):
        import_club(file, user=cast.secretary)


def forged_for(stranger: User, file: BytesIO, **manifest: Any) -> BytesIO:
    """A copy of a club's file under another name, with the stranger as a secretary."""
    role = {"email": stranger.email, "role": Role.SECRETARY.value, "player": None}

    def add(rows: Rows) -> None:
        rows.append(role)
        rows.sort(key=itemgetter("email"))

    return change_file(file, "roles", add, name="Pirates", **manifest)


@pytest.mark.parametrize("uid", [{}, {"uid": str(uuid4())}], ids=["same uid", "another uid"])
def test_a_strangers_copy_does_not_keep_the_club_out(
    club: Club, cast: Cast, uid: dict[str, str]
) -> None:
    """A club file is given away: a copy under another name may be here before the club itself."""
    file, manifest = file_of(club)
    forged_file = forged_for(cast.stranger, file, **uid)
    remove(club)
    copy = import_club(forged_file, user=cast.stranger).club
    new_club = import_club(file, user=cast.secretary).club
    assert (copy.name, new_club.name) == ("Pirates", club.name)
    assert copy.uid != new_club.uid
    assert not [*findings(copy), *findings(new_club)]
    new_club.audit_entries.filter(what="bring_club").delete()
    assert digest_of_club(new_club).digits == manifest.digest


def test_a_copy_beside_the_club_takes_over_no_receipt(club: Club, cast: Cast) -> None:
    link = Link.objects.filter(book__session__club=club).latest("number")
    file, _ = file_of(club)
    import_club(forged_for(cast.stranger, file), user=cast.stranger)
    assert Link.objects.filter(digest=link.digest).count() == 2
    assert link_with_code(short_code(link.digest)) == link


def test_a_taken_name_and_address_get_a_number(club: Club, cast: Cast) -> None:
    file, _ = file_of(club)
    remove(club)
    Club.objects.create(name=club.name, slug=club.slug)
    new_club = import_club(file, user=cast.secretary).club
    assert (new_club.name, new_club.slug) == ("Riverside Mah-Jong Club 2", "riverside-2")


def test_only_a_secretary_of_the_club_or_an_operator_brings_it(club: Club, cast: Cast) -> None:
    file, _ = file_of(club)
    remove(club)
    for user in (cast.scorer, cast.stranger):
        with pytest.raises(Refused, match="No secretary in this file"):
            import_club(file, user=user)
    operator = User.objects.create_superuser("op@example.org", PASSWORD, name="Op")
    new_club = import_club(file, user=operator).club
    assert not Membership.objects.filter(club=new_club).exists()
    assert RoleInvitation.objects.get(club=new_club, email="alice@example.org").role == "secretary"


def test_a_club_goes_to_the_other_kind_of_database_and_back(
    club: Club, cast: Cast, tmp_path: Path
) -> None:
    """To SQLite by a process of its own; from PostgreSQL where the tests run on it."""
    file, manifest = file_of(club)
    database = tmp_path / "there.sqlite3"
    away_file, back_file = tmp_path / "away.tongbox", tmp_path / "back.tongbox"
    away_file.write_bytes(file.getvalue())
    run_command_on(database, "migrate", "--verbosity", "0")
    output = run_command_on(
        database, "import_club", str(away_file), "--secretary", "alice@example.org"
    )
    assert "imported and checked." in output
    assert "alice@example.org signs in with the password " in output
    assert run_command_on(database, "verify").endswith("nothing was changed outside Tongbox.")
    run_command_on(database, "export_club", "riverside", str(back_file))
    remove(club)
    with back_file.open("rb") as opened_file:
        new_club = import_club(opened_file, user=cast.secretary).club
    new_club.audit_entries.filter(what="bring_club").delete()
    assert digest_of_club(new_club).digits == manifest.digest
    assert not findings(new_club)


def test_rows_written_after_a_move_get_fresh_keys(club: Club, cast: Cast) -> None:
    club = move_club(club, cast.secretary).club
    highest = Player.objects.latest("pk").pk
    assert make_player(club, "Quentin Quill").pk > highest
    assert club.sessions.create(held_on=DAY).pk > club.sessions.earliest("pk").pk
