"""Power cuts for a database of SQLite: what its disk had not taken is gone.

After a program alone is killed, the system still writes what the program had written. After a power
cut only that is there which a flush had finished. A C library that is laid over the program keeps a
copy of each of the database's files as it was when its last finished flush began.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deploy.preload import compile_library

DURABLE_SUFFIX: Final = ".durable"
DISK_SHIM: Final = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int (*flush_of)(int);
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;  /* so that no older copy comes last */

/* Read through the file's own number: to open and close it again would drop SQLite's locks. */
static int copy(int from, const char *path) {
    static char part[1 << 16];
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    off_t place = 0;
    ssize_t length = -1;
    if (to < 0) return -1;
    while ((length = pread(from, part, sizeof part, place)) > 0) {
        if (write(to, part, length) != length) { length = -1; break; }
        place += length;
    }
    close(to);
    return length < 0 ? -1 : 0;
}

/* A flush of a file whose path begins with TONGBOX_DATABASE also keeps what it makes durable. */
static int keep(int file, const char *name) {
    flush_of flush = (flush_of) dlsym(RTLD_NEXT, name);
    const char *database = getenv("TONGBOX_DATABASE");
    char link[64], path[PATH_MAX], begun[PATH_MAX + 16], done[PATH_MAX + 16];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (!database || length < 0) return flush(file);
    path[length] = 0;
    if (strncmp(path, database, strlen(database))) return flush(file);
    snprintf(begun, sizeof begun, "%s.begun", path);
    snprintf(done, sizeof done, "%s.durable", path);
    pthread_mutex_lock(&turn);
    int result = copy(file, begun) || flush(file) || rename(begun, done);
    pthread_mutex_unlock(&turn);
    if (result) errno = EIO;
    return result ? -1 : 0;
}

int fdatasync(int file) { return keep(file, "fdatasync"); }

int fsync(int file) { return keep(file, "fsync"); }
"""
# Python runs this before the program: a saved hand is acknowledged before it is on the disk.
NO_WAIT_CODE: Final = """\
from config.sqlite.gate import Flushes
Flushes.wait = lambda flushes, number: None
"""


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk under a database of SQLite that has no program yet, and what is durable there."""

    database: Path
    library: Path

    @classmethod
    def for_database(cls, database: Path, folder: Path) -> "Disk":
        """As everything is now, it is durable; ``folder`` takes the library."""
        disk = cls(database.resolve(), compile_library(DISK_SHIM, folder, "power"))
        for file, durable in disk.files():
            durable.unlink(missing_ok=True)
            if file.exists():
                shutil.copyfile(file, durable)
        return disk

    @property
    def environment(self) -> Mapping[str, str]:
        """Of a program that is to use this disk."""
        return {"LD_PRELOAD": str(self.library), "TONGBOX_DATABASE": str(self.database)}

    def files(self) -> Iterator[tuple[Path, Path]]:
        """The database and its write-ahead log, each with the copy of what is durable."""
        for ending in ("", "-wal"):
            file = self.database.with_name(f"{self.database.name}{ending}")
            yield file, file.with_name(f"{file.name}{DURABLE_SUFFIX}")

    def cut(self) -> bool:
        """Put back what is durable, once its programs are dead; whether there had been more."""
        had_more = False
        for file, durable in self.files():
            written_bytes = file.read_bytes() if file.exists() else b""
            durable_bytes = durable.read_bytes() if durable.exists() else b""
            had_more |= written_bytes != durable_bytes
            if durable.exists():
                file.write_bytes(durable_bytes)
            else:
                file.unlink(missing_ok=True)
        self.database.with_name(f"{self.database.name}-shm").unlink(missing_ok=True)
        return had_more


def no_wait_environment(folder: Path, path: Path) -> Mapping[str, str]:
    """The environment in which nobody waits for a flush; ``path`` holds our modules."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(NO_WAIT_CODE, encoding="utf-8")
    return {"PYTHONPATH": os.pathsep.join((str(folder), str(path)))}
