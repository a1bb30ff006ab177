"""The vocabulary in which a rule set is declared: one frozen line for each rule."""

from dataclasses import dataclass

from scoring.policies import Passing, Payments


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """One edition of a club's rules, whole."""

    key: str
    name: str
    limit: int | None
    seats: tuple[int, ...]
    payments: Payments | None
    passing: Passing

    @property
    def zero_sum(self) -> bool:
        """Whether players pay one another, so that the gains of a hand add to nothing."""
        return self.payments is not None
