"""What is not checked for known faults is never said to be good."""

from typing import Any

import pytest

from deploy import auditing

NAMES = sorted(auditing.pinned_versions())


def report(**faults: list[dict[str, Any]]) -> dict[str, Any]:
    versions = auditing.pinned_versions()
    packages = [
        {"name": name, "version": versions[name], "vulns": faults.get(name, [])} for name in NAMES
    ]
    return {"dependencies": packages}


def test_every_package_of_the_lock_file_is_asked_for() -> None:
    assert {"django", "psycopg", "redis", "gunicorn"} <= set(NAMES)


def test_all_checked_and_nothing_found() -> None:
    assert auditing.read_report(report()) == (len(NAMES), [], [])


def test_a_fault_is_told_with_the_version_that_mends_it() -> None:
    audit = auditing.read_report(report(django=[{"id": "CVE-1", "fix_versions": ["9.9"]}]))
    assert audit.faults == [f"django {auditing.pinned_versions()['django']}: CVE-1, mended in 9.9"]


def test_a_package_that_was_skipped_or_left_out_is_not_checked() -> None:
    partial_report = report()
    partial_report["dependencies"][0] = {"name": NAMES[0], "skip_reason": "not found"}
    del partial_report["dependencies"][1]
    assert auditing.read_report(partial_report).unchecked_packages == NAMES[:2]
    assert auditing.read_report(partial_report).checked_count == len(NAMES) - 2


def test_not_checked_is_said_loudly_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(auditing, "ask_service", lambda _: auditing.Audit(0, [], NAMES))
    assert auditing.main([]) == auditing.EXIT_NOT_CHECKED
    assert "NOT CHECKED" in capsys.readouterr().out
    assert auditing.main(["--report-only"]) == auditing.EXIT_GOOD
    assert "This is no pass" in capsys.readouterr().out


def test_a_fault_fails_even_where_only_a_report_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "ask_service", lambda _: auditing.Audit(3, ["x"], NAMES))
    assert auditing.main(["--report-only"]) == auditing.EXIT_FAULTS


def test_every_licence_of_what_is_installed_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert auditing.main(["--licences"]) == auditing.EXIT_GOOD
    assert "LGPL-3.0-only" in capsys.readouterr().out


def test_an_unknown_licence_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "licence_of", lambda _: "MIT AND Secret-1.0")
    assert auditing.main(["--licences"]) == auditing.EXIT_FAULTS
