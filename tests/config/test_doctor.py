"""The doctor names what is wrong, and what to do."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from clubs.models import AuditEntry, Backup, Installation
from clubs.tenancy import across_clubs
from config import doctor
from config.doctor import FINE, NOTE, WRONG, Diagnosis, examine
from tests.config.served import free_port

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def a_club(settings: Settings, tmp_path: Path) -> None:
    """An installation with a club, and a good backup of today."""
    settings.VAR_DIR, settings.SITE_ADDRESS = tmp_path, ""
    call_command("found_club", "Hill Top", "ann@example.org")
    Backup.objects.create(made_at=timezone.now(), is_good=True, file="x")


def findings() -> dict[str, Diagnosis]:
    diagnoses = examine(port=free_port(), now=timezone.now())
    return {finding.subject: finding for finding in diagnoses}


def test_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("doctor", "--port", str(free_port()))
    output = capsys.readouterr().out
    assert "✓ Database  Readable and up to date, 1 club." in output
    assert output.endswith("\nTongbox is ready for an evening.\n")


def test_what_is_wrong_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    Backup.objects.update(is_good=False, fault="Rows are missing.")
    with pytest.raises(CommandError, match=r"1 thing to fix\."):
        call_command("doctor", "--port", str(free_port()))
    output = capsys.readouterr().out
    message = "The last backup failed its test. Rows are missing. Run: tongbox backup"
    assert f"✗ Backup    {message}\n" in output


def test_a_release_that_was_not_finished_is_named() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    text = "1 change to it is waiting. Run: tongbox upgrade"
    assert findings()["Database"] == Diagnosis("Database", text, WRONG)


def test_a_newer_release_is_named() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('clubs', '0999_next_year', CURRENT_TIMESTAMP)"
        )
    text = "It was last used by a newer Tongbox. Install the newest."
    assert findings()["Database"] == Diagnosis("Database", text, WRONG)


def test_a_clock_behind_what_was_saved_is_wrong() -> None:
    with across_clubs():
        AuditEntry.objects.update(at=timezone.now() + timedelta(days=1))
    clock = findings()["Clock"]
    assert clock.state == WRONG
    assert "But something was saved at" in clock.message


def test_little_room_is_named_before_it_is_too_little(monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings()["Data"].state == FINE
    monkeypatch.setattr(doctor, "LOW_FREE_SPACE", 2**60)
    assert findings()["Data"].state == NOTE
    monkeypatch.setattr(doctor, "MIN_FREE_SPACE", 2**60)
    assert findings()["Data"].state == WRONG


def test_qr_codes_that_lead_elsewhere_are_named() -> None:
    Installation.objects.update_or_create(pk=1, defaults={"address": "http://192.168.250.1:8000"})
    codes = findings()["QR codes"]
    assert codes.state == NOTE
    assert codes.message.startswith("They lead to http://192.168.250.1:8000, which is not")


def test_where_emails_go_is_said(settings: Settings, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    assert f"written to {tmp_path / 'mail'}" in findings()["Email"].message
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "mail.example.org"
    assert findings()["Email"] == Diagnosis("Email", "Sent through mail.example.org.")
