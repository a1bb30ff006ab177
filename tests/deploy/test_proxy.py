"""nginx's own reader takes the filled-in template; collected where nginx and openssl are."""

import subprocess
from pathlib import Path

from deploy.stack.servers import Nginx
from tests.config.served import free_port


def test_nginx_takes_the_template(tmp_path: Path) -> None:
    proxy = Nginx.made(tmp_path, (free_port(), free_port()), [8001, 8002])
    command = [*proxy.program.command, "-t"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
