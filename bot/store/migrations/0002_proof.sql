-- Luck that anybody can check (docs/luck.md): the secret, drawn when the table is set, '' for a match without a proof;
-- JSON: the interactions that are mixed into the seed; and the interaction by which somebody sat down, 0 for computers.

ALTER TABLE matches ADD COLUMN secret TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN ids TEXT NOT NULL DEFAULT '[]';
ALTER TABLE seat_history ADD COLUMN interaction_id BIGINT NOT NULL DEFAULT 0;
