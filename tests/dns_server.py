"""A name server on loopback that answers by UDP what a test says."""

import socketserver
import threading
from collections.abc import Mapping
from typing import Self

from dns import flags, message, rcode, rdatatype, rrset
from dns.resolver import Resolver

Zone = Mapping[tuple[str, str], list[str]]


class NameServer(socketserver.ThreadingUDPServer):
    """Knows the records of its zone, ``{("example.org", "MX"): ["10 mail.example.org."]}``.

    A name that has records of another kind has none of this; any other does not exist.
    """

    daemon_threads = allow_reuse_address = True

    def __init__(self, zone: Zone) -> None:
        super().__init__(("127.0.0.1", 0), _Question)
        self.zone = zone

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def resolver(self) -> Resolver:
        """A resolver that asks this server alone."""
        resolver = Resolver(configure=False)
        resolver.nameservers = ["127.0.0.1"]
        resolver.port = int(self.server_address[1])
        return resolver


class _Question(socketserver.BaseRequestHandler):
    server: NameServer

    def handle(self) -> None:
        data, line = self.request
        query = message.from_wire(data)
        (question,) = query.question
        name = question.name.to_text(omit_final_dot=True).lower()
        kind = rdatatype.to_text(question.rdtype)
        answer = message.make_response(query)
        answer.flags |= flags.AA | flags.RA
        if name not in {zone_name for zone_name, _ in self.server.zone}:
            answer.set_rcode(rcode.NXDOMAIN)
        elif rows := self.server.zone.get((name, kind)):
            answer.answer.append(rrset.from_text_list(question.name, 60, "IN", kind, rows))
        line.sendto(answer.to_wire(), self.client_address)
