// The line at the bottom: plain words, or a command with one option after another.

import { $, button, h } from "./dom.js";
import { fixedChoices, flatten, isCalled, matching } from "./commands.js";

const ASK_AFTER = 90;
const SHOWN = 25;

/** The composer. `house` knows commands and people, `act` tells the server, `say` shows a sentence. */
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
    this.asked = 0;
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

  /** Begin with a command, as a suggestion chip does. */
  begin(path) {
    const command = flatten(this.house.commands).find((known) => isCalled(known, path));
    if (command) this.pickCommand(command);
    else {
      $("entry").value = `/${path}`;
      this.typed();
    }
    $("entry").focus();
  }

  /** Back to an empty line. */
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

  typed() {
    const text = $("entry").value;
    if (!this.command) return this.typedPlain(text);
    if (!this.active) return this.offerRest(text);
    const fixed = fixedChoices(this.active, this.house);
    const wanted = text.toLowerCase();
    if (fixed) return this.offerChoices(fixed.filter((choice) => choice.name.toLowerCase().includes(wanted)));
    if (this.active.autocomplete) return this.askBot(text);
    return this.offer([]);
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

  /** Everything needed is there: send, or fill in something more; an option may be named by hand: `game:chess`. */
  offerRest(text) {
    const [name, value] = text.split(/:(.*)/s);
    const named = value !== undefined && this.open.find((option) => isCalled(option, name.trim().toLowerCase()));
    if (named) return this.openOption(named, value.trimStart());
    const wanted = text.toLowerCase();
    const rest = this.open
      .filter((option) => option.name.includes(wanted))
      .map((option) => ({ label: `+ ${option.name}`, note: option.description, pick: () => this.openOption(option) }));
    const note = rest.length ? "or add something below" : "ready";
    const send = { label: `Send /${this.command.path}`, note, pick: () => this.send(), send: true };
    this.offer(this.missing.length || wanted ? rest : [send, ...rest]);
  }

  offerChoices(choices) {
    const rows = choices.slice(0, SHOWN).map(({ name, value }) => ({
      label: String(name),
      pick: () => this.fill(value, name),
    }));
    this.offer(rows, "Nothing fits.");
  }

  askBot(text) {
    // what was offered for other words must not be taken for these
    this.offer(this.list.filter((item) => item.label.toLowerCase().includes(text.toLowerCase())));
    const number = ++this.asked;
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const typed = Object.fromEntries([...this.values].map(([name, { value }]) => [name, value]));
      const asked = { path: this.command?.path, focused: this.active?.name, text, options: typed };
      const answer = await this.act("suggest", asked);
      if (answer && number === this.asked && this.active) this.offerChoices(answer.choices ?? []);
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

  /** Enter or the send button: take what is highlighted, or send. */
  enter() {
    const text = $("entry").value.trim();
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

  /** The first option that must be filled, or the choice of what to add. */
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

  fill(value, shown, sendWhenReady = false) {
    this.values.set(this.active.name, { value, shown: String(shown) });
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
    const names = Object.fromEntries(values.map(([name, { shown }]) => [name, shown]));
    const answer = await this.act("slash", { path: command.path, options, names });
    if (answer === null && this.empty) this.takeBack(command, values);
  }

  async sendPlain(text) {
    this.clear();
    const answer = await this.act("say", { text });
    if (answer === null && this.empty) $("entry").value = text;
  }

  /** Put a refused command back into the line, so that nothing has to be typed again. */
  takeBack(command, values) {
    this.command = command;
    this.values = new Map(values);
    this.render();
  }

  // showing

  offer(list, empty = null) {
    this.list = list;
    this.asked += list.length ? 0 : 1;
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
    for (const [name, { shown }] of this.values) {
      const option = this.command.options.find((known) => known.name === name);
      const change = () => this.openOption(option);
      pills.push(button(`${name}: ${shown}`, "pill value", change, { "aria-label": `Change ${name}` }));
    }
    if (this.active) pills.push(h("span", { class: "pill active" }, `${this.active.name}:`));
    $("pills").replaceChildren(...pills);
    const entry = $("entry");
    entry.placeholder = this.command ? "" : "Message, or / for commands";
    const wanted = $("wanted"); // a line of its own, because the entry has no room for it; the label says it too
    wanted.textContent = this.active ? this.active.description : "";
    wanted.hidden = !this.active;
    const label = this.active ? `${this.active.name}: ${this.active.description}` : "Message or command";
    entry.setAttribute("aria-label", label);
    entry.inputMode = this.active && (this.active.type === 4 || this.active.type === 10) ? "numeric" : "text";
  }
}
