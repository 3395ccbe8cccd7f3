"""What outlives the process: matches, chairs, logs and the boards still to be posted."""

from bot.store.database import file_address, opened
from bot.store.queries import Store
from bot.store.rows import Act, Chair, Damaged, Known, MatchRow, Post, Status, Taken

__all__ = [
    "Act",
    "Chair",
    "Damaged",
    "Known",
    "MatchRow",
    "Post",
    "Status",
    "Store",
    "Taken",
    "file_address",
    "opened",
]
