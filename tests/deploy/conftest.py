"""Installations to try out, and the tests for which a program is here."""

import os
import shutil

from tests.config.conftest import sample, serve

__all__ = ["sample", "serve"]

IS_HERE = {
    "test_drains_of_workers.py": bool(os.environ.get("REDIS_URL")),
    "test_units.py": shutil.which("systemd-analyze"),
    "test_promtool.py": shutil.which("promtool"),
    "test_proxy.py": shutil.which("nginx") and shutil.which("openssl"),
}
collect_ignore = [name for name, is_here in IS_HERE.items() if not is_here]
