"""`babelzoo doctor`: what is installed, what is missing, and what brings it."""

import os
import platform
import socket
from importlib.metadata import PackageNotFoundError, metadata, version
from importlib.util import find_spec
from urllib.parse import urlsplit

from packaging.requirements import Requirement

from babelzoo.benchmarks.report import Report
from babelzoo.benchmarks.tables import Table

__all__ = ["doctor"]


def doctor() -> Report:
    """What is installed, what is missing and what brings it; a GPU or not; a server or not."""
    rows = []
    for extra, requirements in _extras().items():
        for requirement in requirements:
            try:
                rows.append((requirement.name, version(requirement.name), extra, "–"))
            except PackageNotFoundError:
                command = f'pip install "babelzoo[{extra}]"' if extra != "core" else "reinstall"
                rows.append((requirement.name, "missing", extra, command))
    head = ("package", "version", "for", "what brings it")
    notes = [
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores.",
        _gpu(),
        _server(),
    ]
    return Report([Table("Packages", head, tuple(rows))], notes)


def _extras() -> dict[str, list[Requirement]]:
    """Requirements by the first extra that asks for them; those for development are left out."""
    extras: dict[str, list[Requirement]] = {}
    for text in metadata("babelzoo").get_all("Requires-Dist") or ():
        requirement = Requirement(text)
        marker = str(requirement.marker or "")
        extra = marker.partition('extra == "')[2].partition('"')[0] or "core"
        if requirement.name != "babelzoo" and extra not in ("test", "lint", "docs"):
            extras.setdefault(extra, []).append(requirement)
    return extras


def _gpu() -> str:
    if find_spec("torch") is None:
        return "GPU: not looked for, torch is not installed."
    import torch

    if not torch.cuda.is_available():
        return "GPU: none that torch can use."
    return f"GPU: {torch.cuda.get_device_name()}."


def _server() -> str:
    """Whether the server that OPENAI_BASE_URL names can be reached."""
    url = os.environ.get("OPENAI_BASE_URL", "")
    if not url:
        return "Model server: none named (OPENAI_BASE_URL is not set)."
    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        with socket.create_connection((parts.hostname or "", port), timeout=2):
            return f"Model server: {parts.hostname}:{port} answers."
    except (OSError, ValueError):
        return f"Model server: {parts.hostname} can't be reached."
