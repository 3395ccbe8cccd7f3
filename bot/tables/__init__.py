"""Tables: the matches of the channels with the people around them, in step with the store. Knows no Discord."""
