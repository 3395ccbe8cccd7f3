// The commands behind the slash, flattened, and what each option offers before the bot is asked.

const SUBCOMMAND = 1;
const GROUP = 2;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;

/** Every command that can be sent: {path, english, description, options}; `path` is in the language of the client. */
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

/** Whether a command or an option goes by a name: in the language of the client, or in English. */
export const isCalled = ({ path, name, english }, called) => [path ?? name, english].includes(called);

/** Commands whose words begin with what was typed, the closest first; English words always fit. */
export function matching(commands, typed) {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const score = ({ path, english, description }) => {
    const begins = (words) => wanted.every((word, index) => words[index]?.startsWith(word));
    if (begins(path.split(" "))) return 0;
    if (begins(english.split(" "))) return 1;
    if (wanted.every((word) => path.includes(word) || english.includes(word))) return 2;
    return wanted.every((word) => description.toLowerCase().includes(word)) ? 3 : null;
  };
  return commands
    .map((command) => ({ command, score: score(command) }))
    .filter((found) => found.score !== null)
    .sort((one, other) => one.score - other.score)
    .map((found) => found.command);
}

/** Fixed suggestions for an option, or null when the bot must be asked or anything may be typed. */
export function fixedChoices(option, house) {
  if (option.choices?.length) return option.choices.map(({ name, value }) => ({ name, value }));
  if (option.type === BOOLEAN) return [{ name: "Yes", value: true }, { name: "No", value: false }];
  if (option.type === USER) return house.people().map(({ name, id }) => ({ name, value: id }));
  if (option.type === CHANNEL) return house.tables().map(({ name, id }) => ({ name: `#${name}`, value: id }));
  return null;
}
