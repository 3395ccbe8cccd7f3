-- The alternative of a planned turn, played if the turn would do something else (docs/drafts.md); empty without one.

ALTER TABLE planned_turns ADD COLUMN alternative_notations TEXT NOT NULL DEFAULT '[]';
ALTER TABLE planned_turns ADD COLUMN alternative_sentences TEXT NOT NULL DEFAULT '[]';
