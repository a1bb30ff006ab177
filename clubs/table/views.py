"""The score page, the rules and the help with tiles, for anyone."""

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from clubs.core.access import open_to_all
from clubs.table.forms.rules import read_tapping
from clubs.table.pages.entering import show_rules
from clubs.table.selectors.rules import asker_of, printed_beside
from clubs.table.selectors.tile_entry import Builder, built
from scoring import RuleSet, UnknownRuleSet, rule_set_keys
from scoring.scorebook.editions import book_of, rule_set

FIRST = "bmja"
UNPROCESSABLE = 422


@open_to_all
@require_safe
@vary_on_headers("HX-Request")
def score(request: HttpRequest, key: str = FIRST) -> HttpResponse:
    """The calculator; for the page's script, only the parts that a tap changes."""
    rules, tapping = _rules(key), read_tapping(request.GET)
    builder = built(tapping.steps, tapping.taps, rules)
    context = {
        "builder": builder,
        "tapping": tapping,
        "action": reverse("score-rules", args=[key]),
        "link": _link(request, "score-rules", key, builder),
        "share": _link(request, "score-link", key, builder),
        "books": [
            (rule_set(book), _address("score-rules", book, builder)) for book in rule_set_keys()
        ],
    }
    page = "_score" if request.htmx else "score"  # type: ignore[attr-defined]
    status = UNPROCESSABLE if tapping.is_unread else 200
    return render(request, f"clubs/table/{page}.html", context, status=status)


@open_to_all
@require_safe
def link(request: HttpRequest, key: str) -> HttpResponse:
    """The link with the hand, to copy, and as a QR code for another phone."""
    rules, tapping = _rules(key), read_tapping(request.GET)
    builder = built(tapping.steps, (), rules)
    context = {
        "builder": builder,
        "tapping": tapping,
        "link": _link(request, "score-rules", key, builder),
        "back": _address("score-rules", key, builder),
    }
    status = UNPROCESSABLE if tapping.is_unread else 200
    return render(request, "clubs/table/score_link.html", context, status=status)


def _rules(key: str) -> RuleSet:
    try:
        return rule_set(key)
    except UnknownRuleSet as unknown:
        raise Http404 from unknown


def _address(name: str, key: str, builder: Builder) -> str:
    return f"{reverse(name, args=[key])}?{urlencode({'hand': builder.hand})}"


def _link(request: HttpRequest, name: str, key: str, builder: Builder) -> str:
    return request.build_absolute_uri(_address(name, key, builder))


@open_to_all
@require_safe
def rules_aid(request: HttpRequest, key: str) -> HttpResponse:
    """The tiles and the rules in large, for whoever asks."""
    rules = _rules(key)
    return show_rules(request, rules, asker_of(rules))


@open_to_all
def rules(request: HttpRequest, key: str) -> HttpResponse:
    """A rule set whole, every line with its source; house rules beside their book."""
    shown = _rules(key)
    printed = printed_beside(shown, rule_set(book_of(key)))
    others = [rule_set(other) for other in rule_set_keys() if rule_set(other) != shown]
    context = {"printed": printed, "rules": shown, "others": others}
    return render(request, "clubs/table/rules.html", context)


urlpatterns = [
    path("rules/<path:key>/aid/", rules_aid, name="rules-aid"),
    path("rules/<path:key>/", rules, name="rules"),
    path("score/", score, name="score"),
    path("score/<path:key>/link/", link, name="score-link"),
    path("score/<path:key>/", score, name="score-rules"),
]
