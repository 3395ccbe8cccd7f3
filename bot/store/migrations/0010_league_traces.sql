-- What counts against players of open leagues and must outlast *Forget me*, or a seat from which nothing was played.

CREATE TABLE league_traces (
    league_id BIGINT NOT NULL REFERENCES leagues (id),
    digest TEXT NOT NULL,                   -- of the user (bot.store.pseudonyms); deleted when the league ends
    held INTEGER NOT NULL,                  -- how often a firm pace gave their seat to a computer
    round INTEGER NOT NULL,                 -- the last one in which they had a seat; 0: none
    PRIMARY KEY (league_id, digest)
);
