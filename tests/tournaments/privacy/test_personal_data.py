"""What is held on someone, and that nothing names who was erased."""

import json
import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.db.models import CharField, JSONField, TextField
from django.test import Client
from django.urls import reverse

from clubs.evenings.services.calendar import set_stand_by
from clubs.house.services import change_contact
from clubs.members.services.imports import import_members
from clubs.members.services.merging import merge_players
from clubs.models import (
    AuditEntry,
    Batch,
    Club,
    Job,
    JobState,
    Membership,
    Message,
    Player,
    Role,
    User,
    Wish,
    WishKind,
)
from clubs.privacy.selectors.data_export import (
    ACT_COLUMNS,
    PersonalData,
    personal_data,
    personal_data_json,
    personal_data_page,
    tables_of_acts,
)
from clubs.privacy.services import erase_player
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.visits import Visitor
from tests.people import PASSWORD, Cast, make_player
from tests.sample import lay_down_sample_club
from tests.tournaments.cups import make_cup, play_round, seated_cup
from tournaments.models import Tournament
from tournaments.results.selectors.standings import board_of


@pytest.fixture
def maud(cast: Cast) -> Player:
    """Someone of whom there is something under most headings."""
    maud = make_player(cast.club, "Maud Pemberton", email="maud@example.org")
    other_players = make_players(cast.club, 3)
    post(
        night(
            cast.club, date(2026, 11, 3), [other_players[0], maud, *other_players[1:]]
        ).tables.get(),
        SECOND_WINS,
    )
    import_members(club=cast.club, text="name,telephone\nMaud Pemberton,01632 960 114")
    merge_players(kept_player=maud, merged_player=make_player(cast.club, "Maudie Pemberton"))
    set_stand_by(player=maud, is_glad=True)
    cast.club.invitations.create(held_on=date(2026, 11, 24), player=maud)
    Wish.objects.create(
        club=cast.club,
        kind=WishKind.APART,
        player=maud,
        other=other_players[0],
        reason="They quarrel.",
    )
    batch = Batch.objects.create(club=cast.club, kind="note", title="A note")
    Message.objects.create(batch=batch, player=maud, subject="Tuesday", body="We begin at two.")
    names = ["Maud Pemberton", "Ann", "Ben", "Cy"]
    play_round(seated_cup(club=cast.club, rounds=1, hands=1, names=names), SECOND_WINS)
    return Player.objects.get(pk=maud.pk)


def rows(data: PersonalData, title: str) -> tuple[tuple[str, ...], ...]:
    return next(part.rows for part in data.parts if part.title == title)


def test_every_way_to_have_done_something_has_its_words() -> None:
    columns = {column for _, columns in tables_of_acts() for column in columns}
    assert columns - ACT_COLUMNS.keys() == set()


def test_every_table_is_told_or_left_out_for_a_reason(maud: Player) -> None:
    data = personal_data(maud)
    exported_tables = [table for part in data.parts for table in part.tables]
    all_tables = {model._meta.label for model in apps.get_models()}
    assert set(exported_tables) | set(data.left_out) == all_tables
    assert not set(exported_tables) & set(data.left_out)
    assert all(data.left_out.values())


def test_that_there_is_a_second_step_is_told_and_its_secret_is_not(cast: Cast) -> None:
    authenticator = Authenticator.objects.create(
        user=cast.player, type="totp", data={"secret": "JBSWY3DP"}
    )
    data = personal_data(cast.club.players.get(name="Pat"))
    [row] = rows(data, "Account: email addresses and API keys")
    assert row == (f"Two-step verification: {authenticator.get_type_display()}", "a secret", row[2])
    assert "JBSWY3DP" not in personal_data_json(data).decode()


def test_what_someone_did_is_counted_in_the_words_of_the_pages(cast: Cast) -> None:
    for event in ("seat", "close"):
        AuditEntry.objects.create(club=cast.club, made_by=cast.player, what=event)
    data = personal_data(cast.club.players.get(name="Pat"))
    assert ("2 activity log entries", "who made it") in rows(data, "What you did for the club")


def test_what_is_held_stands_under_its_heading(maud: Player) -> None:
    data = personal_data(maud)
    assert ("Email", "maud@example.org") in rows(data, "Your details")
    assert rows(data, "Other names") == (("Maudie Pemberton",),)
    assert rows(data, "Evenings played") == (("3 November 2026", "1", "240", "1", "1", "60"),)
    [hand] = rows(data, "Hands at the club")
    assert hand[0] == "3 November 2026, table 1"
    assert hand[3:6] == ("60", "240", "you")
    assert rows(data, "Messages and letters")[0][2:4] == ("Tuesday", "We begin at two.")
    assert rows(data, "Tournament entries")[0][:2] == ("Autumn Cup", "21 November 2026")
    assert len(rows(data, "Hands at tournaments")) == 1
    assert "phone: " in rows(data, "Imports")[0][2]


def test_whom_a_wish_is_about_beside_them_is_not_told(maud: Player) -> None:
    data = personal_data_json(personal_data(maud)).decode()
    [wish] = rows(personal_data(maud), "Seating preferences")
    assert wish == ("not at one table", "another player", "", "a note is kept for the secretary")
    assert "quarrel" not in data


def test_a_sentence_that_names_others_too_leaves_them_out(maud: Player) -> None:
    make_cup(club=maud.club, name="Cup of Maud Pemberton and Ann", entrants=0)
    assert ("Tournament", "Cup of Maud Pemberton and another player") in rows(
        personal_data(maud), "Notes that mention you"
    )


def test_the_file_holds_the_same_for_people_and_programs(maud: Player) -> None:
    data = personal_data(maud)
    page = personal_data_page(data).decode()
    inside = re.search(
        r'<script type="application/json" id="everything">(.*)</script>', page, re.DOTALL
    )
    assert inside
    assert json.loads(inside[1]) == json.loads(personal_data_json(data))
    assert "We begin at two." in page.partition("<script")[0]
    assert not re.search(r'(?:src|href)="(?!#)', page)


def test_nothing_in_the_file_can_break_out_of_it(cast: Cast) -> None:
    player = make_player(cast.club, "Maud", phone="</script><script>")
    page = personal_data_page(personal_data(player)).decode()
    assert page.count("<script") == page.count("</script>") == 1


@pytest.mark.parametrize("address", ["everything", "everything-file", "everything-data"])
def test_only_the_person_and_the_secretary_read_it(cast: Cast, address: str) -> None:
    pat = cast.club.players.get(name="Pat")
    url = reverse(address, args=[cast.club.slug, pat.pk])
    answers = {
        user.name: Visitor(user).get(url).status_code
        for user in (cast.player, cast.secretary, cast.scorer)
    }
    assert answers == {"Pat": 200, "Alice": 200, "Sunil": 403}
    assert Client().get(url).status_code == 302


def test_another_clubs_person_is_not_found(cast: Cast) -> None:
    pat = cast.club.players.get(name="Pat")
    url = reverse("everything", args=["hill-top", pat.pk])
    assert Visitor(cast.stranger).get(url).status_code == 404


@pytest.mark.parametrize("evenings", [1, 3])
def test_more_evenings_ask_no_more_of_the_database(
    cast: Cast, evenings: int, django_assert_num_queries: Any
) -> None:
    players = make_players(cast.club, 4)
    for day in range(evenings):
        post(night(cast.club, date(2026, 11, 3 + day), players).tables.get(), SECOND_WINS)
    with django_assert_num_queries(63):
        personal_data(Player.objects.select_related("club").get(pk=players[0].pk))


def test_a_member_finds_the_way_on_their_own_page_and_on_nobody_elses(cast: Cast) -> None:
    pat, dev = (cast.club.players.get(name=name) for name in ("Pat", "Dev"))
    pages = {
        player.name: Visitor(cast.player).get(reverse("player", args=[cast.club.slug, player.pk]))
        for player in (pat, dev)
    }
    texts = {name: main_part(page.content.decode()) for name, page in pages.items()}
    assert {name: "Your personal data" in text for name, text in texts.items()} == {
        "Pat": True,
        "Dev": False,
    }


def main_part(content: str) -> str:
    """Return what a page says between its menus and its foot."""
    return content.partition('id="content"')[2].partition("<footer")[0]


TODAY = date(2026, 11, 22)


def whoever_plays_in_the_cup(club: Club) -> Player:
    """A member with evenings, an entry, and a surname that nobody else bears."""
    surnames = [name.split()[-1] for name in club.players.values_list("name", flat=True)]
    able = club.players.filter(entries__isnull=False, places__isnull=False, membership=None)
    return next(
        player for player in able.distinct() if surnames.count(player.name.split()[-1]) == 1
    )


@pytest.fixture
def club(db: None) -> Club:
    lay_down_sample_club()
    return Club.objects.get(slug="riverside")


@pytest.fixture
def erased_player(club: Club) -> Player:
    """Someone of whom there is something in every room."""
    player = whoever_plays_in_the_cup(club)
    other_player = club.players.exclude(pk=player.pk).filter(is_active=True).latest("pk")
    text = f"name,email,telephone\n{player.name},gone@example.org,01632 960 114"
    import_members(club=club, text=text, file_name=f"{player.name}.csv")
    player.refresh_from_db()
    merge_players(
        kept_player=player, merged_player=make_player(club, f"Nan {player.name.split()[-1]}")
    )
    batch = Batch.objects.create(club=club, kind="note", title=f"Letters to {player.name}")
    for reader in (player, other_player):
        Message.objects.create(
            batch=batch, player=reader, subject="Tuesday", body=f"{player.name} sits with you."
        )
    Wish.objects.create(
        club=club, kind=WishKind.APART, player=player, other=other_player, reason="They quarrel."
    )
    Wish.objects.create(
        club=club, kind=WishKind.TABLE, player=other_player, table=1, reason=player.name
    )
    job = Job.objects.create(club=club, kind="season pack", about=1, state=JobState.DONE)
    job.result.save("pack.pdf", ContentFile(player.name.encode()))
    give_account(player)
    change_contact(club=club, contact_email=SIGNS_IN_WITH)
    return player


SIGNS_IN_WITH: Final = "her.own.account@example.net"


def give_account(player: Player) -> None:
    """They are a secretary, signed in, and a program of theirs changed their own row."""
    account = User.objects.create_user(SIGNS_IN_WITH, PASSWORD, name=player.name)
    Membership.objects.create(club=player.club, user=account, role=Role.SECRETARY, player=player)
    browser = Client()
    credentials = {"login": SIGNS_IN_WITH, "password": PASSWORD}
    browser.post(reverse("account_login"), credentials)
    asking = Client()
    asking.post(reverse("account_request_login_code"), {"email": SIGNS_IN_WITH})
    change = f"/api/v1/clubs/{player.club.slug}/players/{player.pk}/"
    key = {"Idempotency-Key": "press 1"}
    answer = browser.patch(change, {"phone": "01632 960 114"}, "application/json", headers=key)
    assert answer.status_code == 200, answer.content


def every_text() -> dict[str, list[str]]:
    """All that stands in words in the database, by table and column."""
    texts: dict[str, list[str]] = {}
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.concrete_fields:
            if isinstance(field, CharField | TextField | JSONField):
                values: Iterable[Any] = model._base_manager.values_list(field.attname, flat=True)
                if field.attname == "session_data":
                    values = [row.get_decoded() for row in Session.objects.all()]
                texts[f"{model._meta.label}.{field.attname}"] = [
                    value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                    for value in values
                ]
    return texts


def columns_with(word: str) -> list[str]:
    return [
        column
        for column, texts in every_text().items()
        if any(word.casefold() in text.casefold() for text in texts)
    ]


def files_with(word: str, folder: Path) -> list[Path]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return [path for path in files if word.encode() in path.read_bytes()]


def results(club: Club) -> list[Any]:
    """What every evening and tournament came to, without anyone's name."""
    seats = club.sessions.order_by("pk", "places__seat__pk")
    seat_points = seats.values_list("pk", "places__player", "places__seat__points")
    cups = [
        [(line.row.place, line.row.entrant_id, line.figures) for line in board_of(cup).lines]
        for cup in Tournament.objects.filter(club=club)
    ]
    return [list(seat_points), *cups]


@pytest.mark.sampled(law="long plays")
def test_no_table_and_no_file_names_who_was_erased(
    club: Club,
    erased_player: Player,
    settings: Any,
    tmp_path: Path,
    django_capture_on_commit_callbacks: Any,
) -> None:
    surname = erased_player.name.split()[-1]
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path
    (tmp_path / "1.log").write_text(
        f"Subject: Result\nTo: x@example.org\n\n{erased_player.name} won.\n"
    )
    assert len(columns_with(surname)) >= 10
    results_before = results(club)
    with django_capture_on_commit_callbacks(execute=True):
        erase_player(player=erased_player, today=TODAY)
    assert columns_with(surname) == []
    assert columns_with("gone@example.org") == []
    assert columns_with(SIGNS_IN_WITH) == []
    assert columns_with("01632 960 114") == []
    assert files_with(surname, settings.MEDIA_ROOT) == []
    assert files_with(surname, tmp_path) == []
    assert results(club) == results_before
    call_command("verify", verbosity=0)
    call_command("recount", verbosity=0)
