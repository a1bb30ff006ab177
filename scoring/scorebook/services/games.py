"""Games of the score book: opened, planned, locked, closed, removed; and their tapped tiles."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring import Deal, RuleSet
from scoring.building import (
    BadNotation,
    Bag,
    Draft,
    PlayResult,
    Steps,
    draft_from_hand,
    fit_draft,
    play,
    read_draft,
    seat_draft,
    tiles_used,
    to_hand,
    write_draft,
)
from scoring.hands.problems import BadHand, shorten
from scoring.reading.notation import hand_as_json, hand_from_json
from scoring.scorebook import ledger, selectors
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import (
    Agreement,
    AgreementPolicy,
    Book,
    Decision,
    Game,
    Hand,
    LedgerEntry,
    Link,
    Repair,
    RepairedGame,
    Seat,
    TappedHand,
)
from scoring.scorebook.refusals import refuse
from scoring.scorebook.reports import MAX_POINTS, REPORTED_TILE_FIELDS, Report, tiles_as_hand
from scoring.scorebook.selectors import drafts_of, leaves_first_dealer_open, winner_of
from scoring.table.progression import dealer_problems

MAX_REASON_LENGTH = 200

CHANGED_ELSEWHERE_MESSAGE = (
    "This hand was changed on another phone. This is the current version: add anything that is "
    "missing."
)

MAHJONG_TAP = "won:yes"
TAKE_OVER_TAP = "won:over"


def open_book() -> Book:
    """An empty book, for an event that is about to begin."""
    return Book.objects.create()


@transaction.atomic
def open_games(
    *,
    rules: str,
    sizes: Sequence[int],
    wind_rounds: int | None = None,
    hands_planned: int | None = None,
    agreement: str = AgreementPolicy.ALL,
    book: Book | None = None,
) -> list[list[Seat]]:
    """A game of each size, all under the newest edition of the key: the seats of each in order.

    What is written of them goes into the event's book; without one they get a book of their own.
    """
    key = rule_set(rules).key
    book = book or open_book()
    games = Game.objects.bulk_create(
        Game(
            rules=key,
            size=size,
            wind_rounds=wind_rounds,
            hands_planned=hands_planned,
            agreement=agreement,
            book=book,
        )
        for size in sizes
    )
    seats = [[Seat(game=game, number=n) for n in range(1, game.size + 1)] for game in games]
    Seat.objects.bulk_create(chain.from_iterable(seats))
    return seats


def replan_games(games: QuerySet[Game], *, rules: str, hands_planned: int | None) -> None:
    """Games that nobody has begun are to be played so; the caller has locked them."""
    key = rule_set(rules).key
    games.exclude(rules=key).update(first_dealer=1)
    games.update(rules=key, hands_planned=hands_planned)


def ask_agreement(games: QuerySet[Game], policy: str) -> None:
    """From the next hand on these must agree, at the games that are not closed."""
    games.filter(closed_at=None).update(agreement=policy)


def close_games(games: QuerySet[Game]) -> None:
    """No further hand is taken at any of them."""
    games.filter(closed_at=None).update(closed_at=timezone.now())


def reopen_games(games: QuerySet[Game]) -> None:
    """Hands are taken again at all of them."""
    games.update(closed_at=None)


def remove_games(game_ids: Sequence[int]) -> None:
    """Take away games in which nothing stands; one with a hand is protected by the database.

    A game whose hands were all undone stays in the book, closed, which keeps all that was written.
    """
    games = Game.objects.filter(pk__in=game_ids)
    written_keys = set(games.filter(hands__isnull=False).values_list("pk", flat=True))
    standing = set(games.filter(hands__is_current=True).values_list("pk", flat=True))
    for game in games.filter(pk__in=written_keys - standing):
        _set_aside(game)
    never_played = games.exclude(pk__in=written_keys - standing)
    Seat.objects.filter(game__in=never_played).delete()
    never_played.delete()


def _set_aside(game: Game) -> None:
    """The game is over, and carries no other one on: another may do so in its place."""
    game.continues, game.opening, game.closed_at = None, None, timezone.now()
    game.save(update_fields=["continues", "opening", "closed_at"])


def carry_on(game: Game, seats: Sequence[int | None]) -> list[Seat]:
    """A game ends, and another goes on where it stopped: the new seats in order.

    ``seats`` holds for each of them the seat that it carries on, None for one that is new to the
    table. The caller has locked the game. After the end of a game another begins from the start.
    """
    (new_seats,) = open_games(
        rules=game.rules, sizes=[len(seats)], agreement=game.agreement, book=game.book
    )
    if not selectors.progress(game).is_finished:
        later_game = new_seats[0].game
        later_game.continues, later_game.opening = game, selectors.opening_after(game, seats)
        later_game.save(update_fields=["continues", "opening"])
    close_games(Game.objects.filter(pk=game.pk))
    return new_seats


def resize_game(game: Game, size: int, seats: Sequence[int | None] = ()) -> Game:
    """A game in which nothing stands, which the caller has locked, gets more or fewer seats.

    Others may sit in them, so the first dealer is East again. ``seats`` are told as in
    ``carry_on`` for a game that carries on another one. Where hands were undone, another game takes
    its place: who sits there now has no part in them. Returns the game to be played.
    """
    if game.continues is not None:
        earlier_seats = selectors.seats_before(game)
        seats = [earlier_seats[seat - 1] if seat else None for seat in seats]
        game.opening = selectors.opening_after(game.continues, seats)
    if game.hands.exists():
        return _replace_game(game, size)
    game.seats.filter(number__gt=size).delete()
    new_numbers = range(game.size + 1, size + 1)
    Seat.objects.bulk_create(Seat(game=game, number=number) for number in new_numbers)
    game.size, game.first_dealer = size, 1
    game.save(update_fields=["size", "first_dealer", "opening"])
    return game


def _replace_game(game: Game, size: int) -> Game:
    """A new game of this size, planned as this one, which is set aside."""
    (new_seats,) = open_games(
        rules=game.rules,
        sizes=[size],
        wind_rounds=game.wind_rounds,
        hands_planned=game.hands_planned,
        agreement=game.agreement,
        book=game.book,
    )
    later_game = new_seats[0].game
    later_game.continues, later_game.opening = game.continues, game.opening
    _set_aside(game)
    later_game.save(update_fields=["continues", "opening"])
    return later_game


def name_first_dealer(*, game_id: int, seat: int) -> None:
    """The seat that deals the first hand; in the caller's transaction, under the game's lock.

    Raises ``Refused`` under rules that do not leave it open, once a hand is recorded, and for a
    seat that does not play the first hand.
    """
    game = ledger.lock_game(game_id)
    rules = rule_set(game.rules)
    if not leaves_first_dealer_open(rules):
        raise refuse("dealer_fixed", f"Under {rules.name} East deals first.")
    if game.is_closed:
        raise refuse("game_closed", "This game is finished, so its first dealer cannot change.")
    if game.hands.filter(is_current=True).exists():
        raise refuse(
            "hands_recorded",
            "Hand 1 of this table is saved, so its first dealer cannot change. If it is wrong, "
            "undo the hands and choose again, or tell the scorer.",
        )
    if game.continues_id is not None:
        message = "This table plays on after a change of players, so the deal goes on as it stood."
        raise refuse("dealer_fixed", message)
    if any(dealer_problems(seat, seats=game.size, rules=rules)):
        message = "No one plays the first hand in that seat. Choose another."
        raise refuse("bad_seat", message, "seat")
    game.first_dealer = seat
    game.save(update_fields=["first_dealer"])


@transaction.atomic
def remove_books(book_ids: Sequence[int]) -> None:
    """Games, hands, ledger, what was said, and the chain itself: nothing of these books is left.

    For what never counted: whoever calls it has made sure of that, and has taken away what its
    own app keeps of the games. A row is deleted whole, never edited.
    """
    games = Game.objects.filter(book__in=book_ids)
    ledger.lock_games(games)
    Link.objects.filter(book__in=book_ids).delete()
    game_ids = list(games.values_list("pk", flat=True))
    parts = RepairedGame.objects.filter(game__in=game_ids)
    repairs = list(parts.values_list("repair_id", flat=True))
    parts.delete()
    Repair.objects.filter(pk__in=repairs, games=None).delete()
    for model in (Agreement, Decision):
        model.objects.filter(hand__game__in=games).delete()
    LedgerEntry.objects.filter(seat__game__in=games).delete()
    hands = Hand.objects.filter(game__in=games)
    hands.update(replaces=None)
    hands.delete()
    Seat.objects.filter(game__in=games).delete()
    games.update(continues=None)
    games.delete()
    Book.objects.filter(pk__in=book_ids).delete()


def clean_reason(text: str) -> str:
    """The reason without stray spaces; it must be there and fit its column."""
    if not text.strip():
        raise refuse("reason_missing", "Enter a reason for the change.", "reason")
    return clean_text(text, "reason")


def clean_text(text: str, name: str) -> str:
    """The words without stray spaces; raises ``Refused`` where they do not fit their column."""
    cleaned_text = " ".join(text.split())
    if len(cleaned_text) > MAX_REASON_LENGTH:
        message = f"Use {MAX_REASON_LENGTH} characters or fewer. You entered {len(cleaned_text)}."
        raise refuse(f"{name}_too_long", message, name)
    return cleaned_text


@transaction.atomic
def adjust_points(*, seat: Seat, points: int, written_by: str, reason: str) -> None:
    """A penalty or bonus outside any hand, as an entry of its own."""
    reason = clean_reason(reason)
    if abs(points) > MAX_POINTS:
        raise refuse("bad_score", f"An adjustment is at most {MAX_POINTS:,} points.", "points")
    ledger.lock_game(seat.game_id)
    ledger.post_adjustment(seat, points=points, written_by=written_by, reason=reason)


@dataclass(frozen=True, slots=True)
class TapAnswer:
    """The hand after the taps, a sentence for each tap that could do nothing, the others' hands.

    ``said_first``: the seat that had said Mah-Jong already, where this one wanted to.
    """

    result: PlayResult
    other_drafts: dict[int, Draft]
    said_first: int | None = None


@transaction.atomic
def tap_tiles(
    *, game_id: int, number: int, seat: int, sent_steps: Steps, taps: Sequence[str]
) -> TapAnswer:
    """Keep what a phone taps at one seat's hand, under the game's lock.

    ``sent_steps`` is the hand as the phone knew it before the taps; the same taps again change
    nothing. A hand that another phone has changed is not touched, and said to be so. Raises
    ``Refused`` when the hand of that number is not being played, or not by that seat.
    """
    game = ledger.lock_game(game_id)
    progress = selectors.progress(game)
    if game.is_closed or progress.is_finished:
        raise refuse("game_closed", "This game is finished, so you cannot add more hands.")
    deal = progress.deals[-1]
    if number != deal.number:
        asked_number, following = (game.hands_before + of_game for of_game in (number, deal.number))
        message = (
            f"Hand {shorten(asked_number)} is not the current hand: the next one is {following}."
        )
        raise refuse("wrong_number", message, "number")
    if seat not in deal.winds:
        raise refuse("bad_seat", "This player sits out the hand and has no tiles.", "seat")
    other_drafts = drafts_of(game, deal)
    stands = other_drafts.pop(seat, None)
    rules = rule_set(game.rules)
    sent_steps = replace(sent_steps, draft=seat_draft(sent_steps.draft, seat, deal, rules))
    resumed_taps = _resume_taps(
        sent_steps, taps, stands, Bag(rules, tiles_used(other_drafts.values()))
    )
    if resumed_taps is None:
        now = stands or seat_draft(Draft(won=False), seat, deal, rules)
        return TapAnswer(PlayResult(Steps(now), (CHANGED_ELSEWHERE_MESSAGE,)), other_drafts)
    return _apply_taps(game, deal, seat, *resumed_taps, other_drafts)


@transaction.atomic
def forget_tapped_tiles(*, game_id: int, number: int, seat: int) -> None:
    """Forget what was tapped at one seat's hand: its score is typed instead."""
    ledger.lock_game(game_id).tapped.filter(number=number, seat=seat).delete()


def restore_tapped_tiles(game: Game, report: Report) -> None:
    """The tiles of a hand that was just taken back, to be changed; the caller has locked the game.

    Tiles that were told elsewhere than by tapping may be of no shape that taps could have made.
    """
    deal, rules = selectors.progress(game).deals[-1], rule_set(game.rules)
    tapped_hands = []
    for seat, tiles in report.tiles.items():
        try:
            hand = hand_from_json(tiles_as_hand(tiles, seat, report, deal), rules)
            draft = read_draft(write_draft(draft_from_hand(hand)))
        except (BadHand, BadNotation):
            continue
        if draft.tile_counts:
            text = write_draft(draft)
            tapped_hands.append(TappedHand(game=game, number=deal.number, seat=seat, draft=text))
    TappedHand.objects.bulk_create(tapped_hands)


def _resume_taps(
    sent_steps: Steps, taps: Sequence[str], stands: Draft | None, bag: Bag
) -> tuple[Steps, Sequence[str]] | None:
    """The hand that stands and the taps still to do; a phone that asks again sends all of them.

    None where the hand that stands is on no way from what was sent.
    """
    steps = sent_steps
    for done_count in range(len(taps) + 1):
        if (
            write_draft(steps.draft) == write_draft(stands)
            if stands
            else not steps.draft.tile_counts
        ):
            return steps, taps[done_count:]
        steps = (
            play(steps, [_normalise_tap(taps[done_count])], bag).steps
            if done_count < len(taps)
            else steps
        )
    return None


def _normalise_tap(tap: str) -> str:
    return MAHJONG_TAP if tap == TAKE_OVER_TAP else tap


def _apply_taps(
    game: Game,
    deal: Deal,
    seat: int,
    steps: Steps,
    taps: Sequence[str],
    other_drafts: dict[int, Draft],
) -> TapAnswer:
    rules = rule_set(game.rules)
    rival = winner_of(other_drafts)
    if rival and TAKE_OVER_TAP in taps:
        other_drafts[rival] = replace(other_drafts[rival], won=False)
        _store_draft(game, deal, rival, other_drafts[rival])
        rival = None
    result = play(steps, map(_normalise_tap, taps), Bag(rules, tiles_used(other_drafts.values())))
    draft = seat_draft(result.steps.draft, seat, deal, rules)
    said_first = rival if draft.won else None
    if said_first:
        draft = replace(draft, won=False)
    _store_draft(game, deal, seat, draft)
    return TapAnswer(
        replace(result, steps=replace(result.steps, draft=draft)), other_drafts, said_first
    )


def _store_draft(game: Game, deal: Deal, seat: int, draft: Draft) -> None:
    """A hand without a tile that says nothing is as good as none."""
    lookup: dict[str, Any] = {"game": game, "number": deal.number, "seat": seat}
    if draft.tile_counts or draft.won:
        TappedHand.objects.update_or_create(**lookup, defaults={"draft": write_draft(draft)})
    else:
        TappedHand.objects.filter(**lookup).delete()


def draft_tiles(draft: Draft, rules: RuleSet) -> dict[str, Any]:
    """The draft's tiles as a report tells them."""
    hand = hand_as_json(to_hand(fit_draft(draft, rules), rules))
    return {name: hand[name] for name in REPORTED_TILE_FIELDS}
