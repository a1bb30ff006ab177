"""Installations to try out, and the tests for which a program is here."""

import os
import shutil
from pathlib import Path

import pytest

from tests.config.conftest import sample, serve

__all__ = ["sample", "serve"]

REDIS, POSTGRESQL = os.environ.get("REDIS_URL"), os.environ.get("DATABASE_URL")
SYSTEMD = shutil.which("systemd-analyze")
IS_HERE = {
    "test_servers.py": REDIS and POSTGRESQL and os.environ.get("POSTGRESQL_CLIENT"),
    "test_unit_filters.py": SYSTEMD,
    "test_unit_filters_of_workers.py": SYSTEMD and REDIS and POSTGRESQL,
    "test_power.py": shutil.which("gcc"),
    "test_age.py": shutil.which("age"),
    "test_promtool.py": shutil.which("promtool"),
    "test_container.py": os.environ.get("TONGBOX_IMAGE") == "required",  # make container-test
    "test_failover.py": os.environ.get("TONGBOX_CLUSTER") == "required",  # make cluster-test
    "test_proxy.py": shutil.which("nginx") and shutil.which("openssl"),
}
collect_ignore = [name for name, is_here in IS_HERE.items() if not is_here]


@pytest.fixture(params=["with numpy", "without numpy"])
def libraries(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """The environment in which openpyxl finds numpy, as with the ``batch`` extra, or does not."""
    if request.param == "with numpy":
        return {}
    (tmp_path / "numpy.py").write_text('raise ImportError("no numpy here")\n')
    return {"PYTHONPATH": str(tmp_path)}
