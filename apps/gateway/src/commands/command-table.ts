/** Every command and every option. Parsing, suggestions, the help texts and the types of arguments derive from here. */

export interface OptionSpec {
  /** How the help writes its value: `<file>`. Absent: the option is a switch. */
  readonly value?: string;
  /** Whether the value is a whole number above 0. */
  readonly isCount?: true;
  /** The values that it takes. Absent: any text. */
  readonly choices?: readonly string[];
  readonly short?: string;
  /** The option without which this one has no meaning. */
  readonly needs?: string;
  /** The positional that it may replace. */
  readonly replaces?: string;
  readonly summary: string;
}

/** An option means the same in each command that has it. */
export const options = {
  config: {
    value: "<file>",
    replaces: "file",
    summary:
      "The configuration file. Default: the path in GATEWAY_CONFIG, then ./gateway.yaml, then the built-in configuration.",
  },
  log: {
    value: "<format>",
    choices: ["json", "text"],
    summary:
      "The form of the log: json for programs, text for people. Default: text on a terminal, else json.",
  },
  "no-detect": {
    summary:
      "Without a file, do not look for upstreams in the environment and on this machine. GATEWAY_DETECT=off does the same.",
  },
  url: {
    value: "<address>",
    summary:
      "The running gateway. Default: MODEL_GATEWAY_URL, then the gateway of the data folder, then http://127.0.0.1:8080.",
  },
  "admin-key-file": {
    value: "<file>",
    summary: "A file with the admin key. Default: GATEWAY_ADMIN_KEY. The gateway's own machine needs none.",
  },
  json: { summary: "Print JSON for programs." },
  out: { value: "<file>", summary: "Write to this file. A file that exists is refused." },
  force: { needs: "out", summary: "Overwrite the file of --out." },
  yes: { summary: "Ask nothing, and call no upstream." },
  model: { value: "<id>", summary: "The model. Default: the first one that is ready." },
  image: { summary: "Create an image, which may cost money." },
  size: { value: "<size>", needs: "image", summary: "The size of the image, such as 1024x1024." },
  models: {
    value: "<ids>",
    summary: "The models that the key may call, with commas between them. Default: all.",
  },
  owner: { value: "<name>", summary: "The person or team that is responsible for the key." },
  priority: {
    value: "<priority>",
    choices: ["interactive", "bulk"],
    summary: "How urgent the requests of the key are.",
  },
  budget: { value: "<usd/period>", summary: "The maximum cost per UTC day or month, such as 25/month." },
  expires: { value: "<date>", summary: "The day on which the key expires, such as 2027-06-30, in UTC." },
  overlap: {
    value: "<time>",
    summary: "How long the earlier secret still works: 0, 30m, 24h or 7d. Default: 24h.",
  },
  "requests-per-minute": { value: "<count>", isCount: true, summary: "A rate limit of the key." },
  "requests-per-day": { value: "<count>", isCount: true, summary: "A rate limit of the key." },
  "tokens-per-minute": { value: "<count>", isCount: true, summary: "A rate limit of the key." },
  "tokens-per-day": { value: "<count>", isCount: true, summary: "A rate limit of the key." },
  "images-per-minute": { value: "<count>", isCount: true, summary: "A rate limit of the key." },
  "images-per-day": { value: "<count>", isCount: true, summary: "A rate limit of the key." },
  "max-concurrency": {
    value: "<count>",
    isCount: true,
    summary: "The maximum number of requests in flight at once.",
  },
  follow: { short: "f", summary: "Go on with each request and event as it happens, until Ctrl-C." },
  limit: { value: "<count>", isCount: true, summary: "The number of past requests. Default: 20." },
  failed: { summary: "Only requests that failed." },
  help: { short: "h", summary: "Print this text." },
  version: { short: "v", summary: "Print the version." },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export type OptionName = keyof typeof options;

/** The options of every command. */
export const commonOptions = ["help", "version"] as const satisfies readonly OptionName[];

/** The options of every command that calls a running gateway. */
export const connectionOptions = [
  "url",
  "admin-key-file",
  "config",
  "json",
] as const satisfies readonly OptionName[];

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
export const commands = {
  serve: {
    group: "Start here",
    positionals: [],
    options: ["config", "no-detect", "log"],
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

export function optionSpec(name: OptionName): OptionSpec {
  return options[name];
}
