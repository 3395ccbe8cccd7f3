"""The tables of README.md that follow from the games; `pytest --bless tests/test_readme.py` writes them anew."""

from __future__ import annotations

from pathlib import Path

from engine.games import discover

README = Path(__file__).parent.parent / "README.md"
FIRST, LAST = "<!-- the commands of the games -->\n\n", "\n<!-- end -->\n"


def test_the_readme_lists_the_commands_of_all_games(bless: bool) -> None:
    before, rest = README.read_text(encoding="utf-8").split(FIRST)
    listed, after = rest.split(LAST)
    if bless:
        README.write_text(f"{before}{FIRST}{commands()}{LAST}{after}", encoding="utf-8")
    else:
        assert listed == commands(), (
            "`pytest --bless tests/test_readme.py` writes the moves of all games into README.md"
        )


def commands() -> str:
    """A row for each game: its command and the verbs behind it."""
    rows = ["| game | its moves |", "|---|---|"]
    for slug, spec in discover().items():
        rows.append(f"| {spec.title}: `/{slug}` | {' · '.join(f'`{action.verb}`' for action in spec.actions)} |")
    return "\n".join(rows) + "\n"
