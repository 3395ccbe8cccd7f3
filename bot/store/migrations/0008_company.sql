-- Whom people play with: blocks between players, bars by moderators, and who may join a table
-- (bot.store.matches.Admission).

ALTER TABLE matches ADD COLUMN admits TEXT NOT NULL DEFAULT 'anyone';

CREATE TABLE blocks (                       -- players with whom a user does not want to play
    user_id BIGINT NOT NULL,
    digest TEXT NOT NULL,                   -- of the other player; outlasts *Forget me* (bot.store.pseudonyms)
    blocked_id BIGINT NOT NULL,             -- the other player; 0 once they were forgotten
    name TEXT NOT NULL,                     -- their name when they were blocked, for the list of the user
    at TEXT NOT NULL,
    PRIMARY KEY (user_id, digest)
);
CREATE INDEX blocks_blocked ON blocks (blocked_id);

CREATE TABLE bars (                         -- people whom moderators keep out of the games of their server
    guild_id BIGINT NOT NULL,
    digest TEXT NOT NULL,                   -- of the user; outlasts *Forget me*
    user_id BIGINT NOT NULL,                -- 0 once they were forgotten
    name TEXT NOT NULL,
    reason TEXT NOT NULL,                   -- in the words of a moderator; '' for none
    at TEXT NOT NULL,
    until TEXT,                             -- NULL: until a moderator lifts it
    PRIMARY KEY (guild_id, digest)
);
CREATE INDEX bars_user ON bars (user_id);

CREATE TABLE join_requests (                -- people who have asked the host of a lobby for a seat
    match_id BIGINT NOT NULL REFERENCES matches (id),
    user_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    interaction_id BIGINT NOT NULL,         -- by which they asked; part of the proof of the luck once they sit there
    message_id BIGINT,                      -- asks the host
    declined INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (match_id, user_id)
);
CREATE INDEX join_requests_user ON join_requests (user_id);
