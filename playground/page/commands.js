// Slash commands as a flat list, and the suggestions that need no request to the bot.

const SUBCOMMAND = 1;
const GROUP = 2;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;

/** Every command that can be sent: {path, english, description, options}; `path` is in the client's language. */
export function flatten(commands) {
  return commands.filter((command) => command.type === 1).flatMap((command) => leaves(command, [], []));
}

function leaves(node, above, aboveEnglish) {
  const path = [...above, node.name];
  const english = [...aboveEnglish, node.english];
  const inner = (node.options ?? []).filter((option) => option.type === SUBCOMMAND || option.type === GROUP);
  if (inner.length) return inner.flatMap((option) => leaves(option, path, english));
  const options = node.options ?? [];
  return [{ path: path.join(" "), english: english.join(" "), description: node.description, options }];
}

/** Whether a command or option has this name, in the client's language or in English. */
export const isCalled = ({ path, name, english }, called) => [path ?? name, english].includes(called);

/** Commands that match the typed words, best matches first. English words always match. */
export function matching(commands, typed) {
  const typedWords = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const score = ({ path, english, description }) => {
    const begins = (words) => typedWords.every((word, index) => words[index]?.startsWith(word));
    if (begins(path.split(" "))) return 0;
    if (begins(english.split(" "))) return 1;
    if (typedWords.every((word) => path.includes(word) || english.includes(word))) return 2;
    return typedWords.every((word) => description.toLowerCase().includes(word)) ? 3 : null;
  };
  return commands
    .map((command) => ({ command, score: score(command) }))
    .filter((match) => match.score !== null)
    .sort((one, other) => one.score - other.score)
    .map((match) => match.command);
}

/** An option's fixed suggestions, or null if the bot must be asked or any value is allowed. */
export function fixedChoices(option, house) {
  if (option.choices?.length) return option.choices.map(({ name, value }) => ({ name, value }));
  if (option.type === BOOLEAN) return [{ name: "Yes", value: true }, { name: "No", value: false }];
  if (option.type === USER) return house.people().map(({ name, id }) => ({ name, value: id }));
  if (option.type === CHANNEL) return house.tables().map(({ name, id }) => ({ name: `#${name}`, value: id }));
  return null;
}
