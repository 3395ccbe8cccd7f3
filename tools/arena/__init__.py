"""Matches between computer players, to measure their strength, their accuracy and the robustness of the games."""
