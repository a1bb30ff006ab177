"""Who has agreed to a hand, who has not, and what follows from it; nothing is read or kept."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from hashlib import sha256

from scoring.scorebook.models import Agreement, AgreementPolicy, HandState
from scoring.scorebook.selectors import HandRow

# Not part of what was told and scored: the hand's place in the book, and what came after it.
UNSEALED_FIELDS = {"pk", "state", "sent_by", "sent_at", "reason", "corrections", "hands_before"}
ANY_TWO = 2

NamesBySeat = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Sitters:
    """Who played a hand, by seat: everyone's full name, and who of them sat in for someone else."""

    names: NamesBySeat
    substitutes: NamesBySeat = field(default_factory=dict)


def shown_digest(hand: HandRow, *, substitutes: NamesBySeat, rules: str) -> str:
    """The seal of what the players saw of a hand: 64 hexadecimal digits.

    It covers who sat in for somebody, the rules' edition, the deal, what was told and all that
    follows from it; not the hand's state, its key, how many hands the table had played before its
    game, or who sent it when. The players' own names it does not cover: one that is corrected
    later changes nothing that was agreed.
    """
    parts = {part.name for part in fields(hand)} - UNSEALED_FIELDS
    contents = {part: getattr(hand, part) for part in parts}
    data = {"hand": contents, "substitutes": dict(substitutes), "rules": rules}
    return sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Consent:
    """What the seats of one hand have said of it so far.

    ``agreed_seats`` have agreed to what stands; ``lapsed_seats`` to something that has changed
    since; ``objections`` are the last words of those who say that it is not right.
    """

    policy: AgreementPolicy
    agreed_seats: tuple[int, ...]
    lapsed_seats: tuple[int, ...]
    missing: tuple[int, ...]
    objections: tuple[Agreement, ...]
    is_checked: bool = False

    @property
    def state(self) -> HandState:
        """How far the hand has come, as long as the scorer has not decided it."""
        if self.objections:
            return HandState.DISPUTED
        return HandState.AGREED if self._is_enough else HandState.REPORTED

    @property
    def _is_enough(self) -> bool:
        if self.policy == AgreementPolicy.NONE or self.is_checked:
            return True
        if self.policy == AgreementPolicy.TWO and len(self.agreed_seats) >= ANY_TWO:
            return True
        return self.policy != AgreementPolicy.SCORER and not self.missing


def consent_of(
    hand: HandRow,
    agreements: Iterable[Agreement],
    *,
    digest: str,
    policy: AgreementPolicy,
    is_checked: bool = False,
) -> Consent:
    """What counts of all that was said, oldest first: the last word of each seat that played.

    An agreement counts for what was shown to the seat, an objection until the seat takes it back.
    """
    last = {agreement.seat: agreement for agreement in agreements if agreement.seat in hand.winds}
    agreed_seats = tuple(
        seat for seat in sorted(last) if last[seat].agrees and last[seat].digest == digest
    )
    return Consent(
        policy=policy,
        agreed_seats=agreed_seats,
        lapsed_seats=tuple(s for s in sorted(last) if last[s].agrees and last[s].digest != digest),
        missing=tuple(seat for seat in sorted(hand.winds) if seat not in agreed_seats),
        objections=tuple(agreement for agreement in last.values() if not agreement.agrees),
        is_checked=is_checked,
    )
