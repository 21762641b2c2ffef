/** The part of JSON Schema that the settings of providers use. */
export interface SettingSchema {
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SettingSchema | boolean;
  readonly anyOf?: readonly SettingSchema[];
}

/** One setting, as a form shows it. */
export interface Setting {
  /** Its path in the settings: `tls.ca`. */
  readonly name: string;
  readonly label: string;
  readonly help: string | undefined;
  /** `variants` is one of `choices`, or the settings of `inner`. `json` is everything without a field. */
  readonly kind: "text" | "number" | "flag" | "choice" | "pairs" | "group" | "variants" | "json";
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly isUrl: boolean;
  /** The default, as text. */
  readonly usual: string | undefined;
  readonly choices: readonly string[];
  /** The names of the choices for people, where they have any. */
  readonly titles?: Readonly<Record<string, string>>;
  readonly inner: readonly Setting[];
}

interface Place {
  /** The path of the object that the settings are in, with a dot at its end. */
  readonly prefix?: string;
  readonly secrets: ReadonlySet<string>;
}

/** The settings of a schema, except `provider`, which the form asks for before. */
export function readSchema(schema: SettingSchema, { prefix = "", secrets }: Place): Setting[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .filter(([key]) => `${prefix}${key}` !== "provider")
    .map(([key, property]) => {
      const name = `${prefix}${key}`;
      const { kind, choices, inner } = shapeOf(property, { prefix: `${name}.`, secrets });
      const isSecret = secrets.has(name) || (prefix !== "" && innerSecret.test(key));
      return {
        name,
        label: labelOf(key),
        help: helpOf(property.description, isSecret),
        kind,
        isRequired: required.has(key),
        isSecret,
        isUrl: property.format === "uri",
        usual: property.default === undefined ? undefined : String(property.default),
        choices,
        inner,
      };
    });
}

/** The gateway names the secrets of the first level only. Below it, the name decides, as in the gateway. */
const innerSecret = /^key$|secret|password|token$/i;

function shapeOf(schema: SettingSchema, place: Place): Pick<Setting, "kind" | "choices" | "inner"> {
  const { type, enum: values, anyOf = [], properties, additionalProperties } = schema;
  const plain = { choices: [], inner: [] };
  if (anyOf.some((one) => one.type === "boolean")) return { ...plain, kind: "flag" };
  const constants = anyOf.flatMap((one) => (typeof one.const === "string" ? [one.const] : []));
  const objects = anyOf.filter((one) => one.properties !== undefined);
  if (objects[0] !== undefined && objects.length + constants.length === anyOf.length && objects.length === 1)
    return { kind: "variants", choices: constants, inner: readSchema(objects[0], place) };
  if (values !== undefined) return { ...plain, kind: "choice", choices: values.map(String) };
  if (type === "string") return { ...plain, kind: "text" };
  if (type === "integer" || type === "number") return { ...plain, kind: "number" };
  if (type === "boolean") return { ...plain, kind: "flag" };
  if (properties !== undefined) return { ...plain, kind: "group", inner: readSchema(schema, place) };
  if (typeof additionalProperties === "object" && additionalProperties.type === "string")
    return { ...plain, kind: "pairs" };
  return { ...plain, kind: "json" };
}

/** The settings of the connection, which every provider has and few upstreams need. */
const connection = new Set(["timeoutMs", "headers", "proxy", "tls"]);

/**
 * Splits settings into those that are asked for first and the others. A key is often optional, and still the first thing.
 * A preset takes the place of an address, so it stands above; it decides which others are required, and none may jump then.
 */
export function splitSettings(settings: readonly Setting[]): {
  readonly first: readonly Setting[];
  readonly more: readonly Setting[];
} {
  const isFirst = ({ name, kind, isRequired, usual }: Setting) =>
    isRequired || name === "preset" || (kind === "text" && usual === undefined && !connection.has(name));
  const preset = settings.filter(({ name }) => name === "preset");
  const leads = preset.length > 0 ? preset : settings.filter(({ isRequired }) => isRequired);
  return {
    first: [...leads, ...settings.filter((one) => isFirst(one) && !leads.includes(one))],
    more: settings.filter((one) => !isFirst(one)),
  };
}

const spellings: Readonly<Record<string, string>> = {
  api: "API",
  url: "URL",
  urls: "URLs",
  tls: "TLS",
  ca: "CA",
};

/** `baseUrl` as "Base URL", `timeoutMs` as "Timeout, ms". */
export function labelOf(key: string): string {
  const words = key.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  const unit = words.length > 1 && words.at(-1) === "ms" ? ", ms" : "";
  const spelled = (unit === "" ? words : words.slice(0, -1)).map((word) => spellings[word] ?? word).join(" ");
  return `${spelled.charAt(0).toUpperCase()}${spelled.slice(1)}${unit}`;
}

/** Descriptions are written for the file, where a secret is the name of a variable. Here it is pasted. */
function helpOf(description: string | undefined, isSecret: boolean): string | undefined {
  if (!isSecret) return description;
  return description?.replace(/\s*Take (it|secrets) from the environment: \$\{NAME\}\.?/, "");
}
