-- By which version of the scheme a seed was made (engine.proof): those of before hashed the options as they were stored.

ALTER TABLE matches ADD COLUMN proof_version INTEGER NOT NULL DEFAULT 1;
