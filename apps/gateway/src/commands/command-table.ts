/** Every command and every option. Parsing, suggestions, the help texts and the types of arguments derive from here. */

export interface OptionSpec {
  /** How the help writes its value: `<file>`. Absent: the option is a switch. */
  readonly value?: string;
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
  out: { value: "<file>", summary: "Write to this file instead of standard output." },
  force: { needs: "out", summary: "Overwrite the file of --out." },
  help: { short: "h", summary: "Print this text." },
  version: { short: "v", summary: "Print the version." },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export type OptionName = keyof typeof options;

/** The options of every command. */
export const commonOptions = ["help", "version"] as const satisfies readonly OptionName[];

export interface CommandSpec {
  /** `<name>` is required, `[name]` optional. */
  readonly positionals: readonly (`<${string}>` | `[${string}]`)[];
  readonly options: readonly OptionName[];
  /** One sentence, in the imperative. */
  readonly summary: string;
  /** Paragraphs for the help of this command alone. */
  readonly help?: string;
}

/** By name. A name of two words is a command that has variants. */
export const commands = {
  serve: {
    positionals: [],
    options: ["config", "log"],
    summary: "Serve requests. It is the default command.",
  },
  check: {
    positionals: ["[file]"],
    options: ["config"],
    summary: "Check a configuration file without starting, and list its faults.",
    help: "It reads the environment as a start does. It opens no port, no database and no upstream, and creates no file.",
  },
  doctor: {
    positionals: ["[file]"],
    options: ["config"],
    summary: "Embed the same texts at every embedding target, and say which may share one index.",
    help: "It calls the upstreams, with some 300 tokens each.",
  },
  "import litellm": {
    positionals: ["<file>"],
    options: ["out", "force"],
    summary: "Write a gateway.yaml from the configuration of a LiteLLM proxy.",
    help: "Comments in the new file name the settings that were not carried over.",
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

type OptionValue<Option extends OptionName> = (typeof options)[Option] extends {
  readonly choices: readonly (infer Choice)[];
}
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
