"""The verbs of Muscat, a module each: the action, its options, effect, events, questions, refusals and all texts."""
