"""What the acts of a tournament's API are sent, each as its shape has it."""

from typing import Any

BODIES: dict[str, dict[str, Any]] = {
    "api-entrants": {"name": "Zoë Adams"},
    "api-entrants-members": {"players": [1]},
    "api-entrants-names": {"names": ["Zoë Adams"]},
    "api-entrants-import": {"text": "name\nZoë Adams"},
    "api-entrants-import-preview": {"text": "name\nZoë Adams"},
    "api-seating-swap": {"number": 1, "one": 1, "other": 2},
    "api-seating-takeover": {"leaver": 1, "newcomer": 2},
    "api-seating-substitute": {"entrant": 1, "number": 1},
    "api-seating-by-hand": {"tables": [{"number": 1, "names": ["", "", "", ""]}]},
    "api-seating-by-hand-preview": {"tables": [{"number": 1, "names": ["", "", "", ""]}]},
    "api-seating-list": {"text": "1,1,Ann,Ben,Cy,Di"},
    "api-seating-list-preview": {"text": "1,1,Ann,Ben,Cy,Di"},
    "api-round-by-standing": {"mark": "0"},
    "api-round-reopen": {"reason": "Looking"},
    "api-tournament-reopen": {"reason": "Looking"},
    "api-clock-set": {"do": "pause"},
    "api-clock-minutes": {"minutes": 5},
    "api-table-minutes": {"minutes": 5},
    "api-table-stop": {"do": "stop"},
    "api-table-rulings": {
        "submission_id": "6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10",
        "what": "adjustment",
        "seat": 1,
        "points": 5,
        "reason": "Looking",
    },
    "api-ruling-back": {"reason": "Looking"},
    "api-prizes": {"kind": "last"},
    "api-prizes-rule": {"one_each": True},
    "api-prize-move": {"up": True},
    "api-tournament-table": {
        "submission_id": "6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10",
        "number": 1,
        "winner": None,
    },
    "api-tournament-table-preview": {
        "submission_id": "6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10",
        "number": 1,
        "winner": None,
    },
    "api-tournament-table-repair-figures": {"seat": 1, "other_seat": 2, "first": 1},
    "api-tournament-table-repair-seats": {"seat": 1, "other_seat": 2, "first": 1, "right": "names"},
    "api-tournament-table-repair-sheets": {"other": 2, "first": 1},
    "api-tournament-table-repair-winner": {"hand": 1, "report": {"winner": None}},
    "api-tournament-table-sheet": {"rows": []},
    "api-tournament-table-agree": {"shown": "x"},
    "api-tournament-table-dispute": {"shown": "x", "seat": 1},
    "api-tournament-table-decide": {"reason": "x"},
    "api-tournament-table-correct": {"winner": None, "reason": "x"},
    "api-tournament-table-tiles": {"number": 1, "taps": ["B5"]},
    "api-tournament-table-send": {
        "hands": [
            {"submission_id": "6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10", "number": 1, "winner": None}
        ]
    },
}
