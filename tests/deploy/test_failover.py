"""Three PostgreSQL servers, and one that leads is killed: by ``make cluster-test``."""

import subprocess
import sys

from django.conf import settings


def test_no_hand_is_lost_with_the_server_that_leads() -> None:
    sizes = ("--submissions", "40", "--tables", "4", "--phones", "4", "--kills", "1")
    result = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "deploy.faults", "leader", *sizes],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr[-2000:]
    assert "40 hands acknowledged: 0 lost, 0 out of place, 0 beside them" in result.stdout
    assert "refused and sent again; no hand was kept for" in result.stdout
