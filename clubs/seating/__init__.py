"""Seats players with winds, for club nights and tournaments alike; without Django."""

from clubs.seating.planner import by_standing, plan
from clubs.seating.request import (
    BadRequest,
    Plan,
    Report,
    Request,
    Round,
    SeatingProblem,
    Table,
    check,
    table_sizes_for,
)
from clubs.seating.why import Detail, PlayerDetail, Said, review, why

__all__ = [
    "BadRequest",
    "Detail",
    "Plan",
    "PlayerDetail",
    "Report",
    "Request",
    "Round",
    "Said",
    "SeatingProblem",
    "Table",
    "by_standing",
    "check",
    "plan",
    "review",
    "table_sizes_for",
    "why",
]
