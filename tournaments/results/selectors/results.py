"""The complete results of a tournament: places, prizes, records, rulings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Annotated, Any, NamedTuple
from zlib import crc32

from django.db.models import QuerySet

from clubs.core.versioned_cache import get_or_compute
from clubs.models import Player, ShownAs
from clubs.models.names import ORGANISER_READER, PUBLIC_READER, Reader, name_key, show_names_in
from clubs.seating.why import join_with_and
from clubs.table.rows import signed_points
from scoring.scorebook.editions import rule_set
from scoring.table.settlement import scale
from tournaments.core import names_of
from tournaments.models import Entrant, Placement, Prize, PrizeKind, Ruling, Table, Tournament
from tournaments.results.selectors.records import CrossTable, Records, cross_table, records_of
from tournaments.results.selectors.standings import (
    Board,
    StandingLine,
    TeamLine,
    board_of,
    load_tournament_data,
)
from tournaments.rounds.rulings import current_hands, effect_of, rulings_on_hands

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")
BEST_OF_METRICS: Mapping[str, tuple[str, str]] = {
    "best_hand": ("Highest hand", "Points"),
    "mahjongs": ("Most Mah-Jongs", "Mah-Jongs"),
    "special_hands": ("Most special hands", "Special hands"),
}
PASSED_ON_KINDS = (PrizeKind.BEST, PrizeKind.CLUB)
CACHE_SECONDS = 60  # seconds: a round's time may end without any write


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A prize with its current winners.

    ``note`` explains why it is shared or passed to the next in line, or is empty. ``place`` is set
    for a prize for a place among the players. ``names`` is empty while there is no winner.
    """

    title: str
    names: tuple[str, ...]
    figure: str
    gift: str = ""
    note: str = ""
    place: int | None = None
    key: Annotated[int | None, "null for a standard prize that was not added"] = None
    is_team: bool = False


@dataclass(frozen=True, slots=True)
class _Group:
    """Players or teams who are level, and their result."""

    names: tuple[str, ...]
    figure: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Facts:
    board: Board
    records: Records


def declared_prizes(tournament: Tournament) -> tuple[Prize, ...]:
    """The director's declared prizes, in order; one query."""
    return tuple(tournament.prizes.select_related("chosen"))


def prize_terms(prize: Prize) -> dict[str, Any]:
    """The terms as they are typed and sent: a prize for the most of something by its metric."""
    is_best = prize.kind == PrizeKind.BEST
    return {
        "kind": prize.of if is_best else prize.kind,
        "place": prize.place,
        "of": prize.of if prize.kind == PrizeKind.CLUB else "",
        "chosen": prize.chosen_id,
        "name": prize.name,
        "gift": prize.gift,
    }


def stored_terms(terms: Mapping[str, Any]) -> dict[str, Any]:
    """Terms that were typed or sent, as the service takes them."""
    is_best = terms["kind"] in BEST_OF_METRICS
    return {**terms, "kind": PrizeKind.BEST, "of": terms["kind"]} if is_best else {**terms}


def prizes_state(tournament: Tournament) -> str:
    """The state that a form on the list of prizes carries: their order and terms; one query."""
    rows = tournament.prizes.values_list("pk", "kind", "place", "of", "chosen", "name", "gift")
    return f"{crc32(repr(list(rows)).encode()):x}"


def rule_state(tournament: Tournament) -> str:
    """The state that the form about one prize per person carries: whether it is ticked."""
    return "ticked" if tournament.one_prize_each else "unticked"


def usual_prizes(*, with_teams: bool) -> tuple[Prize, ...]:
    """The prizes if none are declared; they are not stored."""
    team = [Prize(name="Best team", kind=PrizeKind.TEAM, place=1)] if with_teams else []
    return (
        *(
            Prize(name=name, kind=PrizeKind.PLACE, place=place)
            for place, name in enumerate(ORDINALS[:3], 1)
        ),
        *team,
        *(
            Prize(name=BEST_OF_METRICS[metric][0], kind=PrizeKind.BEST, of=metric)
            for metric in ("best_hand", "mahjongs")
        ),
    )


def award_prizes(
    tournament: Tournament, tournament_prizes: Sequence[Prize], board: Board, records: Records
) -> tuple[PrizeRow, ...]:
    """Each prize, or each usual one, with its winners by this board and these records.

    With one prize each, a prize for the most of something, or for the best of a club, passes to the
    next in line if its winner has another; prizes for places do not.
    """
    prizes = tournament_prizes or usual_prizes(with_teams=bool(board.teams))
    facts, won_prizes, rows = _Facts(board, records), dict[str, str](), dict[int, PrizeRow]()
    order = sorted(range(len(prizes)), key=lambda index: prizes[index].kind in PASSED_ON_KINDS)
    for index in order:
        prize = prizes[index]
        earlier_wins = (
            won_prizes if tournament.one_prize_each and prize.kind in PASSED_ON_KINDS else {}
        )
        is_known = board.is_begun or prize.kind == PrizeKind.CHOSEN
        group = _winners(prize, facts, earlier_wins) if is_known else _Group((), "")
        rows[index] = PrizeRow(
            title=prize.name,
            names=group.names,
            figure=group.figure,
            gift=prize.gift,
            note=group.note,
            place=prize.place if prize.kind == PrizeKind.PLACE else None,
            key=prize.pk,
            is_team=prize.kind == PrizeKind.TEAM,
        )
        if prize.kind != PrizeKind.TEAM:
            won_prizes |= {name: prize.name for name in group.names if name not in won_prizes}
    return tuple(rows[index] for index in sorted(rows))


def _winners(prize: Prize, facts: _Facts, won_prizes: Mapping[str, str]) -> _Group:
    """The first group in line with a member who has no prize yet."""
    skip_notes: list[str] = []
    for group in CANDIDATE_GROUPS[PrizeKind(prize.kind)](prize, facts):
        free = tuple(name for name in group.names if name not in won_prizes)
        skip_notes += [
            f"{name} has “{won_prizes[name]}”" for name in group.names if name in won_prizes
        ]
        if free:
            note = group.note or (
                f"Shared: {join_with_and(free)} are tied." if len(free) > 1 else ""
            )
            if skip_notes:
                are = "is" if len(free) == 1 else "are"
                note = f"{', '.join(skip_notes)}; {join_with_and(free)} {are} next in line."
            return _Group(free, group.figure, note)
    note = f"{', '.join(skip_notes)}, and no one else is in line." if skip_notes else ""
    return _Group((), "", note)


def _place_groups(prize: Prize, facts: _Facts) -> Iterator[_Group]:
    """Whoever holds that place, or the team that does; those who share places share prizes."""
    board, place = facts.board, prize.place or 1
    lines: Sequence[StandingLine | TeamLine] = board.lines
    if prize.kind == PrizeKind.TEAM:
        lines = board.teams
    for first, level in groupby(lines, key=lambda line: line.row.place):
        group = list(level)
        last = first + len(group) - 1
        if first <= place <= last:
            names = tuple(line.row.name for line in group)
            to_last = f"{'and' if last == first + 1 else 'to'} {last}"
            shared_note = f"{join_with_and(names)} share places {first} {to_last}."
            figure = f"{board.columns[0]}: {group[0].figures[0]}"
            yield _Group(names, figure, shared_note if len(group) > 1 else "")


def _best_groups(prize: Prize, facts: _Facts) -> Iterator[_Group]:
    """Everyone in line for the most of something, level ones together; nobody with none."""
    word, feats = BEST_OF_METRICS[prize.of][1], facts.records.feats[prize.of]
    # In the order of the standings; then the substitutes, whose feats are their own.
    lines = dict.fromkeys(line.row.name for line in facts.board.lines)
    counts = {name: feats.get(name, 0) for name in (*lines, *(feats.keys() - lines.keys()))}
    for value in sorted({count for count in counts.values() if count > 0}, reverse=True):
        names = tuple(name for name, count in counts.items() if count == value)
        yield _Group(names, f"{word}: {value:,}")


def _club_groups(prize: Prize, facts: _Facts) -> Iterator[_Group]:
    """Those of a club in the order of their places; no club named: members of the club itself."""
    club = name_key(prize.of)
    lines = [
        line
        for line in facts.board.lines
        if (name_key(line.row.from_club) == club if club else line.row.is_member)
    ]
    for place, level in groupby(lines, key=lambda line: line.row.place):
        yield _Group(tuple(line.row.name for line in level), f"Place {place}")


def _last_group(_prize: Prize, facts: _Facts) -> Iterator[_Group]:
    """The last of those who stayed to the end."""
    finisher_lines = [line for line in facts.board.lines if not line.row.has_left]
    level = [line for line in finisher_lines if line.row.place == finisher_lines[-1].row.place]
    if level:
        yield _Group(tuple(line.row.name for line in level), f"Place {level[0].row.place}")


def _chosen_group(prize: Prize, facts: _Facts) -> Iterator[_Group]:
    """The chosen winner, unless they left before the first round."""
    names = tuple(
        line.row.name for line in facts.board.lines if line.row.entrant_id == prize.chosen_id
    )
    if names:
        yield _Group(names, "")


CANDIDATE_GROUPS: Mapping[PrizeKind, Callable[[Prize, _Facts], Iterator[_Group]]] = {
    PrizeKind.PLACE: _place_groups,
    PrizeKind.TEAM: _place_groups,
    PrizeKind.BEST: _best_groups,
    PrizeKind.CLUB: _club_groups,
    PrizeKind.LAST: _last_group,
    PrizeKind.CHOSEN: _chosen_group,
}


class Gain(NamedTuple):
    """What a ruling gives or takes."""

    name: str
    points: int


@dataclass(frozen=True, slots=True)
class RulingRow:
    """A ruling: where, whose mistake, the points, the reason, and whether it still counts."""

    pk: int
    round: int
    table: int
    name: str
    what: str
    gains: tuple[Gain, ...]
    reason: str
    ruled_at: datetime
    is_taken_back: bool
    takes_back: Annotated[bool, "whether it cancels another ruling"]
    hand: Annotated[int | None, "number of the hand that it is about, if it is about one"] = None
    note: Annotated[str, "what the score book counts otherwise than the ruling, or empty"] = ""
    why_cancelled: Annotated[str, "the reason, if it was cancelled with one"] = ""

    @property
    def cost(self) -> str:
        """``Ann −500, Ben +500``; no points if nobody gained or lost any."""
        text = ", ".join(f"{name} {signed_points(points)}" for name, points in self.gains)
        return text or "no points"

    @property
    def location(self) -> str:
        """``round 2, table 3``, and the hand if it is about one."""
        at_table = f"round {self.round}, table {self.table}"
        return at_table if self.hand is None else f"{at_table}, hand {self.hand}"


def rulings_of(
    tournament: Tournament, *, last_round: int | None = None, reader: Reader = PUBLIC_READER
) -> tuple[RulingRow, ...]:
    """Every ruling in the rounds that count, oldest first; three queries."""
    rulings = Ruling.objects.filter(table__round__tournament=tournament)
    if last_round is not None:
        rulings = rulings.filter(table__round__number__lte=last_round)
    return _ruling_rows(rulings, reader)


def rulings_at(table: Table) -> tuple[RulingRow, ...]:
    """For the organisers, in full names: the rulings at a table, oldest first; four queries.

    Each with a note if its hand is not as the ruling says.
    """
    rows = _ruling_rows(Ruling.objects.filter(table=table), ORGANISER_READER)
    rulings = list(rulings_on_hands([table.game_id])) if rows else []
    hands = current_hands([table.game_id]) if rulings else {}
    notes = {
        ruling.pk: effect_of(ruling, hands.get((table.game_id, ruling.hand_number or 0))).note
        for ruling in rulings
    }
    return tuple(replace(row, note=notes.get(row.pk, "")) for row in rows)


def _ruling_rows(rulings: QuerySet[Ruling], reader: Reader) -> tuple[RulingRow, ...]:
    result = list(rulings.select_related("table__round", "player", "taken_back_by"))
    if not result:
        return ()
    seats = Placement.objects.filter(table__in={ruling.table_id for ruling in result})
    entrants = Entrant.objects.filter(tournament__rounds=result[0].table.round_id)
    people = list(entrants.select_related("player"))
    entrant_names = names_of(people, reader)
    seat_entrants = seats.values_list("table", "seat__number", "entrant")
    names = {(table, seat): entrant_names[entrant] for table, seat, entrant in seat_entrants}
    shown_names = {entrant.name: entrant_names[entrant.pk] for entrant in people}
    cancel_reasons = {
        ruling.takes_back_id: ruling.reason for ruling in result if ruling.takes_back_id
    }
    return tuple(
        RulingRow(
            pk=ruling.pk,
            round=ruling.table.round.number,
            table=ruling.table.number,
            name=names[ruling.table_id, ruling.player.number],
            what=show_names_in(ruling.what, shown_names),
            gains=tuple(
                Gain(names[ruling.table_id, int(seat)], points)
                for seat, points in ruling.points.items()
            ),
            reason=show_names_in(ruling.reason, shown_names),
            ruled_at=ruling.ruled_at,
            is_taken_back=hasattr(ruling, "taken_back_by"),
            takes_back=ruling.takes_back_id is not None,
            hand=ruling.hand_number,
            why_cancelled=show_names_in(cancel_reasons.get(ruling.pk, ""), shown_names),
        )
        for ruling in result
    )


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """One line of the rules' scale of penalties."""

    name: str
    costs: str


def scale_rows(table: Table) -> tuple[ScaleRow, ...]:
    """The rules' scale of penalties; empty if they have none."""
    rules = rule_set(table.game.rules)
    return tuple(
        ScaleRow(incident.name, incident.describe(rules.limit))
        for incident in scale(rules).values()
    )


@dataclass(frozen=True, slots=True)
class Honour:
    """A step of the podium."""

    place: int
    title: str
    names: tuple[str, ...]
    figure: str
    gifts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """All the results of a tournament; prizes and podium once it is final."""

    board: Board
    records: Records
    rulings: tuple[RulingRow, ...]
    prizes: tuple[PrizeRow, ...]
    cross: CrossTable

    @property
    def podium(self) -> tuple[Honour, ...]:
        """The first three places, with or without prizes; only in final results."""
        result = []
        for place, title in enumerate(ORDINALS[:3] if self.board.is_final else (), 1):
            lines = [line for line in self.board.lines if line.row.place == place]
            names = tuple(line.row.name for line in lines)
            rows = (row for row in self.prizes if row.place and row.place <= 3)
            gifts = tuple(row.gift for row in rows if row.names == names and row.gift)
            if lines:
                figure = f"{self.board.columns[0]}: {lines[0].figures[0]}"
                result.append(Honour(place, title, names, figure, gifts))
        return tuple(result)

    @property
    def other_prizes(self) -> tuple[PrizeRow, ...]:
        """The prizes other than for the first three places, in order."""
        return tuple(row for row in self.prizes if row.place is None or row.place > 3)

    def won_by(self, name: str) -> tuple[str, ...]:
        """What that player has won, alone or shared; without team prizes."""
        return tuple(row.title for row in self.prizes if name in row.names and not row.is_team)


def results_of(
    tournament: Tournament, *, last_round: int | None = None, reader: Reader = PUBLIC_READER
) -> Results:
    """The results up to a round, or of all; at most eleven queries."""
    tournament_data = load_tournament_data(tournament)
    board = board_of(
        tournament, last_round=last_round, reader=reader, tournament_data=tournament_data
    )
    records = records_of(
        tournament, last_round=last_round, reader=reader, tournament_data=tournament_data
    )
    rows: tuple[PrizeRow, ...] = ()
    if board.is_final:
        rows = award_prizes(tournament, declared_prizes(tournament), board, records)
    return Results(
        board=board,
        records=records,
        rulings=rulings_of(tournament, last_round=last_round, reader=reader),
        prizes=tuple(row for row in rows if row.names),
        cross=cross_table(tournament, board=board, tournament_data=tournament_data, reader=reader),
    )


@dataclass(frozen=True, slots=True)
class PrizeGiving:
    """Every prize, in order."""

    rows: tuple[PrizeRow, ...]
    are_usual: Annotated[bool, "none were added, so these are given"]
    is_final: bool
    standing: str


def prize_giving(tournament: Tournament, *, reader: Reader = PUBLIC_READER) -> PrizeGiving:
    """The prizes in their order; at most seven queries however many."""
    tournament_data = load_tournament_data(tournament)
    board = board_of(tournament, reader=reader, tournament_data=tournament_data)
    records = records_of(tournament, reader=reader, tournament_data=tournament_data)
    tournament_prizes = declared_prizes(tournament)
    return PrizeGiving(
        rows=award_prizes(tournament, tournament_prizes, board, records),
        are_usual=not tournament_prizes,
        is_final=board.is_final,
        standing=board.standing,
    )


def standings_version(
    tournament: Tournament, *, last_round: int | None = None, reader: Reader = PUBLIC_READER
) -> str:
    """A text that changes with the standings that the reader sees; one query.

    Readers who see the same share it: a player shown by full name shares everyone's.
    """
    styled_players = Player.objects.filter(entries__tournament=tournament).exclude(
        shown_as=ShownAs.FULL
    )
    name_styles = dict(styled_players.order_by("pk").values_list("pk", "shown_as"))
    if not reader.is_organiser and reader.player not in name_styles:
        reader = Reader(at_table=reader.at_table)
    value = crc32(repr((tournament.state, reader, name_styles)).encode())
    return f"{tournament.wall_key}-{tournament.version}-{last_round}-{value:x}"


def cached_results(
    tournament: Tournament,
    mark: str,
    *,
    last_round: int | None = None,
    reader: Reader = PUBLIC_READER,
) -> Results:
    """``results_of``, cached for readers who see the same."""
    load_results = partial(results_of, tournament, last_round=last_round, reader=reader)
    return get_or_compute(f"results-{mark}", load_results, seconds=CACHE_SECONDS)


def cached_board(
    tournament: Tournament, *, last_round: int | None = None, mark: str | None = None
) -> Board:
    """``board_of`` for everyone, cached; one query without its ``mark``, three more on a miss."""
    mark = mark or standings_version(tournament, last_round=last_round)
    return get_or_compute(
        f"board-{mark}", partial(board_of, tournament, last_round=last_round), seconds=CACHE_SECONDS
    )
