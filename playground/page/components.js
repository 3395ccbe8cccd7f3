// Message components: containers, text, images, buttons, menus.

import { button, h, linkOut, tickList, whileBusy } from "./dom.js";
import { markdown } from "./markdown.js";
import { fileLink, gallery, picture } from "./pictures.js";

const LOOK = { 1: "primary", 2: "secondary", 3: "success", 4: "danger" };

/** The element of a component. `context` has the message, the names, and `act` for requests to the server. */
export function component(part, context) {
  const inside = () => part.components.map((child) => component(child, context));
  switch (part.type) {
    case 1:
      return h("div", { class: "row" }, ...inside());
    case 2:
      return pressable(part, context);
    case 3:
    case 5:
    case 6:
    case 7:
    case 8: {
      const options = menuOptions(part, context.names);
      return part.max_values > 1 ? manyMenu(part, options, context) : oneMenu(part, options, context);
    }
    case 9: {
      const words = h("div", { class: "section-words" }, ...inside());
      return h("div", { class: "section" }, words, component(part.accessory, context));
    }
    case 10:
      return h("div", { class: "words" }, markdown(part.content, context.names));
    case 11:
      return h("div", { class: "thumbnail" }, picture(part.media, part.description, part.spoiler));
    case 12:
      return gallery(part.items);
    case 13:
      return fileLink({ filename: part.name, url: part.file.url, size: part.size });
    case 14:
      return h("hr", { class: `separator ${part.spacing === 2 ? "wide" : ""} ${part.divider ? "" : "blank"}` });
    case 17:
      return box(part.accent_color, part.spoiler ? "container veiled" : "container", inside());
    default:
      return h("p", { class: "note" }, `(a component of type ${part.type})`);
  }
}

/** A framed box with its accent color. */
export function box(color, kind, children) {
  const element = h("div", { class: kind }, ...children);
  if (color !== null && color !== undefined) {
    element.style.setProperty("--accent", `#${color.toString(16).padStart(6, "0")}`);
  }
  return element;
}

/** The entries of a menu: its own, or users, roles and channels, including default values. */
export function menuOptions(part, names) {
  if (part.type === 3) return part.options;
  const chosen = new Set((part.default_values ?? []).map(({ id }) => id));
  const entries = {
    5: () => names.people(),
    6: () => names.roles(),
    7: () => [...names.people(), ...names.roles()],
    8: () => names.channels(part.channel_types),
  }[part.type]();
  return entries.map((entry) => ({ ...entry, default: chosen.has(entry.value) }));
}

function pressable(part, context) {
  const words = [emojiOf(part), part.label ?? ""];
  if (part.url) return linkOut([...words, " ↗"], part.url, "button link");
  const press = (event) => whileBusy(event.currentTarget, () => send("tap", part, context));
  const look = `button ${LOOK[part.style] ?? "secondary"}`;
  return button(words.filter(Boolean), look, press, { disabled: part.disabled, "data-id": part.custom_id });
}

/** An emoji before a label: a sign, or a picture of the application. */
function emojiOf(part) {
  const { id, name } = part.emoji ?? {};
  if (id) return h("img", { src: `/emojis/${id}`, alt: part.label ? "" : name, class: "emoji" });
  return name ? h("span", { "aria-hidden": part.label ? "true" : null }, name) : null;
}

function oneMenu(part, options, context) {
  const placeholder = part.placeholder || "Choose";
  const chosen = options.find((option) => option.default);
  const pick = async (event) => {
    const menu = event.currentTarget;
    if (!menu.value) return;
    await whileBusy(menu, () => send("choose", part, context, { values: [menu.value] }));
    menu.value = chosen?.value ?? "";
  };
  const attributes = { "aria-label": placeholder, "data-id": part.custom_id, disabled: part.disabled, onchange: pick };
  const first = h("option", { value: "", disabled: part.min_values > 0, selected: !chosen }, placeholder);
  const rest = options.map((option) =>
    h("option", { value: option.value, selected: option.default }, described(option)),
  );
  return h("span", { class: "menu" }, h("select", attributes, first, ...rest));
}

/** A menu with multiple choice: closed, it shows what is chosen; open, a list of check boxes and a button. */
function manyMenu(part, options, context) {
  const [ticks, boxes] = tickList("checkbox", part.custom_id, options, described);
  const ticked = () => boxes.filter((tick) => tick.checked).map((tick) => tick.value);
  const choose = (event) => whileBusy(event.currentTarget, () => send("choose", part, context, { values: ticked() }));
  const confirm = button("Choose", "button primary", choose);
  const count = () => {
    confirm.disabled = part.disabled || ticked().length < part.min_values || ticked().length > part.max_values;
  };
  ticks.addEventListener("change", count);
  count();
  const most = Math.min(part.max_values, options.length);
  const up = part.min_values ? `${part.min_values} to ${most}` : `up to ${most}`;
  const range = part.min_values === most ? most : up;
  const placeholder = part.placeholder || "Choose";
  const chosen = options.filter((option) => option.default).map((option) => option.label);
  const closed = h("summary", {}, chosen.join(", ") || placeholder);
  const open = h("fieldset", { disabled: part.disabled }, h("legend", {}, `${placeholder} (${range})`), ticks, confirm);
  return h("details", { class: "many menu", "data-id": part.custom_id }, closed, open);
}

function send(what, part, { message, act }, more = {}) {
  return act(what, { message: message.id, channel: message.channel_id, custom_id: part.custom_id, ...more });
}

function described(option) {
  // a menu of the browser has no pictures
  const words = option.emoji?.name && !option.emoji.id ? `${option.emoji.name} ${option.label}` : option.label;
  return option.description ? `${words} · ${option.description}` : words;
}
