"""Places for copies of backups, as they are elsewhere: a WebDAV server, S3 storage, a program."""

import json
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import boto3
from cheroot.wsgi import Server
from moto.server import ThreadedMotoServer
from wsgidav.wsgidav_app import WsgiDAVApp

USER, PASSWORD = "anna", "bamboo/7+dragons"
FOLDER = "tongbox"
PROGRAM = """\
import shutil, sys
from pathlib import Path

folder, verb, *words = sys.argv[1:]
folder = Path(folder)
if not folder.is_dir():
    sys.exit("The stick is not in the machine.")
if verb == "put":
    shutil.copyfile(words[0], folder / words[1])
elif verb == "get":
    shutil.copyfile(folder / words[0], words[1])
elif verb == "list":
    print("\\n".join(path.name for path in folder.iterdir()))
elif verb == "delete":
    (folder / words[0]).unlink(missing_ok=True)
"""


@dataclass(frozen=True)
class Place:
    """An address of the setting, and the folder in which its copies lie, if it is on this disk."""

    address: str
    folder: Path | None = None

    def with_change(self, old: str, new: str) -> "Place":
        return Place(self.address.replace(old, new), self.folder)


@contextmanager
def webdav_served(folder: Path, *middleware: Any) -> Iterator[Place]:
    """A folder of a WebDAV server; ``middleware`` are called with the app, each returns another."""
    (folder / FOLDER).mkdir(parents=True)
    app: Any = WsgiDAVApp(
        {
            "provider_mapping": {"/": str(folder)},
            "simple_dc": {"user_mapping": {"*": {USER: {"password": PASSWORD}}}},
            "http_authenticator": {"accept_basic": True, "accept_digest": False},
            "logging": {"enable": False},
            "verbose": 0,
        }
    )
    for wrap in middleware:
        app = wrap(app)
    server = Server(("127.0.0.1", 0), app, timeout=5)
    setattr(server, "error_log", lambda *_args, **_kwargs: None)  # noqa: B010
    server.prepare()
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        port = server.bind_addr[1]
        address = f"webdav://{USER}:{PASSWORD}@127.0.0.1:{port}/{FOLDER}"
        yield Place(address, folder / FOLDER)
    finally:
        server.stop()
        thread.join()


@contextmanager
def s3_served(*, denied_action: str = "") -> Iterator[Place]:
    """A bucket whose user may do everything but ``denied_action``, such as ``s3:DeleteObject``."""
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        url = f"http://{host}:{port}"
        _ask(url, "reset", "")
        root = {
            "endpoint_url": url,
            "region_name": "us-east-1",
            "aws_access_key_id": "root",
            "aws_secret_access_key": "root",
        }
        iam = boto3.client("iam", **root)
        iam.create_user(UserName=USER)
        rules = [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]
        rules += (
            [{"Effect": "Deny", "Action": denied_action, "Resource": "*"}] if denied_action else []
        )
        policy = json.dumps({"Version": "2012-10-17", "Statement": rules})
        iam.put_user_policy(UserName=USER, PolicyName="club", PolicyDocument=policy)
        access_key = iam.create_access_key(UserName=USER)["AccessKey"]
        boto3.client("s3", **root).create_bucket(Bucket="club")
        _ask(url, "reset-auth", "0")  # from now on, keys and policies count
        secret = f"{access_key['AccessKeyId']}:{access_key['SecretAccessKey']}"
        yield Place(f"s3+http://{secret}@{host}:{port}/club/{FOLDER}")
        _ask(url, "reset-auth", "inf")
    finally:
        server.stop()


def _ask(url: str, action: str, body: str) -> None:
    headers = {"Content-Type": "text/plain"}
    request = Request(f"{url}/moto-api/{action}", body.encode(), headers, method="POST")  # noqa: S310
    with urlopen(request):  # noqa: S310
        pass


def program_written(folder: Path) -> Place:
    """A program that copies to a folder, such as a stick's."""
    (folder / "stick").mkdir(parents=True)
    script = folder / "away.py"
    script.write_text(PROGRAM, encoding="utf-8")
    return Place(f"command:{sys.executable} {script} {folder / 'stick'}", folder / "stick")
