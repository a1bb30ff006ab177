"""Rounds, tables and calls; the last round may be hidden until the prize-giving."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.db.models import Prefetch, Q, QuerySet, prefetch_related_objects

from clubs.evenings.selectors.floor import Dispute, disputes_among
from clubs.language.words import count_words, whole_number
from clubs.models.names import PUBLIC_READER, TABLE_READER, Reader, by_surname, marked_as_withdrawn
from clubs.table.rows import EarlierSitter, LinkedTable, PersonIds, TableView
from clubs.tenancy import club_scope
from scoring.scorebook.consent import Sitters
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.prepared import PreparedQuery
from scoring.scorebook.selectors import GameView, game_view, game_views, starting_winds
from tournaments.core import WITH_PLAYER, names_of, sitters_of
from tournaments.models import (
    MOST_ROUNDS,
    Entrant,
    EntrantState,
    Placement,
    Round,
    RoundState,
    SeatingChange,
    Table,
    Tournament,
)
from tournaments.rounds.clock import is_reported_ended, tables_ended_early
from tournaments.rounds.couples import partners_of


def is_hidden(tournament: Tournament, *, number: int) -> bool:
    """Whether only officials see the points of round ``number``."""
    return tournament.hides_last_round and number >= tournament.rounds_planned


def last_shown_round(
    tournament: Tournament, *, requested_round: str = "", to_officials: bool = False
) -> int | None:
    """The last round to count, at most the requested one (``?after=3``); None for all of them."""
    is_bound = tournament.hides_last_round and not to_officials
    limit = tournament.rounds_planned - 1 if is_bound else None
    if not (number := whole_number(requested_round, most=MOST_ROUNDS)):
        return limit
    return number if limit is None else min(number, limit)


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A seat of a table: its entrant, the points so far, and the substitute.

    ``points`` is None while they are hidden.
    """

    seat: int
    wind: str
    entrant_id: int
    name: str
    points: int | None
    substitute: Annotated[str, "the substitute; empty: the entrant plays"] = ""
    first_hand: Annotated[int, "the first hand of the round that they play"] = 1
    has_withdrawn: Annotated[bool, "they withdrew, and no one plays for them in this round"] = False

    @property
    def sitter(self) -> str:
        """The name of the person who sits there."""
        return self.substitute or self.name

    @property
    def marked_sitter(self) -> str:
        """The same, with a word for someone who has withdrawn: ``Ann Cox (withdrew)``."""
        return marked_as_withdrawn(self.name) if self.has_withdrawn else self.sitter

    @property
    def stand_in(self) -> str:
        """``for Ann Cox, from hand 4``: for whom they play, and since when; else empty."""
        name = f"for {self.name}" if self.substitute else ""
        since_text = f"from hand {self.first_hand}" if self.first_hand > 1 else ""
        return ", ".join(filter(None, (name, since_text)))


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table of a round.

    ``unagreed_hands`` are the hands to which the table has not agreed.
    """

    number: int
    game_id: int
    link_key: str
    places: tuple[PlaceRow, ...]
    hands: int
    hands_planned: int | None
    disputed_hands: Annotated[tuple[int, ...], "hand numbers"]
    last_at: datetime | None
    unagreed_hands: Annotated[tuple[int, ...], "hand numbers"] = ()

    @property
    def withdrawn_places(self) -> tuple[PlaceRow, ...]:
        """The seats of those who withdrew, in which no one plays."""
        return tuple(place for place in self.places if place.has_withdrawn)

    @property
    def is_done(self) -> bool:
        """Whether every hand is played and none is disputed."""
        return self._is_full and not self.disputed_hands

    @property
    def _is_full(self) -> bool:
        return self.hands_planned is not None and self.hands >= self.hands_planned

    @property
    def state(self) -> str:
        """The state of the table in words; problems first."""
        if self.disputed_hands:
            return f"hand {self.disputed_hands[0]} not agreed"
        if self.is_done:
            return "done"
        if not self.hands:
            return "not started"
        total_text = "" if self.hands_planned is None else f" of {self.hands_planned}"
        return f"hand {self.hands}{total_text}"

    @property
    def sign(self) -> str:
        """The symbol for the state: trouble, idle, done or playing."""
        if self.disputed_hands:
            return "trouble"
        if self.is_done:
            return "done"
        return "playing" if self.hands else "idle"

    @property
    def lacks(self) -> str:
        """``hand 2 is not agreed, 6 of 8 hands are in``; empty if nothing is missing."""
        missing = [f"hand {number} is not agreed" for number in self.disputed_hands]
        if self.hands_planned is None:
            missing.append(f"{count_words(self.hands, 'hand')} entered, not marked as stopped")
        elif not self._is_full:
            missing.append(f"{self.hands} of {self.hands_planned} hands entered")
        return ", ".join(missing)


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round with its tables.

    ``running_since`` is None before it starts and while stopped.
    """

    number: int
    state: Annotated[RoundState, "seated, playing or closed"]
    tables: tuple[TableRow, ...]
    sitting_out: tuple[str, ...] = ()
    running_since: datetime | None = None


def rounds_of(
    tournament: Tournament, *, to_officials: bool = True, reader: Reader = PUBLIC_READER
) -> tuple[RoundView, ...]:
    """Every round with its tables, places and who sits out; five queries however many.

    One more under rules that play to so many points. Hides the points of a hidden round from
    everyone but officials.
    """
    rounds = list(tournament.rounds.all())
    return _round_views(rounds, tournament, to_officials=to_officials, reader=reader)


def round_view(
    round_: Round,
    tournament: Tournament,
    *,
    to_officials: bool = True,
    reader: Reader = PUBLIC_READER,
) -> RoundView:
    """One loaded round alone: one query fewer than for all of them."""
    (view,) = _round_views([copy(round_)], tournament, to_officials=to_officials, reader=reader)
    return view


def _round_views(
    rounds: Sequence[Round], tournament: Tournament, *, to_officials: bool, reader: Reader
) -> tuple[RoundView, ...]:
    ended_tables = tables_ended_early(tournament)
    resting = Entrant.objects.people().select_related("player")
    prefetch_related_objects(
        rounds,
        Prefetch("sitting_out", resting),
        Prefetch("tables", Table.objects.select_related("game")),
        Prefetch("tables__placements", Placement.objects.select_related(WITH_PLAYER, "seat")),
        Prefetch(
            "tables__game__hands",
            Hand.objects.filter(is_current=True).only("game_id", "number", "state", "sent_at"),
            to_attr="current_hands",
        ),
    )
    people = [entrant for round_ in rounds for entrant in round_.sitting_out.all()]
    tables = [table for round_ in rounds for table in round_.tables.all()]
    people += [place.entrant for table in tables for place in table.placements.all()]
    names = names_of(people, reader)
    return tuple(
        RoundView(
            round_.number,
            RoundState(round_.state),
            tuple(
                _table_row(
                    table,
                    names,
                    tells=to_officials or not is_hidden(tournament, number=round_.number),
                    is_ended=table.pk in ended_tables
                    or is_reported_ended(round_state=round_.state, stopped_at=table.stopped_at),
                )
                for table in round_.tables.all()
            ),
            tuple(names[entrant.pk] for entrant in _people_sitting_out(round_)),
            None if round_.paused_at else round_.resumed_at or round_.started_at,
        )
        for round_ in rounds
    )


def _people_sitting_out(round_: Round) -> list[Entrant]:
    """Who sits out, by surname; until the round is closed no one who has withdrawn."""
    people = by_surname(round_.sitting_out.all())
    if round_.state == RoundState.CLOSED:
        return people
    return [entrant for entrant in people if entrant.state != EntrantState.WITHDRAWN]


def sitting_out_at(tournament: Tournament, *, reader: Reader = TABLE_READER) -> dict[str, str]:
    """``Sitting out: Ann Cox, Ben Brown``, by the event of the round’s tables; three queries.

    A round in which nobody sits out is not in it.
    """
    resting = Prefetch("sitting_out", Entrant.objects.people())
    names = names_of(tournament.entrants.select_related("player"), reader)
    at_rounds = {
        event_of(tournament, round_): [names[entrant.pk] for entrant in _people_sitting_out(round_)]
        for round_ in tournament.rounds.prefetch_related(resting)
    }
    return {
        event: f"Sitting out: {', '.join(resting_names)}"
        for event, resting_names in at_rounds.items()
        if resting_names
    }


def event_of(tournament: Tournament, round_: Round) -> str:
    """``Autumn Cup, round 2``: what the tables of a round are headed by."""
    return f"{tournament.name}, round {round_.number}"


def _table_row(table: Table, names: Mapping[int, str], *, tells: bool, is_ended: bool) -> TableRow:
    """A table at a glance; if it has stopped or won the race, no more hands are planned."""
    winds = starting_winds(table.game)
    hands: list[Hand] = table.game.current_hands  # type: ignore[attr-defined]
    return TableRow(
        number=table.number,
        game_id=table.game_id,
        link_key=table.link_key,
        places=tuple(
            PlaceRow(
                place.seat.number,
                str(winds[place.seat.number]),
                place.entrant_id,
                names[place.entrant_id],
                place.seat.points if tells else None,
                place.substitute,
                place.first_hand,
                place.has_withdrawn and table.round.state != RoundState.CLOSED,
            )
            for place in sorted(table.placements.all(), key=lambda place: place.seat.number)
        ),
        hands=len(hands),
        hands_planned=len(hands) if is_ended else table.game.hands_planned,
        disputed_hands=tuple(hand.number for hand in hands if hand.state == HandState.DISPUTED),
        last_at=max((hand.sent_at for hand in hands), default=None),
        unagreed_hands=tuple(hand.number for hand in hands if hand.state == HandState.REPORTED),
    )


def unfinished_tables(round_: Round) -> list[TableRow]:
    """The tables that prevent closing the round."""
    view = round_view(round_, round_.tournament)
    return [table for table in view.tables if not table.is_done]


def not_open_message(round_: Round) -> str:
    """The message to a table whose round is not being played."""
    if round_.state == RoundState.CLOSED:
        playing = round_.tournament.rounds.filter(state=RoundState.PLAYING).first()
        now = ""
        if playing:
            now = f" Round {playing.number} is being played: use the card of that round."
        return f"This card is for round {round_.number}, which is closed.{now}"
    return f"Round {round_.number} has not been started yet. The director will start it."


def tables_with_games() -> QuerySet[Table]:
    """Tables with their round, tournament, club and game."""
    return Table.objects.select_related("round__tournament__club", "game")


def reload_table(table: Table) -> Table:
    """The same table with its round and its tournament as they are now; one query."""
    return _CURRENT_TABLE(table.pk, table.round.tournament.club_id)[0]


def _table_query(table: int, club: int) -> QuerySet[Table]:
    with club_scope(club):
        return Table.objects.select_related("round__tournament").filter(pk=table)


_CURRENT_TABLE = PreparedQuery(_table_query, int, int)


def table_numbers(tournament_id: int, round_number: int) -> list[int]:
    """The numbers of a round's tables in order; one query."""
    tables = Table.objects.filter(round__tournament=tournament_id, round__number=round_number)
    return list(tables.order_by("number").values_list("number", flat=True))


def table_titles(tournament: Tournament) -> dict[int, str]:
    """Every table of the tournament in words, by the key of its game; one query."""
    tables = Table.objects.filter(round__tournament=tournament)
    table_rows = tables.values_list("game", "round__number", "number")
    return {game: f"Round {at_round}, table {number}" for game, at_round, number in table_rows}


def open_tables(tournament: Tournament) -> QuerySet[Table]:
    """The tables of the round being played."""
    return tables_with_games().filter(round__tournament=tournament, round__state=RoundState.PLAYING)


def entrants_at(table: Table) -> set[int]:
    """The people at the table, by entrant id; one query."""
    return set(table.placements.order_by().values_list("entrant_id", flat=True))


def names_at(table: Table) -> dict[int, str]:
    """The full names of those who play at the table now, by seat number; one query."""
    return {place.seat.number: place.sitter for place in _places_at(table)}


def sitters_at(table: Table, *, hand_id: int | None = None) -> Sitters:
    """Who plays at the table now, or played a hand; one query.

    One more where someone took a seat over.
    """
    places, hand = _places_at(table), None
    if hand_id is not None and any(place.earlier_sitters for place in places):
        hand = Hand.objects.filter(pk=hand_id).values_list("number", flat=True).first()
    names = {place.seat.number: place.entrant.name for place in places}
    substitutes = {
        place.seat.number: name for place in places if (name := place.substitute_at(hand))
    }
    return Sitters(names | substitutes, substitutes)


def names_shown_at(
    table: Table, *, reader: Reader = TABLE_READER, hand: int | None = None
) -> dict[int, str]:
    """Who plays there, or played a hand, as shown to readers; one query."""
    return _names_by_seat(_places_at(table), reader, hand)


def _names_by_seat(
    places: Sequence[Placement], reader: Reader, hand: int | None = None
) -> dict[int, str]:
    sitters = sitters_of(places, reader, hand=hand)
    return {place.seat.number: sitters[place.pk] for place in places}


def earlier_sitters_of(
    places: Iterable[Placement], reader: Reader
) -> dict[int, tuple[EarlierSitter, ...]]:
    """By table, who played hands there before someone else took their seat."""
    places = [place for place in places if place.earlier_sitters]
    names = names_of((place.entrant for place in places), reader)
    result: dict[int, tuple[EarlierSitter, ...]] = {}
    for place in places:
        entrant_name = names[place.entrant_id]
        result[place.table_id] = result.get(place.table_id, ()) + tuple(
            EarlierSitter(place.seat.number, last, name or entrant_name, name)
            for last, name in place.earlier_sitters
        )
    return result


def _places_at(table: Table) -> list[Placement]:
    return _PLACES(table.pk, table.round.tournament.club_id)


def _places_query(table: int, club: int) -> QuerySet[Placement]:
    with club_scope(club):
        places = Placement.objects.filter(table=table)
        return places.select_related(WITH_PLAYER, "seat").order_by("seat__number")


_PLACES = PreparedQuery(_places_query, int, int)


def table_view(table: Table, *, reader: Reader = TABLE_READER) -> TableView:
    """The table with its names and its game."""
    places = _places_at(table)
    sitters = sitters_of(places, reader)
    earlier_sitters = earlier_sitters_of(places, reader).get(table.pk, ())
    game = game_view(table.game)
    return _make_table_view(table.round.tournament, table, game, places, sitters, earlier_sitters)


def _make_table_view(
    tournament: Tournament,
    table: Table,
    game: GameView,
    places: Sequence[Placement],
    sitters: Mapping[int, str],
    earlier_sitters: tuple[EarlierSitter, ...],
) -> TableView:
    """A table of its places, and of who has them by place."""
    return TableView(
        number=table.number,
        event=event_of(tournament, table.round),
        game=game,
        names={place.seat.number: sitters[place.pk] for place in places},
        substitutes={place.seat.number: place.substitute for place in places},
        stake=tournament.start_stake,
        earlier_sitters=earlier_sitters,
        withdrawn=_withdrawn_seats(table, places),
        ids={
            place.seat.number: PersonIds(place.entrant.player_id, place.entrant_id)
            for place in places
        },
    )


def linked_tables(
    tournament: Tournament, *, round_number: int | None, reader: Reader = TABLE_READER
) -> tuple[LinkedTable, ...]:
    """The tables of one round, or of all, with game and link; four queries, however many."""
    queryset = Table.objects.filter(round__tournament=tournament)
    if round_number is not None:
        queryset = queryset.filter(round__number=round_number)
    tables = list(queryset.select_related("game", "round").order_by("round__number", "number"))
    games = game_views([table.game for table in tables])
    places = list(Placement.objects.filter(table__in=tables).select_related(WITH_PLAYER, "seat"))
    sitters, earlier_sitters = sitters_of(places, reader), earlier_sitters_of(places, reader)
    at_table: dict[int, list[Placement]] = defaultdict(list)
    for place in places:
        at_table[place.table_id].append(place)
    return tuple(
        LinkedTable(
            table.link_key,
            _make_table_view(
                tournament,
                table,
                games[table.game_id],
                at_table[table.pk],
                sitters,
                earlier_sitters.get(table.pk, ()),
            ),
        )
        for table in tables
    )


def _withdrawn_seats(table: Table, places: Sequence[Placement]) -> frozenset[int]:
    """The seats of a table whose player withdrew before its round was closed."""
    if table.round.state == RoundState.CLOSED:
        return frozenset()
    return frozenset(place.seat.number for place in places if place.has_withdrawn)


def disputes_of(tournament: Tournament) -> tuple[Dispute, ...]:
    """The disputes of all rounds, longest wait first; four queries, one if there are none."""
    in_rounds = Hand.objects.filter(game__tournament_table__round__tournament=tournament)

    def names(hands: Sequence[Hand]) -> dict[int, dict[int, str]]:
        games = {hand.game_id for hand in hands}
        places = Placement.objects.filter(seat__game__in=games).select_related("entrant", "seat")
        at_game: dict[int, list[Placement]] = defaultdict(list)
        for place in places:
            at_game[place.seat.game_id].append(place)
        return {
            hand.pk: {
                place.seat.number: place.substitute_at(hand.number) or place.entrant.name
                for place in at_game[hand.game_id]
            }
            for hand in hands
        }

    return disputes_among(
        in_rounds,
        table="game__tournament_table__number",
        round_="game__tournament_table__round__number",
        names=names,
    )


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entrant; ``trouble`` says what is wrong with their seats, empty if nothing is.

    ``partner``: whom they are a couple with, by either’s entry; as typed if that is no entrant.
    """

    entrant: Entrant
    trouble: Annotated[str, "any problem with their seats; empty: none"]
    partner: str = ""
    has_partner: bool = False

    @property
    def missing_partner(self) -> Annotated[str, "the named partner if they have not entered"]:
        """The partner as typed, if that is no entrant; otherwise empty."""
        return "" if self.has_partner else self.partner

    @property
    def partner_in_words(self) -> str:
        """``Ben Brown``, ``Ben Brwn (not entered)``; empty for nobody."""
        return f"{self.partner} (not entered)" if self.missing_partner else self.partner

    @property
    def state(self) -> str:
        """What the form carries that adds this entrant to the tournament."""
        return entrant_state(self.entrant, "entrant-readmit")

    @property
    def affiliation(self) -> str:
        """``Hill Top Tiles, team Bamboo``: where they come from and for whom they play."""
        entrant = self.entrant
        visitor = "" if entrant.player_id or entrant.from_club else "visitor"
        says_team = entrant.team.casefold().startswith("team ")
        team = entrant.team if says_team or not entrant.team else f"team {entrant.team}"
        couple = f"couple: {self.partner_in_words}" if self.partner else ""
        return ", ".join(part for part in (entrant.from_club, visitor, team, couple) if part)


def entrant_state(entrant: Entrant, act: str) -> str:
    """What a form about one entrant carries; the waiting list matters only to a place."""
    place = entrant.state if act == "entrant-readmit" else "listed"
    return f"{place}-{entrant.times_withdrawn}"


@dataclass(frozen=True, slots=True)
class EntryList:
    """Everyone by state and surname; who waits, in the order of their entry."""

    entered: tuple[EntryRow, ...]
    waiting: tuple[EntryRow, ...]
    withdrawn: tuple[EntryRow, ...]
    house: tuple[Entrant, ...]
    can_reseat: bool

    @property
    def fills_tables(self) -> bool:
        """Whether the entered make up tables of four without anyone else."""
        return len(self.entered) % 4 == 0

    @property
    def lacking(self) -> int:
        """How many more would make up tables of four."""
        return -len(self.entered) % 4

    @property
    def paid(self) -> int:
        return sum(row.entrant.has_paid for row in self.entered)

    @property
    def present_count(self) -> int:
        return sum(row.entrant.is_here for row in self.entered)

    @property
    def troubles(self) -> tuple[EntryRow, ...]:
        """Those whose seats do not fit what they do."""
        return tuple(row for row in (*self.entered, *self.withdrawn) if row.trouble)


def entry_list(tournament: Tournament) -> EntryList:
    """The entry list; four queries however many entered, three with the rounds at hand."""
    states = {round_.number: round_.state for round_ in tournament.rounds.all()}
    to_come = {number for number, state in states.items() if state == RoundState.SEATED}
    rounds = _rounds_by_entrant(tournament)
    rows: dict[str, list[EntryRow]] = defaultdict(list)
    house = []
    everyone = tuple(tournament.entrants.all())
    partners = partners_of(everyone)
    for entrant in by_surname(everyone):
        if entrant.is_house:
            house.append(entrant)
            continue
        trouble = _seat_trouble(entrant, rounds.get(entrant.pk, {}), to_come)
        partner = partners.get(entrant.pk, "")
        row = EntryRow(entrant, trouble, partner or entrant.couple, has_partner=bool(partner))
        rows[entrant.state].append(row)
    return EntryList(
        entered=tuple(rows[EntrantState.ENTERED]),
        waiting=tuple(sorted(rows[EntrantState.WAITING], key=lambda row: row.entrant.number)),
        withdrawn=tuple(rows[EntrantState.WITHDRAWN]),
        house=tuple(house),
        can_reseat=bool(to_come) or 0 < len(states) < tournament.drawn_rounds,
    )


def _rounds_by_entrant(tournament: Tournament) -> dict[int, dict[int, bool]]:
    """For every entrant the open rounds by number: True where they sit in person.

    False where they rest, or where a substitute has their seat.
    """
    result: dict[int, dict[int, bool]] = defaultdict(dict)
    is_open = Q(round__tournament=tournament) & ~Q(round__state=RoundState.CLOSED)
    resting = Round.sitting_out.through._default_manager.filter(is_open)
    for entrant, number in resting.values_list("entrant", "round__number"):
        result[entrant][number] = False
    seats = Placement.objects.filter(is_open)
    for entrant, number, substitute in seats.values_list("entrant", "round__number", "substitute"):
        result[entrant][number] = not substitute
    return result


def _seat_trouble(entrant: Entrant, seats: Mapping[int, bool], to_come: set[int]) -> str:
    if entrant.state == EntrantState.ENTERED and to_come - seats.keys():
        return "has no seat in the remaining rounds"
    counts = sorted(number for number, sits in seats.items() if sits)
    if entrant.state == EntrantState.WITHDRAWN and counts:
        return f"still has a seat in {numbers_text('round', counts)}"
    return ""


def numbers_text(word: str, numbers: Sequence[int]) -> str:
    """``round 3``, ``rounds 3, 4``."""
    return f"{word}{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"


def badge_rows(tournament: Tournament) -> list[tuple[str, str, int]]:
    """Everyone entered by surname: at least their first name, their club, number; one query."""
    people = by_surname(tournament.entrants.entered().select_related("player"))
    names = names_of(people, TABLE_READER)
    return [(names[entrant.pk], entrant.from_club, entrant.number) for entrant in people]


def last_change(tournament: Tournament) -> SeatingChange | None:
    """The last change of the seating by hand that has not been undone."""
    return tournament.changes.filter(undone_at=None).first()
