"""Every benchmark as small as it can be, and what it then prints."""

import json
import os
import re
import subprocess
import sys
from typing import Any, Final

from django.conf import settings

SECONDS: Final = 600  # a machine that does much else
Smaller = dict[str, Any]  # the constants that make it small

# By a name of ours: the words of the command, and its smaller constants.
ALONE: Final[dict[str, tuple[str, Smaller]]] = {
    "a laptop's hands": ("load --database sqlite --tables 1 --clubs 1 --seconds 1 --rate 5", {}),
    "disk": ("disk --seconds 0.2", {}),
    "engine": ("engine speed", {"speed.ROUNDS": 1, "speed.HANDS": 3, "speed.LINES": [3]}),
    "batch": ("engine batch", {"engine.DIFFERENT_HANDS": 9, "engine.HANDS": 20, "engine.RUNS": 1}),
    "detective": ("engine detective", {"engine.SLIPS": 2}),
    "totals": ("engine totals", {}),
    "hall": ("hall --players 12", {"hall.TIMES": 1}),
    "pace": ("pace", {}),
    "papers": ("papers", {"papers.TABLES": 1}),
    "reseating": ("reseating", {"reseating.EVENTS": [[16, 5, 2, -1]]}),
    "seating": ("seating", {"seating.CASES": [[16, 5, [4]]], "seating.STANDINGS": [[16, 5, []]]}),
    "seating of a season": ("seating season", {"seating.CLUBS": [9]}),
    "stored plans": ("sit_out", {}),
    "a plan": ("sit_out find 9 2 1", {"sit_out.MILLION": 1000}),
    "stalls": (
        "stalls --tables 1 --seconds 2 --rate 5",
        {"stalls.STALL_INTERVAL": 1.0, "stalls.STALL_SECONDS": 0.3},
    ),
    "start": ("start --starts 2", {}),
    "waiting": (
        "waiting --players 8 --seconds 2",
        {"waiting.SETTLE_SECONDS": 0.5, "waiting.ROUNDS": 1, "waiting.ASK_INTERVAL": 0.1},
    ),
    "score book": ("scorebook events", {"scorebook.CUPS": [[8, 2]], "scorebook.TIMES": 1}),
    "seals": ("scorebook chain", {"scorebook.GAMES": 1, "scorebook.HANDS": 3}),
    "reach": ("scorebook reach", {}),
}
# On PostgreSQL, one after another in a database that the first creates.
ON_POSTGRESQL: Final[dict[str, list[tuple[str, Smaller]]]] = {
    "growth": [
        ("grow --clubs 10 --hands 1280", {}),
        ("growth --times 1", {"growth.SMALL_HANDS": 128}),
    ],
    "many readers": [
        (
            "reading",
            {
                "sample.PLAYERS": 8,
                "sample.EVENINGS": 1,
                "sample.ENTRANTS": 8,
                "sample.ROUNDS": 2,
                "reading.TIMES": 1,
            },
        ),
        ("polling --phones 3 --seconds 1", {"polling.OWN_PAGE": 1.0, "polling.STANDINGS": 0.5}),
    ],
}
ELSEWHERE: Final = {"lighthouse"}  # it asks a program that does not come with ours


def figures_of(command: str, smaller: Smaller, **environment: str) -> str:
    """What the benchmark printed, with no more around it than it needs."""
    name, *options = command.split()
    variables = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
    result = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tests.benchmarks.smallest", name, json.dumps(smaller), *options],
        cwd=settings.BASE_DIR,
        env=variables | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert result.returncode == 0, f"{command}: {result.stderr[-2000:]}"
    assert re.search(r"\d", result.stdout), f"{command} printed no figure"
    assert "FAIL" not in result.stdout
    assert "NOT THE SAME" not in result.stdout
    return result.stdout
