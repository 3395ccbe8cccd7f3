// The bot's modal forms.

import { menuOptions } from "./components.js";
import { $, button, h, tickList, whileBusy } from "./dom.js";
import { markdown } from "./markdown.js";

/** Show a form. `send(values)` resolves to true if the form was accepted. */
export function openForm(form, names, send) {
  const dialog = $("form");
  const fields = new Map();
  const parts = form.components.map((part) => topPart(part, names, fields));
  const confirm = h("button", { type: "submit", class: "button primary" }, "Submit");
  const submit = (event) => {
    event.preventDefault();
    const values = Object.fromEntries([...fields].map(([id, read]) => [id, read()]));
    whileBusy(confirm, async () => {
      if (await send(values)) dialog.close();
    });
  };
  const foot = h("div", { class: "form-foot" }, button("Cancel", "button secondary", () => dialog.close()), confirm);
  const title = h("h2", { id: "form-title" }, form.title);
  dialog.replaceChildren(h("form", { method: "dialog", onsubmit: submit }, title, ...parts, foot));
  dialog.showModal();
  dialog.querySelector("input, textarea, select")?.focus();
}

function topPart(part, names, fields) {
  if (part.type === 10) return h("div", { class: "words" }, markdown(part.content, names));
  if (part.type === 18) return labelled(part.label, part.description, part.component, names, fields);
  return h("div", {}, ...part.components.map((field) => labelled(field.label, null, field, names, fields)));
}

function labelled(label, description, field, names, fields) {
  const control = makeField(field, label, names, fields);
  const star = field.required === false ? null : h("span", { class: "must", "aria-hidden": "true" }, " *");
  const name = h("span", { class: "field-name" }, label, star);
  const note = description ? h("span", { class: "note" }, description) : null;
  return h(control.matches("fieldset") ? "div" : "label", { class: "field" }, name, note, control);
}

function makeField(field, label, names, fields) {
  switch (field.type) {
    case 4:
      return textField(field, fields);
    case 3:
    case 5:
    case 6:
    case 7:
    case 8:
      return selectField(field, menuOptions(field, names), label, fields);
    case 21:
    case 22:
      return tickField(field, label, fields);
    case 23: {
      const tick = h("input", { type: "checkbox", checked: field.default });
      fields.set(field.custom_id, () => tick.checked);
      return tick;
    }
    default:
      return h("p", { class: "note" }, `(a field of type ${field.type})`);
  }
}

function textField(field, fields) {
  const attributes = {
    required: field.required !== false,
    placeholder: field.placeholder,
    minlength: field.min_length,
    maxlength: field.max_length,
  };
  const long = field.style === 2;
  const input = long ? h("textarea", { rows: "4", ...attributes }) : h("input", { type: "text", ...attributes });
  input.value = field.value ?? "";
  fields.set(field.custom_id, () => input.value);
  return input;
}

function selectField(field, options, label, fields) {
  if ((field.max_values ?? 1) > 1) return tickField({ ...field, options, type: 22 }, label, fields);
  const select = h(
    "select",
    { required: field.required !== false },
    h("option", { value: "" }, field.placeholder || "Choose"),
    ...options.map((option) => h("option", { value: option.value, selected: option.default }, option.label)),
  );
  fields.set(field.custom_id, () => (select.value ? [select.value] : []));
  return h("span", { class: "menu" }, select);
}

function tickField(field, label, fields) {
  const type = field.type === 21 ? "radio" : "checkbox";
  const words = ({ label: answer, description }) =>
    h("span", {}, answer, description ? h("small", {}, description) : null);
  const [ticks, boxes] = tickList(type, field.custom_id, field.options, words);
  fields.set(field.custom_id, () => boxes.filter((tick) => tick.checked).map((tick) => tick.value));
  return h("fieldset", { class: "many", "aria-label": label }, ticks);
}
