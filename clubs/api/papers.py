"""Printouts over the API: the same PDFs as on the pages, with the same access rules."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from clubs.api.base import AnsweringAPIView, ClubAPIView
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
PAPER = extend_schema(parameters=[*OPTIONS, PAGES], responses={(200, PDF): OpenApiTypes.BINARY})


class OptionShape(serializers.Serializer[object]):
    """An option for a printout: the parameter, its label and its values."""

    name = serializers.CharField()
    title = serializers.CharField()
    values = serializers.ListField(
        child=serializers.CharField(), help_text="the first is the default and may be omitted"
    )


class PaperShape(serializers.Serializer[object]):
    """A printout that is available, and the parameters of its address."""

    title = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    address = serializers.CharField(
        help_text="the API address of the PDF, with the same access rules"
    )
    options = OptionShape(many=True)


class PDFRenderer(BaseRenderer):
    """Lets a client ask for a PDF; it is sent as it was drawn."""

    media_type = PDF
    format = "pdf"
    charset = None
    render_style = "binary"

    def render(self, data: Any, *_: Any, **__: Any) -> Any:
        """The PDF itself."""
        return data


class PaperView(AnsweringAPIView):
    """One printout; a subclass says what is drawn and what its file is called."""

    renderer_classes = [PDFRenderer, JSONRenderer]

    @abstractmethod
    def drawn(self, form: Format) -> tuple[bytes, str]:
        """The whole printout in that format, and a name for its file (without ``.pdf``)."""

    def sent(self, request: Request) -> HttpResponse:
        """The printout in the format and with the ``pages`` of the address."""
        paper, name = self.drawn(asked_format(request))
        if wanted := request.query_params.get("pages", "").strip():
            try:
                paper = only_pages(paper, wanted)
            except NoSuchPages as wrong:
                raise ValidationError({"pages": [str(wrong)]}, code="no_such_pages") from wrong
        headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
        return HttpResponse(paper, content_type=PDF, headers=headers)


class PaperAPIView(PaperView, ClubAPIView):
    """One printout of a club."""


def asked_format(request: Request) -> Format:
    """The format in the address. Raises ``ValidationError`` for an unknown one."""
    query = request.query_params
    for name, title, kind, _ in QUESTIONS:
        known = [choice.value for choice in kind]
        if query.get(name, known[0]) not in known:
            message = f"{title}: say {' or '.join(known)}."
            raise ValidationError({name: [message]}, code="invalid_choice")
    return format_of(query)


def options() -> list[dict[str, Any]]:
    """The options of every printout."""
    return [
        {"name": name, "title": title, "values": [choice.value for choice in kind]}
        for name, title, kind, _ in QUESTIONS
    ]


def papers_told(request: Request, papers: Iterable[tuple[str, str, str]]) -> Sequence[Any]:
    """Printouts as ``PaperShape``: the title, a note, and the path in the API."""
    return [
        {
            "title": title,
            "note": note,
            "address": request.build_absolute_uri(path),
            "options": options(),
        }
        for title, note, path in papers
    ]
