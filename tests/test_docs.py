"""Every block of the README and the docs runs, and shows the output that it has."""

import contextlib
import io
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from babelzoo.benchmarks.cli import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("README.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

pytestmark = pytest.mark.skipif(len(PAGES) < 3, reason="needs the checkout, not the wheel alone")


class Block(NamedTuple):
    language: str
    title: str
    text: str


def blocks(page: Path) -> list[Block]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [Block(language, title.strip(), text) for language, title, text in found]


def runs(page: Path) -> bool:
    return any(block.language in ("python", "sh") for block in blocks(page))


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in PAGES if runs(page)], ids=lambda page: page.name)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore:.*gym.*:UserWarning")
def test_blocks_run_and_show_their_output(page: Path, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed: str | None = None
    for block in blocks(page):
        match block.language:
            case "python":
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(block.text, f"{page.name}", "exec"), {"__name__": "__main__"})
                printed = out.getvalue()
            case "text":
                assert printed is not None, "a text block shows what the block above prints"
                assert printed.strip() == block.text.strip()
                printed = None
            case "sh":
                for line in block.text.splitlines():
                    if line.startswith("babelzoo "):
                        with pytest.raises(SystemExit) as ended:
                            main(shlex.split(line)[1:])
                        assert ended.value.code == 0, line
            case "toml" if block.title.startswith("title="):
                Path(block.title.removeprefix("title=").strip('"')).write_text(block.text)


def test_the_readme_has_the_two_commands():
    commands = [b.text for b in blocks(ROOT / "README.md") if ".venv/bin/pip" in b.text]
    assert len(commands) == 2
    assert commands[0].splitlines()[-1] == ".venv/bin/babelzoo bench demo"
    assert "pytest" in commands[1].splitlines()[-1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_lead_somewhere(page: Path):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
