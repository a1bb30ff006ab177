"""A hosted address on which anyone may start a club, and the people who run it."""

from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from clubs.hosting.texts import DRAFTS, TEXT_TITLES
from clubs.models import User
from tests.people import PASSWORD, browser_of


@pytest.fixture
def texts_folder(db: None, settings: Any, tmp_path: Path) -> Path:
    """The folder of the texts, filled in; everything that founding needs is set."""
    settings.FOUNDING = "open"
    settings.DEFAULT_FROM_EMAIL = "Tongbox <tongbox@example.org>"
    settings.OPERATORS = ["ops@example.org"]
    settings.TEXTS = str(tmp_path)
    for kind in TEXT_TITLES:
        draft = (DRAFTS / f"{kind}.md").read_text(encoding="utf-8")
        (tmp_path / f"{kind}.md").write_text(draft.replace("[FILL IN", "(by us"), encoding="utf-8")
    User.objects.create_user("someone@example.org", PASSWORD, name="Someone")
    return tmp_path


def make_operator(*, has_second_step: bool = True) -> User:
    """Someone who runs the installation, with two-step verification or without."""
    name = "olga" if has_second_step else "otto"
    operator = User.objects.create_superuser(f"{name}@example.org", PASSWORD, name=name.title())
    if has_second_step:
        totp = Authenticator.Type.TOTP
        Authenticator.objects.create(user=operator, type=totp, data={"secret": "x"})
    return operator


@pytest.fixture
def olga(db: None) -> Client:
    """The browser of an operator who has just typed their password again."""
    browser = browser_of(make_operator())
    answer = browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert answer.status_code == 302
    return browser
