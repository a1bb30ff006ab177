"""A player with a sign-in chooses how others read their name."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed
from clubs.core.permissions import SEE_CLUB
from clubs.forms.my_name import MyNameForm
from clubs.models import Club
from clubs.services.people import show_name

UNPROCESSABLE = 422


@door(SEE_CLUB)
def my_name(request: ClubRequest, club: Club) -> HttpResponse:
    """The three ways, with one’s own name in each; whoever is nobody on the list is told so."""
    me = club.players.filter(pk=request.reader.player or 0).first()
    if me is None:
        return render(request, "clubs/my_name.html", framed(club, "account", me=None))
    form = MyNameForm(request.POST or None, initial={"shown_as": me.shown_as})
    if form.is_valid():
        show_name(player=me, shown_as=form.cleaned_data["shown_as"])
        messages.success(request, "Saved. Your name is now shown as you chose.")
        return redirect("my-name", club.slug)
    status = UNPROCESSABLE if form.errors else 200
    context = framed(club, "account", me=me, form=form, ways=tuple(form.ways(me.name)))
    return render(request, "clubs/my_name.html", context, status=status)
