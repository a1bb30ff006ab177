"""Who sits where with which wind, for club nights and tournaments alike; knows no Django."""

from clubs.seating.answer import Plan, Report, Round, SeatingProblem, Table
from clubs.seating.checks import check
from clubs.seating.planner import plan
from clubs.seating.request import BadRequest, Request
from clubs.seating.review import review
from clubs.seating.sizes import table_sizes_for
from clubs.seating.standing import by_standing
from clubs.seating.why import Detail, PlayerDetail, Said, why

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
