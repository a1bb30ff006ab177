"""A club keeps house rules, no longer offers them, or offers them again."""

from django.db import transaction
from django.utils import timezone

from clubs.core.locks import lock_club
from clubs.models import Club, HouseRules, User
from clubs.models.names import name_fault
from scoring import house
from scoring.scorebook.editions import keep_edition
from scoring.scorebook.refusals import refuse


@transaction.atomic
def keep_house_rules(
    *, club: Club, declared: house.HouseRules, made_by: User | None = None
) -> HouseRules:
    """Keep house rules for the club; the same once more are only offered again."""
    if fault := name_fault(declared.name):
        raise refuse("bad_name", fault, "name")
    lock_club(club.pk)
    kept, _ = HouseRules.objects.update_or_create(
        club=club,
        edition=keep_edition(declared),
        defaults={"retired_at": None},
        create_defaults={"made_by": made_by},
    )
    return kept


@transaction.atomic
def retire_house_rules(*, club: Club, pk: int) -> HouseRules:
    """They can no longer be chosen; whatever is played by them stays as it is."""
    club = lock_club(club.pk)
    kept = club.house_rules.select_related("edition").get(pk=pk)
    if club.rules == kept.edition.key:
        sentence = f"The club plays {kept.edition.name}. Choose different rules for the club first."
        raise refuse("rules_played", sentence)
    kept.retired_at = kept.retired_at or timezone.now()
    kept.save(update_fields=["retired_at"])
    return kept


@transaction.atomic
def offer_house_rules(*, club: Club, pk: int) -> HouseRules:
    """They can be chosen again."""
    kept = lock_club(club.pk).house_rules.select_related("edition").get(pk=pk)
    kept.retired_at = None
    kept.save(update_fields=["retired_at"])
    return kept
