"""A mailbox on loopback that speaks what is needed of IMAP4rev1, over TLS."""

import re
import socketserver
import ssl
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass
class Stored:
    """An email in the box, and its flags."""

    content: bytes
    flags: set[str] = field(default_factory=set)

    @property
    def is_unread(self) -> bool:
        return r"\Seen" not in self.flags


class Mailbox(socketserver.ThreadingTCPServer):
    """Emails for one person, ``box`` with the password ``p@ss``; its certificate is in a folder."""

    daemon_threads = allow_reuse_address = True

    def __init__(self, folder: Path, *contents: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.mails = [Stored(content) for content in contents]
        self.certificate = certificate_in(folder)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate)

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Does nothing: a client that does not trust the certificate hangs up."""

    @property
    def url(self) -> str:
        """TONGBOX_BOUNCES of this mailbox."""
        return f"imaps://box:p%40ss@127.0.0.1:{self.server_address[1]}/INBOX"

    def unread(self) -> list[bytes]:
        return [mail.content for mail in self.mails if mail.is_unread]


class _Session(socketserver.BaseRequestHandler):
    server: Mailbox

    def handle(self) -> None:
        with self.server.context.wrap_socket(self.request, server_side=True) as line:
            file = line.makefile("rwb")
            self.say(file, b"* OK here\r\n")
            for command in iter(file.readline, b""):
                tag, _, request_line = command.decode().strip().partition(" ")
                self.say(
                    file,
                    self.answer(request_line) + f"{self.state(tag, request_line)}\r\n".encode(),
                )
                if request_line == "LOGOUT":
                    return

    def say(self, file: Any, reply: bytes) -> None:
        file.write(reply)
        file.flush()

    def state(self, tag: str, request_line: str) -> str:
        is_wrong = request_line.startswith("LOGIN") and request_line != 'LOGIN box "p@ss"'
        return f"{tag} NO wrong password" if is_wrong else f"{tag} OK done"

    def answer(self, request_line: str) -> bytes:
        mails = self.server.mails
        if request_line == "CAPABILITY":
            return b"* CAPABILITY IMAP4rev1\r\n"
        if request_line.startswith("SELECT"):
            return f"* {len(mails)} EXISTS\r\n".encode()
        if request_line.startswith("UID SEARCH UNSEEN HEADER Content-Type "):
            value = request_line.rsplit(" ", 1)[1].encode()
            heads = [
                re.sub(rb"\r\n[ \t]+", b" ", mail.content.split(b"\r\n\r\n")[0]) for mail in mails
            ]
            matches = re.compile(rb"(?im)^Content-Type:.*" + value)
            numbers = [
                str(number)
                for number, (mail, head) in enumerate(zip(mails, heads, strict=True), 1)
                if mail.is_unread and matches.search(head)
            ]
            return f"* SEARCH {' '.join(numbers)}\r\n".encode()
        if match := re.fullmatch(r"UID FETCH (\d+) \(BODY.PEEK\[\]<0.(\d+)>\)", request_line):
            content = mails[int(match[1]) - 1].content[: int(match[2])]
            head = f"* {match[1]} FETCH (UID {match[1]} BODY[]<0> {{{len(content)}}}\r\n".encode()
            return head + content + b")\r\n"
        if match := re.fullmatch(r"UID STORE (\d+) \+FLAGS \((.+)\)", request_line):
            mails[int(match[1]) - 1].flags.add(match[2])
        return b""


def certificate_in(folder: Path) -> Path:
    """A file with a key and a certificate of this machine that vouches for itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "loopback")])
    now = datetime.now(tz=UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    file = folder / "loopback.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return file
