"""Programs for developers, none of which a bot needs: training, calibration, arena, soak, fixed ratings."""
