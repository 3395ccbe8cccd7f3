-- Indexes for every question about one person, server or channel: no tap reads a table that grows (tests/bot/store/test_query_plans.py).
-- Who is ready matters in a lobby only.

UPDATE matches SET ready = NULL WHERE status <> 'lobby';

CREATE INDEX matches_host ON matches (host_id);
CREATE INDEX matches_open ON matches (guild_id) WHERE occupies IS NOT NULL;
CREATE INDEX matches_ready ON matches (id) WHERE ready IS NOT NULL;
CREATE INDEX matches_status ON matches (status, guild_id);
DROP INDEX matches_channel;
CREATE INDEX matches_channel ON matches (channel_id, id);
DROP INDEX matches_parent;
CREATE INDEX matches_parent ON matches (parent_id, channel_id, id);
CREATE INDEX clocks_user ON clocks (user_id);
CREATE INDEX clocks_votes ON clocks (match_id) WHERE votes <> '{}';
CREATE INDEX table_events_user ON table_events (user_id);
CREATE INDEX followers_user ON followers (user_id);
CREATE INDEX invitations_user ON invitations (user_id);
CREATE INDEX ratings_user ON ratings (user_id);
CREATE INDEX rating_history_user ON rating_history (user_id);
CREATE INDEX meetings_user ON meetings (user_id);
CREATE INDEX meetings_other ON meetings (other_id);
CREATE INDEX records_user ON records (user_id);
CREATE INDEX records_match ON records (match_id);
CREATE INDEX leagues_host ON leagues (host_id);
CREATE INDEX leagues_open ON leagues (channel_id) WHERE occupies IS NOT NULL;
