"""Nard, the backgammon of the caravanserais: race fifteen checkers around the board, and hit those that stand alone."""

from caravanserai_nard.actions import Double, Drop, Move, Roll, Start, Take, Throw
from caravanserai_nard.board import START
from caravanserai_nard.evaluation import EVALUATE
from caravanserai_nard.frames import Starting
from caravanserai_nard.options import PRESETS, NardOptions, terms_of
from caravanserai_nard.state import Nard
from engine.core import GameSpec, Grade, InShort, Setup
from engine.rulebook import Rulebook
from engine.texts import Seat, Text


def start(setup: Setup) -> Nard:
    """The board before the first roll (rule 2.2)."""
    return Nard(
        frames=(Starting(),),
        terms=terms_of(setup),
        sides=(START, START),
        turn=Seat(0),
        roll=(),
        dice=(),
        stake=1,
        owner=None,
        results=(),
        crawford=0,
    )


GAME = GameSpec(
    slug="nard",
    title="Nard",
    summary="Race your checkers home around the board, and hit those that stand alone.",
    seats=(2,),
    options=NardOptions,
    actions=(Move, Roll, Double, Take, Drop),
    chances=(Start, Throw),
    rules_version=1,
    rulebook=Rulebook.of(__name__),
    start=start,
    presets=PRESETS,
    in_short=InShort(
        goal=Text("You want to bring your fifteen checkers home around the board and bear them all off first."),
        turn=Text(
            "Your turn is a roll: move one checker by each die, or by a double four times. Never land where your rival "
            "has two checkers or more; hit one that stands alone, and it starts again from the bar."
        ),
        end=Text("The game ends when somebody has no checker left. It counts double if the other has all fifteen."),
    ),
    evaluate=EVALUATE,
    step_costs={2: 90},
    computers={
        "easy": ("Zubayda", "Masrur"),
        "fair": ("Jafar", "Anis al-Jalis"),
        "strong": ("Buzurjmihr", "Tawaddud"),
    },
    picture="caravanserai_nard.picture",
    interface=1,
    grade=Grade.PLATINUM,
)
