// A few lines instead of a framework.

/** Make an element: `h("p", { class: "hint", onclick: act }, "text", child)`. Nothing is ever parsed as HTML. */
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

/** The element with that id. */
export const $ = (id) => document.getElementById(id);

/** A round badge with an initial, or the star of the house for the bot. */
export function avatar(user, index) {
  if (!user || user.bot) return h("span", { class: "avatar bot", "aria-hidden": "true" });
  return h("span", { class: "avatar", "data-seat": String(index % 6), "aria-hidden": "true" }, user.name[0]);
}
