"""Encrypted copies at other places: sent, fetched back, compared, tried again, and restored."""

import contextlib
import os
import re
import shutil
import subprocess
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from clubs.backup import BackupError, stores
from clubs.backup.archive import workplace
from clubs.backup.away_news import SEE_LOG_MESSAGE, away_news_at
from clubs.backup.databases import Server, database_url
from clubs.backup.program import Program
from clubs.backup.sealing import make_key, read_key
from clubs.core.processes import is_locked, management_command
from clubs.core.versioned_cache import clear_caches
from clubs.models import AwayCopy, Backup, Club, SessionTable
from tests.clubs.tables import seated_evening
from tests.people import Cast, browser_of
from tests.stores import PASSWORD, Place, program_written, s3_served, webdav_served
from tests.tournaments.backup.test_backups import empty, makes_a_backup, post
from tests.tournaments.cups import seated_tournament
from tournaments import away, backup as services, tasks

NIGHT = datetime(2026, 11, 18, 4, tzinfo=UTC)
NAME = "tongbox-2026-11-18-040000.tar.age"
A_DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
__all__ = ["empty"]


@pytest.fixture
def var(settings: Settings, tmp_path: Path) -> Path:
    """The folder of an installation that has a recovery key."""
    settings.VAR_DIR = tmp_path
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.BACKUPS = tmp_path / "backups"
    settings.BACKUPS.mkdir()
    settings.RECOVERY_KEY = tmp_path / "recovery_key"
    settings.SECRET_KEY = "signs every link"
    make_key(settings.RECOVERY_KEY)
    return tmp_path


@pytest.fixture
def stick(var: Path, settings: Settings) -> Place:
    """One place: a folder, through a program."""
    place = program_written(var / "away")
    settings.BACKUPS_AWAY = [place.address]
    return place


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    """A table of an evening with a hand, beside a tournament."""
    seated_tournament(cast.club)
    session_table: SessionTable = seated_evening(cast.club, held_on=date(2026, 11, 17)).tables.get()
    post(session_table, 1)
    return session_table


@pytest.fixture
def backup(var: Path, table: SessionTable) -> Backup:
    new_backup = services.back_up(now=NIGHT)
    assert (new_backup.fault, new_backup.is_good) == ("", True)
    return new_backup


def a_backup(folder: Path, made_at: datetime, **fields: Any) -> Backup:
    """A row with a file that is no backup, for what only counts or is sent in vain."""
    file = folder / f"tongbox-{made_at:%Y-%m-%d-%H%M%S}.tar.gz"
    file.write_bytes(b"nothing to restore")
    fields = {"is_good": True, **fields}
    new_backup: Backup = Backup.objects.create(made_at=made_at, file=str(file), bytes=18, **fields)
    return new_backup


@makes_a_backup
def test_a_good_backup_is_sent_to_every_place_fetched_back_and_compared(
    backup: Backup, var: Path, settings: Settings
) -> None:
    with webdav_served(var / "dav") as dav, s3_served() as s3:
        stick = program_written(var / "away")
        settings.BACKUPS_AWAY = [dav.address, s3.address, stick.address]
        copies = away.send_copies(now=NIGHT)
        assert [(copy.fault, copy.is_good) for copy in copies] == [("", True)] * 3
        assert [store.names() for store in stores.stores()] == [[NAME]] * 3
        assert all(copy.sent_at and copy.tried_at and copy.bytes for copy in copies)
        assert away.send_copies(now=NIGHT + A_DAY) == []
        assert PASSWORD not in str(list(AwayCopy.objects.values()))
    for place in (dav, stick):
        assert place.folder
        data = (place.folder / NAME).read_bytes()
        for plain in (b"Alice", b"Riverside", b"signs every link"):
            assert plain not in data
    assert [path.name for path in (settings.BACKUPS / ".away").iterdir()] == [".lock"]


@makes_a_backup
def test_the_command_that_backs_up_sends_it_and_says_so(
    stick: Place, table: SessionTable, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("back_up")
    output = capsys.readouterr().out
    assert "was sent, fetched back and restored as a test, and gave the same digest" in output
    call_command("send_away")
    assert "Every place has the newest good backup." in capsys.readouterr().out
    assert stick.folder
    shutil.rmtree(stick.folder)
    with pytest.raises(CommandError, match="The stick is not in the machine"):
        call_command("back_up")
    assert Backup.objects.filter(is_good=True).count() == 2


def test_without_places_nothing_is_sent_or_asked(
    var: Path, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_backup(var / "backups", NIGHT)
    with django_assert_num_queries(0):
        assert away.send_copies(now=NIGHT) == []
        assert away_news_at(NIGHT) == ()
    with pytest.raises(CommandError, match="names no place"):
        call_command("send_away")


def test_without_a_recovery_key_nothing_leaves_the_house(
    stick: Place, cast: Cast, settings: Settings
) -> None:
    a_backup(settings.BACKUPS, NIGHT)
    settings.RECOVERY_KEY.unlink()
    (copy,) = away.send_copies(now=NIGHT)
    assert copy.fault.startswith("There is no recovery key yet. Run manage.py recovery_key")
    assert stick.folder
    assert list(stick.folder.iterdir()) == []


@pytest.mark.parametrize("is_good", [None, False])
def test_a_backup_that_is_not_good_is_not_sent(
    stick: Place, cast: Cast, settings: Settings, is_good: bool | None
) -> None:
    a_backup(settings.BACKUPS, NIGHT, is_good=is_good)
    assert away.send_copies(now=NIGHT) == []


def test_one_that_lies_on_another_machine_is_left_to_it(
    stick: Place, cast: Cast, settings: Settings
) -> None:
    Path(a_backup(settings.BACKUPS, NIGHT).file).unlink()
    assert not away.is_due(now=NIGHT)
    assert away.send_copies(now=NIGHT) == []


@pytest.mark.parametrize("founding", ["closed", "open"])
def test_only_who_runs_tongbox_reads_a_programs_words(
    stick: Place, cast: Cast, settings: Settings, founding: str
) -> None:
    """Its last line may hold a password, and its name says where the copies are."""
    settings.FOUNDING = founding
    other_club = Club.objects.get(slug="hill-top")
    a_backup(settings.BACKUPS, NIGHT)
    assert stick.folder
    stick.folder.rmdir()
    away.send_copies(now=NIGHT)
    page = reverse("api-backup", args=[cast.club.slug])

    def read_page() -> str:
        clear_caches()
        return browser_of(cast.secretary).get(page).content.decode()

    assert "stick" not in read_page()
    assert SEE_LOG_MESSAGE in read_page()
    other_club.memberships.all().delete()
    Club.objects.filter(pk=other_club.pk).update(rehearsal_of=cast.club)
    assert ("The stick is not in the machine." in read_page()) == (founding == "closed")


def test_what_fails_is_tried_again_later_and_later(
    stick: Place, cast: Cast, settings: Settings
) -> None:
    a_backup(settings.BACKUPS, NIGHT)
    assert stick.folder
    stick.folder.rmdir()
    now, waits = NIGHT, []
    for _ in range(7):
        (copy,) = away.send_copies(now=now)
        assert "The stick is not in the machine." in copy.fault
        assert copy.try_at is not None
        assert not away.is_due(now=copy.try_at - MINUTE)
        assert away.send_copies(now=copy.try_at - MINUTE) == []
        waits.append((copy.try_at - now) // MINUTE)
        now = copy.try_at
    assert waits == [10, 30, 60, 180, 360, 360, 360]
    assert away.send_copies(now=now - MINUTE, anyway=True)


@makes_a_backup
def test_a_copy_is_tried_when_no_backup_is_and_sent_whenever(
    stick: Place, backup: Backup, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trial sweeps away what others left, so there is one at a time; sending may take hours."""
    lock_states: list[tuple[str, bool]] = []
    original_put, put_back = Program.upload, services.restore_backup

    def note(step: str) -> None:
        lock_states.append((step, is_locked(settings.BACKUPS / ".lock")))

    def put_and_note(*arguments: Any) -> None:
        note("sent")
        original_put(*arguments)

    def put_back_and_note(*arguments: Any, **kwargs: Any) -> Any:
        note("tried")
        return put_back(*arguments, **kwargs)

    monkeypatch.setattr(Program, "upload", put_and_note)
    monkeypatch.setattr(services, "restore_backup", put_back_and_note)
    (copy,) = away.send_copies(now=NIGHT)
    assert copy.fault == ""
    assert lock_states == [("sent", False), ("tried", True)]


@makes_a_backup
def test_a_place_that_comes_back_gets_its_copy(stick: Place, backup: Backup) -> None:
    assert stick.folder
    stick.folder.rename(stick.folder.with_name("pocket"))
    away.send_copies(now=NIGHT)
    stick.folder.with_name("pocket").rename(stick.folder)
    (copy,) = away.send_copies(now=NIGHT + 10 * MINUTE)
    assert (copy.fault, copy.tries, copy.try_at) == ("", 2, None)


@makes_a_backup
def test_a_machine_that_was_switched_off_meanwhile_tries_again(
    stick: Place, backup: Backup, monkeypatch: pytest.MonkeyPatch
) -> None:
    def switch_off(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patcher:
        patcher.setattr(Program, "upload", switch_off)
        with pytest.raises(KeyboardInterrupt):
            away.send_copies(now=NIGHT)
    copy = AwayCopy.objects.get()
    assert (copy.is_good, copy.sent_at, copy.try_at) == (False, None, NIGHT + 10 * MINUTE)
    (copy,) = away.send_copies(now=NIGHT + 10 * MINUTE)
    assert copy.is_good


def alter_copies(monkeypatch: pytest.MonkeyPatch, alter: Any) -> None:
    """What lies there is not what was sent."""
    original_put = Program.upload

    def put_altered(self: Program, file: Path, name: str) -> None:
        original_put(self, file, name)
        path = Path(self.command[-1]) / name
        path.write_bytes(alter(path.read_bytes()))

    monkeypatch.setattr(Program, "upload", put_altered)


@makes_a_backup
@pytest.mark.parametrize(
    "alter", [lambda data: data[:-1], lambda data: data[:-1] + b"x", lambda _: b""]
)
def test_what_comes_back_otherwise_than_it_was_sent_is_no_good_copy(
    stick: Place, backup: Backup, monkeypatch: pytest.MonkeyPatch, alter: Any
) -> None:
    alter_copies(monkeypatch, alter)
    (copy,) = away.send_copies(now=NIGHT)
    assert (copy.is_good, copy.fault) == (
        False,
        "The copy downloaded again does not match the one that was sent.",
    )


@makes_a_backup
def test_a_copy_whose_restored_data_differ_is_not_good(
    stick: Place, backup: Backup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(away, "check_backup", lambda *_: "Rows are missing in clubs_player.")
    (copy,) = away.send_copies(now=NIGHT)
    assert (copy.is_good, copy.fault) == (False, "Rows are missing in clubs_player.")


def good_copies(folder: Path, place: Place, days: int) -> None:
    """A backup and a good copy of each of the last days."""
    assert place.folder
    (store,) = stores.stores()
    for ago in range(days, 0, -1):
        new_backup = a_backup(folder, NIGHT - ago * A_DAY)
        name = f"{ago}.tar.age"
        (place.folder / name).write_text("")
        AwayCopy.objects.create(
            backup=new_backup, place=store.name, name=name, sent_at=new_backup.made_at, is_good=True
        )


@makes_a_backup
def test_old_copies_go_by_the_rule_of_the_backups(
    stick: Place, cast: Cast, settings: Settings
) -> None:
    settings.KEEP_BACKUPS = "2,0,0"
    good_copies(settings.BACKUPS, stick, 4)
    assert stick.folder
    (stick.folder / "holiday.jpg").write_text("")
    services.back_up(now=NIGHT)
    away.send_copies(now=NIGHT)
    assert sorted(path.name for path in stick.folder.iterdir()) == [
        "1.tar.age",
        "holiday.jpg",
        NAME,
    ]
    assert AwayCopy.objects.filter(let_go_at=NIGHT).count() == 3


def test_the_last_good_copy_stays_however_many_fail(
    stick: Place, cast: Cast, settings: Settings
) -> None:
    settings.KEEP_BACKUPS = "0,0,0"
    good_copies(settings.BACKUPS, stick, 2)
    a_backup(settings.BACKUPS, NIGHT)
    (copy,) = away.send_copies(now=NIGHT)
    assert not copy.is_good
    assert stick.folder
    assert sorted(path.name for path in stick.folder.iterdir()) == ["1.tar.age", NAME]


@makes_a_backup
def test_a_place_that_deletes_nothing_is_said_and_does_not_stop_it(
    stick: Place,
    cast: Cast,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings.KEEP_BACKUPS = "1,0,0"
    good_copies(settings.BACKUPS, stick, 3)

    def refuse(self: Program, name: str) -> None:
        raise BackupError(f"{self.command[0]} does not allow this user to do that.")

    monkeypatch.setattr(Program, "delete", refuse)
    call_command("back_up")
    output = capsys.readouterr().out
    assert output.count("is overdue. It was not deleted there:") == 3
    assert len(away.undeletable_copies()) == 3
    news = away_news_at(datetime.now(UTC))
    assert [(copy.trouble, copy.fault) for copy in news] == [("", "")]
    monkeypatch.undo()


def test_operators_are_written_to_once_when_it_has_failed_three_times(
    stick: Place, cast: Cast, settings: Settings
) -> None:
    settings.OPERATORS = ["ops@example.org"]
    good_copies(settings.BACKUPS, stick, 1)
    a_backup(settings.BACKUPS, NIGHT)
    assert stick.folder
    shutil.rmtree(stick.folder)
    for hours in range(4):
        now = NIGHT + hours * timedelta(hours=1)
        away.send_copies(now=now, anyway=True)
        assert away.tell_operators(now=now) == (hours == 2)
    (letter,) = mail.outbox
    assert letter.subject == "Tongbox: copy of the backup needs attention"
    assert "The stick is not in the machine." in letter.body
    assert "17 November 2026" in letter.body
    assert PASSWORD not in letter.body


def test_the_clock_starts_a_process_only_when_something_is_due(
    stick: Place, cast: Cast, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[tuple[str, ...]] = []
    monkeypatch.setattr(away, "start_command", lambda *arguments, **_: commands.append(arguments))
    settings.BACK_UP_AT = "never"
    tasks.back_up_when_due()
    assert commands == []
    new_backup = a_backup(settings.BACKUPS, NIGHT)
    tasks.back_up_when_due()
    assert commands == [("send_away", "--if-due")]
    with workplace(settings.BACKUPS / ".away"):
        tasks.back_up_when_due()
    assert len(commands) == 1
    (store,) = stores.stores()
    AwayCopy.objects.create(backup=new_backup, place=store.name, name="x", is_good=True)
    tasks.back_up_when_due()
    assert len(commands) == 1


def test_news_says_how_old_the_good_copy_is_and_why_there_is_no_newer(
    stick: Place, cast: Cast, settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    (first_news,) = away_news_at(NIGHT)
    assert (first_news.place, first_news.made_at, first_news.trouble) == (
        first_news.place,
        None,
        "",
    )
    good_copies(settings.BACKUPS, stick, 1)
    a_backup(settings.BACKUPS, NIGHT)
    away.send_copies(now=NIGHT)
    with django_assert_num_queries(2):
        (news,) = away_news_at(NIGHT + A_DAY)
    assert (news.made_at, news.trouble) == (NIGHT - A_DAY, "")
    assert "is not a Tongbox backup" in news.fault
    assert news.try_at == NIGHT + 10 * MINUTE
    (news,) = away_news_at(NIGHT + 3 * A_DAY)
    assert re.fullmatch(
        r"There has been no good copy at python[0-9.]* for more than three days\.", news.trouble
    )


def test_a_place_that_never_worked_is_trouble_after_three_days(
    var: Path, cast: Cast, settings: Settings
) -> None:
    settings.BACKUPS_AWAY = ["ftp://anna:secret@example.org/x"]
    a_backup(settings.BACKUPS, NIGHT)
    (copy,) = away.send_copies(now=NIGHT)
    assert copy.fault == "An address begins with s3://, webdavs:// or command:."
    assert [news.trouble for news in away_news_at(NIGHT + 2 * A_DAY)] == [""]
    (news,) = away_news_at(NIGHT + 4 * A_DAY)
    assert "no good copy at address 1 of TONGBOX_BACKUPS_AWAY" in news.trouble


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What an operator types, in order; afterwards no one is there."""
    typed_lines: list[str] = []

    def answer(_question: str) -> str:
        if not typed_lines:
            raise EOFError
        return typed_lines.pop(0)

    monkeypatch.setattr("builtins.input", answer)
    return typed_lines


@makes_a_backup
def test_a_copy_away_is_tried_with_the_key_of_the_paper(
    stick: Place,
    backup: Backup,
    settings: Settings,
    answers: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    away.send_copies(now=NIGHT)
    call_command("try_backup", from_away=True, copy="newest")
    assert "The backup is good" in capsys.readouterr().out
    key = away.recovery_key()
    settings.RECOVERY_KEY.unlink()
    answers += ["1", key[:-1], key.lower()]
    call_command("try_backup", from_away=True)
    output = capsys.readouterr().out
    assert f"  1  {NAME.removesuffix('.tar.age')}  at " in output
    assert "compare each one with the paper" in output
    assert "The backup is good" in output
    with pytest.raises(CommandError, match="Tongbox cannot ask you here"):
        call_command("try_backup", from_away=True, copy="newest")
    other_key = settings.VAR_DIR / "other_key"
    make_key(other_key)
    with pytest.raises(CommandError, match="was encrypted with another recovery key"):
        call_command("try_backup", from_away=True, copy=NAME, key_file=other_key)
    with pytest.raises(CommandError, match="There is no copy yesterday"):
        call_command("try_backup", from_away=True, copy="yesterday")
    with pytest.raises(CommandError, match="Give the backup file, or use --from-away"):
        call_command("try_backup")


@makes_a_backup
def test_a_half_sent_copy_is_not_restored(stick: Place, backup: Backup) -> None:
    away.send_copies(now=NIGHT)
    assert stick.folder
    (stick.folder / NAME).write_bytes((stick.folder / NAME).read_bytes()[:-5000])
    with pytest.raises(CommandError, match="is incomplete, or has been altered"):
        call_command("try_backup", from_away=True, copy="newest")


def test_a_place_that_cannot_be_reached_hides_no_other(
    stick: Place, var: Path, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.BACKUPS_AWAY = ["ftp://x", *settings.BACKUPS_AWAY]
    messages: list[str] = []
    with pytest.raises(BackupError, match=r"No copy of a backup was found\."):
        away.list_away_copies(messages.append)
    assert len(messages) == 1
    assert stick.folder
    (stick.folder / NAME).write_text("")
    assert [copy.name for copy in away.list_away_copies(messages.append)] == [NAME]
    settings.BACKUPS_AWAY = []
    with pytest.raises(BackupError, match="is empty: set it to what it was before"):
        away.list_away_copies(messages.append)


@makes_a_backup
@pytest.mark.parametrize("kind", ["webdav", "s3", "program"])
def test_a_new_machine_needs_only_the_address_and_the_paper(
    table: SessionTable, var: Path, settings: Settings, empty: Server | Path, kind: str
) -> None:
    paper = var / "files" / "results" / "book.pdf"
    paper.parent.mkdir(parents=True)
    paper.write_bytes(b"%PDF-")
    new = var / "new"
    with contextlib.ExitStack() as servers:
        if kind == "program":
            place = program_written(var / "away")
        else:
            server = webdav_served(var / "dav") if kind == "webdav" else s3_served()
            place = servers.enter_context(server)
        settings.BACKUPS_AWAY = [place.address]
        newest = services.back_up(now=NIGHT)
        assert [copy.fault for copy in away.send_copies(now=NIGHT)] == [""]
        key = away.recovery_key()
        result = restored_on(new, empty, place.address, f"\n{key}\n")
        assert result.returncode == 0, result.stderr
        assert f"The digest is the same: {newest.digest}" in result.stdout
        repeat = restored_on(new, empty, place.address, "")
        assert "There is something in that database already" in repeat.stderr
    assert (new / "files" / "results" / "book.pdf").read_bytes() == b"%PDF-"
    assert (new / "secret_key").read_text(encoding="utf-8") == "signs every link"
    assert (new / "recovery_key").stat().st_mode & 0o777 == 0o600
    assert read_key((new / "recovery_key").read_text(encoding="utf-8")) == key
    assert [path.name for path in (new / "backups").glob("*.tar.gz")] == [Path(newest.file).name]


def restored_on(
    new: Path, empty: Server | Path, away_at: str, input_text: str
) -> "subprocess.CompletedProcess[str]":
    """``manage.py restore --from-away`` in an installation that has nothing yet."""
    environment = {key: value for key, value in os.environ.items() if key != "SECRET_KEY"}
    environment |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TONGBOX_VAR": str(new),
        "TONGBOX_BACKUPS_AWAY": away_at,
        "DATABASE_URL": database_url(empty),
    }
    return subprocess.run(  # noqa: S603
        management_command("restore", "--from-away", "--files", str(new / "files")),
        env=environment,
        input=input_text,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_a_secret_key_of_the_environment_is_never_overridden(var: Path, settings: Settings) -> None:
    assert away.restore_secret_key("signs every link").startswith("The secret key has not changed")
    message = away.restore_secret_key("the former key")
    assert message.startswith("Set SECRET_KEY to the former key")
    assert (var / "secret_key.restored").stat().st_mode & 0o777 == 0o600
    assert not (var / "secret_key").exists()


def test_the_recovery_key_is_made_once_and_printed_for_the_operator_alone(
    var: Path, stick: Place, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    key, sheet = away.recovery_key(), var / "key.pdf"
    call_command("recovery_key", sheet=sheet)
    assert key in capsys.readouterr().out
    assert sheet.stat().st_mode & 0o777 == 0o600
    assert sheet.read_bytes().startswith(b"%PDF-")
    with pytest.raises(CommandError, match="could not be written: File exists"):
        call_command("recovery_key", sheet=sheet)
    settings.RECOVERY_KEY.write_text("the seven of bamboos", encoding="utf-8")
    with pytest.raises(CommandError, match="is not the recovery key"):
        call_command("recovery_key")
    settings.RECOVERY_KEY.unlink()
    call_command("recovery_key")
    assert away.recovery_key() != key
