// The input line: plain text, or a command with its options one by one.

import { $, button, h } from "./dom.js";
import { fixedChoices, flatten, isCalled, matching } from "./commands.js";

const ASK_AFTER = 90;
const SHOWN = 25;

/** The composer. `house` has commands and users, `act` sends requests, `say` shows a sentence. */
export class Composer {
  constructor(house, act, say) {
    this.house = house;
    this.act = act;
    this.say = say;
    this.command = null;
    this.values = new Map();
    this.active = null;
    this.list = [];
    this.chosen = -1;
    this.requestNumber = 0;
    const entry = $("entry");
    entry.addEventListener("input", () => this.typed());
    entry.addEventListener("keydown", (event) => this.key(event));
    entry.addEventListener("focus", () => this.typed());
    $("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter(true);
    });
    this.render();
  }

  /** Start a command, as the suggestion chips do. */
  begin(path) {
    const command = flatten(this.house.commands).find((candidate) => isCalled(candidate, path));
    if (command) this.pickCommand(command);
    else {
      $("entry").value = `/${path}`;
      this.typed();
    }
    $("entry").focus();
  }

  /** Clear the input line. */
  clear() {
    this.command = this.active = null;
    this.values.clear();
    $("entry").value = "";
    this.offer([]);
    this.render();
  }

  get empty() {
    return !this.command && !$("entry").value;
  }

  get missing() {
    return this.command.options.filter((option) => option.required && !this.values.has(option.name));
  }

  get open() {
    return this.command.options.filter((option) => !this.values.has(option.name));
  }

  // typing

  /** The text in the entry, without the name of the open option: a pasted command has `game:chess`. */
  get entered() {
    const text = $("entry").value;
    const [name, value] = text.split(/:(.*)/s);
    const isNamed = this.active && value !== undefined && isCalled(this.active, name.trim().toLowerCase());
    return isNamed ? value.trimStart() : text;
  }

  typed() {
    const text = this.entered;
    if (!this.command) return this.typedPlain(text);
    if (!this.active) return this.offerRest(text);
    const [value, option, rest] = this.split(text);
    if (option) {
      this.values.set(this.active.name, value);
      return this.openOption(option, rest);
    }
    const fixed = fixedChoices(this.active, this.house);
    const query = text.toLowerCase();
    if (fixed) return this.offerChoices(fixed.filter((choice) => choice.name.toLowerCase().includes(query)));
    if (this.active.autocomplete) return this.askBot(text);
    return this.offer([]);
  }

  /** The value before the name of another option, as in `chess rounds:3`; that option, and the rest of the text. */
  split(text) {
    const [, before, name, rest] = text.match(/^(.+?)\s+(\S+):(.*)$/s) ?? [];
    const option = name && this.open.find((one) => one !== this.active && isCalled(one, name.toLowerCase()));
    const choices = fixedChoices(this.active, this.house) ?? [];
    const choice = choices.find((one) => [one.name, one.value].some((word) => String(word).toLowerCase() === before?.toLowerCase()));
    return [{ value: choice?.value ?? before, label: choice?.name ?? before }, option, rest?.trimStart()];
  }

  typedPlain(text) {
    if (!text.startsWith("/")) return this.offer([]);
    const commands = flatten(this.house.commands);
    const exact = text.endsWith(" ") && commands.find((command) => isCalled(command, text.slice(1, -1)));
    if (exact) return this.pickCommand(exact);
    const fitting = matching(commands, text.slice(1)).slice(0, 60);
    this.offer(
      fitting.map((command) => ({
        label: `/${command.path}`,
        note: command.description,
        pick: () => this.pickCommand(command),
      })),
      "No command begins like that.",
    );
  }

  /** Send if the command is complete, or go to the next option. Options can be typed by name: `game:chess`. */
  offerRest(text) {
    const [name, value] = text.split(/:(.*)/s);
    const named = value !== undefined && this.open.find((option) => isCalled(option, name.trim().toLowerCase()));
    if (named) return this.openOption(named, value.trimStart());
    const query = text.toLowerCase();
    const rest = this.open
      .filter((option) => option.name.includes(query))
      .map((option) => ({ label: `+ ${option.name}`, note: option.description, pick: () => this.openOption(option) }));
    const note = rest.length ? "or add something below" : "ready";
    const send = { label: `Send /${this.command.path}`, note, pick: () => this.send(), send: true };
    this.offer(this.missing.length || query ? rest : [send, ...rest]);
  }

  offerChoices(choices) {
    const rows = choices.slice(0, SHOWN).map(({ name, value }) => ({
      label: String(name),
      pick: () => this.fill(value, name),
    }));
    this.offer(rows, "No matches.");
  }

  askBot(text) {
    // Suggestions for earlier input must not be applied to this input.
    this.offer(this.list.filter((item) => item.label.toLowerCase().includes(text.toLowerCase())));
    const number = ++this.requestNumber;
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const typed = Object.fromEntries([...this.values].map(([name, { value }]) => [name, value]));
      const request = { path: this.command?.path, focused: this.active?.name, text, options: typed };
      const answer = await this.act("suggest", request);
      if (answer && number === this.requestNumber && this.active) this.offerChoices(answer.choices ?? []);
    }, text ? ASK_AFTER : 0);
  }

  // keys

  key(event) {
    const moves = { ArrowDown: 1, ArrowUp: -1 };
    if (event.isComposing) return;
    if (event.key in moves && this.list.length) {
      event.preventDefault();
      this.highlight((this.chosen + moves[event.key] + this.list.length) % this.list.length);
    } else if (event.key === "Tab" && !event.shiftKey && this.list.length) {
      event.preventDefault();
      this.list[Math.max(0, this.chosen)].pick();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.back();
    } else if (event.key === "Backspace" && $("entry").value === "" && this.command) {
      event.preventDefault();
      this.back();
    }
  }

  /** Handle Enter and the send button: apply the highlighted suggestion, or send. */
  enter() {
    const text = this.entered.trim();
    if (this.list.length && this.chosen >= 0) return this.list[this.chosen].pick();
    if (!this.command) return text && this.sendPlain(text);
    if (this.active && text) return this.fill(text, text, true);
    if (this.active && !this.active.required) return this.closeOption();
    if (text) return this.say(`“${text}” belongs to no option of /${this.command.path}.`);
    return this.send();
  }

  back() {
    if (this.active) {
      if (this.missing.length && this.active === this.missing[0] && !this.values.size) return this.clear();
      return this.closeOption();
    }
    if (this.values.size) {
      const last = [...this.values.keys()].at(-1);
      this.values.delete(last);
      return this.openOption(this.command.options.find((option) => option.name === last));
    }
    return this.clear();
  }

  // the command

  pickCommand(command) {
    this.command = command;
    this.values.clear();
    this.next();
  }

  /** The next required option, or the choice of an optional one. */
  next() {
    const option = this.missing[0];
    if (option) this.openOption(option);
    else this.closeOption();
  }

  openOption(option, begun = "") {
    this.active = option;
    this.values.delete(option.name);
    $("entry").value = begun;
    this.offer([]);
    this.render();
    this.typed();
    $("entry").focus();
  }

  closeOption() {
    this.active = null;
    $("entry").value = "";
    this.render();
    this.typed();
    $("entry").focus();
  }

  fill(value, label, sendWhenReady = false) {
    this.values.set(this.active.name, { value, label: String(label) });
    this.active = null;
    $("entry").value = "";
    if (sendWhenReady && !this.missing.length) return this.send();
    return this.next();
  }

  async send() {
    if (!this.command) return;
    if (this.missing.length) {
      this.openOption(this.missing[0]);
      return;
    }
    const { command } = this;
    const values = [...this.values];
    this.clear();
    const options = Object.fromEntries(values.map(([name, { value }]) => [name, value]));
    const names = Object.fromEntries(values.map(([name, { label }]) => [name, label]));
    const answer = await this.act("slash", { path: command.path, options, names });
    if (answer === null && this.empty) this.takeBack(command, values);
  }

  async sendPlain(text) {
    this.clear();
    const answer = await this.act("say", { text });
    if (answer === null && this.empty) $("entry").value = text;
  }

  /** Put a rejected command back into the line, so that it does not have to be typed again. */
  takeBack(command, values) {
    this.command = command;
    this.values = new Map(values);
    this.render();
  }

  // rendering

  offer(list, empty = null) {
    this.list = list;
    this.requestNumber += list.length ? 0 : 1;
    const box = $("suggestions");
    box.replaceChildren(...list.map((item, index) => this.suggestion(item, index)));
    if (!list.length && empty) box.append(h("li", { class: "none", role: "presentation" }, empty));
    box.hidden = !list.length && !empty;
    $("entry").setAttribute("aria-expanded", String(!box.hidden));
    this.highlight(list.length ? 0 : -1);
  }

  suggestion(item, index) {
    const take = (event) => {
      event.preventDefault();
      item.pick();
    };
    const keepFocus = (event) => event.preventDefault();
    const kind = item.send ? "sends" : null;
    return h(
      "li",
      { role: "option", id: `suggestion-${index}`, class: kind, onclick: take, onpointerdown: keepFocus },
      h("span", { class: "label" }, item.label),
      item.note ? h("span", { class: "note" }, item.note) : null,
    );
  }

  highlight(index) {
    this.chosen = index;
    for (const [at, row] of [...$("suggestions").querySelectorAll("[role=option]")].entries()) {
      row.setAttribute("aria-selected", String(at === index));
      if (at === index) row.scrollIntoView({ block: "nearest" });
    }
    if (index >= 0) $("entry").setAttribute("aria-activedescendant", `suggestion-${index}`);
    else $("entry").removeAttribute("aria-activedescendant");
  }

  render() {
    const pills = [];
    if (this.command) {
      const path = `/${this.command.path}`;
      pills.push(button(path, "pill command", () => this.clear(), { "aria-label": `Remove ${path}` }));
    }
    for (const [name, { label }] of this.values) {
      const option = this.command.options.find((candidate) => candidate.name === name);
      const change = () => this.openOption(option);
      pills.push(button(`${name}: ${label}`, "pill value", change, { "aria-label": `Change ${name}` }));
    }
    if (this.active) pills.push(h("span", { class: "pill active" }, `${this.active.name}:`));
    $("pills").replaceChildren(...pills);
    const entry = $("entry");
    entry.placeholder = this.command ? "" : "Message, or / for commands";
    const hint = $("wanted"); // A separate line, since the entry has no room for it; the label has it too.
    hint.textContent = this.active ? this.active.description : "";
    hint.hidden = !this.active;
    const label = this.active ? `${this.active.name}: ${this.active.description}` : "Message or command";
    entry.setAttribute("aria-label", label);
    entry.inputMode = this.active && (this.active.type === 4 || this.active.type === 10) ? "numeric" : "text";
  }
}
