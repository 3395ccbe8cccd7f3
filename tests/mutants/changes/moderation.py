"""Changes to `bot.features.moderation`."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS = (
    Mutant(
        "anybody hands a seat over",
        "bot/features/moderation/server_games.py",
        "guild, services = server_of(request), request.services\n"
        "    table = await _table(request, guild, match_id)\n    if",
        "guild, services = request.response.interaction.guild, request.services\n"
        "    table = await _table(request, guild, match_id)\n    if",
        "tests/bot/moderation/test_acts.py::test_only_moderators_use_the_controls_of_a_server",
    ),
    Mutant(
        "the doctor knows better than Discord",
        "bot/features/moderation/doctor.py",
        "if here is not None and not here.findings:",
        "if False:",
        "tests/bot/moderation/test_doctor.py::test_permissions_from_the_interaction_override_computed_ones",
    ),
    Mutant(
        "anybody bars",
        "bot/features/moderation/barring.py",
        "    guild, user_id = server_of(request), id_in(request.value)",
        "    guild, user_id = request.response.interaction.guild, id_in(request.value)",
        "tests/bot/moderation/test_barring.py::test_only_moderators_can_bar_and_lift",
    ),
    Mutant(
        "anybody lifts a bar",
        "bot/features/moderation/barring.py",
        "    guild, services = server_of(request), request.services\n    bars =",
        "    guild, services = request.response.interaction.guild, request.services\n    bars =",
        "tests/bot/moderation/test_barring.py::test_only_moderators_can_bar_and_lift",
    ),
    Mutant(
        "a bar takes a person out of tables elsewhere",
        "bot/features/moderation/barring.py",
        "        if table.row.guild_id == guild.id:\n",
        "        if True:\n",
        "tests/bot/moderation/test_barring.py::test_a_bar_removes_a_player_from_lobbies_but_not_from_running_games",
    ),
    Mutant(
        "default options of a game replace those of all other games",
        "bot/features/moderation/default_options.py",
        "others if options is None else {**others, spec.slug: {**options}}",
        "others if options is None else {spec.slug: {**options}}",
        "tests/bot/lobby/test_default_options.py::test_a_new_table_uses_the_default_options_and_its_host_can_change_them",
    ),
    Mutant(
        "the doctor passes over the channels of a category",
        "bot/features/moderation/doctor.py",
        "for channel in (*selected_channels, *within) if",
        "for channel in (*selected_channels,) if",
        "tests/bot/moderation/test_server_games.py::test_the_doctor_checks_each_channel_of_the_chosen_categories_once",
    ),
    Mutant(
        "all players have left a server during an outage",
        "bot/features/moderation/games_overview.py",
        "    except DISCORD_ERRORS:\n        return frozenset()\n",
        "    except DISCORD_ERRORS:\n        return frozenset(user_ids)\n",
        "tests/bot/moderation/test_server_games.py::test_only_members_confirmed_absent_by_discord_have_left_a_server",
    ),
    Mutant(
        "a deleted role is chosen as before",
        "bot/features/moderation/server_settings.py",
        "[role_id for role_id in ids if guild.get_role(role_id)]",
        "[*ids]",
        "tests/bot/moderation/test_server_settings.py::test_only_chosen_roles_can_start_games_and_every_member_can_join",
    ),
    Mutant(
        "a bar counts the listed people as further ones",
        "bot/features/moderation/barring.py",
        "more=len(bars) - MENU_ROWS",
        "more=len(bars)",
        "tests/bot/moderation/test_barring.py::test_a_long_list_of_bars_shows_the_newest_and_counts_the_rest",
    ),
    Mutant(
        "a game that cannot be read is named by its code",
        "bot/features/moderation/games_overview.py",
        "if self.table.problem:",
        "if False:",
        "tests/bot/moderation/test_moderation_messages.py::test_the_page_of_a_game_that_cannot_be_read_names_the_people_by_mentions_alone",
    ),
    Mutant(
        "the log names settings in the language of the moderator",
        "bot/features/moderation/server_settings.py",
        "    with reading(await request.services.servers.language_in(guild.id)):  # of",
        "    if True:  # of",
        "tests/bot/moderation/test_moderation_log.py::test_the_log_names_a_setting_in_the_language_of_the_server",
    ),
    Mutant(
        "the last channel of the log does not hear that it was moved",
        "bot/features/moderation/moderators.py",
        "sorted({before.log, after.log} - {0})",
        "sorted({after.log} - {0})",
        "tests/bot/moderation/test_acts.py::test_each_setting_is_stored_logged_and_takes_effect_at_once",
    ),
    Mutant(
        "a bar ends when it begins",
        "bot/features/moderation/barring.py",
        "return now + timedelta(days=days) if days else None",
        "return now if days else None",
        "tests/bot/moderation/test_acts.py::test_a_bar_asks_for_span_and_reason_and_applies_at_once_in_this_server",
    ),
    Mutant(
        "a player who is barred stays in lobbies",
        "bot/features/moderation/barring.py",
        "        if table.row.guild_id == guild.id:",
        "        if False:",
        "tests/bot/moderation/test_acts.py::test_a_bar_asks_for_span_and_reason_and_applies_at_once_in_this_server",
    ),
    Mutant(
        "sound games are listed before faulty ones",
        "bot/features/moderation/server_games.py",
        "(not game.is_faulty, game.since or now)",
        "(game.is_faulty, game.since or now)",
        "tests/bot/moderation/test_acts.py::test_the_list_of_games_has_faulty_ones_first_and_then_by_their_wait",
    ),
    Mutant(
        "a closed undo request keeps its buttons after unsticking",
        "bot/features/moderation/server_games.py",
        "if undo_request is not None and undo_request.message_id is not None:",
        "if False:",
        "tests/bot/moderation/test_acts.py::test_unsticking_closes_an_undo_request",
    ),
    Mutant(
        "the doctor reports the log while the bot is timed out",
        "bot/features/moderation/doctor.py",
        "notices = () if everywhere else (*log, *others)",
        "notices = (*log, *others)",
        "tests/bot/moderation/test_moderation_messages.py::test_the_doctor_reports_first_what_concerns_the_server_and_then_each_channel",
    ),
    Mutant(
        "a game that has begun keeps its person from being barred",
        "bot/features/moderation/barring.py",
        "            with suppress(UserError):",
        "            if True:",
        "tests/bot/moderation/test_acts.py::test_a_bar_applies_even_if_a_game_of_its_person_begins_at_that_moment",
    ),
    Mutant(
        "the doctor reports events before the overview",
        "bot/features/moderation/doctor.py",
        "(*overview_problems(guild, guild_settings), *events_problems(guild, guild_settings))",
        "(*events_problems(guild, guild_settings), *overview_problems(guild, guild_settings))",
        "tests/bot/moderation/test_moderation_messages.py::test_the_doctor_names_the_settings_and_then_the_channels_in_order_those_of_games_last",
    ),
    Mutant(
        "the default options of one game replace those of all",
        "bot/features/moderation/default_options.py",
        "for slug, chosen in before.options.items() if slug != spec.slug}",
        "for slug, chosen in before.options.items() if slug == spec.slug}",
        "tests/bot/moderation/test_acts.py::test_the_options_of_a_game_are_chosen_by_option_or_preset_and_reset_alone",
    ),
    Mutant(
        "moderators are not told what the player loses whose seat they give away",
        "bot/features/moderation/server_games.py",
        "    question = with_warning(question, replacement_warning(table, user_id))\n",
        "",
        "tests/bot/moderation/test_acts.py::test_a_game_is_unstuck_handed_over_and_ended_with_a_word_to_its_players",
    ),
)
