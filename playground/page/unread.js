// Which messages a person has not read yet, by the last one that they have seen in each channel.

const last = (messages) => messages.at(-1)?.id ?? "0";
const isAfter = (id, other) => BigInt(id) > BigInt(other);

/** Unread marks, kept in this browser for each person; `person` returns the name of the current one. */
export class Unread {
  constructor(person) {
    this.person = person;
  }

  get seen() {
    return JSON.parse(localStorage.getItem(`seen:${this.person()}`) ?? "{}");
  }

  /** A channel was looked at to its end. */
  read(channel) {
    const seen = { ...this.seen, [channel.id]: last(channel.messages) };
    localStorage.setItem(`seen:${this.person()}`, JSON.stringify(seen));
  }

  /** How many messages of others are new, and how many of them ping `me`. Of a channel never visited, only pings count. */
  of(channel, me) {
    const seen = this.seen[channel.id];
    const fresh = channel.messages.filter(({ id, author }) => author.id !== me && isAfter(id, seen ?? "0"));
    const pings = fresh.filter((message) => message.pinged.includes(me)).length;
    return { count: seen === undefined ? pings : fresh.length, pings };
  }
}
