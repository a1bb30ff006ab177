"""Every defence that docs/security.md claims names a test that is there."""

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
TESTS: Final = ROOT / "tests"
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
    asked = re.compile(claim.replace("…", r"\w*"))
    return any(asked.search(test) for test in tests)


def test_every_claim_names_a_test_that_is_there() -> None:
    tests = {name for file in TESTS.rglob("test_*.py") for name in TEST.findall(file.read_text())}
    assert [claim for claim in claims() if not is_there(claim, tests)] == []
    assert len(claims()) > 40
