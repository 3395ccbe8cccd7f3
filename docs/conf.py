"""Makes a site of these pages and of the READMEs: `make docs`."""

from pathlib import Path
from tomllib import loads

PYPROJECT = loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "Caravanserai"
author = copyright = PYPROJECT["authors"][0]["name"]
release = PYPROJECT["version"]

# the source folder is the repository, so that pages can link to the READMEs beside the code
root_doc = "docs/index"
include_patterns = [
    "docs/**",
    *(f"{folder}*.md" for folder in ["", "bot/", "engine/", "engine/games/", "engine/players/", "renders/", "tools/"]),
    "examples/nard/README.md",
]

extensions = ["myst_parser"]
myst_heading_anchors = 4
# the pictures in the READMEs, which have a width
myst_enable_extensions = ["html_image"]
html_theme = "furo"
html_title = "Caravanserai"
html_show_copyright = False
html_show_sphinx = False
