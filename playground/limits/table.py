"""All numbers that Discord documents."""

from __future__ import annotations

# https://discord.com/developers/docs/resources/message, components/reference and interactions/application-commands
CONTENT = 2000
EMBEDS = 10
EMBED_TITLE = 256
EMBED_DESCRIPTION = 4096
EMBED_FIELDS = 25
EMBED_FIELD_NAME = 256
EMBED_FIELD_VALUE = 1024
EMBED_FOOTER = 2048
EMBED_AUTHOR = 256
# total of all embeds of a message
EMBED_TEXT_TOGETHER = 6000

ATTACHMENTS = 10
ATTACHMENT_DESCRIPTION = 1024
# each file, in servers without boosts, and all files of a request
FILE_BYTES = 10 * 1024 * 1024
REQUEST_BYTES = 25 * 1024 * 1024
NONCE = 25
MENTIONED_USERS = 100

ROWS = 5
BUTTONS_IN_ROW = 5
BUTTON_LABEL = 80
CUSTOM_ID = 100
OPTIONS = 25
OPTION_TEXT = 100
PLACEHOLDER = 150

# including nested components
V2_COMPONENTS = 40
# total of all text displays of a message
V2_TEXT = 4000
CONTAINER_CHILDREN = 40
GALLERY_ITEMS = 10
GALLERY_DESCRIPTION = 1024
SECTION_TEXTS = 3

MODAL_TITLE = 45
# Discord's text says 5 and its OpenAPI file 40; discord.py enforces 5
MODAL_COMPONENTS = 5
LABEL = 45
LABEL_DESCRIPTION = 100
INPUT_TEXT = 4000
INPUT_PLACEHOLDER = 100
GROUP_CHOICES = 10

# global ones; each server can have as many again
COMMANDS = 100
# 15 of each type since 2026-03-03; discord.py 2.7 still enforces 5
CONTEXT_MENUS = 15
COMMAND_NAME = 32
COMMAND_DESCRIPTION = 100
COMMAND_OPTIONS = 25
# names, descriptions and values of a command, including its children
COMMAND_CHARACTERS = 8000
CHOICES = 25
CHOICE_NAME = 100
CHOICE_VALUE = 100
