"""An environment with nothing of this project but its built wheel, in which packages with games are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "caravanserai", "engine", "kit", "locales", "playground", "renders")
OURS = ("caravanserai", "__editable__")
"""Beginnings of the names of installed files that belong to this project."""

SCRIPT = "#!{python}\nimport runpy, sys\nsys.argv[0] = {module!r}\nrunpy.run_module({module!r}, run_name='__main__')\n"
BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
UNSEEN = shutil.ignore_patterns("*.egg-info", "build", "__pycache__", "prerendered")


@dataclass(frozen=True)
class Installation:
    """A virtual environment in a folder, with `pip` and `pytest`. Nothing is downloaded."""

    folder: Path

    @classmethod
    def in_folder(cls, folder: Path) -> Installation:
        """Build the wheel, and make an environment that can install it and has the dependencies of the tests."""
        installation = cls(folder)
        venv.create(folder / "env", symlinks=True)
        dependencies = folder / "dependencies"
        dependencies.mkdir()
        purelib = Path(sysconfig.get_path("purelib"))
        for entry in purelib.iterdir():
            if not entry.name.startswith(OURS):
                (dependencies / entry.name).symlink_to(entry)
        installation._share_compiled(purelib, dependencies)
        (site,) = (folder / "env").glob("lib/python*/site-packages")
        (site / "dependencies.pth").write_text(f"{dependencies}\n", encoding="utf-8")
        for module in ("pip", "pytest"):
            script = folder / "env/bin" / module
            script.write_text(SCRIPT.format(python=folder / "env/bin/python", module=module), encoding="utf-8")
            script.chmod(0o755)
        source = folder / "source"
        source.mkdir()
        for name in PACKAGES:
            shutil.copytree(ROOT / name, source / name, ignore=UNSEEN)
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, source)
        installation.build(source)
        return installation

    def delete_compiled_files(self) -> None:
        """Delete the compiled files of the environment that are kept elsewhere and would outlast it."""
        if sys.pycache_prefix:
            shutil.rmtree(f"{sys.pycache_prefix}{self.folder}", ignore_errors=True)

    def _share_compiled(self, modules: Path, links: Path) -> None:
        """Let linked modules use the compiled files of their targets, if these are not beside the sources."""
        self.delete_compiled_files()
        if sys.pycache_prefix:
            compiled, shared = (Path(f"{sys.pycache_prefix}{folder}") for folder in (links, modules))
            shared.mkdir(parents=True, exist_ok=True)
            compiled.parent.mkdir(parents=True)
            compiled.symlink_to(shared, target_is_directory=True)

    def build(self, source: Path) -> None:
        """Build a wheel as pip does, which `pip install` then finds by its name."""
        self.run("python", "-c", BUILD, str(self.folder / "wheels"), cwd=source)

    def run(self, *command: str, cwd: Path | None = None) -> str:
        """The output of a program, which must succeed."""
        env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHONPATH"))}
        pip = {
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_FIND_LINKS": str(self.folder / "wheels"),
            # the names of options that are on by default, so 0 turns them off
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_NO_WARN_CONFLICTS": "0",
            "PIP_NO_COMPILE": "1",
            "PIP_NO_INDEX": "1",
            "PIP_NO_INPUT": "1",
        }
        env |= pip | {"PATH": os.pathsep.join([str(self.folder / "env/bin"), env["PATH"]])}
        done = subprocess.run(
            command, cwd=cwd or self.folder, env=env, capture_output=True, text=True, timeout=900, check=False
        )
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr
