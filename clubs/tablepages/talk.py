"""What a table's page tells of each hand: who has agreed, who has not, what the scorer said."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.timezone import localtime

from clubs.rows import HandView
from clubs.seating.words import listed
from scoring import Wind
from scoring.scorebook.consent import ANY_TWO, Consent, Names, consent_of, shown_digest
from scoring.scorebook.history import decisions_of
from scoring.scorebook.models import Agreement, AgreementPolicy, Decision, Game, HandState


@dataclass(frozen=True, slots=True)
class Voice:
    """One seat of a hand: ``agreed``, ``objects``, ``lapsed`` or ``waiting``."""

    seat: int
    name: str
    wind: Wind
    state: str


@dataclass(frozen=True, slots=True)
class Objection:
    """Who says that a hand is not right, in which words, since when."""

    name: str
    words: str
    since: datetime

    @property
    def sentence(self) -> str:
        """``Pat reported a problem: “My score was 46”.``"""
        said = f": “{self.words}”." if self.words else "."
        return f"{self.name} reported a problem{said}"


@dataclass(frozen=True, slots=True)
class HandTalk:
    """A hand and what was said of it; ``shown`` seals what the page shows, for the answer."""

    hand: HandView
    shown: str
    consent: Consent
    decision: Decision | None
    seat: int | None = None

    @property
    def mine(self) -> Voice | None:
        """What the seat whose page this is has said; None where it sat out, or for all."""
        return next((one for one in self.voices if one.seat == self.seat), None)

    @property
    def settled(self) -> str:
        """``agreed by the table``, ``decided by the scorer``."""
        if self.is_ruled:
            return "decided by the scorer"
        if self.decision:
            return "checked by the scorer"
        return "agreed by the table" if self.consent.agreed else "counts as entered"

    @property
    def is_open(self) -> bool:
        """Whether someone still has to say something."""
        return self.hand.row.state in {HandState.REPORTED, HandState.DISPUTED}

    @property
    def is_disputed(self) -> bool:
        """Whether someone says that it is not right."""
        return self.hand.row.state == HandState.DISPUTED

    @property
    def is_ruled(self) -> bool:
        """Whether the scorer has decided it, or put something right in it."""
        return self.hand.row.state == HandState.DECIDED

    @property
    def ruled_at(self) -> datetime:
        """When the scorer did."""
        return self.decision.made_at if self.decision else self.hand.row.sent_at

    @property
    def ruling(self) -> str:
        """Why: the scorer's words."""
        return self.decision.reason if self.decision else self.hand.row.reason

    @property
    def asks_the_scorer(self) -> bool:
        """Whether it waits for the scorer alone."""
        return self.consent.policy == AgreementPolicy.SCORER and not self.is_disputed

    @property
    def voices(self) -> list[Voice]:
        """Everyone who played the hand, as they sit, with what they have said."""
        return [
            Voice(line.seat, line.name, line.wind, self._state(line.seat))
            for line in self.hand.lines
        ]

    def _state(self, seat: int) -> str:
        if seat in self.consent.agreed:
            return "agreed"
        if any(one.seat == seat for one in self.consent.objections):
            return "objects"
        return "lapsed" if seat in self.consent.lapsed else "waiting"

    @property
    def objections(self) -> list[Objection]:
        """The last words of those who say that it is not right."""
        return objections_of(self.consent.objections, self.hand.names)

    @property
    def lapsed(self) -> str:
        """The names of those whose agreement no longer counts."""
        return listed([self.hand.names[seat] for seat in self.consent.lapsed])

    @property
    def sentence(self) -> str:
        """``Margaret and Dilip have agreed. Not yet: Pat, Joan.``"""
        done = [self.hand.names[seat] for seat in self.consent.agreed]
        wait = [one.name for one in self.voices if one.seat in self.consent.missing]
        if not wait:
            return "Everyone has agreed."
        told = f"{listed(done)} {'has' if len(done) == 1 else 'have'} agreed." if done else ""
        if self.consent.policy == AgreementPolicy.TWO:
            more = ANY_TWO - len(done)
            left = "1 more player must agree." if more == 1 else "2 players must agree."
            return f"{told} {left}".strip() if more > 0 else told
        return f"{told} Not yet: {', '.join(wait)}." if told else "No one has agreed yet."


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the scorer has done with one hand, or with several for one reason."""

    numbers: tuple[int, ...]
    stands: bool
    reason: str

    @property
    def sentence(self) -> str:
        """``The scorer kept hand 7 as entered: as on the paper sheet``."""
        many = len(self.numbers) > 1
        which = f"hand{'s' if many else ''} {listed([str(number) for number in self.numbers])}"
        done = f"kept {which} as entered" if self.stands else f"corrected {which}"
        return f"The scorer {done}" + (f": {self.reason}" if self.reason else "")


def rulings_of(talks: Sequence[HandTalk]) -> list[Ruling]:
    """What the scorer has ruled since the table sent its last hand, one ruling for each reason."""
    by_table = [talk.hand.row.sent_at for talk in talks if talk.decision or not talk.is_ruled]
    found: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for talk in talks:
        if talk.is_ruled and all(talk.ruled_at > sent for sent in by_table):
            found[talk.decision is not None, talk.ruling].append(talk.hand.row.number)
    return [Ruling(tuple(numbers), *told) for told, numbers in found.items()]


def talks(
    game: Game,
    hands: Sequence[HandView],
    said: Mapping[int, Sequence[Agreement]],
    *,
    names: Names,
    seat: int | None = None,
) -> dict[int, HandTalk]:
    """What was said of each current hand, by its key; one query for what was decided.

    ``names`` are those that the digests cover: everyone's whole name. ``seat`` is the one whose
    page it is.
    """
    decided = decisions_of(game)
    policy = AgreementPolicy(game.agreement)
    found = {}
    for hand in hands:
        shown = shown_digest(hand.row, names=names, rules=game.rules)
        decision = decided.get(hand.row.pk)
        consent = consent_of(
            hand.row,
            said.get(hand.row.pk, []),
            digest=shown,
            policy=policy,
            is_checked=decision is not None,
        )
        found[hand.row.pk] = HandTalk(hand, shown, consent, decision, seat)
    return found


def objections_of(said: Collection[Agreement], names: Mapping[int, str]) -> list[Objection]:
    """Those words with the names of who said them."""
    return [
        Objection(names.get(one.seat, f"Seat {one.seat}"), one.note, localtime(one.said_at))
        for one in said
    ]
