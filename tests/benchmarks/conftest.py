"""Which benchmarks can run here."""

import os

# They create a database of their own on its server.
collect_ignore = [] if os.environ.get("DATABASE_URL") else ["test_large.py"]
