import { isDeepStrictEqual } from "node:util";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { JsonObject } from "@model-gateway/runtime/json";
import { isObject } from "@model-gateway/runtime/json";
import { variablesIn } from "../files/read-yaml.js";
import { isReferenceName } from "../references/reference-names.js";
import { isPublicHeader, isPublicKey, isSecretKey, secretsOfUrl } from "../secrets/find-secrets.js";
import { hideUnder, set } from "../without-secrets.js";

interface SettleOptions {
  /** The entry as the file has it now, if it is there. */
  readonly present: JsonObject | undefined;
  /** Where the entry is, such as `upstreams.openai`, for messages. */
  readonly path: string;
  /** Stores a secret, and returns the name that the file refers to it by. */
  readonly store: (secret: string, setting: string) => string;
}

/**
 * An entry as it is written to the file. A value that is sent back as it was shown stays as the file has it, and a
 * secret is replaced by a reference to where it is stored.
 */
export function settleEntry(
  entry: JsonObject,
  { present, path, store }: SettleOptions,
): Record<string, unknown> {
  return settleKeys(entry, present, { path, isSecret: false, store, known: new Set(textsIn(present)) });
}

interface EntryPlace extends Omit<SettleOptions, "present"> {
  /** Whether a key above it names a secret. */
  readonly isSecret: boolean;
  /** The texts of the whole entry, as the file has it. */
  readonly known: ReadonlySet<string>;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) || isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

function settleKeys(entry: JsonObject, present: unknown, place: EntryPlace): Record<string, unknown> {
  const old = isObject(present) ? present : {};
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => {
      const kept = Object.hasOwn(old, key) ? old[key] : undefined;
      if (kept !== undefined && isDeepStrictEqual(value, hideUnder(key, kept))) return [key, kept];
      const isSecret = (place.isSecret && !isPublicHeader(key)) || isSecretKey(key);
      return [key, settle(value, kept, { ...place, path: `${place.path}.${key}`, isSecret })];
    }),
  );
}

function settle(value: unknown, present: unknown, place: EntryPlace): unknown {
  const { path, store } = place;
  if (Array.isArray(value))
    return value.map((item, index) => settle(item, undefined, { ...place, path: `${path}[${index}]` }));
  if (isObject(value)) return settleKeys(value, present, place);
  if (typeof value !== "string") return value;
  if (isPlaceholder(value))
    throw new GatewayError("invalid_value", `Invalid '${path}': the file has no such value to keep.`, {
      param: path,
    });
  if (isShown(path) && variablesIn(value).length > 0 && !place.known.has(value))
    throw errorOf("invalid_value", {
      param: path,
      reason: "its value is shown, so it cannot come from a variable; enter the value itself",
    });
  if (variablesIn(value).some(isReferenceName)) {
    if (place.known.has(value)) return value;
    const reason = "a secret of a file or a store is referred to in the configuration file itself";
    throw errorOf("invalid_value", { param: path, reason });
  }
  if (isReference(value) || !isSecretText(value, place)) return value;
  return `\${${store(value, path.replace(/^.*[.\]]/, ""))}}`;
}

/** Whether callers and operators see the value of a setting, so that a variable in it would be read by them. */
function isShown(path: string): boolean {
  const key = path.replace(/\[\d+\]$/, "").replace(/^.*\./, "");
  return isPublicKey(key) || /^(baseUrl|description)$/.test(key);
}

/** A secret as it is shown, alone or as a part of a URL. */
function isPlaceholder(value: string): boolean {
  return value === set || [`://${set}@`, `?${set}`].some((part) => value.includes(part));
}

/** A reference may follow the scheme of a header: `Bearer ${NAME}`. */
function isReference(value: string): boolean {
  return /^([A-Za-z-]{1,32} )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(value);
}

/** Whether a text is stored apart from the file. */
export function isSecretText(
  value: string,
  { path, isSecret }: Pick<EntryPlace, "path" | "isSecret">,
): boolean {
  if (value === "") return false;
  if (value.includes("-----BEGIN")) return value.includes("PRIVATE KEY-----");
  // The key of a certificate is a path, or PEM text.
  if (path.endsWith(".tls.key")) return false;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value) && !isSecret)
    return secretsOfUrl(value).some((secret) => secret !== "");
  return isSecret;
}
