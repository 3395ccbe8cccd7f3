-- Turns that players plan while others are on turn (docs/drafts.md).

CREATE TABLE planned_turns (
    match_id BIGINT NOT NULL REFERENCES matches (id),
    seat INTEGER NOT NULL,
    acts INTEGER NOT NULL,                  -- how many choices the seat has made in the match before this turn
    notations TEXT NOT NULL,                -- JSON: the actions in order
    sentences TEXT NOT NULL,                -- JSON: the events and points of the preview, in English
    PRIMARY KEY (match_id, seat, acts)
);
