"""The questions of the cave, one small class each: options and resolution next to each other."""
