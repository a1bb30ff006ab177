"""Someone is erased from a club that has lived for a season: no table and no file names them."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.management import call_command
from django.db.models import CharField, JSONField, TextField

from clubs.members.services import import_members, merge_players
from clubs.models import Batch, Club, Job, JobState, Message, Player, Wish, WishKind
from clubs.privacy.services import erase_player
from tests.people import make_player
from tests.sample import lay_down_sample_club
from tournaments.models import Tournament
from tournaments.results.selectors.standings import board

TODAY = date(2026, 11, 22)


def whoever_plays_in_the_cup(club: Club) -> Player:
    """A member with evenings, an entry, and a surname that nobody else bears."""
    known = [name.split()[-1] for name in club.players.values_list("name", flat=True)]
    able = club.players.filter(entries__isnull=False, places__isnull=False, membership=None)
    return next(one for one in able.distinct() if known.count(one.name.split()[-1]) == 1)


@pytest.fixture
def club(db: None) -> Club:
    lay_down_sample_club()
    return Club.objects.get(slug="riverside")


@pytest.fixture
def gone(club: Club) -> Player:
    """Someone of whom there is something in every room."""
    player = whoever_plays_in_the_cup(club)
    other = club.players.exclude(pk=player.pk).filter(is_active=True).latest("pk")
    text = f"name,email,telephone\n{player.name},gone@example.org,01632 960 114"
    import_members(club=club, text=text, file_name=f"{player.name}.csv")
    player.refresh_from_db()
    merge_players(kept=player, gone=make_player(club, f"Nan {player.name.split()[-1]}"))
    batch = Batch.objects.create(club=club, kind="note", title=f"Letters to {player.name}")
    for reader in (player, other):
        Message.objects.create(
            batch=batch, player=reader, subject="Tuesday", body=f"{player.name} sits with you."
        )
    Wish.objects.create(
        club=club, kind=WishKind.APART, player=player, other=other, reason="They quarrel."
    )
    Wish.objects.create(club=club, kind=WishKind.TABLE, player=other, table=1, reason=player.name)
    job = Job.objects.create(club=club, kind="season pack", about=1, state=JobState.DONE)
    job.result.save("pack.pdf", ContentFile(player.name.encode()))
    return player


def every_text() -> dict[str, list[str]]:
    """All that stands in words in the database, by table and column."""
    found: dict[str, list[str]] = {}
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.concrete_fields:
            if isinstance(field, CharField | TextField | JSONField):
                values = model._base_manager.values_list(field.attname, flat=True)
                found[f"{model._meta.label}.{field.attname}"] = [
                    value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                    for value in values
                ]
    return found


def columns_with(word: str) -> list[str]:
    return [
        column
        for column, texts in every_text().items()
        if any(word.casefold() in text.casefold() for text in texts)
    ]


def files_with(word: str, under: Path) -> list[Path]:
    files = (path for path in under.rglob("*") if path.is_file())
    return [path for path in files if word.encode() in path.read_bytes()]


def results(club: Club) -> list[Any]:
    """What every evening and tournament came to, without anyone's name."""
    seats = club.sessions.order_by("pk", "places__seat__pk")
    told = seats.values_list("pk", "places__player", "places__seat__points")
    cups = [
        [(line.row.place, line.row.entrant_id, line.figures) for line in board(cup).lines]
        for cup in Tournament.objects.filter(club=club)
    ]
    return [list(told), *cups]


@pytest.mark.sampled(law="long plays")
def test_no_table_and_no_file_names_who_was_erased(
    club: Club, gone: Player, settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    surname = gone.name.split()[-1]
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = tmp_path
    (tmp_path / "1.log").write_text(f"Subject: Result\nTo: x@example.org\n\n{gone.name} won.\n")
    assert len(columns_with(surname)) >= 10
    before = results(club)
    with django_capture_on_commit_callbacks(execute=True):
        erase_player(player=gone, today=TODAY)
    assert columns_with(surname) == []
    assert columns_with("gone@example.org") == []
    assert columns_with("01632 960 114") == []
    assert files_with(surname, settings.MEDIA_ROOT) == []
    assert files_with(surname, tmp_path) == []
    assert results(club) == before
    call_command("verify", verbosity=0)
    call_command("recount", verbosity=0)
