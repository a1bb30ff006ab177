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
