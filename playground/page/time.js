// The clock of the local Discord, which may be ahead of the system's.

let ahead = 0;

/** Set the clock's offset from the system's in seconds. */
export function setAhead(seconds) {
  ahead = seconds;
}

/** Milliseconds since 1970. */
export const now = () => Date.now() + 1000 * ahead;

/** Whether a moment is today. */
export const isToday = (date) => new Date(now()).toDateString() === date.toDateString();
