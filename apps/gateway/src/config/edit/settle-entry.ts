import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../domain/json.js";
import { GatewayError } from "../../errors.js";
import { isPublicHeader, isSecretKey, secretsOfUrl } from "../../secrets/find-secrets.js";
import { hideUnder, set } from "../without-secrets.js";

type Entry = Readonly<Record<string, unknown>>;

export interface SettleOptions {
  /** The entry as the file has it now, if it is there. */
  readonly present: Entry | undefined;
  /** Where the entry is, such as `upstreams.openai`, for messages. */
  readonly path: string;
  /** Stores a secret, and returns the name that the file refers to it by. */
  readonly store: (secret: string, setting: string) => string;
}

/**
 * An entry as it is written to the file. A value that is sent back as it was shown stays as the file has it, and a
 * secret is replaced by a reference to where it is stored.
 */
export function settleEntry(entry: Entry, { present, path, store }: SettleOptions): Record<string, unknown> {
  return settleKeys(entry, present, { path, isSecret: false, store });
}

interface Place extends Omit<SettleOptions, "present"> {
  /** Whether a key above it names a secret. */
  readonly isSecret: boolean;
}

function settleKeys(entry: Entry, present: unknown, place: Place): Record<string, unknown> {
  const old = isObject(present) ? present : {};
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => {
      const kept = old[key];
      if (kept !== undefined && isDeepStrictEqual(value, hideUnder(key, kept))) return [key, kept];
      const isSecret = (place.isSecret && !isPublicHeader(key)) || isSecretKey(key);
      return [key, settle(value, kept, { ...place, path: `${place.path}.${key}`, isSecret })];
    }),
  );
}

function settle(value: unknown, present: unknown, place: Place): unknown {
  const { path, store } = place;
  if (Array.isArray(value))
    return value.map((item, index) => settle(item, undefined, { ...place, path: `${path}[${index}]` }));
  if (isObject(value)) return settleKeys(value, present, place);
  if (typeof value !== "string") return value;
  if (isPlaceholder(value))
    throw new GatewayError("invalid_value", `Invalid '${path}': the file has no such value to keep.`, {
      param: path,
    });
  if (isReference(value) || !isSecretText(value, place)) return value;
  return `\${${store(value, path.replace(/^.*[.\]]/, ""))}}`;
}

/** A secret as it is shown, alone or as a part of a URL. */
function isPlaceholder(value: string): boolean {
  return value === set || [`://${set}@`, `?${set}`].some((part) => value.includes(part));
}

/** A reference may follow the scheme of a header: `Bearer ${NAME}`. */
function isReference(value: string): boolean {
  return /^([A-Za-z-]{1,32} )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(value);
}

function isSecretText(value: string, { path, isSecret }: Place): boolean {
  if (value === "") return false;
  if (value.includes("-----BEGIN")) return value.includes("PRIVATE KEY-----");
  // The key of a certificate is a path, or PEM text.
  if (path.endsWith(".tls.key")) return false;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value) && !isSecret)
    return secretsOfUrl(value).some((secret) => secret !== "");
  return isSecret;
}
