/** Every option of the command line. */

interface OptionSpec {
  /** How the help writes its value: `<file>`. Absent: the option is a switch. */
  readonly value?: string;
  /** Whether the value is a whole number above 0. */
  readonly isCount?: true;
  /** Whether the value is a port. */
  readonly isPort?: true;
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
  host: {
    value: "<address>",
    summary: "The address to listen on. It overrides HOST and the file. Default: 127.0.0.1.",
  },
  port: {
    value: "<port>",
    isPort: true,
    summary: "The port to listen on. It overrides PORT and the file. Default: 8080. 0 takes any free port.",
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
  from: {
    value: "<source>",
    summary:
      "Where to read from. Texts: a .jsonl file with id and text a line, pgvector, or qdrant. A catalogue: a file or a URL, with its signature beside it in a file that ends with .sig.",
  },
  estimate: { summary: "Print inputs, tokens, price and time, and buy nothing." },
  run: { summary: "Embed all texts in batches, and store the vectors." },
  compare: {
    value: "<count>",
    isCount: true,
    summary: "Print recall@10 between the old and the new vectors, for a sample of so many rows.",
  },
  dimensions: {
    value: "<count>",
    isCount: true,
    summary: "The width of the new vectors, if the model has several.",
  },
  "input-type": { value: "<type>", summary: "The input type of the texts, such as document." },
  query: { value: "<sql>", summary: "A query that returns the columns id and text." },
  table: { value: "<name>", summary: "The table that gets the vectors." },
  column: { value: "<name>", summary: "The column for the vectors. It is created if it is missing." },
  "old-column": { value: "<name>", summary: "The column with the present vectors, for --compare." },
  "id-column": { value: "<name>", summary: "The key of the table. Default: id." },
  "space-field": {
    value: "<name>",
    summary:
      "The column or payload field for the id of the vector space. Default: the column's name and _space, or embedding_space.",
  },
  collection: { value: "<name>", summary: "The collection with the texts." },
  "to-collection": {
    value: "<name>",
    summary: "The collection that gets the points with new vectors. It is created if it is missing.",
  },
  vector: { value: "<name>", summary: "The named vector to write. Default: the vector of the collection." },
  "old-vector": { value: "<name>", summary: "The named vector to compare with, for --compare." },
  "text-field": { value: "<name>", summary: "The payload field with the text. Default: text." },
  "public-key": {
    value: "<file>",
    summary: "A PEM file with the public Ed25519 key that the signature is checked with.",
  },
  "dry-run": { summary: "Show the difference, and write nothing." },
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

export function optionSpec(name: OptionName): OptionSpec {
  return options[name];
}
