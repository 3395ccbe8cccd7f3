// A message on the screen: author, time, cause, content.

import { box, component } from "./components.js";
import { avatar, button, h, linkOut } from "./dom.js";
import { markdown } from "./markdown.js";
import { fileLink, gallery, picture } from "./pictures.js";
import { isToday, locale } from "./time.js";

const SILENT = 1 << 12;
const COMPONENTS_V2 = 1 << 15;

/** The element of a message. `house` has users and channels; `act(what, details)` sends a request to the server. */
export function messageElement(message, house, act) {
  const author = house.user(message.author.id);
  const mine = message.pinged.includes(house.me);
  const classes = ["message", message.ephemeral && "private", mine && "for-me", author.bot && "from-bot"];
  return h(
    "article",
    { class: classes.filter(Boolean).join(" "), id: `m${message.id}`, "aria-label": `${author.name} wrote` },
    reason(message, house),
    h(
      "header",
      { class: "who" },
      avatar(author, house.seat(author.id)),
      h("span", { class: "name" }, author.name),
      h("time", { datetime: message.timestamp }, clock(message.timestamp)),
      message.flags & SILENT ? h("span", { class: "note", title: "Sent without a notification" }, "silent") : null,
      message.edited_timestamp ? h("span", { class: "note" }, "edited") : null,
    ),
    message.thinking ? thinking() : body(message, house.names, act),
    message.ephemeral ? privacy(message, act) : null,
    message.thread ? threadLink(message.thread, house) : null,
  );
}

function reason(message, house) {
  const cause = message.interaction_metadata;
  if (!cause?.name) return null;
  const who = house.user(cause.user.id)?.name ?? "Somebody";
  return h("p", { class: "reason" }, h("b", {}, who), " used ", h("span", { class: "command" }, `/${cause.name}`));
}

function thinking() {
  const dots = h("span", { class: "dots", "aria-hidden": "true" });
  return h("p", { class: "thinking", role: "status" }, "The bot is thinking", dots);
}

function body(message, names, act) {
  const context = { message, names, act };
  const parts = message.components.map((part) => component(part, context));
  return h(
    "div",
    { class: "body" },
    message.content ? h("div", { class: "words" }, markdown(message.content, names)) : null,
    ...message.embeds.map((embed) => embedElement(embed, names)),
    ...(message.flags & COMPONENTS_V2 ? [] : looseFiles(message.attachments)),
    h("div", { class: "components" }, ...parts),
  );
}

/** In messages without V2 components, files are below the text. */
function looseFiles(attachments) {
  const pictures = attachments.filter((file) => file.width);
  const others = attachments.filter((file) => !file.width);
  const items = pictures.map((file) => ({ media: file, description: file.description }));
  return [items.length ? gallery(items) : null, ...others.map(fileLink)];
}

function embedElement(embed, names) {
  const title = embed.url ? linkOut(embed.title, embed.url) : embed.title;
  const fields = (embed.fields ?? []).map((field) => {
    const words = [h("dt", {}, field.name), h("dd", {}, markdown(field.value, names))];
    return h("div", { class: field.inline ? "inline" : null }, ...words);
  });
  return box(embed.color, "container embed", [
    embed.author?.name ? h("p", { class: "small" }, embed.author.name) : null,
    embed.title ? h("h4", {}, title) : null,
    embed.description ? h("div", { class: "words" }, markdown(embed.description, names)) : null,
    fields.length ? h("dl", { class: "fields" }, ...fields) : null,
    embed.image?.url ? picture(embed.image, embed.title) : null,
    embed.footer?.text ? h("p", { class: "small" }, embed.footer.text) : null,
  ]);
}

function privacy(message, act) {
  const away = () => act("dismiss", { message: message.id, channel: message.channel_id });
  return h("footer", { class: "privacy" }, h("span", {}, "Only you can see this"), button("Dismiss", "dismiss", away));
}

function threadLink(thread, house) {
  return button(`Go to ${thread.name}\u00a0→`, "button secondary thread", () => house.go(thread.id));
}

function clock(moment) {
  const date = new Date(moment);
  const hours = date.toLocaleTimeString(locale, { timeStyle: "short" });
  return isToday(date) ? hours : `${date.toLocaleDateString(locale, { day: "numeric", month: "short" })}, ${hours}`;
}
