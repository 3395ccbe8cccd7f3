"""The stored state of the bot: matches, seat holders, logs, settings and jobs. Only this package contains SQL."""
