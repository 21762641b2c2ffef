import { parseArgs } from "node:util";
import { closestName } from "@model-gateway/domain/close-names";
import { type Command, type CommandName, commandNames, commandSpec } from "./command-table.js";
import { commonOptions, type OptionName, optionSpec, options } from "./option-table.js";

/** Invalid arguments, with a suggestion. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  constructor(message: string) {
    super(`${message}\nThe option --help lists all commands and options.`);
  }
}

/** An option as it was written. */
interface WrittenOption {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

/** Reads the arguments, without the program's own. Throws a `UsageError`. */
export function parseCommandLine(args: readonly string[]): Command {
  const { positionals, tokens } = parseArgs({
    args: [...args],
    options: parsedOptions(),
    allowPositionals: true,
    // Reported below, in sentences and with a suggestion.
    strict: false,
    tokens: true,
  });
  const written = tokens.flatMap((token) => (token.kind === "option" ? [token] : []));
  for (const option of written) checkOption(option);
  const has = (name: OptionName) => written.some((option) => option.name === name);
  if (has("help")) return { name: "help", of: explained(positionals) };
  if (has("version")) return { name: "version" };
  const name = findCommand(positionals);
  const rest = positionals.slice(positionals.length === 0 ? 0 : name.split(" ").length);
  const values = { name, ...optionValues(name, written), ...positionalValues(name, rest) };
  applyReplacements(name, values);
  // The table gives the names and the kinds of these values, and the type `Command` derives from it.
  return values as unknown as Command;
}

const optionNames = Object.keys(options) as readonly OptionName[];

/** The options in the form of `parseArgs`. */
function parsedOptions(): Record<string, { type: "boolean" | "string"; short?: string }> {
  const entries = optionNames.map((name) => {
    const { value, short } = optionSpec(name);
    const type = value === undefined ? ("boolean" as const) : ("string" as const);
    return [name, short === undefined ? { type } : { type, short }] as const;
  });
  return Object.fromEntries(entries);
}

/** The command that the first words name. Without words, it serves. */
function findCommand([first, second]: readonly string[]): CommandName {
  if (first === undefined) return "serve";
  const found = commandNames.find((name) => name === first || name === `${first} ${second}`);
  if (found !== undefined) return found;
  const variants = commandNames.filter((name) => name.startsWith(`${first} `));
  if (variants.length === 0)
    throw new UsageError(unknown("command", first, new Set(commandNames.map((name) => firstWord(name)))));
  if (second === undefined) throw new UsageError(`${first} needs one more word: ${variants.join(", ")}.`);
  throw new UsageError(unknown("command", `${first} ${second}`, variants));
}

/** The command whose help is asked for: one, all with the same first word, or undefined for all. */
function explained(positionals: readonly string[]): string | undefined {
  const [first, second] = positionals;
  if (first === undefined) return undefined;
  const isFirstOfSeveral = commandNames.some((name) => name.startsWith(`${first} `));
  return isFirstOfSeveral && second === undefined ? first : findCommand(positionals);
}

function optionValues(name: CommandName, written: readonly WrittenOption[]): Record<string, unknown> {
  const allowed: readonly string[] = [...commandSpec(name).options, ...commonOptions];
  const stray = written.find((option) => !allowed.includes(option.name));
  if (stray !== undefined)
    throw new UsageError(`The option ${stray.rawName} does not belong to ${describe(name)}.`);
  const defaults: Readonly<Record<string, string | undefined>> = commandSpec(name).defaults ?? {};
  return Object.fromEntries(
    commandSpec(name).options.map((option) => {
      const last = written.findLast((one) => one.name === option);
      const { value, needs, isCount } = optionSpec(option);
      const isMet = needs === undefined || needs in defaults || written.some((one) => one.name === needs);
      if (last !== undefined && !isMet) throw new UsageError(`--${option} belongs to --${needs}.`);
      if (value === undefined) return [option, last !== undefined];
      const given = last?.value ?? defaults[option];
      return [option, isCount && given !== undefined ? Number(given) : given];
    }),
  );
}

function positionalValues(name: CommandName, given: readonly string[]): Record<string, string | undefined> {
  const { positionals } = commandSpec(name);
  const [only] = positionals;
  if (given.length > positionals.length)
    throw new UsageError(
      positionals.length === 1 && only !== undefined
        ? `${name} takes one ${bare(only)} at a time.`
        : `${name} takes no argument ${JSON.stringify(given[positionals.length])}.`,
    );
  const missing = positionals.find((one, index) => one.startsWith("<") && !given[index]);
  if (missing !== undefined) {
    const choices = commandSpec(name).choices?.[bare(missing)];
    throw new UsageError(
      `${name} needs ${missing}: ${choices?.join(", ") ?? `${name} ${positionals.join(" ")}`}.`,
    );
  }
  for (const [index, one] of positionals.entries())
    checkChoice(name, { positional: bare(one), given: given[index] });
  return Object.fromEntries(positionals.map((one, index) => [bare(one), given[index]]));
}

function checkChoice(
  name: CommandName,
  { positional, given }: { readonly positional: string; readonly given: string | undefined },
): void {
  const choices = commandSpec(name).choices?.[positional];
  if (choices === undefined || given === undefined || choices.includes(given)) return;
  throw new UsageError(`${unknown(positional, given, choices)} ${name} knows: ${choices.join(", ")}.`);
}

/** `--config a.yaml` is the positional `[file]`, where the command has one. */
function applyReplacements(name: CommandName, values: Record<string, unknown>): void {
  for (const option of commandSpec(name).options) {
    const { replaces } = optionSpec(option);
    if (replaces === undefined || values[option] === undefined || !(replaces in values)) continue;
    if (values[replaces] !== undefined) throw new UsageError(`${name} takes one ${replaces} at a time.`);
    values[replaces] = values[option];
    values[option] = undefined;
  }
}

function checkOption({ name, rawName, value: given }: WrittenOption): void {
  const known = optionNames.find((option) => option === name);
  if (known === undefined) {
    const names = optionNames.map((option) => `--${option}`);
    throw new UsageError(unknown("option", rawName, names));
  }
  const { value, choices, isCount, isPort } = optionSpec(known);
  if (value === undefined) {
    if (given !== undefined) throw new UsageError(`The option ${rawName} takes no value.`);
    return;
  }
  if (given === undefined || given === "" || given.startsWith("-"))
    throw new UsageError(`The option ${rawName} needs a value: ${rawName} ${value}.`);
  if (isCount && !/^[1-9]\d{0,11}$/.test(given))
    throw new UsageError(`The option ${rawName} needs a whole number above 0.`);
  if (isPort && !(/^\d{1,5}$/.test(given) && Number(given) <= 65_535))
    throw new UsageError(`The option ${rawName} needs a number from 0 to 65535.`);
  if (choices !== undefined && !choices.includes(given))
    throw new UsageError(`The option ${rawName} takes one of these values: ${choices.join(", ")}.`);
}

function unknown(kind: string, written: string, names: Iterable<string>): string {
  const closest = closestName(written, names);
  return `Unknown ${kind} "${written}".${closest === undefined ? "" : ` Did you mean ${closest}?`}`;
}

function describe(command: CommandName): string {
  return command === "serve" ? "the command that serves requests" : `the command ${command}`;
}

function firstWord(name: string): string {
  return name.split(" ")[0] ?? name;
}

/** `<file>` without its brackets. */
function bare(positional: string): string {
  return positional.slice(1, -1);
}
