-- What the story of a match found for each seat, once it was told: how much of the win the draws brought, how much of it
-- choices cost, how much any options would have cost, how many choices mattered, and the lowest chance to win.

ALTER TABLE results ADD COLUMN luck DOUBLE PRECISION;
ALTER TABLE results ADD COLUMN lost DOUBLE PRECISION;
ALTER TABLE results ADD COLUMN usually DOUBLE PRECISION;
ALTER TABLE results ADD COLUMN choices INTEGER;
ALTER TABLE results ADD COLUMN lowest DOUBLE PRECISION;
