// The page: current user, current channel, updates from the server. Everything else is in the other modules.

import { Composer } from "./composer.js";
import { flatten, isCalled } from "./commands.js";
import { $, avatar, button, h, whileBusy } from "./dom.js";
import { openForm } from "./form.js";
import { relative } from "./markdown.js";
import { messageElement } from "./message.js";
import { locale, now, setAhead } from "./time.js";
import { Unread } from "./unread.js";

const NEAR_END = 120;
const WORD_STAYS = 8000;
const FIRST_STEPS = ["table new", "game learn", "game rules"]; // Offered in an empty channel, if available.
const params = new URLSearchParams(location.search);
let person = params.get("user") || sessionStorage.getItem("user") || "Ana";
let here = sessionStorage.getItem("channel");
let linkedChannel = params.get("channel"); // A link may name a channel.
let socket = null;
let pause = 250;
let stuck = true; // The log stays scrolled to its end until the reader scrolls up.

const state = { me: "", users: [], roles: [], categories: [], channels: [], commands: [], events: [], connected: true, trouble: "" };
const unread = new Unread(() => person);

/** State shared with the other modules. */
const house = {
  get me() {
    return state.me;
  },
  get commands() {
    return state.commands;
  },
  user: (id) => state.users.find((user) => user.id === id),
  seat: (id) => state.users.filter((user) => !user.bot).findIndex((user) => user.id === id),
  people: () => state.users.filter((user) => !user.bot && !user.left),
  tables: () => state.channels.filter((channel) => channel.kind === "text"),
  go: (id) => goTo(id),
  /** Names for text and forms. */
  names: {
    get me() {
      return state.me;
    },
    user: (id) => house.user(id)?.name ?? "somebody",
    channel: (id) => [...state.channels, ...state.categories].find((one) => one.id === id)?.name ?? "somewhere",
    role: (id) => state.roles.find((one) => one.id === id)?.name ?? "a role",
    people: () => house.people().map((user) => ({ label: user.name, value: user.id })),
    roles: () => state.roles.map((role) => ({ label: `@${role.name}`, value: role.id })),
    channels: (types) => placesOf(types).map(({ label, id }) => ({ label, value: id })),
  },
};

/** The entries of a channel menu, filtered by Discord's channel types (none for all). */
function placesOf(types) {
  const of = (kind, places) => (!types?.length || types.includes(kind) ? places : []);
  const named = (places, sign) => places.map(({ id, name }) => ({ id, label: `${sign} ${name}` }));
  return [
    ...named(of(0, house.tables()), "#"),
    ...named(of(4, state.categories), "▾"),
    ...named(of(11, state.channels.filter((one) => one.kind === "public_thread")), "↳"),
  ];
}

const channel = () => state.channels.find((one) => one.id === here);
const title = (one) => (one.kind === "dm" ? one.name : `#${one.name}`);

// requests

async function act(what, details) {
  // As on Discord, the sender of a command sees its answer.
  if (what === "slash") toEnd();
  const body = { user: person, channel: here, ...details };
  try {
    const response = await fetch(`/act/${what}`, { method: "POST", body: JSON.stringify(body) });
    const answer = await response.json();
    if (answer.error) {
      if (what !== "suggest") say(answer.error);
      return null;
    }
    if (answer.outcome === "form") showForm(answer);
    return answer;
  } catch {
    say("The local Discord is not running anymore. Start it again, and this page comes back by itself.");
    return null;
  }
}

function showForm({ form, interaction }) {
  openForm(form, house.names, async (values) => (await act("submit", { interaction, values })) !== null);
}

/** Show a sentence above the composer for a while. */
function say(sentence) {
  const word = $("word");
  const away = () => {
    word.hidden = true;
  };
  word.replaceChildren(h("span", {}, sentence), button("OK", "dismiss", away));
  word.hidden = false;
  clearTimeout(say.timer);
  say.timer = setTimeout(away, WORD_STAYS);
}

// updates

function listen() {
  socket?.close();
  const line = (socket = new WebSocket(`ws://${location.host}/live?${new URLSearchParams({ user: person, locale })}`));
  line.onmessage = (event) => {
    if (line === socket) hear(JSON.parse(event.data));
  };
  line.onopen = () => {
    pause = 250;
  };
  line.onclose = () => {
    if (line !== socket) return;
    weather("The local Discord is not running. Waiting for it to come back…");
    setTimeout(listen, (pause = Math.min(2 * pause, 4000)));
  };
}

function hear({ kind, data }) {
  switch (kind) {
    case "state":
      Object.assign(state, data);
      setAhead(data.ahead);
      here = state.channels.find((one) => one.name === linkedChannel)?.id ?? (channel() ? here : state.channels[0]?.id);
      linkedChannel = null;
      return drawAll();
    case "places":
      return hearPlaces(data);
    case "commands":
      Object.assign(state, data);
      if (!channel()?.messages.length) drawLog();
      return composer.typed();
    case "bot":
      Object.assign(state, data);
      return weather();
    case "events":
      Object.assign(state, data);
      return drawEvents();
    case "clock":
      setAhead(data.ahead);
      return drawClock();
    case "message":
      return hearMessage(data);
    case "message_gone":
      return hearGone(data);
    case "typing":
      return data.channel_id === here ? showTyping() : null;
    default:
      return null;
  }
}

function hearPlaces(data) {
  Object.assign(state, data);
  if (!channel()) goTo(state.channels[0].id);
  drawPlaces();
}

function hearMessage(message) {
  const place = state.channels.find((one) => one.id === message.channel_id);
  if (!place) return;
  const at = place.messages.findIndex((one) => one.id === message.id);
  if (at >= 0) place.messages[at] = message;
  else place.messages.push(message);
  if (place.id === here) drawMessage(message);
  if (place.id !== here || document.hidden) return drawPlaces();
  unread.read(place);
}

function hearGone({ id, channel_id }) {
  const place = state.channels.find((one) => one.id === channel_id);
  if (place) place.messages = place.messages.filter((message) => message.id !== id);
  $(`m${id}`)?.remove();
  if (place?.id === here && !place.messages.length) drawLog();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden || !channel()) return;
  unread.read(channel());
  drawPlaces();
});

// rendering

function drawAll() {
  document.documentElement.dataset.ready = "true";
  if (channel() && !document.hidden) unread.read(channel());
  drawPlaces();
  drawEvents();
  drawClock();
  drawLog();
  weather();
  composer.clear();
}

function drawPlaces() {
  const place = channel();
  $("place-name").textContent = place ? title(place) : "";
  $("place-topic").textContent = place ? topic(place) : "";
  const me = house.user(state.me);
  $("show-people").replaceChildren(avatar(me, house.seat(state.me)), h("span", {}, me.name));
  $("show-people").setAttribute("aria-label", `You play as ${me.name}; change`);
  $("tables").replaceChildren(...tablesInOrder().map(tableRow));
  $("people").replaceChildren(...house.people().map(personRow));
  const news = state.channels.filter(({ id }) => id !== here).map((one) => unread.of(one, state.me));
  const elsewhere = news.reduce((sum, { count }) => sum + count, 0);
  const pings = news.reduce((sum, { pings: some }) => sum + some, 0);
  $("elsewhere").hidden = !elsewhere;
  $("elsewhere").textContent = String(elsewhere);
  $("elsewhere").classList.toggle("ping", pings > 0);
  $("elsewhere").setAttribute("aria-label", `${elsewhere} unread elsewhere`);
  document.title = `${pings ? `(${pings}) ` : ""}${me.name} · ${place ? title(place) : "Caravanserai"}`;
}

/** The text beside a channel's name. */
function topic(place) {
  if (place.kind === "dm") return "Just you and the bot";
  if (!place.parent) return place.topic ?? "";
  const people = place.members === 1 ? "1 member" : `${place.members} members`;
  const state = place.locked ? "Locked" : place.archived ? "Archived" : people;
  return `${state} · thread of #${house.names.channel(place.parent)}`;
}

/** Channels with their threads below, private conversations last. */
function tablesInOrder() {
  const tables = state.channels.filter((one) => one.kind === "text");
  const age = (one) => (one.archived ? 1 : 0); // Archived threads come last.
  const threads = (table) =>
    state.channels.filter((one) => one.parent === table.id).sort((one, other) => age(one) - age(other));
  const talks = state.channels.filter((one) => one.kind === "dm");
  return [...tables.flatMap((table) => [table, ...threads(table)]), ...talks];
}

function tableRow(one) {
  const { count, pings } = one.id === here ? { count: 0, pings: 0 } : unread.of(one, state.me);
  const rings = pings ? "badge ping" : "badge";
  const badge = count ? h("span", { class: rings, "aria-label": `${count} unread` }, String(count)) : null;
  const kind = one.kind.includes("thread") ? "thread" : one.kind;
  const words = kind === "dm" ? `DM with ${one.name}` : title(one);
  const name = h("span", { class: "table-name" }, words);
  const closed = one.archived ? h("span", { class: "note" }, one.locked ? "locked" : "archived") : null;
  const current = one.id === here ? "true" : null;
  const look = one.archived ? `table ${kind} archived` : `table ${kind}`;
  return h("li", {}, button([name, closed, badge].filter(Boolean), look, () => goTo(one.id), { "aria-current": current }));
}

function personRow(user) {
  const go = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    become(user.name);
  };
  const href = `?user=${encodeURIComponent(user.name)}`;
  const current = user.id === state.me ? "true" : null;
  const office = user.moderates ? h("span", { class: "note" }, "moderator") : null;
  const face = [avatar(user, house.seat(user.id)), h("span", {}, user.name), office];
  return h("li", {}, h("a", { class: "person", href, "aria-current": current, onclick: go }, ...face));
}

function drawLog() {
  const log = $("log");
  const place = channel();
  log.replaceChildren(...(place?.messages ?? []).map((message) => messageElement(message, house, act)));
  if (!place?.messages.length) log.append(welcome());
  toEnd();
}

function drawMessage(message) {
  const log = $("log");
  log.querySelector(".welcome")?.remove();
  log.querySelector(".typing")?.remove();
  const element = messageElement(message, house, act);
  const old = $(`m${message.id}`);
  if (old) {
    const focused = old.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    old.replaceWith(element);
    if (focused) element.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  } else {
    log.append(element);
  }
  if (stuck || message.author.id === state.me) toEnd();
  else if (!old) $("newest").hidden = false;
}

function welcome() {
  const commands = flatten(state.commands);
  const offered = FIRST_STEPS.map((path) => commands.find((command) => isCalled(command, path))).filter(Boolean);
  const chips = offered.map(({ path }, at) =>
    button(`/${path}`, `button chip ${at ? "secondary" : "primary"}`, () => composer.begin(path)),
  );
  const words = channel()?.kind !== "dm"
    ? "Travelers rest here and play. Start a game, or type / to see what the bot can do."
    : "Private messages from the bot appear here.";
  return h(
    "div",
    { class: "welcome" },
    h("img", { src: "/page/dusk.svg", alt: "", width: "800", height: "260" }),
    h("h2", {}, "The lamps are lit"),
    h("p", {}, words),
    h("div", { class: "row chips" }, ...chips),
  );
}

function showTyping() {
  const log = $("log");
  log.querySelector(".typing")?.remove();
  const line = h("p", { class: "typing" }, "The bot is typing…");
  log.append(line);
  if (stuck) toEnd();
  setTimeout(() => line.remove(), 10000);
}

/** A line under the header while there is a problem. */
function weather(sentence = state.connected ? "" : state.trouble || "The bot is waking up…") {
  $("weather").textContent = sentence;
  $("weather").hidden = !sentence;
}

/** The scheduled events of the server. */
function drawEvents() {
  const words = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  const when = ({ at }) => new Date(1000 * at).toLocaleString(locale, words);
  $("events-title").hidden = !state.events.length;
  $("events").replaceChildren(
    ...state.events.map((one) => h("li", {}, h("strong", {}, one.name), h("span", { class: "note" }, when(one)))),
  );
}

function drawClock() {
  const words = new Date(now()).toLocaleString(locale, { weekday: "long", hour: "numeric", minute: "2-digit" });
  $("clock").textContent = words;
}

const waitFor = (hours) => (event) => whileBusy(event.currentTarget, () => act("wait", { hours }));

const atEnd = () => {
  const log = $("log");
  return log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END;
};

function toEnd() {
  const log = $("log");
  log.scrollTop = log.scrollHeight;
  stuck = true;
  $("newest").hidden = true;
}

// navigation

function goTo(id) {
  here = id;
  sessionStorage.setItem("channel", id);
  unread.read(channel());
  showPlaces(false);
  drawPlaces();
  drawLog();
  composer.clear();
}

function become(name) {
  person = name;
  sessionStorage.setItem("user", name);
  params.set("user", name);
  history.pushState({}, "", `?${params}`);
  showPlaces(false);
  listen();
}

window.addEventListener("popstate", () => {
  const name = new URLSearchParams(location.search).get("user");
  if (name && name !== person) {
    person = name;
    listen();
  }
});

function showPlaces(visible) {
  document.body.classList.toggle("places-open", visible);
  $("shade").hidden = !visible;
  for (const id of ["show-places", "show-people"]) $(id).setAttribute("aria-expanded", String(visible));
  if (visible) $("places").querySelector("[aria-current]")?.focus();
}

const composer = new Composer(house, act, say);
sessionStorage.setItem("user", person);
$("show-places").addEventListener("click", () => showPlaces(true));
$("show-people").addEventListener("click", () => showPlaces(true));
$("shade").addEventListener("click", () => showPlaces(false));
$("newest").addEventListener("click", toEnd);
$("log").addEventListener("scroll", () => {
  stuck = atEnd();
  if (stuck) $("newest").hidden = true;
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.body.classList.contains("places-open")) showPlaces(false);
});
new ResizeObserver(() => stuck && toEnd()).observe($("log"));
$("one-hour").addEventListener("click", waitFor(1));
$("one-day").addEventListener("click", waitFor(24));
setInterval(() => {
  drawClock();
  for (const time of document.querySelectorAll("[data-relative]")) {
    time.textContent = relative(Number(time.dataset.relative));
  }
}, 15000);
listen();
