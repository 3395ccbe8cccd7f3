"""What the tests of pictures share."""

from tests.true_colors import keep_colors

keep_colors()
