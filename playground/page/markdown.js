// Convert the Markdown of chat messages to elements.

import { button, h, linkOut } from "./dom.js";
import { locale, now } from "./time.js";

const INLINE = new RegExp(
  [
    /\\([^0-9A-Za-z\s])/, // 1 escaped character
    /``(.+?)``|`([^`]+)`/, // 2, 3 code
    /\*\*(.+?)\*\*/, // 4 bold
    /__(.+?)__/, // 5 underline
    /~~(.+?)~~/, // 6 strikethrough
    /\|\|(.+?)\|\|/, // 7 spoiler
    /\*(?!\s)(.+?)\*/, // 8 italics
    /\b_(.+?)_\b/, // 9 italics
    /<@!?(\d+)>/, // 10 user
    /<@&(\d+)>/, // 11 role
    /<#(\d+)>/, // 12 channel
    /<t:(-?\d+)(?::([tTdDfFR]))?>/, // 13, 14 timestamp
    /<a?:(\w+:\d+)>/, // 15 custom emoji
    /\[([^\]]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/, // 16, 17 link with text
    /<(https?:\/\/[^>\s]+)>|(https?:\/\/[^\s<>()]+)/, // 18, 19 bare link
  ]
    .map((part) => part.source)
    .join("|"),
  "g",
);

/** Markdown text as block elements. `names` looks up names: {user(id), role(id), channel(id), me}. */
export function markdown(text, names) {
  const out = document.createDocumentFragment();
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; ) at = block(lines, at, out, names);
  return out;
}

function block(lines, at, out, names) {
  const line = lines[at];
  if (line.startsWith("```")) return fence(lines, at, out);
  const heading = /^(#{1,3}) +(.+)$/.exec(line);
  if (heading) {
    out.append(h(`h${heading[1].length + 2}`, { class: `heading-${heading[1].length}` }, ...inline(heading[2], names)));
    return at + 1;
  }
  if (line.startsWith("-# ")) {
    out.append(h("p", { class: "small" }, ...inline(line.slice(3), names)));
    return at + 1;
  }
  if (/^>+ ?/.test(line) && line.startsWith(">")) return quote(lines, at, out, names);
  if (/^ *([-*]|\d+\.) +/.test(line)) return list(lines, at, out, names);
  return paragraph(lines, at, out, names);
}

function fence(lines, at, out) {
  const first = lines[at].slice(3);
  const rest = [];
  if (first.endsWith("```")) {
    out.append(h("pre", {}, h("code", {}, first.slice(0, -3))));
    return at + 1;
  }
  let next = at + 1;
  while (next < lines.length && !lines[next].endsWith("```")) rest.push(lines[next++]);
  if (next < lines.length && lines[next].length > 3) rest.push(lines[next].slice(0, -3));
  out.append(h("pre", { tabindex: "0" }, h("code", {}, rest.join("\n"))));
  return next + 1;
}

function quote(lines, at, out, names) {
  const inside = [];
  while (at < lines.length && lines[at].startsWith(">")) inside.push(lines[at++].replace(/^>+ ?/, ""));
  out.append(h("blockquote", {}, markdown(inside.join("\n"), names)));
  return at;
}

function list(lines, at, out, names) {
  const ordered = /^ *\d+\./.test(lines[at]);
  const items = [];
  const start = /^ *(\d+)\./.exec(lines[at]);
  while (at < lines.length && /^ *([-*]|\d+\.) +/.test(lines[at])) {
    const [, indent, words] = /^( *)(?:[-*]|\d+\.) +(.*)$/.exec(lines[at++]);
    items.push(h("li", { class: indent.length > 1 ? "inner" : null }, ...inline(words, names)));
  }
  out.append(h(ordered ? "ol" : "ul", { start: ordered ? start[1] : null }, ...items));
  return at;
}

function paragraph(lines, at, out, names) {
  const spoken = [];
  while (at < lines.length && !/^(```|#{1,3} |-# |> |>$| *([-*]|\d+\.) +)/.test(lines[at])) {
    if (lines[at].trim() === "") {
      at += 1;
      break;
    }
    if (spoken.length) spoken.push(h("br"));
    spoken.push(...inline(lines[at++], names));
  }
  if (spoken.length) out.append(h("p", {}, ...spoken));
  return at;
}

/** A line of Markdown as nodes. */
export function inline(text, names) {
  const nodes = [];
  let done = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > done) nodes.push(text.slice(done, match.index));
    nodes.push(span(match, names));
    done = match.index + match[0].length;
  }
  if (done < text.length) nodes.push(text.slice(done));
  return nodes;
}

function span(match, names) {
  const [, escaped, code2, code, bold, underline, struck, spoiler, slanted, slanted2, ...rest] = match;
  const [user, role, channel, moment, style, emoji, words, url, wrapped, bare] = rest;
  if (escaped) return escaped;
  if (code2 || code) return h("code", {}, code2 || code);
  if (bold) return h("strong", {}, ...inline(bold, names));
  if (underline) return h("u", {}, ...inline(underline, names));
  if (struck) return h("s", {}, ...inline(struck, names));
  if (spoiler) return hidden(spoiler, names);
  if (slanted || slanted2) return h("em", {}, ...inline(slanted || slanted2, names));
  if (role) return h("span", { class: "mention" }, `@${names.role(role)}`);
  if (user) return h("span", { class: user === names.me ? "mention mine" : "mention" }, `@${names.user(user)}`);
  if (channel) return h("span", { class: "mention" }, `#${names.channel(channel)}`);
  if (moment) return time(Number(moment), style || "f");
  if (emoji) {
    const [name, id] = emoji.split(":");
    return h("img", { src: `/emojis/${id}`, alt: `:${name}:`, class: "emoji" });
  }
  return linkOut(words || wrapped || bare, url || wrapped || bare);
}

function hidden(text, names) {
  const reveal = (event) => event.currentTarget.classList.add("shown");
  return button(inline(text, names), "spoiler", reveal, { "aria-label": "Hidden words, tap to read" });
}

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

function time(seconds, style) {
  const date = new Date(seconds * 1000);
  const exact = date.toLocaleString(locale, STYLES.F);
  const words = style === "R" ? relative(seconds) : date.toLocaleString(locale, STYLES[style]);
  const moving = style === "R" ? String(seconds) : null; // The page keeps relative times up to date.
  return h("time", { datetime: date.toISOString(), title: exact, "data-relative": moving }, words);
}

/** Format a relative time: "in 3 hours", "5 minutes ago". */
export function relative(seconds) {
  const away = seconds - now() / 1000;
  const units = [["year", 31557600], ["month", 2629800], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  const [unit, length] = units.find(([, size]) => Math.abs(away) >= size) || units.at(-1);
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.round(away / length), unit);
}
