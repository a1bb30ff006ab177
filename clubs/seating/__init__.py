"""Who sits where with which wind, for club nights and tournaments alike; knows no Django."""

from clubs.seating.answer import Plan, Report, Round, SeatingProblem, Table
from clubs.seating.checks import check
from clubs.seating.planner import plan
from clubs.seating.request import BadRequest, Request
from clubs.seating.sizes import table_sizes_for

__all__ = [
    "BadRequest",
    "Plan",
    "Report",
    "Request",
    "Round",
    "SeatingProblem",
    "Table",
    "check",
    "plan",
    "table_sizes_for",
]
