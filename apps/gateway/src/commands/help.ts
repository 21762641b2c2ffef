import {
  type CommandName,
  commandNames,
  commandSpec,
  commonOptions,
  type OptionName,
  optionSpec,
  options,
} from "./command-table.js";

const lineLength = 118;

/**
 * The text of `--help`.
 *
 * @param of A command, or the first word of several. Undefined: all commands and options.
 */
export function helpText(of?: string): string {
  const names = commandNames.filter((name) => name === of || name.startsWith(`${of} `));
  const [only, another] = names;
  if (only === undefined) return wholeHelp();
  return another === undefined && only === of ? commandHelp(only) : variantsHelp(names, of ?? "");
}

function wholeHelp(): string {
  return [
    "Usage: model-gateway [command] [options]",
    "   or: npm start -- [command] [options], in a clone of the repository",
    "",
    "Commands:",
    ...rows(commandNames.map((name) => [writtenForm(name), commandSpec(name).summary])),
    "",
    "Options:",
    ...rows(
      (Object.keys(options) as OptionName[]).map((name) => [
        optionForm(name),
        `${ownersOf(name)}${optionSpec(name).summary}`,
      ]),
    ),
    "",
    "The option --help after a command explains that command.",
    "",
    ...wrap(environmentHelp),
  ].join("\n");
}

function commandHelp(name: CommandName): string {
  const { summary, help, options: own } = commandSpec(name);
  return [
    `Usage: model-gateway ${name === "serve" ? "" : `${writtenForm(name)} `}[options]`,
    "",
    ...wrap(summary),
    ...(help === undefined ? [] : ["", ...help.split("\n").flatMap((line) => wrap(line))]),
    "",
    "Options:",
    ...rows([...own, ...commonOptions].map((option) => [optionForm(option), optionSpec(option).summary])),
  ].join("\n");
}

function variantsHelp(names: readonly CommandName[], of: string): string {
  return [
    `Usage: model-gateway ${of} ... [options]`,
    "",
    "Commands:",
    ...rows(names.map((name) => [writtenForm(name), commandSpec(name).summary])),
    "",
    "The option --help after a command explains that command.",
  ].join("\n");
}

const environmentHelp = `These environment variables override the file: HOST, PORT, WORKERS, DATA_DIR, LOG_LEVEL,
ON_STALL, REDIS_URL, PUBLIC_URL, TRUSTED_PROXIES, DATABASE_URL, GATEWAY_ADMIN_KEY, GATEWAY_KEY_SECRET. In the file,
\${NAME} is replaced by the environment variable NAME. Without a file, GATEWAY_KEY is the callers' key, and the keys of providers, such
as OPENAI_API_KEY, add their models; GATEWAY_DETECT=off turns that off. OTEL_* variables
enable the export of traces and metrics.`;

/** The commands that have an option, unless all have it. */
function ownersOf(option: OptionName): string {
  const owners = commandNames.filter((name) => commandSpec(name).options.includes(option));
  return owners.length === 0 ? "" : `${owners.join(", ")}: `;
}

function writtenForm(name: CommandName): string {
  return name === "serve" ? "(none)" : [name, ...commandSpec(name).positionals].join(" ");
}

function optionForm(name: OptionName): string {
  const { value } = optionSpec(name);
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Two columns. */
function rows(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...pairs.map(([left]) => left.length)) + 4;
  return pairs.flatMap(([left, right]) =>
    wrap(right, lineLength - width).map(
      (line, index) => `${(index === 0 ? `  ${left}` : "").padEnd(width)}${line}`,
    ),
  );
}

function wrap(text: string, length = lineLength): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > length) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
