// The clock of the local Discord, which may be ahead of this machine's.

let ahead = 0;

/** Go by a clock that is ahead by so many seconds. */
export function setAhead(seconds) {
  ahead = seconds;
}

/** Milliseconds since 1970. */
export const now = () => Date.now() + 1000 * ahead;

/** Whether a moment is on the current day. */
export const isToday = (date) => new Date(now()).toDateString() === date.toDateString();
