"""A small C library that is laid over a program's own, so that its disk behaves as we say."""

from pathlib import Path

from deploy.servers import program_path, run_command


def compile_library(source: str, folder: Path, name: str) -> Path:
    """The library, for ``LD_PRELOAD``; needs Linux. Raises ``Missing`` where there is no gcc."""
    code, library = folder / f"{name}.c", folder / f"{name}.so"
    code.write_text(source, encoding="utf-8")
    run_command(
        program_path("gcc"), "-shared", "-fPIC", "-o", str(library), str(code), "-ldl", "-lpthread"
    )
    return library
