"""Changes to modules of `bot.features` itself."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        "typed texts reach commands as a whole",
        "bot/features/dispatcher.py",
        "shorten_options(interaction.data or {})",
        "shorten_options({})",
        "tests/bot/interactions/test_typed.py::test_every_command_option_is_cut",
    ),
    Mutant(
        "forms are read as a whole",
        "bot/features/dispatcher.py",
        "shortened_words(value, MAX_LINE) for value in values",
        "value for value in values",
        "tests/bot/interactions/test_typed.py::test_every_form_value_is_cut",
    ),
    Mutant(
        "suggestions compare any number of candidates",
        "bot/features/dispatcher.py",
        "islice(await candidates(interaction, current), MAX_CANDIDATES)",
        "iter(await candidates(interaction, current))",
        "tests/bot/interactions/test_typed.py::test_no_more_candidates_are_compared_than_the_limit",
    ),
    Mutant(
        "what cannot be taken back is done without a question",
        "bot/features/handlers.py",
        "if self.is_confirmed:",
        "if True:",
        "tests/bot/settings/test_my_data.py::test_a_forgotten_user_has_the_default_settings_at_once",
    ),
    Mutant(
        "a declared control without a handler starts",
        "bot/features/handlers.py",
        "return KINDS.keys() - TAPS.keys()",
        "return set()",
        "tests/bot/interactions/test_controls.py::test_a_control_without_a_handler_fails_at_startup",
    ),
    Mutant(
        "an interaction that comes twice is handled twice",
        "bot/features/dispatcher.py",
        "            raise AlreadyHandled",
        "            pass",
        "tests/bot/interactions/test_dispatch.py::test_an_interaction_delivered_twice_is_handled_once",
    ),
    Mutant(
        "a message for everyone is in the language of who tapped",
        "bot/features/dispatcher.py",
        "                set_language(await self.services.servers.language_at(interaction.channel_id or 0))",
        "                pass",
        "tests/bot/interactions/test_dispatch.py::test_everyone_reads_the_language_of_the_server_and_each_user_their_own",
    ),
    Mutant(
        "a successor answers what its predecessor answers",
        "bot/features/dispatcher.py",
        "if interaction.type is discord.InteractionType.autocomplete:\n            # the ids",
        "if False:\n            # the ids",
        "tests/bot/interactions/test_dispatch.py::test_a_successor_waits_until_its_predecessor_has_stopped",
    ),
    Mutant(
        "an interaction is handled twice when many were seen",
        "bot/features/dispatcher.py",
        "popitem(last=False)",
        "popitem(last=True)",
        "tests/bot/interactions/test_dispatch.py::test_of_many_interactions_the_oldest_are_forgotten",
    ),
    Mutant(
        "a private message changes to the language of the channel",
        "bot/features/dispatcher.py",
        "public=in_place and not is_private",
        "public=in_place",
        "tests/bot/interactions/test_dispatch.py::test_an_answer_replaces_its_message_and_is_in_the_language_of_all_who_see_it",
    ),
)
