"""Every defence that docs/security.md claims names a test that is there."""

import re
from pathlib import Path
from typing import Final

from django.conf import settings

from clubs.core import mail_limits
from clubs.core.tries import LIMITS, Entrance
from clubs.hosting.services import deletion, founding
from clubs.house.first_run import CODE_BYTES
from clubs.messages.mailbox import MOST_BYTES
from clubs.models.people import LINK_KEY_LENGTH, LINK_SEAL_LENGTH
from config.middleware import THREADS, VISITOR_THREADS
from config.settings import REST_FRAMEWORK

ROOT: Final = Path(__file__).resolve().parent.parent
TESTS: Final = ROOT / "tests"
A_DAY: Final = 24 * 60 * 60  # seconds
NAMED: Final = re.compile(r"`([^`]+)`")
TEST: Final = re.compile(r"^def test_(\w+)", re.MULTILINE)


def claims() -> list[str]:
    """What stands between backticks in the last column of each row."""
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = [line.rsplit("|", 2)[1] for line in page.splitlines() if line.startswith("| ")]
    return [name for row in rows for name in NAMED.findall(row)]


def is_there(claim: str, tests: set[str]) -> bool:
    if claim.endswith(".py"):
        return any(TESTS.glob(claim))
    pattern = re.compile(claim.replace("…", r"\w*"))
    return any(pattern.search(test) for test in tests)


def test_every_claim_names_a_test_that_is_there() -> None:
    tests = {name for file in TESTS.rglob("test_*.py") for name in TEST.findall(file.read_text())}
    assert [claim for claim in claims() if not is_there(claim, tests)] == []
    assert len(claims()) > 40


def test_the_numbers_of_tries_and_emails_are_those_of_the_code() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    wrong, codes, resets = (
        LIMITS[entrance] for entrance in (Entrance.SIGN_IN, Entrance.LOGIN_CODE, Entrance.RESET)
    )
    short_limit, hour_limit = amounts(wrong.place)
    (of_all,), (for_all,) = amounts(wrong.account), amounts(wrong.network)
    assert f"{short_limit} wrong ones in 5 minutes and {hour_limit} an hour from one place" in page
    assert f"{of_all} an hour from all places; {for_all} in 5 minutes from one place" in page
    rates = REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    assert isinstance(rates, dict)
    (visits,) = amounts(rates["visitor"])
    assert f"{visits} a minute for visitors of one network" in page
    (code_emails,), (links,) = amounts(codes.account), amounts(resets.account)
    assert f"{code_emails} emails an hour with codes and {links} with links" in page
    assert f"invites {mail_limits.EMAILS_PER_NEW_CLUB} people a day" in page
    assert f"each address {mail_limits.EMAILS_PER_ADDRESS} times" in page
    assert f"asked about {mail_limits.CONFIRMATIONS_PER_ADDRESS} times a day" in page
    assert f"by {founding.SECONDS_PER_FILE} seconds" in page
    assert f"each process {('none', 'one', 'two')[founding.MAX_FILES_AT_ONCE]}" in page
    assert f"Refused files count: {founding.FILES_PER_PERSON} a day" in page


def test_the_other_numbers_are_those_of_the_code() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    assert page.count(f"{LINK_KEY_LENGTH * 6} random bits") == 2
    assert f"{LINK_SEAL_LENGTH * 6} more bits are a seal" in page
    assert f"ends after {settings.SESSION_COOKIE_AGE // A_DAY} days without a visit" in page
    assert f"{deletion.NOTICE_PERIOD.days} days in which every secretary can keep it" in page
    assert f"more than {settings.MOST_SENT // 1_000_000} MB gets 413" in page
    assert f"{MOST_BYTES // 1_000} kB of it are read" in page
    assert f"an {CODE_BYTES * 8}-bit code" in page
    assert "a third of a process’s threads stays free" in page
    assert THREADS - VISITOR_THREADS >= THREADS / 3


def amounts(rates: str) -> list[int]:
    """How many tries, of rates as allauth writes them: ``5/5m/key,20/h/key``."""
    return [int(rate.partition("/")[0]) for rate in rates.split(",")]
