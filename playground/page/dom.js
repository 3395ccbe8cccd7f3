// DOM helpers, in place of a framework.

/** Create an element: `h("p", { class: "hint", onclick: act }, "text", child)`. Text is never parsed as HTML. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The element with this id. */
export const $ = (id) => document.getElementById(id);

/** A button that never submits a form: `button("Close", "button secondary", close)`. */
export function button(words, kind, onclick, more = {}) {
  return h("button", { type: "button", class: kind, onclick, ...more }, words);
}

/** A link that opens outside the page. */
export function linkOut(words, href, kind = null) {
  return h("a", { class: kind, href, target: "_blank", rel: "noreferrer noopener" }, words);
}

/** A round badge with an initial, or with the star for the bot. */
export function avatar(user, seat) {
  if (!user || user.bot) return h("span", { class: "avatar bot", "aria-hidden": "true" });
  return h("span", { class: "avatar", "data-seat": String(seat % 6), "aria-hidden": "true" }, user.name[0]);
}

/** A group of check boxes. Returns the frame and the boxes. */
export function tickList(type, name, options, words) {
  const boxes = options.map((option) => h("input", { type, name, value: option.value, checked: option.default }));
  const rows = options.map((option, at) => h("label", { class: "tick" }, boxes[at], h("span", {}, words(option))));
  return [h("div", { class: "ticks" }, ...rows), boxes];
}

/** Disable a control until the action has finished. */
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
