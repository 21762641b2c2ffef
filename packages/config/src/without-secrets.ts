import { isObject, objectAt } from "@model-gateway/runtime/json";
import { parseDocument, stringify } from "yaml";
import type { ConfigEntries, Entries } from "./config.js";
import { isSecretKey } from "./secrets/find-secrets.js";

/** Placeholder for a secret that is set. */
export const set = "(set)";

/**
 * The configuration as YAML, for the operator's eyes on a screen that others may see. Values from the environment stay
 * `${NAME}`, because the file is read again without its variables.
 *
 * @param text The file.
 * @param overrides The keys that environment variables override, with their values.
 */
export function withoutSecrets(text: string, overrides: Readonly<Record<string, unknown>>): string {
  const written: unknown = parseDocument(text).toJS();
  return stringify(hide(isObject(written) ? { ...written, ...overrides } : overrides), { lineWidth: 0 });
}

/** The upstreams and models of a file as values. Their names are free, and none of them counts as a secret's key. */
export function entriesWithoutSecrets(text: string): ConfigEntries {
  const written: unknown = parseDocument(text).toJS();
  const section = (key: string): Entries =>
    Object.fromEntries(
      Object.entries(objectAt(written, key)).map(([name, entry]) => [
        name,
        isObject(entry) ? hideEntry(entry) : {},
      ]),
    );
  return { upstreams: section("upstreams"), models: section("models") };
}

/** An entry with a placeholder for each of its secrets. */
function hideEntry(entry: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, hideUnder(key, value)]));
}

/** The value of a key, as it is shown. */
export function hideUnder(key: string, value: unknown): unknown {
  if (isSecretKey(key) && value !== null) return set;
  return key === "url" && typeof value === "string" ? hideAddress(value) : hide(value);
}

function hide(value: unknown): unknown {
  if (typeof value === "string") return hideInText(value);
  if (Array.isArray(value)) return value.map(hide);
  if (!isObject(value)) return value;
  return hideEntry(value);
}

/** The path of a webhook's URL may be all that protects it. */
function hideAddress(url: string): string {
  if (!URL.canParse(url)) return set;
  const { origin, pathname } = new URL(url);
  return pathname === "/" ? origin : `${origin}/${set}`;
}

/** A URL may contain a password, and its query a key. PEM text may be a private key. */
function hideInText(text: string): string {
  if (text.includes("-----BEGIN")) return set;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  if (!URL.canParse(text)) return text.includes("@") || text.includes("?") ? set : text;
  const url = new URL(text);
  const isBare = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (isBare) return text;
  const credentials = url.username === "" && url.password === "" ? "" : `${set}@`;
  return `${url.protocol}//${credentials}${url.host}${url.pathname}${url.search === "" ? "" : `?${set}`}`;
}
