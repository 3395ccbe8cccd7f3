-- Rated matches (docs/ratings.md): which are, whose each result is, and what is computed from that. The new tables can be
-- computed anew at any time; guild_id 0 there is all servers together.

ALTER TABLE matches ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN moves INTEGER;
ALTER TABLE matches ADD COLUMN ended INTEGER;
CREATE INDEX matches_ended ON matches (ended);
ALTER TABLE results ADD COLUMN user_id BIGINT;
ALTER TABLE results ADD COLUMN computer TEXT;
ALTER TABLE results ADD COLUMN company INTEGER;
ALTER TABLE results ADD COLUMN place INTEGER;
CREATE INDEX results_user ON results (user_id);

CREATE TABLE rating_state (                 -- one row
    single INTEGER PRIMARY KEY,             -- 1
    version INTEGER NOT NULL,               -- of the formula by which everything was computed
    ended INTEGER NOT NULL                  -- how many rated matches have ended: their order
);

CREATE TABLE ratings (                      -- see bot.store.tally.Standing
    guild_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    game TEXT NOT NULL,
    mu DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL,
    matches INTEGER NOT NULL,
    wins DOUBLE PRECISION NOT NULL,
    fair DOUBLE PRECISION NOT NULL,
    places INTEGER NOT NULL,
    points INTEGER NOT NULL,
    run INTEGER NOT NULL,
    longest_run INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id, game)
);
CREATE INDEX ratings_game ON ratings (guild_id, game);

CREATE TABLE rating_history (               -- a rating before and after a match; see bot.store.tally.Change
    guild_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    game TEXT NOT NULL,
    ended INTEGER NOT NULL,
    match_id BIGINT NOT NULL REFERENCES matches (id),
    mu_before DOUBLE PRECISION NOT NULL,
    mu DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (guild_id, user_id, game, ended)
);
CREATE INDEX rating_history_match ON rating_history (match_id);

CREATE TABLE meetings (                     -- how often two people played against each other, and who was ahead
    guild_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    other_id BIGINT NOT NULL,
    game TEXT NOT NULL,
    matches INTEGER NOT NULL,
    ahead INTEGER NOT NULL,
    behind INTEGER NOT NULL,
    PRIMARY KEY (guild_id, user_id, other_id, game)
);

CREATE TABLE records (                      -- the extremes of a server by game; see bot.store.tally.RecordKind
    guild_id BIGINT NOT NULL,
    game TEXT NOT NULL,
    kind TEXT NOT NULL,
    figure INTEGER NOT NULL,
    match_id BIGINT NOT NULL REFERENCES matches (id),
    user_id BIGINT,
    PRIMARY KEY (guild_id, game, kind)
);
