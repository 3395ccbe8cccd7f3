// Tracks unread messages by the last message that a user has seen in each channel.

const last = (messages) => messages.at(-1)?.id ?? "0";
const isAfter = (id, other) => BigInt(id) > BigInt(other);

/** Unread markers, stored in this browser per user; `person` returns the current user's name. */
export class Unread {
  constructor(person) {
    this.person = person;
  }

  get seen() {
    return JSON.parse(localStorage.getItem(`seen:${this.person()}`) ?? "{}");
  }

  /** Mark a channel as read. */
  read(channel) {
    const seen = { ...this.seen, [channel.id]: last(channel.messages) };
    localStorage.setItem(`seen:${this.person()}`, JSON.stringify(seen));
  }

  /** Number of new messages by others, and of those that ping `me`. In channels never visited, only pings count. */
  of(channel, me) {
    const seen = this.seen[channel.id];
    const fresh = channel.messages.filter(({ id, author }) => author.id !== me && isAfter(id, seen ?? "0"));
    const pings = fresh.filter((message) => message.pinged.includes(me)).length;
    return { count: seen === undefined ? pings : fresh.length, pings };
  }
}
