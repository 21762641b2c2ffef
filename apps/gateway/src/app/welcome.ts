import { kindOf } from "../models/kinds/kinds.js";
import { modelPaths, modelTypes, type Schemas } from "../operations.js";

/** Shows the admin key on standard output, as soon as it is created and nowhere else: the start may fail after that. */
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

/** A key to try the gateway with: one that was created for this run, or a variable of the shell with the operator's. */
export type ExampleKey = { readonly created: string } | { readonly variable: string };

/**
 * The greeting on standard output after the start.
 *
 * @param key The key in the example. A key that was created for this run is shown here and nowhere else.
 */
export function welcome(
  { url, servesConsole }: { readonly url: string; readonly servesConsole: boolean },
  models: readonly Schemas["Model"][],
  key: ExampleKey | undefined,
): string {
  const lines = [
    "",
    `Model Gateway is listening on ${url}`,
    ...(servesConsole ? [`The console is at ${url}/console/`] : []),
    `The reference and the guides are at ${url}/docs/`,
    "",
  ];
  if (key === undefined) return `${lines.join("\n")}\n`;
  const callable = models.filter((model) => model.is_pattern !== true);
  const ready = callable.filter(({ status }) => status === "ready");
  const request = exampleOf(ready.length > 0 ? ready : callable);
  lines.push(
    "created" in key
      ? "The configuration has no key, so one was created for this run. Try it:"
      : `The callers' key is that of ${key.variable}. Try it:`,
    "",
    `  curl ${url}${request.path} \\`,
    `    -H "Authorization: Bearer ${"created" in key ? key.created : `$${key.variable}`}" \\`,
    '    -H "Content-Type: application/json" \\',
    `    -d '${JSON.stringify(request.body)}'`,
    "",
  );
  return `${lines.join("\n")}\n`;
}

/** A request to the first model, of the kind that comes first. */
function exampleOf(models: readonly Schemas["Model"][]): { readonly path: string; readonly body: object } {
  const [first] = models.toSorted((one, other) => orderOf(one) - orderOf(other));
  const { mainOperation, example } = kindOf(first ?? { type: modelTypes[0] });
  return { path: modelPaths[mainOperation], body: { model: first?.id ?? "", ...example } };
}

function orderOf({ type }: Schemas["Model"]): number {
  return modelTypes.indexOf(type);
}
