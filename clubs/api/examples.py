"""Examples in the API's description; the tests play them."""

from typing import Any

from drf_spectacular.utils import OpenApiExample

HAND_TOLD: dict[str, Any] = {
    "submission_id": "6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10",
    "number": 1,
    "winner": 2,
    "scores": {"1": 20, "2": 60, "3": 8, "4": 4},
}
DRAWN_HAND_TOLD: dict[str, Any] = {
    "submission_id": "0b9c3d64-3f0e-4a55-8a53-6f1f2c1f9d11",
    "number": 2,
    "winner": None,
}
HAND_KEPT: dict[str, Any] = {
    "id": 1,
    "number": 1,
    "outcome": "Ben (South) went Mah-Jong with 60",
    "winner": 2,
    "told_by": "totals",
    "scores": {"1": 20, "2": 60, "3": 8, "4": 4},
    "gains": {"1": -64, "2": 240, "3": -80, "4": -96},
    "winds": {"1": "E", "2": "S", "3": "W", "4": "N"},
    "dealer": 1,
    "prevailing_wind": "E",
    "goulash": False,
    "state": "reported",
    "sent_at": "2026-11-17T19:45:00Z",
    "payments": [
        {"payer": "Ann", "payee": "Ben", "points": 120},
        {"payer": "Cy", "payee": "Ben", "points": 60},
        {"payer": "Di", "payee": "Ben", "points": 60},
        {"payer": "Cy", "payee": "Ann", "points": 24},
        {"payer": "Di", "payee": "Ann", "points": 32},
        {"payer": "Di", "payee": "Cy", "points": 4},
    ],
    "lines": {},
}
NEXT_DEAL: dict[str, Any] = {
    "number": 2,
    "winds": {"1": "N", "2": "E", "3": "S", "4": "W"},
    "dealer": 2,
    "prevailing_wind": "E",
    "goulash": False,
    "sits_out": None,
}
TABLE_TOLD: dict[str, Any] = {
    "number": 1,
    "event": "Tuesday 17 November",
    "rules": "bmja/2008",
    "seats": [
        {"number": 1, "name": "Ann", "wind": "N", "is_dealer": False, "points": -64},
        {"number": 2, "name": "Ben", "wind": "E", "is_dealer": True, "points": 240},
        {"number": 3, "name": "Cy", "wind": "S", "is_dealer": False, "points": -80},
        {"number": 4, "name": "Di", "wind": "W", "is_dealer": False, "points": -96},
    ],
    "hands": [HAND_KEPT],
    "next_hand": NEXT_DEAL,
}
PROBLEMS_TOLD: dict[str, Any] = {
    "problems": [
        {
            "code": "bad_score",
            "where": "scores.3",
            "message": (
                "37 cannot be scored under BMJA rules by South in the East round; 36 and 38 can."
            ),
        }
    ],
    "request_id": "f3a9c1d27b0e4c5f8a6d1e2b3c4d5e6f",
}

HAND_IN = OpenApiExample("Four scores and a winner", value=HAND_TOLD, request_only=True)
DRAWN_HAND_IN = OpenApiExample("A drawn hand", value=DRAWN_HAND_TOLD, request_only=True)
HAND = OpenApiExample(
    "The hand as kept", value=HAND_KEPT, response_only=True, status_codes=["200", "201"]
)
TABLE = OpenApiExample("After one hand", value=TABLE_TOLD, response_only=True)
PROBLEMS = OpenApiExample(
    "An odd score", value=PROBLEMS_TOLD, response_only=True, status_codes=["400"]
)
SIGN_IN = OpenApiExample(
    "Signing in",
    value={
        "email": "ann@example.org",
        "password": "four winds blow",
        "name": "The clubhouse screen",
        "scopes": ["read"],
        "club": "riverside",
        "days": 365,
    },
    request_only=True,
)
TOKEN = OpenApiExample(
    "The token",
    value={
        "token": "tbx_w3Kc0mY5vX1hQ8sZ2nT7bR4jL6pD9fGa0eUiVoSd",
        "id": 7,
        "name": "The clubhouse screen",
        "beginning": "tbx_w3Kc0mY5",
        "scopes": ["read"],
        "club": "riverside",
        "made_at": "2026-11-17T19:30:00Z",
        "used_at": None,
        "ends_at": "2027-11-17T19:30:00Z",
    },
    response_only=True,
    status_codes=["201"],
)
