import type { BundledDocument } from "./request-document.js";

interface AdminOperation {
  readonly method: string;
  /** Such as `/admin/v1/keys/{key}`. */
  readonly path: string;
  /** The first example of its body. Absent: it has no body. */
  readonly body?: unknown;
}

interface Described {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}

interface Content {
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}

/** The part of an admin operation that its samples show. Undefined for an operation that needs another key. */
export function adminOperation(
  document: BundledDocument,
  method: string,
  path: string,
): AdminOperation | undefined {
  const described = document.paths[path]?.[method] as Described | undefined;
  const { security = [], requestBody } = described ?? {};
  if (!path.startsWith("/admin/") || !("adminKey" in (security[0] ?? {}))) return undefined;
  const [example] = Object.values(requestBody?.content["application/json"]?.examples ?? {});
  if (example === undefined) return { method, path };
  const name = example.$ref.split("/").at(-1) ?? "";
  const shown = document.components.examples?.[name] as { readonly value: unknown } | undefined;
  return { method, path, body: shown?.value };
}

const address = "http://127.0.0.1:8080";

/** Path parameters are environment variables: `{key}` and `{key_id}` are `KEY_ID`. */
function urlOf(path: string, write: (variable: string) => string): string {
  return (
    address + path.replaceAll(/\{(\w+?)(?:_id)?\}/g, (_, name: string) => write(`${name.toUpperCase()}_ID`))
  );
}

/** Calls the operation with curl, which uses POST by itself for a body. */
export function curlSample({ method, path, body }: AdminOperation): string {
  const url = urlOf(path, (variable) => `$${variable}`);
  const verb = method === (body === undefined ? "get" : "post") ? "" : `-X ${method.toUpperCase()} `;
  const call = `curl ${verb}${url.includes("$") ? `"${url}"` : url}`;
  const key = '-H "Authorization: Bearer $GATEWAY_ADMIN_KEY"';
  if (body === undefined) return `${call} ${key}\n`;
  const json = literalOf(body).replaceAll("'", "'\\''");
  return [call, key, '-H "Content-Type: application/json"', `-d '${json}'\n`].join(" \\\n  ");
}

/** Calls the operation with Python alone, and prints the response. */
export function pythonSample({ method, path, body }: AdminOperation): string {
  const url = urlOf(path, (variable) => `{os.environ['${variable}']}`);
  const key = '"Authorization": f"Bearer {os.environ[\'GATEWAY_ADMIN_KEY\']}"';
  const type = '"Content-Type": "application/json"';
  const headers = body === undefined ? `{${key}}` : `{\n        ${key},\n        ${type},\n    }`;
  const lines = [
    `${url.includes("{") ? "f" : ""}"${url}",`,
    ...(body === undefined ? [] : [`data=json.dumps(${literalOf(body, pythonWords)}).encode(),`]),
    ...(method === (body === undefined ? "get" : "post") ? [] : [`method="${method.toUpperCase()}",`]),
    `headers=${headers},`,
  ];
  return `import json
import os
from urllib.request import Request, urlopen

request = Request(
${lines.map((line) => `    ${line}\n`).join("")})
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2))
`;
}

const pythonWords = new Map<unknown, string>([
  [null, "None"],
  [true, "True"],
  [false, "False"],
]);

/** @param words How values are written that are not as in JSON. */
function literalOf(value: unknown, words: ReadonlyMap<unknown, string> = new Map()): string {
  if (Array.isArray(value)) return `[${value.map((item) => literalOf(item, words)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return words.get(value) ?? JSON.stringify(value);
  const entries = Object.entries(value).map(([name, inner]) => `"${name}": ${literalOf(inner, words)}`);
  return `{${entries.join(", ")}}`;
}
