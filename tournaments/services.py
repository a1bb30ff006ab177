"""A tournament from the entry list to the last standing: each call one transaction."""

from collections.abc import Sequence
from datetime import date
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max

from clubs.models import Club, Player
from clubs.names import MAX_NAME, name_fault, name_key, tidy_name
from clubs.seating import BadRequest, Plan, Request, plan
from clubs.services.locks import lock_club
from scoring import rule_set
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game, Hand, HandState
from scoring.scorebook.refusals import Refusal, Refused, refuse
from scoring.scorebook.reports import Report
from tournaments.models import (
    Entrant,
    Placement,
    Round,
    RoundState,
    Table,
    Tournament,
    TournamentState,
    ranking_default,
)
from tournaments.selectors import desk

SEAT_OF = {"E": 1, "S": 2, "W": 3, "N": 4}
RANKING = ("table_points", "total", "mahjongs", "best_hand")
MOST_ROUNDS, MOST_HANDS = 30, 100


@transaction.atomic
def make_tournament(
    *,
    club: Club,
    name: str,
    held_on: date,
    rounds: int = 5,
    hands_a_round: int = 8,
    ranks_by: Sequence[str] = (),
) -> Tournament:
    """A tournament that takes entries, under the newest edition of the club's rules."""
    made = Tournament(
        club=lock_club(club.pk),
        name=tidy_name(name),
        held_on=held_on,
        rules=rule_set(club.rules).key,
        rounds_planned=rounds,
        hands_a_round=hands_a_round,
        ranks_by=list(ranks_by) or ranking_default(),
    )
    if problems := _faults(made):
        raise Refused(problems)
    made.save()
    return made


def _faults(made: Tournament) -> list[Refusal]:
    found = []
    if fault := name_fault(made.name):
        found.append(Refusal("bad_name", fault, "name"))
    elif Tournament.objects.filter(club=made.club, name=made.name).exists():
        sentence = "There is a tournament of that name already."
        found.append(Refusal("name_taken", sentence, "name"))
    if not 1 <= made.rounds_planned <= MOST_ROUNDS:
        sentence = f"A tournament has 1 to {MOST_ROUNDS} rounds."
        found.append(Refusal("bad_value", sentence, "rounds"))
    if not 1 <= made.hands_a_round <= MOST_HANDS:
        sentence = f"A round has 1 to {MOST_HANDS} hands."
        found.append(Refusal("bad_value", sentence, "hands_a_round"))
    if unknown := [metric for metric in made.ranks_by if metric not in RANKING]:
        sentence = f"“{unknown[0]}” is nothing to rank by."
        found.append(Refusal("bad_value", sentence, "ranks_by"))
    return found


@transaction.atomic
def enter(
    *, tournament: Tournament, name: str, from_club: str = "", player: Player | None = None
) -> Entrant:
    """One more entrant, while no round is seated; a member of the club is known by the name."""
    tournament = lock(tournament.pk)
    _still_entering(tournament)
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    if len(tidy_name(from_club)) > MAX_NAME:
        raise refuse("bad_name", f"A club's name has at most {MAX_NAME} letters.", "from_club")
    if tournament.entrants.filter(name_key=name_key(name)).exists():
        raise refuse("name_taken", f"{tidy_name(name)} is entered already.", "name")
    if player is None and not from_club:
        player = tournament.club.players.filter(name_key=name_key(name)).first()
    last: int = tournament.entrants.aggregate(last=Max("number"))["last"] or 0
    entrant = Entrant.objects.create(
        tournament=tournament,
        number=last + 1,
        name=tidy_name(name),
        name_key=name_key(name),
        from_club=tidy_name(from_club),
        player=player,
    )
    touch(tournament)
    return entrant


@transaction.atomic
def enter_many(*, tournament: Tournament, names: Sequence[str]) -> int:
    """Entrants by name, all or none.

    Empty lines are passed over; a refusal counts them. Returns how many entered.
    """
    problems: list[Refusal] = []
    lines = [(line, name) for line, name in enumerate(names, start=1) if name.strip()]
    for line, name in lines:
        try:
            enter(tournament=tournament, name=name)
        except Refused as refused:
            problems += [
                Refusal(found.code, f"Line {line}: {found.sentence}", "names")
                for found in refused.problems
            ]
    if problems:
        raise Refused(problems)
    return len(lines)


@transaction.atomic
def withdraw(*, tournament: Tournament, entrant: Entrant) -> None:
    """Take an entrant off the list, while no round is seated."""
    _still_entering(lock(tournament.pk))
    entrant.delete()
    touch(tournament)


def _still_entering(tournament: Tournament) -> None:
    if tournament.state != TournamentState.ENTERING:
        raise refuse("rounds_seated", "The rounds are seated, so the entry list is closed.")


def seat_rounds(*, tournament: Tournament) -> None:
    """Seat every planned round at once; can be done anew until a hand is recorded.

    The search takes its seconds before the transaction begins, so that no table waits for it.
    """
    entrants = {str(entrant.number): entrant for entrant in tournament.entrants.all()}
    seating = _plan(tournament, tuple(entrants))
    with transaction.atomic():
        tournament = _take_rounds_away(tournament)
        if entrants.keys() != {str(entrant.number) for entrant in tournament.entrants.all()}:
            raise refuse("list_changed", "The entry list changed meanwhile. Seat it once more.")
        _lay_rounds(tournament, seating, entrants)
        _move(tournament, TournamentState.PLAYING)


def _plan(tournament: Tournament, entrants: tuple[str, ...]) -> Plan:
    if len(entrants) < 4 or len(entrants) % 4:
        raise refuse(
            "not_fours",
            f"{len(entrants)} have entered. A tournament sits at tables of four, so the number "
            "of entrants must be 4, 8, 12, 16 and so on.",
        )
    rounds = tournament.rounds_planned
    try:
        return plan(Request(players=entrants, rounds=rounds, seed=tournament.pk, seconds=5))
    except BadRequest as bad:
        raise Refused([Refusal(found.code, found.sentence) for found in bad.problems]) from bad


def _lay_rounds(tournament: Tournament, seating: Plan, entrants: dict[str, Entrant]) -> None:
    rounds = Round.objects.bulk_create(
        Round(tournament=tournament, number=number)
        for number, _ in enumerate(seating.rounds, start=1)
    )
    planned = [
        (round_, table)
        for round_, laid in zip(rounds, seating.rounds, strict=True)
        for table in laid.tables
    ]
    seats = scorebook.open_games(
        rules=tournament.rules,
        sizes=[len(table.seats) for _, table in planned],
        hands_planned=tournament.hands_a_round,
    )
    tables = Table.objects.bulk_create(
        Table(round=round_, number=table.number, game=places[0].game)
        for (round_, table), places in zip(planned, seats, strict=True)
    )
    Placement.objects.bulk_create(
        Placement(round=round_, table=laid, entrant=entrants[key], seat=places[SEAT_OF[wind] - 1])
        for laid, (round_, table), places in zip(tables, planned, seats, strict=True)
        for wind, key in table.seats.items()
    )


@transaction.atomic
def clear_rounds(*, tournament: Tournament) -> None:
    """Take the seating away; refused once a hand is recorded."""
    _move(_take_rounds_away(tournament), TournamentState.ENTERING)


def _take_rounds_away(tournament: Tournament) -> Tournament:
    """Whoever lays rounds waits at the club's row, so that no game appears behind the locks."""
    lock_club(tournament.club_id)
    games = Game.objects.filter(tournament_table__round__tournament=tournament)
    scorebook.lock_games(games)
    tournament = lock(tournament.pk)
    if tournament.state == TournamentState.FINISHED:
        raise refuse("tournament_finished", "This tournament is finished.")
    if Hand.objects.filter(game__in=games).exists():
        raise refuse(
            "hands_recorded", "Hands have been recorded, so the seating can no longer be changed."
        )
    game_ids = list(games.values_list("pk", flat=True))
    Placement.objects.filter(round__tournament=tournament).delete()
    Table.objects.filter(round__tournament=tournament).delete()
    tournament.rounds.all().delete()
    scorebook.remove_games(game_ids)
    return tournament


@transaction.atomic
def start_round(*, tournament: Tournament) -> Round:
    """Open the next round that is seated; one round is played at a time."""
    tournament = lock(tournament.pk)
    if tournament.rounds.filter(state=RoundState.PLAYING).exists():
        raise refuse("round_open", "A round is being played; close it first.")
    round_ = tournament.rounds.filter(state=RoundState.SEATED).order_by("number").first()
    if round_ is None:
        raise refuse("no_round", "There is no further round to start.")
    round_.state = RoundState.PLAYING
    round_.save(update_fields=["state"])
    touch(tournament)
    return round_


@transaction.atomic
def close_round(*, tournament: Tournament) -> None:
    """Close the round that is being played; refuses with a line for everything that is missing."""
    playing = Round.objects.filter(tournament=tournament, state=RoundState.PLAYING)
    games = Game.objects.filter(tournament_table__round__in=playing)
    scorebook.lock_games(games)
    tournament = lock(tournament.pk)
    round_ = playing.first()
    if round_ is None:
        raise refuse("no_round", "No round is being played.")
    if missing := desk.missing_in(round_):
        raise Refused([Refusal("round_incomplete", line) for line in missing])
    scorebook.close_games(games)
    round_.state = RoundState.CLOSED
    round_.save(update_fields=["state"])
    touch(tournament)


@transaction.atomic
def post_hand(
    *, table: Table, submission_id: UUID, number: int, report: Report, sent_by: str
) -> scorebook.Recorded:
    """One hand of one table, if its round is being played; the version goes up with it.

    The game's own lock decides between a hand and the closing of its round, so tables do not
    wait for one another.
    """
    round_ = _open_round(table, submission_id)
    recorded = scorebook.record_hand(
        game_id=table.game_id,
        submission_id=submission_id,
        number=number,
        report=report,
        sent_by=sent_by,
    )
    if recorded.is_new:
        touch(round_.tournament)
    return recorded


def preview_hand(
    *, table: Table, submission_id: UUID, number: int, report: Report
) -> scorebook.Recorded:
    """What ``post_hand`` would answer now; nothing is stored."""
    _open_round(table, submission_id)
    return scorebook.preview_hand(
        game_id=table.game_id, submission_id=submission_id, number=number, report=report
    )


def _open_round(table: Table, submission_id: UUID) -> Round:
    round_ = Round.objects.select_related("tournament").get(pk=table.round_id)
    if round_.state != RoundState.PLAYING and not _known(submission_id):
        raise refuse("round_not_open", desk.why_not_open(round_))
    return round_


def _known(submission_id: UUID) -> bool:
    return Hand.objects.filter(submission_id=submission_id).exists()


@transaction.atomic
def correct_hand(
    *, table: Table, hand_id: int, report: Report, corrected_by: str, reason: str
) -> Hand:
    """The scorer's ruling on a hand of this table, until the tournament is finished."""
    tournament = _unfinished(table)
    hand = scorebook.correct_hand(
        hand_id=hand_id, report=report, corrected_by=corrected_by, reason=reason
    )
    touch(tournament)
    return hand


@transaction.atomic
def judge_hand(*, table: Table, hand_id: int, verdict: HandState) -> Hand:
    """Agree, dispute or uphold a hand of this table, until the tournament is finished."""
    tournament = _unfinished(table)
    hand = scorebook.judge_hand(game=table.game, hand_id=hand_id, verdict=verdict)
    touch(tournament)
    return hand


def _unfinished(table: Table) -> Tournament:
    """The game is locked before the tournament, in the order that ``post_hand`` takes them."""
    scorebook.lock_game(table.game_id)
    tournament = lock(table.round.tournament_id)
    if tournament.state == TournamentState.FINISHED:
        raise refuse("tournament_finished", "This tournament is finished; its results stand.")
    return tournament


@transaction.atomic
def finish_tournament(*, tournament: Tournament) -> None:
    """All rounds are closed: the standings are final."""
    tournament = lock(tournament.pk)
    if tournament.state == TournamentState.FINISHED:
        return
    open_rounds = tournament.rounds.exclude(state=RoundState.CLOSED)
    if tournament.state == TournamentState.ENTERING:
        raise refuse("not_seated", "No round has been seated yet.")
    if numbers := list(open_rounds.values_list("number", flat=True)):
        raise Refused(
            [Refusal("round_open", f"Round {number} has not been closed.") for number in numbers]
        )
    _move(tournament, TournamentState.FINISHED)


def lock(tournament_id: int) -> Tournament:
    """The tournament's row, locked until the transaction ends."""
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    return rows.get(pk=tournament_id)


def _move(tournament: Tournament, state: TournamentState) -> None:
    tournament.state = state
    tournament.save(update_fields=["state"])
    touch(tournament)


def touch(tournament: Tournament) -> None:
    """Something that pages show has changed: the version goes up by one."""
    Tournament.objects.filter(pk=tournament.pk).update(version=F("version") + 1)
