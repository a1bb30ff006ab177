"""Seats players with winds, for club nights and tournaments alike; without Django."""

from clubs.seating.planner import plan, plan_by_standing
from clubs.seating.request import (
    BadRequest,
    Plan,
    PlannedTable,
    Report,
    Request,
    Round,
    SeatingProblem,
    check_request,
    table_sizes_for,
)
from clubs.seating.why import PlanDetail, PlayerDetail, SeatingRemark, explain_plan, review_rounds
