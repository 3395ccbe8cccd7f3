// The language of the client, and the clock of the local Discord, which may be ahead of the system's.

/** The language of the client, as on Discord. */
export const locale = new URLSearchParams(location.search).get("locale") ?? navigator.language;

let ahead = 0;

/** Set the clock's offset from the system's in seconds. */
export function setAhead(seconds) {
  ahead = seconds;
}

/** Milliseconds since 1970. */
export const now = () => Date.now() + 1000 * ahead;

/** Whether a moment is today. */
export const isToday = (date) => new Date(now()).toDateString() === date.toDateString();
