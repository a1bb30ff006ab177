"""A club's rules, leagues and seasons; evenings, their tables and seats, and the calendar."""

from django.db import models
from django.db.models import CheckConstraint, F, Q, UniqueConstraint
from django.utils import timezone

from clubs.language.moments import long_date
from clubs.models.people import Club, Player, User, link_key
from clubs.tenancy import ClubManager, EveningManager, LeagueManager, SeasonManager
from scoring.scorebook.models import Book, Edition, Game, Seat

EARLIER_GAME_OFFSET = 1000  # tables from this number on are games that have ended


class HouseRules(models.Model):
    """Saved house rules of a club, which can be chosen until they are retired."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="house_rules")
    edition = models.ForeignKey(Edition, on_delete=models.PROTECT, related_name="clubs")
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True, blank=True, help_text="since when not offered")

    objects = ClubManager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            UniqueConstraint(name="one_edition_once_in_a_club", fields=["club", "edition"])
        ]

    def __str__(self) -> str:
        return f"{self.edition} of {self.club}"


class League(models.Model):
    """A competition that a club runs season after season."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="leagues")
    name = models.CharField(max_length=80)

    objects = ClubManager()

    class Meta:
        constraints = [UniqueConstraint(name="one_league_of_a_name", fields=["club", "name"])]

    def __str__(self) -> str:
        return self.name


class Season(models.Model):
    """A run of evenings, ranked by its rules."""

    league = models.ForeignKey(League, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(max_length=80)
    rules = models.CharField(
        max_length=40, blank=True, help_text="rule set key; empty: as the club plays"
    )
    starts_on = models.DateField()
    ends_on = models.DateField()

    objects = LeagueManager()

    class Meta:
        ordering = ["-starts_on"]
        constraints = [
            UniqueConstraint(name="one_season_of_a_name", fields=["league", "name"]),
            CheckConstraint(
                name="season_ends_after_it_starts", condition=Q(ends_on__gte=F("starts_on"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league}, {self.name}"

    @property
    def plays(self) -> str:
        """The key of the rule set for the season's evenings."""
        return self.rules or self.league.club.rules


class SeasonRules(models.Model):
    """Versions of how a season ranks, as data; the newest adopted one is in force."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField(help_text="1 is the first version")
    declaration = models.JSONField()
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)
    adopted_at = models.DateTimeField(null=True, blank=True, help_text="empty: only tried so far")

    objects = SeasonManager()

    class Meta:
        ordering = ["-number"]
        constraints = [
            UniqueConstraint(name="one_version_of_a_number", fields=["season", "number"])
        ]

    def __str__(self) -> str:
        return f"version {self.number}, {self.season}"


class Handicap(models.Model):
    """Points that a player gets or gives away at each evening of a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="handicaps")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="handicaps")
    points = models.SmallIntegerField()

    objects = SeasonManager()

    class Meta:
        constraints = [UniqueConstraint(name="one_handicap_each", fields=["season", "player"])]

    def __str__(self) -> str:
        return f"{self.player}: {self.points:+d}"


class SessionState(models.TextChoices):
    ARRIVING = "arriving", "people are arriving"
    PLAYING = "playing", "being played"
    CLOSED = "closed", "finished"
    CANCELLED = "cancelled", "cancelled"


COUNTING_STATES = (SessionState.ARRIVING, SessionState.PLAYING, SessionState.CLOSED)


def counting_evenings(lookup: str = "") -> Q:
    """Selects the evenings that were not cancelled, or the rows of such evenings.

    ``lookup`` is the lookup from a row to its evening. League, averages, records, ratings,
    attendance and everything else that adds up evenings selects by this.
    """
    return Q(**{f"{lookup}state__in": COUNTING_STATES})


class Session(models.Model):
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="sessions")
    season = models.ForeignKey(
        Season, null=True, blank=True, on_delete=models.PROTECT, related_name="sessions"
    )
    held_on = models.DateField()
    state = models.CharField(
        max_length=10, choices=SessionState.choices, default=SessionState.ARRIVING
    )
    version = models.PositiveIntegerField(default=0, help_text="goes up with every change shown")
    times_closed = models.PositiveIntegerField(default=0)
    state_before = models.CharField(
        max_length=10, blank=True, choices=SessionState.choices, help_text="before it was cancelled"
    )
    cancel_reason = models.CharField(max_length=200, blank=True)
    wall_key = models.CharField(max_length=24, unique=True, default=link_key)
    book = models.OneToOneField(
        Book, null=True, blank=True, on_delete=models.PROTECT, related_name="session"
    )

    objects = ClubManager()

    class Meta:
        ordering = ["-held_on", "-pk"]
        constraints = [
            UniqueConstraint(
                name="one_session_a_day", fields=["club", "held_on"], condition=counting_evenings()
            ),
            CheckConstraint(
                name="a_cancelled_session_knows_its_state_before",
                condition=(counting_evenings() & Q(state_before=""))
                | (~counting_evenings() & ~Q(state_before="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club}, {long_date(self.held_on)}"

    @property
    def is_cancelled(self) -> bool:
        return self.state == SessionState.CANCELLED

    @property
    def is_over(self) -> bool:
        """Whether no more is recorded: it is finished or cancelled."""
        return self.is_cancelled or self.state == SessionState.CLOSED

    @property
    def plays(self) -> str:
        """The key of its tables' rule set: the season's, else the club's."""
        return (self.season and self.season.rules) or self.club.rules


class Attendance(models.Model):
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="attendances")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="attendances")
    left_at = models.DateTimeField(null=True, blank=True, help_text="gone home since")

    objects = EveningManager()

    class Meta:
        constraints = [UniqueConstraint(name="one_tick_each", fields=["session", "player"])]

    def __str__(self) -> str:
        return f"{self.player} at {self.session}"


class Credit(models.Model):
    """An evening that someone missed on club duty: they helped, hosted or sat out."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="credits")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="credits")
    reason = models.CharField(max_length=120, blank=True)
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)

    objects = EveningManager()

    class Meta:
        constraints = [UniqueConstraint(name="one_credit_an_evening", fields=["session", "player"])]

    def __str__(self) -> str:
        return f"{self.player}, {self.session}"


class SessionTable(models.Model):
    """A table of an evening, the game it plays, and its secret link.

    If someone joins or leaves between two hands, the table starts another game, and the one that
    ended becomes a table of its own: 1002 and 2002 were earlier games of table 2.
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField(help_text="from 1001 on: a game that has ended")
    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="session_table")
    link_key = models.CharField(max_length=24, unique=True, default=link_key)

    objects = EveningManager()

    class Meta:
        ordering = ["number"]
        constraints = [UniqueConstraint(name="one_table_of_a_number", fields=["session", "number"])]

    def __str__(self) -> str:
        return f"table {self.number}, {self.session}"

    @property
    def table_number(self) -> int:
        """The number of the physical table, whichever of its games this is."""
        return self.number % EARLIER_GAME_OFFSET


class SessionSeat(models.Model):
    """A player in a seat of the score book on that evening; ``is_current``: still sitting there."""

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="places")
    table = models.ForeignKey(SessionTable, on_delete=models.CASCADE, related_name="places")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="places")
    seat = models.OneToOneField(Seat, on_delete=models.PROTECT, related_name="session_place")
    is_current = models.BooleanField(default=True, help_text="false once they have left it")

    objects = EveningManager()

    class Meta:
        ordering = ["table__number", "seat__number"]
        constraints = [
            UniqueConstraint(
                name="one_seat_at_a_time",
                fields=["session", "player"],
                condition=Q(is_current=True),
            ),
            UniqueConstraint(name="one_seat_in_a_game", fields=["table", "player"]),
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.table}"


class SentResult(models.Model):
    """A record that a member was sent an evening's result; a corrected one has another digest."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="sent_results")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="sent_results")
    digest = models.CharField(max_length=64, help_text="of the places and gains that were sent")
    sent_at = models.DateTimeField(auto_now_add=True)

    objects = EveningManager()

    class Meta:
        constraints = [
            UniqueConstraint(name="one_result_is_sent_once", fields=["session", "player", "digest"])
        ]

    def __str__(self) -> str:
        return f"result of {self.session} to {self.player}"


class ReplacedLink(models.Model):
    """A table's former link, and its current one."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="replaced_links")
    key = models.CharField(max_length=24, unique=True)
    stands = models.CharField(max_length=24, db_index=True, help_text="the key that opens it now")
    replaced_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-replaced_at"]

    def __str__(self) -> str:
        return f"link of {self.club}, replaced {long_date(self.replaced_at)}"


class WishKind(models.TextChoices):
    APART = "apart", "not at one table"
    TOGETHER = "together", "at one table"
    HELPER = "helper", "a beginner, with a helper"
    TABLE = "table", "always at this table"


class Wish(models.Model):
    """A preference that the seating respects every evening until it is deleted.

    ``other`` is the second player (the helper, for a beginner); ``table`` a table's number.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="wishes")
    kind = models.CharField(max_length=10, choices=WishKind.choices)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="wishes")
    other = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.CASCADE, related_name="wishes_of_others"
    )
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    until = models.DateField(null=True, blank=True, help_text="the last evening it holds for")
    reason = models.CharField(max_length=120, blank=True, help_text="for the secretary only")
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(default=timezone.now)

    objects = ClubManager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            UniqueConstraint(
                name="one_wish_of_a_kind_for_two",
                fields=["kind", "player", "other"],
                condition=Q(other__isnull=False),
            ),
            UniqueConstraint(name="one_table_always", fields=["player"], condition=Q(kind="table")),
            CheckConstraint(
                name="a_wish_names_a_player_or_a_table",
                condition=Q(kind="table", other__isnull=True, table__isnull=False)
                | (~Q(kind="table") & Q(other__isnull=False, table__isnull=True)),
            ),
            CheckConstraint(name="nobody_is_their_own_company", condition=~Q(other=F("player"))),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_kind_display()}"


class Series(models.Model):
    """Regular evenings: every few weeks, or on days such as the second Tuesday of a month.

    ``weeks`` are those of a month, from 1; 5 is the last. Empty: every ``every`` weeks from the
    first day.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="series")
    name = models.CharField(max_length=80)
    place = models.CharField(max_length=120, blank=True)
    first_on = models.DateField()
    last_on = models.DateField()
    every = models.PositiveSmallIntegerField(default=1)
    weeks = models.JSONField(default=list, blank=True)
    starts_at = models.TimeField()
    ends_at = models.TimeField()
    feed_key = models.CharField(max_length=24, unique=True, default=link_key)
    version = models.PositiveIntegerField(
        default=0, help_text="goes up with every change of its dates or of the closed dates"
    )
    changed_at = models.DateTimeField(default=timezone.now, help_text="when it last went up")

    objects = ClubManager()

    class Meta:
        ordering = ["first_on", "pk"]
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return f"{self.name}, {self.club}"


class Holiday(models.Model):
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="holidays")
    name = models.CharField(max_length=80)
    first_on = models.DateField()
    last_on = models.DateField()

    objects = ClubManager()

    class Meta:
        ordering = ["first_on"]

    def __str__(self) -> str:
        return f"{self.name}, {self.club}"


class Answer(models.TextChoices):
    NONE = "", "no answer yet"
    YES = "yes", "can come"
    NO = "no", "cannot come"


class Invitation(models.Model):
    """An invitation to an evening; ``key`` is the link to reply to it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    held_on = models.DateField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="invitations")
    key = models.CharField(max_length=24, unique=True, default=link_key)
    answer = models.CharField(max_length=3, choices=Answer.choices, default=Answer.NONE, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    asked_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)

    objects = ClubManager()

    class Meta:
        ordering = ["held_on", "asked_at"]
        constraints = [
            UniqueConstraint(name="asked_once_for_a_day", fields=["club", "held_on", "player"])
        ]

    def __str__(self) -> str:
        return f"{self.player} for {long_date(self.held_on)}"


class StandBy(models.Model):
    """Someone who can fill a seat at short notice."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="stand_bys")
    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="stand_by")
    since = models.DateTimeField(default=timezone.now)

    objects = ClubManager()

    class Meta:
        ordering = ["since"]

    def __str__(self) -> str:
        return f"{self.player} is a substitute"


class TableMoney(models.Model):
    """A payment at the door of an evening, in pence."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="money")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="money")
    pence = models.PositiveIntegerField()
    taken_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    taken_at = models.DateTimeField(default=timezone.now)

    objects = EveningManager()

    class Meta:
        ordering = ["pk"]
        constraints = [UniqueConstraint(name="paid_once_an_evening", fields=["session", "player"])]

    def __str__(self) -> str:
        return f"{self.player} at {self.session}"
