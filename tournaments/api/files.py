"""Files over the API as the pages have them, each at an address of its own."""

from typing import Any, ClassVar

from django.http import HttpResponse
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView


class FileRenderer(BaseRenderer):
    """Says which kind of file can be asked for; it is sent as it was written."""

    charset = None
    render_style = "binary"

    def render(self, data: Any, *_: Any, **__: Any) -> Any:
        """The file itself."""
        return data


class CSV(FileRenderer):
    """Commas and lines, for a spreadsheet."""

    media_type = "text/csv"
    format = "csv"


class XLSX(FileRenderer):
    """An Excel workbook."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    format = "xlsx"


class JSONFile(FileRenderer):
    """A file for other programs."""

    media_type = "application/json"
    format = "json"


class ByTheAddress(BaseContentNegotiation):
    """The address names the kind of file, so that nothing else decides."""

    def select_parser(self, request: Request, parsers: Any) -> Any:  # noqa: ARG002
        """The first: a file is only read."""
        return parsers[0]

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002
        renderers: Any,
        format_suffix: str | None = None,  # noqa: ARG002
    ) -> Any:
        """The only one."""
        return renderers[0], renderers[0].media_type


class FileAPIView(APIView):
    """Answers with a file of ``kind``, whatever else is accepted; errors are JSON."""

    content_negotiation_class = ByTheAddress
    kind: ClassVar[type[FileRenderer]]

    def get_renderers(self) -> list[Any]:
        """The file alone."""
        return [self.kind()]

    def file(self, content: bytes, name: str) -> HttpResponse:
        """The file under this name, its ending left out."""
        kind = self.kind
        charset = "; charset=utf-8" if kind is CSV else ""
        return HttpResponse(
            content,
            content_type=f"{kind.media_type}{charset}",
            headers={"Content-Disposition": f'attachment; filename="{name}.{kind.format}"'},
        )
