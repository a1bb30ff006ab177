"""Several processes count as one: whichever is asked tells the sum, and nothing is left behind."""

import re
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.config.served import Serve, free_port, run_python, wait_until

TWO_PROCESSES = """
import os, sys
from config.metrics import shared
shared.start_counting("web")
for hands in (3, 4):
    if not (child := os.fork()):
        shared.reserve_files()
        from prometheus_client import Counter, Gauge
        counted = Counter("hands", "Hands")
        Gauge("in_hand", "Requests", multiprocess_mode="livesum").set(1)
        counted.inc(hands)
        os._exit(0)
    os.waitpid(child, 0)
    if hands == 3:
        shared.forget_process(child)
import django
django.setup()
from config.metrics import exposition
lines = exposition.metrics_text().decode().splitlines()
print("\\n".join(line for line in lines if "{service" in line))
"""
RECORDED = re.compile(r'^tongbox_answers_total\{service="(web-\d)",.*view="alive"\} (\d+)', re.M)


def run(code: str, folder: Path, **environment: str) -> str:
    usual = {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0",
    }
    result = run_python(code, folder, **{**usual, **environment})
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.sampled(law="long plays")
def test_what_two_processes_counted_is_one_sum_until_the_service_begins_again(
    tmp_path: Path,
) -> None:
    first, second = (run(TWO_PROCESSES, tmp_path).splitlines() for _ in range(2))
    assert {'hands_total{service="web-1"} 7.0', 'in_hand{service="web-1"} 1.0'} <= set(first)
    assert first == second


def test_one_process_alone_leaves_no_files(tmp_path: Path) -> None:
    code = "from config.metrics import shared; shared.start_counting('web'); shared.reserve_files()"
    run(code, tmp_path, REDIS_URL="")
    assert not (tmp_path / "metrics").exists()


def test_two_services_have_a_folder_each(tmp_path: Path) -> None:
    other_code = (
        "from config.metrics import shared; shared.start_counting('web'); "
        "print(*shared.live_services())"
    )
    code = f"""
import subprocess, sys
from config.metrics import shared
shared.start_counting("web")
other = subprocess.check_output([sys.executable, "-c", {other_code!r}], text=True)
print(other, *shared.live_services())
"""
    both_folders, alone = run(code, tmp_path).split("\n", 1)
    assert [Path(folder).name for folder in both_folders.split()] == ["web-1", "web-2"]
    assert [Path(folder).name for folder in alone.split()] == ["web-1"]


def test_where_the_disk_is_full_a_process_counts_for_itself(tmp_path: Path) -> None:
    code = """
import os, resource, signal
from config.metrics import shared
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
shared.start_counting("web")
shared.reserve_files()
from prometheus_client import Counter
Counter("hands", "Hands").inc()
files = shared._metrics_folder().glob("*/*")
print(shared.METRICS_VARIABLE in os.environ, *(file.name for file in files))
"""
    assert run(code, tmp_path) == "False held\n"


def get(port: int, path: str) -> str:
    with urlopen(f"http://127.0.0.1:{port}{path}") as answer:
        return str(answer.read().decode())


@pytest.mark.sampled(law="long plays")
def test_whichever_service_is_asked_tells_of_both(serve: Serve) -> None:
    house = serve(REDIS_URL=f"redis://127.0.0.1:{free_port()}/0")
    house.open()
    second = free_port()
    bind = f"127.0.0.1:{second}"
    house.begin("gunicorn", "--config", "config/gunicorn.py", "--bind", bind)
    assert wait_until(lambda: _is_open(second))
    for port, times in ((house.port, 3), (second, 5)):
        for _ in range(times):
            get(port, "/healthz/")
    for port in (house.port, second):
        counts = {service: int(times) for service, times in RECORDED.findall(get(port, "/metrics"))}
        assert counts == {"web-1": 3, "web-2": 5}


def _is_open(port: int) -> bool:
    try:
        return bool(get(port, "/"))
    except OSError:
        return False
