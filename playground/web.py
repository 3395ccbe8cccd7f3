"""The page's own interface: static files, one websocket a window for news, one POST an act."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web

from playground.local import LocalDiscord

PAGE = Path(__file__).with_name("page")


def mount(app: web.Application, local: LocalDiscord) -> None:
    """Serve the page and its interface."""
