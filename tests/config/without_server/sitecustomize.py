"""Python loads this first where its folder is on PYTHONPATH: what only a server needs is not there.

That is what ``pip install tongbox`` leaves out and ``tongbox[server]`` brings.
"""

import sys
from typing import Any

modules: dict[str, Any] = sys.modules
modules |= dict.fromkeys(("psycopg", "psycopg_pool", "redis", "prometheus_client"))
