"""The questions of Muscat, one small class each: options and resolution next to each other."""
