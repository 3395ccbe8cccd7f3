-- Rounds that count in the average of a bye although *Forget me* has deleted their results (docs/leagues.md).

ALTER TABLE league_traces ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0; -- the rounds in which they had a seat
