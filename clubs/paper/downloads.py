"""Where every PDF is sent: the whole paper, or ``?pages=3,7-9`` of it alone."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.paper.document import NoSuchPages, only_pages

BAD_REQUEST = 400


def pdf(request: HttpRequest, paper: bytes, name: str, *, keeps: bool = False) -> HttpResponse:
    """A paper that the browser shows, or ``keeps`` at once, under the name.

    Pages that it has not are asked for again with a sentence (400).
    """
    asked = request.GET.get("pages", "").strip()
    try:
        paper = only_pages(paper, asked) if asked else paper
    except NoSuchPages as wrong:
        return _ask_again(request, asked, str(wrong))
    how = "attachment" if keeps else "inline"
    headers = {"Content-Disposition": f'{how}; filename="{name}.pdf"'}
    return HttpResponse(paper, content_type="application/pdf", headers=headers)


def _ask_again(request: HttpRequest, asked: str, said: str) -> HttpResponse:
    others = {key: value for key, value in request.GET.items() if key != "pages"}
    whole = f"?{urlencode(others)}" if others else request.path
    context = {"asked": asked, "said": said, "others": others.items(), "whole": whole}
    return render(request, "clubs/which_pages.html", context, status=BAD_REQUEST)
