"""The questions of the gangs, one small class each: options and resolution next to each other."""
