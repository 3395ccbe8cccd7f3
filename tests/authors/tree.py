"""A copy of the whole project, to which an author adds games."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
COPIED = ("engine", "kit", "locales", "renders", "bot", "playground", "tests", "tools", "pyproject.toml", "README.md")
OF_PYTEST = ("PYTEST_", "COV_")
"""Prefixes of the variables that the pytest around sets for its own processes."""


@dataclass(frozen=True)
class Tree:
    """A copy of the project's files in the folder `root`."""

    root: Path

    @classmethod
    def copied_to(cls, root: Path) -> Tree:
        """Copy the project with its compiled files, which take longer to make than all else."""
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            copy(ROOT / name, root / name)
        if (compiled := _compiled(ROOT)) and compiled.exists():
            shutil.copytree(compiled, f"{sys.pycache_prefix}{root}", ignore=shutil.ignore_patterns(".*"))
        return cls(root)

    def forget_what_was_compiled(self) -> None:
        """Delete compiled files that are kept elsewhere: they would stay there after the tree is gone."""
        if compiled := _compiled(self.root):
            shutil.rmtree(compiled, ignore_errors=True)

    def write(self, path: str, text: str) -> None:
        """A file of the new game, in the place of one that may be there."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def run(self, module: str, *arguments: str, ends_with: int = 0) -> str:
        """Output of `python -m` in the tree."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(OF_PYTEST)}
        command = [sys.executable, "-m", module, *arguments]
        done = subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, check=False)
        output = done.stdout + done.stderr
        assert done.returncode == ends_with, f"python -m {module} {' '.join(arguments)}\n{output}"
        return output


def examples(page: str) -> list[str]:
    """The code that a page of the project shows."""
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def _compiled(root: Path) -> Path | None:
    """The folder with the compiled files of a tree, if they are not beside their sources."""
    return Path(f"{sys.pycache_prefix}{root}") if sys.pycache_prefix else None
