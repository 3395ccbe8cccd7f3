-- Tables that start at a time (docs/jobs.md).

ALTER TABLE matches ADD COLUMN starts_at TEXT; -- while a table waits for players: when it begins by itself
