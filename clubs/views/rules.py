"""The rules as a page to read: the very lines that score."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.core.access import open_to_all
from clubs.selectors.printed import printed_beside
from scoring import UnknownRuleSet, rule_set_keys
from scoring.scorebook.editions import book_of, rule_set


@open_to_all
def rules(request: HttpRequest, key: str) -> HttpResponse:
    """A rule set whole, every line with its source; house rules beside their book."""
    try:
        shown = rule_set(key)
    except UnknownRuleSet as unknown:
        raise Http404 from unknown
    printed = printed_beside(shown, rule_set(book_of(key)))
    others = [rule_set(other) for other in rule_set_keys() if rule_set(other) != shown]
    context = {"printed": printed, "rules": shown, "others": others}
    return render(request, "clubs/rules.html", context)
