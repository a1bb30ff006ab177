"""Clubs, their people, evenings and leagues; jobs that run behind the pages."""

from clubs.models.calendar import Answer, Holiday, Invitation, Series, StandBy, TableMoney
from clubs.models.evenings import (
    Attendance,
    Credit,
    SentResult,
    Session,
    SessionSeat,
    SessionState,
    SessionTable,
)
from clubs.models.jobs import Job, JobState
from clubs.models.keys import link_key
from clubs.models.leagues import Handicap, HouseRules, League, Season, SeasonRules
from clubs.models.lists import MemberImport, PlayerMerge
from clubs.models.people import (
    Alias,
    Club,
    Membership,
    Player,
    PlayerKind,
    Role,
    User,
    UserManager,
)

__all__ = [
    "Alias",
    "Answer",
    "Attendance",
    "Club",
    "Credit",
    "Handicap",
    "Holiday",
    "HouseRules",
    "Invitation",
    "Job",
    "JobState",
    "League",
    "MemberImport",
    "Membership",
    "Player",
    "PlayerKind",
    "PlayerMerge",
    "Role",
    "Season",
    "SeasonRules",
    "SentResult",
    "Series",
    "Session",
    "SessionSeat",
    "SessionState",
    "SessionTable",
    "StandBy",
    "TableMoney",
    "User",
    "UserManager",
    "link_key",
]
