-- Results that cannot be bought (docs/ratings.md): each fact is stored as it was when it happened. What ended before
-- keeps its owner and place; ratings are computed anew once (`VERSION` in bot/store/tally.py).

-- whether its owner decided all in the seat; NULL: it ended before this was noted
ALTER TABLE results ADD COLUMN whole INTEGER;
ALTER TABLE rating_history ADD COLUMN matches INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ratings ADD COLUMN scored INTEGER NOT NULL DEFAULT 0;

-- whether the seat was behind then
ALTER TABLE table_events ADD COLUMN behind INTEGER NOT NULL DEFAULT 0;
-- a seat lost to a firm pace is no longer told by the pace that is set in the end
UPDATE table_events SET kind = 'lapsed'
WHERE kind = 'held' AND match_id IN (SELECT id FROM matches WHERE firm = 1);

CREATE TABLE forfeits (                     -- who gave a match up; `seat` may have another owner in `results`
    match_id BIGINT NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    user_id BIGINT,
    place INTEGER NOT NULL,
    PRIMARY KEY (match_id, number)
);
CREATE INDEX forfeits_user ON forfeits (user_id);

CREATE TABLE stood_in (                     -- entries that a computer played in the place of a late player
    match_id BIGINT NOT NULL REFERENCES matches (id),
    n INTEGER NOT NULL,
    PRIMARY KEY (match_id, n)
);
