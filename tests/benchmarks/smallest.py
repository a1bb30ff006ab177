"""A benchmark, made smaller: ``python -m tests.benchmarks.smallest papers '{"papers.TABLES": 1}'``.

Further words are those of its command. The constants are given new values before its
``main`` runs; one that a benchmark no longer has is an ``AttributeError``.
"""

import importlib
import json
import sys

from clubs.tenancy import across_clubs

name, smaller, *options = sys.argv[1:]
benchmark = importlib.import_module(f"benchmarks.{name}")
for place, value in json.loads(smaller).items():
    module, constant = place.split(".")
    holder = importlib.import_module(f"benchmarks.{module}")
    getattr(holder, constant)
    setattr(holder, constant, value)
sys.argv[1:] = options
with across_clubs():
    benchmark.main()
