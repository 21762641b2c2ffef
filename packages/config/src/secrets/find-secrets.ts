import { isObject } from "@model-gateway/runtime/json";
import { secretLengthMin } from "./secret-forms.js";

/** Keys whose values are secrets, anywhere in the file. Everything below such a key is secret. */
const secretKeys =
  /^(key|sha256|.*(api|admin|private)_?key|.*secret.*|.*password|.*token|.*credentials?|access_?key_?id|headers|authorization)$/i;

/** Keys whose values are shown to operators and callers, and may come from the environment. */
const publicKeys =
  /^(provider|type|name|owner|model|models|aliases|upstream|host|port|workers|dataDir|logLevel|region|location|project|tenantId|clientId|deployment|apiVersion|bucket|prefix|addressing|profile|tokenizer|space|revision|credentialsFile|title|every|events)$/;

/** Headers that identify the client software, and not the user. */
const publicHeaders = /^(accept.*|user-agent|.*-version|(http-)?referer|x-title)$/i;

/** Words before the credentials in a header. https://www.iana.org/assignments/http-authschemes */
const schemes = /^(bearer|basic|digest|token|key|api-?key)$/i;

/** Whether operators and callers see the value of a key. */
export function isPublicKey(key: string): boolean {
  return publicKeys.test(key);
}

/** Whether everything under this key is secret. */
export function isSecretKey(key: string): boolean {
  return secretKeys.test(key);
}

/** Whether a header says nothing that is secret. */
export function isPublicHeader(name: string): boolean {
  return publicHeaders.test(name);
}

/** A value in the file that has parts from the environment. */
export interface Substitution {
  /** The key that it is under. */
  readonly key: string;
  /** The whole value. */
  readonly text: string;
  /** The values of the variables in it. */
  readonly variables: readonly string[];
}

interface FindSecretsOptions {
  readonly substitutions?: readonly Substitution[];
  /** Names that are shown in any case. Some servers need a key that is only a word, such as their own name. */
  readonly publicNames?: ReadonlySet<string>;
}

/** The secrets in a configuration, which may not be validated yet. */
export function findSecrets(
  configuration: unknown,
  { substitutions = [], publicNames = new Set() }: FindSecretsOptions = {},
): string[] {
  const found = new Set<string>();
  walk(configuration, { path: [], isSecret: false, found });
  for (const { key, text, variables } of substitutions)
    if (!publicKeys.test(key)) for (const secret of secretsOfVariables(text, variables)) found.add(secret);
  return [...found].filter((text) => text.length >= secretLengthMin && !publicNames.has(text));
}

interface SearchPlace {
  readonly path: readonly string[];
  /** Whether a key above it names a secret. */
  readonly isSecret: boolean;
  readonly found: Set<string>;
}

function walk(value: unknown, { path, isSecret, found }: SearchPlace): void {
  if (typeof value === "string") for (const secret of secretsOf(value, { path, isSecret })) found.add(secret);
  if (Array.isArray(value)) for (const inner of value) walk(inner, { path, isSecret, found });
  if (!isObject(value)) return;
  // Names of upstreams and models are free, and say nothing about the keys below them.
  const isNamed = path.length === 1 && (path[0] === "upstreams" || path[0] === "models");
  // The settings of stores of secrets, of which some are secret.
  const isStores = (key: string) => path.length === 0 && key === "secrets";
  for (const [key, inner] of Object.entries(value)) {
    if (path.at(-1) === "headers" && publicHeaders.test(key)) continue;
    walk(inner, {
      path: [...path, key],
      isSecret: isSecret || (!isNamed && !isStores(key) && isSecretKey(key)),
      found,
    });
  }
}

function secretsOf(value: string, { path, isSecret }: Omit<SearchPlace, "found">): readonly string[] {
  if (isUrl(value)) return [...secretsOfUrl(value), ...(path[0] === "webhooks" ? [pathOf(value)] : [])];
  if (value.includes("-----BEGIN")) return value.includes("PRIVATE KEY-----") ? [value] : [];
  if (!isSecret) return [];
  // Webhook secrets have a prefix that is not a part of the key.
  return secretsOfJson(value) ?? [value, value.replace(/^whsec_/, ""), ...credentialsOf(value)];
}

function secretsOfVariables(text: string, variables: readonly string[]): readonly string[] {
  if (text.includes("-----BEGIN")) return [];
  if (!isUrl(text))
    return variables.flatMap((value) => (isUrl(value) ? [] : (secretsOfJson(value) ?? [value])));
  // Of a URL, the host is shown. A whole step of the path may be a key.
  const steps = pathOf(text).split("/").map(decode);
  return variables.filter((value) => steps.includes(value));
}

/** A secret may be a whole JSON document, such as a service account key file. */
function secretsOfJson(text: string): string[] | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return findSecrets(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The part of a header's value after the scheme. Basic credentials are a user and a password in base64. */
function credentialsOf(value: string): string[] {
  const words = value.split(/\s+/);
  if (words.length < 2) return [];
  const [scheme = "", ...rest] = words;
  const isBasic = scheme.toLowerCase() === "basic";
  const password = isBasic
    ? Buffer.from(rest[0] ?? "", "base64")
        .toString("utf8")
        .replace(/^[^:]*:/, "")
    : "";
  return [...(schemes.test(scheme) ? rest : words), password];
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** The password and the values of the query. A user without a password is a token. */
export function secretsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [text];
  const { username, password, searchParams } = new URL(text);
  return [decode(password === "" ? username : password), ...searchParams.values()];
}

/** The path of a webhook's URL may be all that protects it. */
function pathOf(text: string): string {
  return URL.canParse(text) ? new URL(text).pathname.slice(1) : "";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
