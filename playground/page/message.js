// One message on the screen: who, when, words, pictures, controls.

import { $, avatar, h } from "./dom.js";
import { markdown } from "./markdown.js";

const SUPPRESSED = 1 << 12;
const EDGE = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };

/** The element of a message. `house` knows people and channels; `act(what, details)` tells the server. */
export function messageElement(message, house, act) {
  const author = house.user(message.author.id);
  const mine = message.pinged.includes(house.me);
  const classes = ["message", message.ephemeral && "private", mine && "for-me", author.bot && "from-bot"];
  const names = { me: house.me, people: house.choices, user: (id) => house.user(id)?.name ?? "somebody", channel: (id) => house.channelName(id) };
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
      message.flags & SUPPRESSED ? h("span", { class: "note", title: "This message rang no bell" }, "silent") : null,
      message.edited_timestamp ? h("span", { class: "note" }, "edited") : null,
    ),
    body(message, names, act),
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

function body(message, names, act) {
  if (message.thinking) return h("p", { class: "thinking", role: "status" }, "The bot is thinking", h("span", { class: "dots", "aria-hidden": "true" }));
  const shown = new Set();
  const context = { message, names, act, shown };
  const components = h("div", { class: "components" }, ...message.components.map((part) => component(part, context)));
  return h(
    "div",
    { class: "body" },
    message.content ? h("div", { class: "words" }, markdown(message.content, names)) : null,
    ...message.embeds.map((embed) => embedElement(embed, names)),
    files(message, shown),
    components,
  );
}

/** Files that no component shows: in messages of the old kind they stand on their own. */
function files(message, shown) {
  if (message.flags & (1 << 15)) return null;
  const loose = message.attachments.filter((file) => !shown.has(file.id));
  if (!loose.length) return null;
  return h("div", { class: "gallery" }, ...loose.map((file) => (file.width ? picture(file, file.description) : fileLink(file))));
}

function component(part, context) {
  switch (part.type) {
    case 1:
      return h("div", { class: "row" }, ...part.components.map((child) => component(child, context)));
    case 2:
      return button(part, context);
    case 3:
      return part.max_values > 1 ? manyMenu(part, part.options, context) : oneMenu(part, part.options, context);
    case 5:
      return oneMenu(part, context.names.people?.() ?? [], context);
    case 9:
      return section(part, context);
    case 10:
      return h("div", { class: "words" }, markdown(part.content, context.names));
    case 11:
      return h("div", { class: "thumbnail" }, picture(part.media, part.description));
    case 12:
      return gallery(part);
    case 13:
      return fileLink({ filename: part.name, url: part.file.url, size: part.size });
    case 14:
      return h("hr", { class: `separator ${part.spacing === 2 ? "wide" : ""} ${part.divider ? "" : "blank"}` });
    case 17:
      return container(part, context);
    default:
      return h("p", { class: "note" }, `(a component of type ${part.type})`);
  }
}

function container(part, context) {
  const box = h("div", { class: "container" }, ...part.components.map((child) => component(child, context)));
  if (part.accent_color !== null) box.style.setProperty("--accent", `#${part.accent_color.toString(16).padStart(6, "0")}`);
  if (part.spoiler) box.classList.add("veiled");
  return box;
}

function section(part, context) {
  const words = h("div", { class: "section-words" }, ...part.components.map((child) => component(child, context)));
  return h("div", { class: "section" }, words, component(part.accessory, context));
}

function gallery(part) {
  return h("div", { class: part.items.length > 1 ? "gallery several" : "gallery" }, ...part.items.map((item) => picture(item.media, item.description, item.spoiler)));
}

function picture(media, description, spoiler) {
  const image = h("img", { src: media.url, alt: description || media.filename || "Picture without a description", width: media.width, height: media.height, decoding: "async" });
  return h("button", { class: spoiler ? "picture veiled" : "picture", type: "button", title: "Show full size", style: media.width ? `--ratio: ${media.width / media.height}; --natural: ${media.width}px` : null, onclick: (event) => view(event, media, description) }, image);
}

/** The picture alone, as large as it is, with its description beneath. */
function view(event, media, description) {
  const frame = event.currentTarget;
  if (frame.classList.contains("veiled")) {
    frame.classList.remove("veiled");
    return;
  }
  const viewer = $("viewer");
  const close = () => viewer.close();
  const full = h("img", { src: media.url, alt: description || "", class: "full" });
  full.addEventListener("click", () => full.classList.toggle("natural"));
  viewer.replaceChildren(
    h("div", { class: "viewer-frame" }, full),
    h("div", { class: "viewer-foot" }, h("p", { class: "alt", tabindex: "0" }, description || "No description."), h("button", { type: "button", class: "button secondary", onclick: close }, "Close")),
  );
  viewer.showModal();
}

function fileLink(file) {
  const size = file.size ? ` (${Math.max(1, Math.round(file.size / 1024))} KB)` : "";
  return h("a", { class: "file", href: file.url, target: "_blank", rel: "noreferrer" }, `${file.filename}${size}`);
}

function button(part, { message, act }) {
  const words = [part.emoji?.name ? h("span", { class: "emoji", "aria-hidden": part.label ? "true" : null }, part.emoji.name) : null, part.label ?? ""];
  if (part.url) return h("a", { class: "button link", href: part.url, target: "_blank", rel: "noreferrer noopener" }, ...words, " ↗");
  const press = (event) => whileBusy(event.currentTarget, () => act("tap", { message: message.id, channel: message.channel_id, custom_id: part.custom_id }));
  return h("button", { type: "button", class: `button ${EDGE[part.style] ?? "secondary"}`, disabled: part.disabled, "data-id": part.custom_id, onclick: press }, ...words);
}

function oneMenu(part, options, { message, act }) {
  const placeholder = part.placeholder || "Choose";
  const chosen = options.find((option) => option.default);
  const pick = (event) => {
    const menu = event.currentTarget;
    if (!menu.value) return;
    const values = [menu.value];
    whileBusy(menu, () => act("choose", { message: message.id, channel: message.channel_id, custom_id: part.custom_id, values })).then(() => {
      menu.value = chosen?.value ?? "";
    });
  };
  return h(
    "span",
    { class: "menu" },
    h(
      "select",
      { "aria-label": placeholder, "data-id": part.custom_id, disabled: part.disabled, onchange: pick },
      h("option", { value: "", disabled: part.min_values > 0, selected: !chosen }, placeholder),
      ...options.map((option) => h("option", { value: option.value, selected: option.default }, described(option))),
    ),
  );
}

/** A menu for several entries: a list to tick off, and a button. */
function manyMenu(part, options, { message, act }) {
  const boxes = options.map((option) => h("input", { type: "checkbox", value: option.value, checked: option.default }));
  const send = (event) => {
    const values = boxes.filter((box) => box.checked).map((box) => box.value);
    whileBusy(event.currentTarget, () => act("choose", { message: message.id, channel: message.channel_id, custom_id: part.custom_id, values }));
  };
  const confirm = h("button", { type: "button", class: "button primary", onclick: send, disabled: part.disabled }, "Choose");
  const range = part.min_values === part.max_values ? `${part.max_values}` : `${part.min_values} to ${part.max_values}`;
  const count = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    confirm.disabled = part.disabled || ticked < part.min_values || ticked > part.max_values;
  };
  boxes.forEach((box) => box.addEventListener("change", count));
  count();
  return h(
    "fieldset",
    { class: "many", disabled: part.disabled, "data-id": part.custom_id },
    h("legend", {}, `${part.placeholder || "Choose"} (${range})`),
    h("div", { class: "ticks" }, ...options.map((option, index) => h("label", { class: "tick" }, boxes[index], h("span", {}, described(option))))),
    confirm,
  );
}

const described = (option) => {
  const words = option.emoji?.name ? `${option.emoji.name} ${option.label}` : option.label;
  return option.description ? `${words} · ${option.description}` : words;
};

function embedElement(embed, names) {
  const box = h(
    "div",
    { class: "container embed" },
    embed.author?.name ? h("p", { class: "small" }, embed.author.name) : null,
    embed.title ? h("h4", {}, embed.url ? h("a", { href: embed.url, target: "_blank", rel: "noreferrer" }, embed.title) : embed.title) : null,
    embed.description ? h("div", { class: "words" }, markdown(embed.description, names)) : null,
    embed.fields?.length ? h("dl", { class: "fields" }, ...embed.fields.map((field) => h("div", { class: field.inline ? "inline" : null }, h("dt", {}, field.name), h("dd", {}, markdown(field.value, names))))) : null,
    embed.image?.url ? picture(embed.image, embed.title) : null,
    embed.footer?.text ? h("p", { class: "small" }, embed.footer.text) : null,
  );
  if (embed.color) box.style.setProperty("--accent", `#${embed.color.toString(16).padStart(6, "0")}`);
  return box;
}

function privacy(message, act) {
  const away = () => act("dismiss", { message: message.id, channel: message.channel_id });
  return h("footer", { class: "privacy" }, h("span", {}, "Only you can see this"), h("button", { type: "button", class: "dismiss", onclick: away }, "Dismiss"));
}

function threadLink(thread, house) {
  return h("button", { type: "button", class: "button secondary thread", onclick: () => house.go(thread.id) }, `Go to ${thread.name} →`);
}

/** Disable a control until the act is through. */
export async function whileBusy(control, act) {
  control.setAttribute("aria-busy", "true");
  control.disabled = true;
  try {
    await act();
  } finally {
    control.removeAttribute("aria-busy");
    control.disabled = false;
  }
}

function clock(moment) {
  const date = new Date(moment);
  const today = new Date().toDateString() === date.toDateString();
  const hours = date.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return today ? hours : `${date.toLocaleDateString("en", { day: "numeric", month: "short" })}, ${hours}`;
}
