"""A beginner's aid: what is this tile, what is it worth, under any rules."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clubs.core.access import open_to_all
from clubs.tablepages.aid import show_rules
from scoring import UnknownRuleSet, Wind
from scoring.scorebook.editions import rule_set


@open_to_all
@require_safe
def rules_aid(request: HttpRequest, key: str) -> HttpResponse:
    """The tiles and the rules in large, for whoever asks."""
    try:
        rules = rule_set(key)
    except UnknownRuleSet as unknown:
        raise Http404 from unknown
    prevailing = Wind.E if rules.passing.prevailing else None
    return show_rules(request, rules, own=Wind.E, prevailing=prevailing)
