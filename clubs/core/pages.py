"""Shared by the views of pages: handling a form, a button, and the page of a form."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.core.forms import Overtaken, add_problems
from scoring.scorebook.refusals import Refused

Result = TypeVar("Result")


def accepted(form: BaseForm, act: Callable[[], Result]) -> Result | None:
    """The result of ``act``; None if the form is invalid or the act was refused."""
    if form.is_valid():
        try:
            return act()
        except Refused as refused:
            add_problems(form, refused)
    return None


def pressed(
    request: HttpRequest, act: Callable[[], Result], message: str | Callable[[Result], str] = ""
) -> bool:
    """Do it, and show the message (of what ``act`` returns) or the refusal; whether it was done.

    Without a message, only a refusal is shown.
    """
    try:
        result = act()
    except Overtaken as overtaken:
        messages.info(request, str(overtaken))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        if text := message if isinstance(message, str) else message(result):
            messages.success(request, text)
        return True
    return False


def form_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], *forms: BaseForm
) -> HttpResponse:
    """The page; status 422 if one of its forms has errors."""
    status = 422 if any(form.errors for form in forms) else 200
    return render(request, template, context, status=status)
