import { parseArgs } from "node:util";
import { closestName } from "../domain/close-names.js";

/** The parsed command line. */
export type Command =
  | { readonly name: "serve"; readonly config: string | undefined }
  | { readonly name: "check" | "doctor"; readonly file: string | undefined }
  | { readonly name: "import"; readonly import: ImportArguments }
  | { readonly name: "help" }
  | { readonly name: "version" };

export interface ImportArguments {
  /** The product whose configuration is read. */
  readonly from: string;
  readonly file: string;
  /** Output file. Undefined: standard output. */
  readonly out: string | undefined;
  /** Whether an existing file may be overwritten. */
  readonly force: boolean;
}

/** Invalid arguments, with a suggestion. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  constructor(message: string) {
    super(`${message}\nThe option --help lists all commands and options.`);
  }
}

export const importSources = ["litellm"] as const;

export const usage = `Usage: model-gateway [command] [options]
   or: npm start -- [command] [options], in a clone of the repository

Commands:
  (none)                 Serve requests.
  check [file]           Check a configuration file without starting, and list its faults.
  doctor [file]          Embed the same texts at every embedding target, and say which targets may share one index.
                         It calls the upstreams, with some 300 tokens each.
  import litellm <file>  Write a gateway.yaml from the configuration of a LiteLLM proxy. Comments name the settings that
                         were not carried over.

Options:
  --config <file>        The configuration file to serve, check or examine. Default: the path in GATEWAY_CONFIG, then
                         ./gateway.yaml, then the built-in configuration.
  --out <file>           import: write to this file instead of standard output.
  --force                import: overwrite the file of --out.
  --help                 Print this text.
  --version              Print the version.

These environment variables override the file: HOST, PORT, WORKERS, DATA_DIR, LOG_LEVEL, ON_STALL, REDIS_URL,
PUBLIC_URL, TRUSTED_PROXIES, DATABASE_URL, GATEWAY_ADMIN_KEY, GATEWAY_KEY_SECRET. In the file, \${NAME} is replaced by the environment
variable NAME. Without a file, GATEWAY_KEY is the callers' key.
OTEL_* variables enable the export of traces and metrics.`;

const options = {
  config: { type: "string" },
  out: { type: "string" },
  force: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

type OptionName = keyof typeof options;

/** The options of each command, besides --help and --version. */
const optionsOf: Readonly<Record<string, readonly OptionName[]>> = {
  serve: ["config"],
  check: ["config"],
  doctor: ["config"],
  import: ["out", "force"],
};

const commands = ["check", "doctor", "import"];

/** Reads the arguments, without the program's own. Throws a `UsageError`. */
export function parseCommandLine(args: readonly string[]): Command {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    // Reported below, in sentences and with a suggestion.
    strict: false,
    tokens: true,
  });
  const written = tokens.flatMap((token) => (token.kind === "option" ? [token] : []));
  for (const { name, rawName, value } of written) checkOption(name, { rawName, value });
  if (values.help === true) return { name: "help" };
  if (values.version === true) return { name: "version" };
  const [name = "serve", ...rest] = positionals;
  const allowed = optionsOf[name];
  if (allowed === undefined) throw new UsageError(unknown("command", name, commands));
  const stray = written.find((token) => !allowed.some((one) => one === token.name));
  if (stray !== undefined)
    throw new UsageError(`The option ${stray.rawName} does not belong to ${describe(name)}.`);
  const text = (option: "config" | "out") => {
    const value = values[option];
    return typeof value === "string" ? value : undefined;
  };
  if (name === "import") return parseImport(rest, { out: text("out"), force: values.force === true });
  const config = text("config");
  if (name === "serve") return { name, config };
  const command = name === "doctor" ? "doctor" : "check";
  if (rest.length + (config === undefined ? 0 : 1) > 1)
    throw new UsageError(`${command} takes one file at a time.`);
  return { name: command, file: rest[0] ?? config };
}

function parseImport(
  rest: readonly string[],
  { out, force }: Pick<ImportArguments, "out" | "force">,
): Command {
  const [from, file] = rest;
  if (from === undefined)
    throw new UsageError(`import needs to know from what: ${importSources.join(", ")}.`);
  if (!importSources.some((source) => source === from))
    throw new UsageError(unknown("source", from, importSources));
  if (file === undefined || rest.length > 2)
    throw new UsageError(`import ${from} takes one file: import ${from} config.yaml.`);
  if (force && out === undefined) throw new UsageError("--force belongs to --out.");
  return { name: "import", import: { from, file, out, force } };
}

function checkOption(
  name: string,
  { rawName, value }: { readonly rawName: string; readonly value: string | undefined },
): void {
  const known = Object.entries(options).find(([option]) => option === name)?.[1];
  if (known === undefined) {
    const names = Object.keys(options).map((option) => `--${option}`);
    throw new UsageError(unknown("option", rawName, names));
  }
  if (known.type === "string" && (value === undefined || value === "" || value.startsWith("-")))
    throw new UsageError(`The option ${rawName} needs a value: ${rawName} <file>.`);
  if (known.type === "boolean" && value !== undefined)
    throw new UsageError(`The option ${rawName} takes no value.`);
}

function unknown(kind: string, written: string, names: readonly string[]): string {
  const closest = closestName(written, names);
  return `Unknown ${kind} "${written}".${closest === undefined ? "" : ` Did you mean ${closest}?`}`;
}

function describe(command: string): string {
  return command === "serve" ? "the command that serves requests" : `the command ${command}`;
}
