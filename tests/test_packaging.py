"""What is in the tree is in the lists, and so in the wheel; the core stays light."""

import configparser
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OPTIONAL = "pygame torch faiss PIL openai pandas scipy statsmodels matplotlib imageio"
CHECKOUT = (ROOT / "setup.cfg").exists()
ROOTS = {
    "src/babelzoo": "babelzoo",
    "envs": "babelzoo.envs",
    "agents": "babelzoo.agents",
    "wrappers": "babelzoo.wrappers",
    "benchmarks": "babelzoo.benchmarks",
}

pytestmark = pytest.mark.skipif(not CHECKOUT, reason="needs the checkout, not the wheel alone")


def listed() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg")
    return parser


def folders() -> dict[str, Path]:
    """Import name of every package folder."""
    found = {}
    for folder, name in ROOTS.items():
        for init in (ROOT / folder).rglob("__init__.py"):
            inside = init.parent.relative_to(ROOT / folder).parts
            found[".".join((name, *inside))] = init.parent
    return found


def test_every_folder_with_python_is_a_package():
    for folder in ROOTS:
        for file in (ROOT / folder).rglob("*.py"):
            assert (file.parent / "__init__.py").exists(), file


def test_every_package_folder_is_listed():
    packages = set(listed()["options"]["packages"].split())
    assert packages == set(folders())


def test_every_data_file_is_listed():
    patterns = {
        name: value.replace(",", " ").split()
        for name, value in listed()["options.package_data"].items()
    }
    for name, folder in folders().items():
        data = {
            file for file in folder.rglob("*") if _is_data(file) and _package_of(file) == folder
        }
        matched = {file for pattern in patterns.get(name, ()) for file in folder.glob(pattern)}
        assert data == matched, name


def _is_data(file: Path) -> bool:
    return file.is_file() and file.suffix != ".py" and "__pycache__" not in file.parts


def _package_of(file: Path) -> Path:
    """The innermost package folder that a file lies in."""
    return next(folder for folder in file.parents if (folder / "__init__.py").exists())


def test_versions_agree():
    import babelzoo

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = (ROOT / "CITATION.cff").read_text()
    assert project["version"] == babelzoo.__version__
    assert f"\nversion: {babelzoo.__version__}\n" in citation
    assert f"## {babelzoo.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_no_torch_pin_and_no_cap_in_the_metadata():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    users = [r for name, extra in extras.items() if name != "docs" for r in extra]
    for requirement in [*project["dependencies"], *users]:
        assert "==" not in requirement and "<" not in requirement, requirement


def run(code: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False
    )


def test_the_roots_are_no_import_names_elsewhere(tmp_path: Path):
    for name in ("envs", "agents", "wrappers", "benchmarks"):
        ran = run(f"import {name}", tmp_path)
        assert "ModuleNotFoundError" in ran.stderr, name


def test_importing_loads_no_optional_package(tmp_path: Path):
    optional = OPTIONAL.split()
    code = f"import sys, babelzoo; print([m for m in {optional} if m in sys.modules])"
    assert run(code, tmp_path).stdout.strip() == "[]"


def test_every_module_imports_with_core_packages_only(tmp_path: Path):
    """Optional packages are hidden; the modules that draw or plot say what they need."""
    modules = [
        f"{name}.{file.stem}"
        for name, folder in folders().items()
        for file in folder.glob("*.py")
        if not file.stem.startswith("__")
    ]
    code = (
        f"modules = {modules}"
        + """
import sys, importlib
for name in "pygame torch faiss PIL openai pandas scipy statsmodels matplotlib imageio".split():
    sys.modules[name] = None
import babelzoo
from babelzoo.envs.core import MissingExtra
for module in modules:
    try:
        importlib.import_module(module)
    except MissingExtra as error:
        print("needs", module, str(error).rpartition("babelzoo[")[2][:6])
"""
    )
    ran = run(code, tmp_path)
    assert ran.returncode == 0, ran.stderr
    needing = [line.split()[1] for line in ran.stdout.splitlines() if line.startswith("needs")]
    assert "babelzoo.envs.core.canvas" in needing
    for name in needing:
        assert name.startswith("babelzoo.envs.")
        assert name.rpartition(".")[2] not in ("world", "text", "encode", "__init__"), name
