"""A turn in private: a few taps or one typed command, a picture of the result, and only then Confirm."""
