/** Every command. Parsing, suggestions, the help texts and the types of arguments derive from here and from the options. */

import { connectionOptions, type OptionName, type options } from "./option-table.js";

/** The headings of the help, in their order. */
export const commandGroups = [
  "Start here",
  "Work with a running gateway",
  "Prepare a configuration",
] as const;

export interface CommandSpec {
  readonly group: (typeof commandGroups)[number];
  /** `<file>` is required, `[file]` optional. None is called `name`, which is that of the command. */
  readonly positionals: readonly (`<${string}>` | `[${string}]`)[];
  /** The values of a positional, by its name. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  readonly options: readonly OptionName[];
  /** The values of options that are not given. */
  readonly defaults?: { readonly [Option in OptionName]?: string };
  /** One sentence, in the imperative. */
  readonly summary: string;
  /** Paragraphs for the help of this command alone. */
  readonly help?: string;
}

/** The programs that `connect` knows. */
export const connectedTools = ["open-webui", "langchain", "continue", "dify", "n8n"] as const;

const keyHelp = `Keys of the configuration file are listed as well. They are changed only in the file.`;

/** By name. A name of two words is a command that has variants. */
const commands = {
  serve: {
    group: "Start here",
    positionals: [],
    options: ["config", "host", "port", "no-detect", "log"],
    summary: "Serve requests. It is the default command.",
  },
  try: {
    group: "Start here",
    positionals: ["<text>"],
    options: ["model", "image", "size", "out", "force", ...connectionOptions],
    summary: "Embed a text, or create an image with --image, and show what it took.",
    help: `It calls the model with the key in GATEWAY_KEY. Without one it uses an operator's session, which ends afterwards.
An image needs --out. Its format is that of the file's name: .png, .jpg or .webp.`,
  },
  status: {
    group: "Start here",
    positionals: [],
    options: connectionOptions,
    summary: "Show whether the gateway serves, its models and upstreams, and the last failures.",
    help: "The exit code is 1 if the gateway is not ready. Without the admin key, it shows the readiness alone.",
  },
  connect: {
    group: "Start here",
    positionals: ["<tool>"],
    choices: { tool: connectedTools },
    options: ["model", "image", ...connectionOptions],
    summary: "Print the settings of another program, and check them with its kind of request.",
    help: `The check embeds a short text. Images are checked only with --image, because they may cost money.
The exit code is 1 if a check fails.`,
  },
  link: {
    group: "Work with a running gateway",
    positionals: [],
    options: connectionOptions,
    summary: "Print a link that signs you in to the console, once and within ten minutes.",
    help: "It works in a browser on the gateway's own machine, where this command runs as well. A new link ends the one before.",
  },
  models: {
    group: "Work with a running gateway",
    positionals: ["[filter]"],
    options: connectionOptions,
    summary: "List the models: type, width or sizes, state and targets.",
    help: "The filter is a part of an id, an alias or an upstream. With *, it is a pattern for the whole of it.",
  },
  "keys create": {
    group: "Work with a running gateway",
    positionals: ["<key-name>"],
    options: [
      "models",
      "owner",
      "priority",
      "budget",
      "expires",
      "requests-per-minute",
      "requests-per-day",
      "tokens-per-minute",
      "tokens-per-day",
      "images-per-minute",
      "images-per-day",
      "max-concurrency",
      ...connectionOptions,
    ],
    summary: "Create an API key, and print it once.",
  },
  "keys list": {
    group: "Work with a running gateway",
    positionals: [],
    options: connectionOptions,
    summary: "List the API keys: owner, state, models, spending and last use.",
    help: keyHelp,
  },
  "keys rotate": {
    group: "Work with a running gateway",
    positionals: ["<key>"],
    options: ["overlap", ...connectionOptions],
    summary: "Give an API key a new secret, by its id or its name, and print it once.",
    help: "The key keeps its id, so that its usage, limits and budget go on. With --overlap 0, the earlier secret stops working within a second.",
  },
  "keys revoke": {
    group: "Work with a running gateway",
    positionals: ["<key>"],
    options: connectionOptions,
    summary: "Revoke an API key for good, by its id or its name.",
    help: keyHelp,
  },
  "batch run": {
    group: "Work with a running gateway",
    positionals: ["<input>"],
    options: ["out", "force", ...connectionOptions],
    summary: "Run the requests of a JSONL file as a batch, and write the results to --out.",
    help: `It needs an API key in GATEWAY_KEY. The lines have the form of OpenAI's Batch API.
A command that was stopped goes on when it is started again: it keeps its batch in a file beside --out. Lines that fail go to a second file, which ends with .errors.jsonl. The exit code is 1 if a line failed.`,
  },
  reembed: {
    group: "Work with a running gateway",
    positionals: [],
    options: [
      "from",
      "model",
      "estimate",
      "run",
      "compare",
      "out",
      "force",
      "dimensions",
      "input-type",
      "query",
      "table",
      "column",
      "old-column",
      "id-column",
      "space-field",
      "collection",
      "to-collection",
      "vector",
      "old-vector",
      "text-field",
      ...connectionOptions,
    ],
    summary: "Embed the texts of an index with another model, after an estimate, and compare the results.",
    help: `Needs one of --estimate, --run and --compare. --run needs an API key in GATEWAY_KEY, and sends the texts as batches at bulk priority. A run that was stopped goes on when the same command is started again in the same folder.
PGVECTOR_URL is the address of the database for --from pgvector. QDRANT_URL and QDRANT_API_KEY are those of --from qdrant.
With --out, the vectors go to a .jsonl file: id, embedding and space a line. Rows that failed are in a file that ends with .failed.jsonl.`,
  },
  logs: {
    group: "Work with a running gateway",
    positionals: [],
    options: ["follow", "limit", "failed", "model", ...connectionOptions],
    summary: "Print the last requests, and with --follow each new one.",
    help: `A line has the time, the status, the model, the upstream, the usage, the cost, the duration and the key.
With --follow, changes of targets and of the configuration are lines as well. With --json, each line is a document.`,
  },
  init: {
    group: "Prepare a configuration",
    positionals: [],
    options: ["out", "force", "yes", "no-detect"],
    defaults: { out: "gateway.yaml" },
    summary: "Write a gateway.yaml with the upstreams that are found and those that you choose.",
    help: "On a terminal, it asks which providers to add, and sends one small request to each upstream, never one for an image. Elsewhere it asks nothing. A key that you paste is stored in the data folder, for this user alone. The file refers to it, or to an environment variable, and never has a secret. It is gateway.yaml, unless --out names another.",
  },
  check: {
    group: "Prepare a configuration",
    positionals: ["[file]"],
    options: ["config", "no-detect"],
    summary: "Check a configuration file without starting, and list its faults.",
    help: "It reads the environment as a start does. It opens no port, no database and no upstream, and creates no file. Without a file, it shows the built-in configuration, and the upstreams that a start would find.",
  },
  doctor: {
    group: "Prepare a configuration",
    positionals: ["[file]"],
    options: ["config"],
    summary: "Embed the same texts at every embedding target, and say which may share one index.",
    help: "It calls the upstreams, with some 300 tokens each.",
  },
  "import litellm": {
    group: "Prepare a configuration",
    positionals: ["<file>"],
    options: ["out", "force"],
    summary: "Write a gateway.yaml from the configuration of a LiteLLM proxy.",
    help: "Without --out it is printed. Comments in it name the settings that are not imported, and the docs page that helps.",
  },
  "import bifrost": {
    group: "Prepare a configuration",
    positionals: ["<file>"],
    options: ["out", "force"],
    summary: "Write a gateway.yaml from Bifrost's config.json.",
    help: "Without --out it is printed. Comments in it name the settings that are not imported, and the docs page that helps.",
  },
  "catalogue update": {
    group: "Prepare a configuration",
    positionals: [],
    options: ["from", "public-key", "dry-run", "config"],
    summary: "Check a signed catalogue of models, show the difference, and write it to the data folder.",
    help: "A URL must be https, and its host must not be at a private address. A catalogue that is older than the one in use is refused. A gateway that runs uses the new one within seconds.",
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

export type CommandName = keyof typeof commands;

/** The arguments of a command, by the names of its positionals and options. */
export type CommandOf<Name extends CommandName> = { readonly name: Name } & PositionalValues<
  (typeof commands)[Name]["positionals"][number]
> & { readonly [Option in (typeof commands)[Name]["options"][number]]: OptionValue<Option> };

/** The parsed command line. */
export type Command =
  | { readonly [Name in CommandName]: CommandOf<Name> }[CommandName]
  /** `of` is the command that is explained, or its first word. Undefined: all. */
  | { readonly name: "help"; readonly of: string | undefined }
  | { readonly name: "version" };

type PositionalValues<Written extends string> = {
  readonly [One in Written as One extends `<${infer Name}>` | `[${infer Name}]`
    ? Name
    : never]: One extends `<${string}>` ? string : string | undefined;
};

type OptionValue<Option extends OptionName> = (typeof options)[Option] extends { readonly isCount: true }
  ? number | undefined
  : (typeof options)[Option] extends { readonly choices: readonly (infer Choice)[] }
    ? Choice | undefined
    : (typeof options)[Option] extends { readonly value: string }
      ? string | undefined
      : boolean;

/** The names of all commands. */
export const commandNames = Object.keys(commands) as readonly CommandName[];

export function commandSpec(name: CommandName): CommandSpec {
  return commands[name];
}
