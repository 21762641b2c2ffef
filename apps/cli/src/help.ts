import { typedCommand } from "@model-gateway/domain/typed-command";
import {
  type CommandName,
  type CommandSpec,
  commandGroups,
  commandNames,
  commandSpec,
} from "./command-table.js";
import { commonOptions, connectionOptions, type OptionName, optionSpec } from "./option-table.js";

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
    `Usage: ${typedCommand("[command] [options]")}`,
    "",
    ...commandGroups.flatMap((group) => [`${group}:`, ...groupRows(group), ""]),
    "Options of serve:",
    ...optionRows(commandSpec("serve").options),
    "",
    "Options of the commands that call a running gateway:",
    ...optionRows(connectionOptions.filter((name) => name !== "config")),
    "",
    "Options of every command:",
    ...optionRows(commonOptions),
    "",
    `${typedCommand("<command> --help")} explains one command and its other options.`,
    "",
    ...wrap(environmentHelp),
  ].join("\n");
}

function commandHelp(name: CommandName): string {
  const { summary, help, choices = {}, options: own } = commandSpec(name);
  return [
    `Usage: ${typedCommand(`${name === "serve" ? "[serve]" : writtenForm(name)} [options]`)}`,
    "",
    ...wrap(summary),
    ...Object.entries(choices).flatMap(([one, values]) => ["", `<${one}>: ${values.join(", ")}`]),
    ...(help === undefined ? [] : ["", ...help.split("\n").flatMap((line) => wrap(line))]),
    "",
    "Options:",
    ...optionRows([...own, ...commonOptions]),
  ].join("\n");
}

function variantsHelp(names: readonly CommandName[], of: string): string {
  return [
    `Usage: ${typedCommand(`${of} ... [options]`)}`,
    "",
    "Commands:",
    ...rows(names.map((name) => [writtenForm(name), commandSpec(name).summary])),
    "",
    "The option --help after a command explains that command.",
  ].join("\n");
}

const environmentHelp = `These environment variables override the file: HOST, PORT, WORKERS, DATA_DIR, LOG_LEVEL,
ON_STALL, REDIS_URL, PUBLIC_URL, TRUSTED_PROXIES, DATABASE_URL, DATABASE_CONNECTIONS_MAX, GATEWAY_ADMIN_KEY,
GATEWAY_KEY_SECRET. In the file, \${NAME} is replaced by the environment variable NAME. Without a file, GATEWAY_KEY is
the callers' key, and the keys of providers, such as OPENAI_API_KEY, add their models; GATEWAY_DETECT=off turns that
off. OTEL_* variables enable the export of traces and metrics.`;

/** One width for all groups. */
const commandWidth = Math.max(...commandNames.map((name) => writtenForm(name).length));

function groupRows(group: CommandSpec["group"]): string[] {
  const names = commandNames.filter((name) => commandSpec(name).group === group);
  return rows(
    names.map((name) => [writtenForm(name), commandSpec(name).summary]),
    commandWidth,
  );
}

function optionRows(names: readonly OptionName[]): string[] {
  return rows(names.map((name) => [optionForm(name), optionSpec(name).summary]));
}

/** The command with its arguments. */
export function writtenForm(name: CommandName): string {
  return [name, ...commandSpec(name).positionals].join(" ");
}

/** The option with its value. */
export function optionForm(name: OptionName): string {
  const { value } = optionSpec(name);
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Two columns. */
function rows(pairs: readonly (readonly [string, string])[], widthMin = 0): string[] {
  const width = Math.max(widthMin, ...pairs.map(([left]) => left.length)) + 4;
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
