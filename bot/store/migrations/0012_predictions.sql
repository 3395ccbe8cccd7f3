-- Predictions of spectators about the winner of a match.

CREATE TABLE predictions (
    match_id BIGINT NOT NULL REFERENCES matches (id),
    user_id BIGINT NOT NULL,
    seat INTEGER NOT NULL,
    version INTEGER NOT NULL,               -- the number of entries of the log when the user chose this seat
    at TEXT NOT NULL,
    name TEXT NOT NULL,                     -- the user's name in the server
    PRIMARY KEY (match_id, user_id)
);

CREATE INDEX predictions_user ON predictions (user_id);
