import type { DetectedSource } from "@model-gateway/config/config";
import { kindOf } from "@model-gateway/config/kinds/kinds";
import { modelPaths, modelTypes, type Schemas } from "@model-gateway/domain/operations";

/** Shows the admin key on standard output where the greeting does not: the start may fail before it. */
export function adminKeyNotice(text: string): string {
  return [
    "",
    "This is the admin key. It creates and revokes the keys of callers. Store it now, because it is not shown again:",
    "",
    `  ${text}`,
    "",
    "",
  ].join("\n");
}

/** A key to try the gateway with, or the command that creates one. */
export type ExampleKey =
  /** Created for this run, with the way to one that lasts longer. */
  | { readonly created: string; readonly lasting: string }
  /** The operator's, in a variable of the shell. */
  | { readonly variable: string }
  /** The configuration file has none. */
  | { readonly missing: string };

/** A line of the table. */
export interface GreetingRow {
  readonly label: string;
  readonly value: string;
  /** A remark after the value. */
  readonly note?: string;
}

/** Contents of the greeting. Plain values, because a worker sends them to its supervisor. */
export interface Greeting {
  readonly url: string;
  readonly servesConsole: boolean;
  /** The one-time code of the console link. Only a terminal shows it. */
  readonly signInCode?: string | undefined;
  readonly models: readonly Pick<Schemas["Model"], "id" | "type" | "status" | "is_pattern">[];
  /** The key in the example. A key that was created for this run is shown here and nowhere else. */
  readonly key: ExampleKey | undefined;
  /** The admin key, if this start has created it. It is not shown again. */
  readonly adminKey?: string | undefined;
  /** Further lines of the table, such as upstreams that were detected. */
  readonly rows?: readonly GreetingRow[];
}

/** The greeting on standard output after the start: a table, and a request to paste. */
export function welcome(greeting: Greeting): string {
  const { url, key, models } = greeting;
  const lines = ["", `Model Gateway is listening on ${url}`, "", ...table(rowsOf(greeting)), ""];
  if (key === undefined || "missing" in key) return `${lines.join("\n")}\n`;
  const callable = models.filter((model) => model.is_pattern !== true);
  const ready = callable.filter(({ status }) => status === "ready");
  const request = exampleOf(ready.length > 0 ? ready : callable);
  lines.push(
    "Try it:",
    "",
    `  curl ${url}${request.path} \\`,
    `    -H "Authorization: Bearer ${"created" in key ? key.created : `$${key.variable}`}" \\`,
    '    -H "Content-Type: application/json" \\',
    `    -d '${JSON.stringify(request.body)}'`,
    "",
  );
  return `${lines.join("\n")}\n`;
}

function rowsOf(greeting: Greeting): GreetingRow[] {
  const { url, servesConsole, models, key, adminKey, rows = [] } = greeting;
  return [
    { label: "Base URL", value: `${url}/v1`, note: "for OpenAI clients" },
    ...(servesConsole ? [consoleRow(greeting)] : []),
    { label: "Docs", value: `${url}/docs/` },
    ...(key === undefined ? [] : [keyRow(key)]),
    ...(adminKey === undefined
      ? []
      : [{ label: "Admin key", value: adminKey, note: "store it now: it is not shown again" }]),
    { label: "Models", value: namesOf(models.map(({ id }) => id)) },
    ...rows,
  ];
}

/** The code is behind the #, which browsers do not send. */
function consoleRow({ url, signInCode }: Greeting): GreetingRow {
  const row = { label: "Console", value: `${url}/console/` };
  if (signInCode === undefined) return row;
  return { ...row, value: `${row.value}#code=${signInCode}`, note: "one sign-in, 10 minutes" };
}

/** A line for each upstream that was found without a file. */
export function detectedRows(detected: readonly DetectedSource[]): GreetingRow[] {
  return detected.map(({ source, models }, index) => ({
    label: index === 0 ? "Found" : "",
    value: `${source}: ${models.length === 0 ? "no model that the gateway can serve" : namesOf(models)}`,
  }));
}

function keyRow(key: ExampleKey): GreetingRow {
  const label = "API key";
  if ("missing" in key)
    return { label, value: "none in the configuration", note: `to create one: ${key.missing}` };
  return "created" in key
    ? { label, value: key.created, note: `for this run; ${key.lasting}` }
    : { label, value: `$${key.variable}`, note: "from the environment" };
}

const namesMax = 6;

/** The first names, and how many more there are. */
function namesOf(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const more = names.length - namesMax;
  return `${names.slice(0, namesMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function table(rows: readonly GreetingRow[]): string[] {
  const width = Math.max(...rows.map(({ label }) => label.length));
  return rows.map(({ label, value, note }) => {
    const remark = note === undefined ? "" : `  (${note})`;
    return `  ${label.padEnd(width)}  ${value}${remark}`;
  });
}

/** A request to the first model, of the kind that comes first. */
function exampleOf(models: Greeting["models"]): { readonly path: string; readonly body: object } {
  const [first] = models.toSorted((one, other) => orderOf(one) - orderOf(other));
  const { mainOperation, example } = kindOf(first ?? { type: modelTypes[0] });
  return { path: modelPaths[mainOperation], body: { model: first?.id ?? "", ...example } };
}

function orderOf({ type }: Pick<Schemas["Model"], "type">): number {
  return modelTypes.indexOf(type);
}
