"""Prometheus' own reader takes the alerts, and tries them; collected where promtool is."""

import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

FOLDER = Path(settings.BASE_DIR) / "deploy" / "prometheus"


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "rules", "alerts.yml"),
        ("test", "rules", "alerts_test.yml"),
        ("check", "config", "--syntax-only", "prometheus.yml"),
    ],
    ids=" ".join,
)
def test_prometheus_takes_what_it_is_given(arguments: tuple[str, ...]) -> None:
    command = [shutil.which("promtool") or "", *arguments]
    result = subprocess.run(  # noqa: S603
        command, cwd=FOLDER, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
