"""Printouts over the API: the same PDFs as on the pages, with the same access rules."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Annotated, Any, Final, NamedTuple

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from clubs.api.answers import FileRenderer
from clubs.api.base import AnsweringAPIView, ClubAPIView, described
from clubs.api.fields import OneOfField
from clubs.api.rows import schema_of
from clubs.models import Club
from clubs.paper.document import NoSuchPages, only_pages
from clubs.paper.formats import QUESTIONS, Format, format_of

PDF: Final = "application/pdf"
PAGES = OpenApiParameter(
    "pages", OpenApiTypes.STR, description="only these pages, such as 3 or 1,7-9"
)
OPTIONS = [
    OpenApiParameter(
        name,
        OpenApiTypes.STR,
        enum=[choice.value for choice in kind],
        description=f"{title}: {usual}",
    )
    for name, title, kind, (usual, *_) in QUESTIONS
]


class PaperOption(NamedTuple):
    """An option for a printout: the parameter, its label and its values."""

    name: str
    title: str
    values: Annotated[tuple[str, ...], "the first is the default and may be omitted"]


PAPER_OPTIONS: Final = tuple(
    PaperOption(name, title, tuple(choice.value for choice in kind))
    for name, title, kind, _ in QUESTIONS
)


class OfferedPaper(NamedTuple):
    """A printout that is available, and the parameters of its address."""

    title: str
    note: str
    address: Annotated[str, "the API address of the PDF, with the same access rules"]
    options: tuple[PaperOption, ...] = PAPER_OPTIONS


PaperShape = schema_of(
    "PaperShape",
    OfferedPaper,
    "title note address options",
    options=schema_of("OptionShape", PaperOption, "name title values"),
)


class FormatIn(serializers.Serializer[Any]):
    """What it is printed on."""

    def get_fields(self) -> dict[str, Any]:
        """A choice for each question; the first answer is the default."""
        choices = {
            name: OneOfField(
                choices=[choice.value for choice in kind],
                default=next(iter(kind)).value,
                help_text=f"{title}; default: {usual}",
            )
            for name, title, kind, (usual, *_) in QUESTIONS
        }
        return super().get_fields() | choices


class PDFRenderer(FileRenderer):
    """Lets a client ask for a PDF."""

    media_type = PDF
    format = "pdf"


class PaperView(AnsweringAPIView):
    """One printout, whose ``get`` ``prints``."""

    renderer_classes = [PDFRenderer, JSONRenderer]


class PaperAPIView(PaperView, ClubAPIView):
    """One printout of a club."""


Drawing = Callable[[Any, Format], tuple[bytes, str]]


def prints(
    *parameters: OpenApiParameter, in_formats: bool = True
) -> Callable[[Drawing], Callable[..., HttpResponse]]:
    """Make of one call that draws a printout a view's ``get``, which sends it as a PDF.

    The call gets the format of the address, and returns the whole printout and a name for its file
    (without ``.pdf``). ``in_formats``: whether the address can choose the format.
    """
    shared = [*OPTIONS, PAGES] if in_formats else [PAGES]

    def made(draw: Drawing) -> Callable[..., HttpResponse]:
        @wraps(draw)
        def get(view: Any, request: Request, **kwargs: Any) -> HttpResponse:  # noqa: ARG001
            paper, name = draw(view, requested_format(request, view.club))
            if wanted := request.query_params.get("pages", "").strip():
                try:
                    paper = only_pages(paper, wanted)
                except NoSuchPages as wrong:
                    raise ValidationError({"pages": [str(wrong)]}, code="no_such_pages") from wrong
            headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
            return HttpResponse(paper, content_type=PDF, headers=headers)

        responses = {(200, PDF): OpenApiTypes.BINARY}
        return described(get, parameters=[*shared, *parameters], responses=responses)

    return made


def requested_format(request: Request, club: Club) -> Format:
    """The format in the address. Raises ``ValidationError`` for an unknown one."""
    query = request.query_params
    for name, title, known in PAPER_OPTIONS:
        if query.get(name, known[0]) not in known:
            message = f"{title}: choose {' or '.join(known)}."
            raise ValidationError({name: [message]}, code="invalid_choice")
    return format_of(query, club)


def papers_data(request: Request, papers: Iterable[tuple[str, str, str]]) -> list[OfferedPaper]:
    """Printouts for ``PaperShape``, from the title, a note, and the path in the API."""
    return [
        OfferedPaper(title, note, request.build_absolute_uri(path)) for title, note, path in papers
    ]
