"""Statements that fill a database of SQLite with thousands of games that are over, for tests and benchmarks."""

from __future__ import annotations

GAMES, ENTRIES = 3_000, 30
"""Games that are over, half of them hosted by Ana, and moves of each."""

PLAYERS, ROUNDS, BARS = 200, 10, 1_000
"""Players of a league that is over, its rounds, with tables for two, and people whom moderators have barred."""

FIRST_ID = 1_000
"""Id of the first of these games: a database to fill has fewer."""

AT = "'2026-01-01T00:00:00.000000+00:00'"
SEATS = f"seat_history WHERE match_id >= {FIRST_ID}"


def games_over(server: int, channel: int, ana: int, ben: int, caro: int, game: str) -> list[str]:
    """Statements for games of Ben with Ana or Caro in a channel and its neighbors."""
    numbers = _numbers(FIRST_ID, GAMES)
    host = f"CASE WHEN i % 2 THEN {ana} ELSE {caro} END"
    return [
        f"""INSERT INTO matches (id, guild_id, channel_id, host_id, game, rules_version, options, seed, status,
            rated, moves, ended, parent_id)
            {numbers} SELECT i, {server}, {channel} + i % 500, {host}, '{game}', 1, '{{}}', 's', 'over',
            1, 9, i, {channel} FROM n""",
        f"""INSERT INTO seat_history (match_id, seat, since, user_id, name)
            {numbers} SELECT i, seat, 0, CASE WHEN seat THEN {ben} ELSE {host} END, 'x'
            FROM n, (SELECT 0 AS seat UNION SELECT 1)""",
        f"""INSERT INTO results (match_id, seat, score, share, user_id, company, place, luck, lost, usually, choices,
            lowest) SELECT match_id, seat, 1, 0.5, user_id, seat, 1, 0, 0, 0, 1, 0.5 FROM {SEATS}""",
        f"""INSERT INTO entries (match_id, n, seat, notation, at)
            WITH RECURSIVE e(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM e WHERE k < {ENTRIES - 1})
            SELECT id, k, k % 2, 'bid 1', {AT} FROM matches, e WHERE id >= {FIRST_ID}""",
        f"""INSERT INTO boards SELECT id, 1, id, '{{"due": []}}' FROM matches WHERE id >= {FIRST_ID}""",
        f"""INSERT INTO rating_history (guild_id, user_id, game, ended, match_id, mu_before, mu, sigma)
            SELECT {server}, user_id, '{game}', match_id, match_id, 1500, 1500, 50 FROM {SEATS}""",
        f"""INSERT INTO ratings
            (guild_id, user_id, game, mu, sigma, matches, wins, fair, places, points, run, longest_run)
            VALUES ({server}, {ana}, '{game}', 1500, 50, {GAMES // 2}, 9, 9, 9, 9, 1, 1)""",
        f"""INSERT INTO table_events (match_id, version, at, kind, user_id)
            SELECT id, 1, {AT}, 'held', host_id FROM matches""",
    ]


def league_over(server: int, channel: int, ana: int, game: str) -> list[str]:
    """Statements for a league of these games, in which Ana has played, and for bars of its server."""
    tables = PLAYERS // 2
    table = f"1, 1 + i / {tables}, 1 + i % {tables}"
    seated = f"2 * (i % {tables}) + seat"
    return [
        f"""INSERT INTO leagues (id, guild_id, channel_id, host_id, game, rules_version, options, seats, swiss, rounds,
            gap, division_size, pace, computer, closes_at, status, round, shown)
            VALUES (1, {server}, {channel}, {ana}, '{game}', 1, '{{}}', 2, 1, {ROUNDS}, 1, 0, 'daily', 'fair', {AT},
            'over', {ROUNDS}, {ROUNDS})""",
        f"""INSERT INTO league_players {_numbers(0, PLAYERS)}
            SELECT 1, CASE i WHEN 0 THEN {ana} ELSE 5000 + i END, i, 'x', 0, 0 FROM n""",
        f"INSERT INTO league_tables {_numbers(0, tables * ROUNDS)} SELECT {table}, 0, 's', NULL, {FIRST_ID} + i FROM n",
        f"""INSERT INTO league_seats {_numbers(0, tables * ROUNDS)}
            SELECT {table}, seat, CASE {seated} WHEN 0 THEN {ana} ELSE 5000 + {seated} END
            FROM n, (SELECT 0 AS seat UNION SELECT 1)""",
        f"INSERT INTO bars {_numbers(0, BARS)} SELECT {server}, i, 9000 + i, 'x', 'y', {AT}, NULL FROM n",
    ]


def _numbers(first: int, count: int) -> str:
    """`n(i)` with consecutive numbers."""
    return f"WITH RECURSIVE n(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i < {first + count - 1})"
