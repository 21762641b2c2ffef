import type { Setting } from "./setting-schema.js";

/** A name and its value, such as a header. */
export type Pair = readonly [name: string, value: string];

/** The content of the fields, by the names of their settings. */
export type TypedSettings = Readonly<Record<string, string | readonly Pair[]>>;

/** The gateway shows this in the place of a secret, and keeps the secret if it is sent back. */
export const keptSecret = "(set)";

/** The choice of a setting with variants whose own settings follow. */
export const ownVariant = "own";

type Json = Readonly<Record<string, unknown>>;

export function textOf(typed: TypedSettings, name: string): string {
  const value = typed[name];
  return typeof value === "string" ? value : "";
}

/** Whether a setting has a value, itself or in its inner settings. */
export function isSet({ name, inner }: Setting, typed: TypedSettings): boolean {
  const value = typed[name] ?? "";
  const hasValue = typeof value === "string" ? value.trim() !== "" : value.some(([key]) => key.trim() !== "");
  return hasValue || inner.some((one) => isSet(one, typed));
}

/** The settings that the fields describe. Empty fields are left out, so that the default applies. */
export function writeSettings(settings: readonly Setting[], typed: TypedSettings): Json {
  const entries = settings.map((setting) => [lastOf(setting.name), writeSetting(setting, typed)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function writeSetting(setting: Setting, typed: TypedSettings): unknown {
  const { name, kind, inner } = setting;
  const text = textOf(typed, name).trim();
  const pairs = typed[name];
  if (kind === "group") {
    const written = writeSettings(inner, typed);
    return Object.keys(written).length === 0 ? undefined : written;
  }
  if (kind === "variants" && text === ownVariant) return writeSettings(inner, typed);
  if (kind === "pairs" && typeof pairs === "object") {
    const filled = pairs.filter(([key]) => key.trim() !== "").map(([key, value]) => [key.trim(), value]);
    return filled.length === 0 ? undefined : Object.fromEntries(filled);
  }
  if (text === "") return undefined;
  if (kind === "number") return Number(text);
  if (kind === "flag") return text === "true" ? true : text === "false" ? false : JSON.parse(text);
  return kind === "json" ? JSON.parse(text) : text;
}

/** The fields of an entry that exists. */
export function readEntry(settings: readonly Setting[], entry: Json): TypedSettings {
  const typed: Record<string, string | readonly Pair[]> = {};
  for (const { name, kind, inner } of settings) {
    const value = entry[lastOf(name)];
    if (value === undefined || value === null) continue;
    const object = typeof value === "object" && !Array.isArray(value) ? (value as Json) : undefined;
    if (object !== undefined && (kind === "group" || kind === "variants")) {
      Object.assign(typed, readEntry(inner, object), kind === "variants" && { [name]: ownVariant });
    } else if (object !== undefined && kind === "pairs") {
      typed[name] = Object.entries(object).map(([key, text]) => [key, String(text)] as const);
    } else {
      typed[name] = typeof value === "object" ? JSON.stringify(value) : String(value);
    }
  }
  return typed;
}

/** The faults that need no gateway, by the names of the settings. */
export function findFaults(
  settings: readonly Setting[],
  typed: TypedSettings,
): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  for (const { name, label, kind, inner, isRequired, isUrl } of settings) {
    const text = textOf(typed, name).trim();
    if (isRequired && text === "") faults[name] = `${label} is required.`;
    // A variable may hold the whole address.
    if (isUrl && text !== "" && text !== keptSecret && !/^(https?:\/\/|\$\{)/i.test(text))
      faults[name] = `Begin with http:// or https://${suggestUrl(text)}.`;
    if (kind === "number" && text !== "" && Number.isNaN(Number(text))) faults[name] = "Enter a number.";
    if ((kind === "json" || kind === "flag") && text !== "" && !isJson(text))
      faults[name] = "This is not valid JSON.";
    const isOpen =
      kind === "group" ? inner.some((one) => isSet(one, typed)) : kind === "variants" && text === ownVariant;
    if (isOpen) Object.assign(faults, findFaults(inner, typed));
  }
  return faults;
}

/** The address that a host without a scheme may stand for. A host with a port is most often on this machine. */
function suggestUrl(text: string): string {
  if (!/^[\w.-]+(:\d+)?(\/\S*)?$/.test(text)) return "";
  return `, as in ${/:\d/.test(text) ? "http" : "https"}://${text}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
