"""Clubs, their people, evenings and leagues; jobs that run behind the pages."""

from clubs.models.access import ApiToken, KeptAnswer, Scope
from clubs.models.backups import Backup
from clubs.models.calendar import Answer, Holiday, Invitation, Series, StandBy, TableMoney
from clubs.models.deeds import Deed
from clubs.models.evenings import (
    EARLIER_GAME,
    Attendance,
    Credit,
    SentResult,
    Session,
    SessionSeat,
    SessionState,
    SessionTable,
)
from clubs.models.jobs import Job, JobState
from clubs.models.keeping import Erasure, Retention
from clubs.models.keys import link_key
from clubs.models.leagues import Handicap, HouseRules, League, Season, SeasonRules
from clubs.models.links import ReplacedLink
from clubs.models.lists import MemberImport, PlayerMerge
from clubs.models.messages import Batch, Message, MessageState
from clubs.models.people import (
    Alias,
    Club,
    Membership,
    Player,
    PlayerKind,
    Role,
    ShownAs,
    User,
    UserManager,
)
from clubs.models.roles import RoleInvitation
from clubs.models.seating import Wish, WishKind
from clubs.models.webhooks import Delivery, News, Webhook

__all__ = [
    "EARLIER_GAME",
    "Alias",
    "Answer",
    "ApiToken",
    "Attendance",
    "Backup",
    "Batch",
    "Club",
    "Credit",
    "Deed",
    "Delivery",
    "Erasure",
    "Handicap",
    "Holiday",
    "HouseRules",
    "Invitation",
    "Job",
    "JobState",
    "KeptAnswer",
    "League",
    "MemberImport",
    "Membership",
    "Message",
    "MessageState",
    "News",
    "Player",
    "PlayerKind",
    "PlayerMerge",
    "ReplacedLink",
    "Retention",
    "Role",
    "RoleInvitation",
    "Scope",
    "Season",
    "SeasonRules",
    "SentResult",
    "Series",
    "Session",
    "SessionSeat",
    "SessionState",
    "SessionTable",
    "ShownAs",
    "StandBy",
    "TableMoney",
    "User",
    "UserManager",
    "Webhook",
    "Wish",
    "WishKind",
    "link_key",
]
