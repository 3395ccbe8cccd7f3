"""Programs for developers, which the bot does not need: training, calibration, arena, soak, fixed ratings."""
