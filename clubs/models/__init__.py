"""Clubs, their people, evenings and leagues; background jobs."""

from clubs.models.accounts import (
    ApiToken,
    AuditEntry,
    Backup,
    Erasure,
    Job,
    JobState,
    KeptAnswer,
    Retention,
    RoleInvitation,
    Scope,
    link_key,
)
from clubs.models.evenings import (
    EARLIER_GAME,
    Answer,
    Attendance,
    Credit,
    Holiday,
    Invitation,
    ReplacedLink,
    SentResult,
    Series,
    Session,
    SessionSeat,
    SessionState,
    SessionTable,
    StandBy,
    TableMoney,
    Wish,
    WishKind,
)
from clubs.models.leagues import Handicap, HouseRules, League, Season, SeasonRules
from clubs.models.messages import Batch, Delivery, Message, MessageState, News, Webhook
from clubs.models.people import (
    Alias,
    Club,
    MemberImport,
    Membership,
    Player,
    PlayerKind,
    PlayerMerge,
    Role,
    ShownAs,
    User,
    UserManager,
)
