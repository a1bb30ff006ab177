"""The rules as a page to read: the very lines that score."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.doors import open_to_all
from scoring import UnknownRuleSet, rule_set_keys, sheet
from scoring.scorebook.editions import rule_set

KINDS = {
    "Exposed": "value",
    "Concealed": "value",
    "Points": "value",
    "Doubles": "value",
    "Here": "value",
    "Source": "source",
}


@open_to_all
def rules(request: HttpRequest, key: str) -> HttpResponse:
    """A rule set whole, every line with its source."""
    try:
        shown = rule_set(key)
    except UnknownRuleSet as unknown:
        raise Http404 from unknown
    sections = [_marked(section) for section in sheet.sections(shown)]
    others = [rule_set(other) for other in rule_set_keys() if rule_set(other) != shown]
    context = {"rules": shown, "sections": sections, "others": others}
    return render(request, "clubs/rules.html", context)


def _marked(section: sheet.Section) -> dict[str, Any]:
    """A section whose every cell knows what it holds: figures, a source or words."""
    kinds = [KINDS.get(column, "") for column in section.columns]
    return {
        "title": section.title,
        "note": section.note,
        "heads": list(zip(section.columns, kinds, strict=True)),
        "rows": [list(zip(row, kinds, strict=True)) for row in section.rows],
    }
