import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** A row of `error-responses.yaml`. */
interface Row {
  readonly description: string;
  readonly codes: readonly string[];
  readonly without?: readonly string[];
  readonly headers?: readonly string[];
  /** Files of `components/examples`, by their name in the response. */
  readonly examples?: Readonly<Record<string, string>>;
  readonly schemas?: readonly string[];
}

/** The body of an error in another API's shape. Its schema is named after the API. */
const foreignBodies = {
  Ollama: (message: string) => ({ error: message }),
  Cohere: (message: string) => ({ id: "req_4f8a7c1d2e9b4a6c8d0e1f2a3b4c5d6e", message }),
  Voyage: (message: string) => ({ detail: message }),
} as const;
type ForeignApi = keyof typeof foreignBodies;

type Family = "Admin" | "Image" | ForeignApi;

interface Table {
  /** Header groups: files of `components/headers`, by header name. */
  readonly headers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly responses: Readonly<
    Record<string, Row & { readonly variants?: Readonly<Partial<Record<Family, Partial<Row>>>> }>
  >;
}

/** Whether a caller may retry, by the code of the error. */
export type CallerRetries = ReadonlyMap<string, "never" | "later" | "careful">;

const everyHeader = {
  "x-request-id": "RequestId",
  "access-control-allow-origin": "AllowOrigin",
  "access-control-expose-headers": "ExposeHeaders",
};

/** The response objects of all errors, with their variants, by name. */
export function errorResponses(retries: CallerRetries): Readonly<Record<string, object>> {
  const table: Table = parse(readFileSync("error-responses.yaml", "utf8"));
  const named = Object.entries(table.responses).flatMap(([name, { variants = {}, ...base }]) => {
    const row = { ...base, examples: base.examples ?? { error: `${name}Error` } };
    const others = Object.entries(variants).map(
      ([family, changes]) => [`${family}${name}`, variantOf(row, family as Family, changes), family] as const,
    );
    return [[name, row, undefined] as const, ...others];
  });
  return Object.fromEntries(
    named.map(([name, row, family]) => [
      name,
      {
        description: row.description,
        "x-error-codes": row.codes,
        headers: referTo("headers", {
          ...everyHeader,
          ...retryHeader(row.codes, family, retries),
          ...Object.assign({}, ...(row.headers ?? []).map((group) => table.headers[group])),
        }),
        content: { "application/json": contentOf(row, family) },
      },
    ]),
  );
}

function variantOf(base: Row, family: Family, changes: Partial<Row>): Row {
  const { headers = [] } = base;
  const { without = [] } = changes;
  return {
    ...base,
    headers: family === "Admin" ? [...headers, "no-store"] : headers,
    ...changes,
    codes: changes.codes ?? base.codes.filter((code) => !without.includes(code)),
  };
}

/** A retry is forbidden where none can help, and where an image may be paid for twice. */
function retryHeader(codes: readonly string[], family: string | undefined, retries: CallerRetries): object {
  const isForbidden = (code: string) =>
    retries.get(code) === "never" || (family === "Image" && retries.get(code) === "careful");
  if (!codes.some(isForbidden)) return {};
  const isAlways = codes.every((code) => retries.get(code) === "never");
  return { "x-should-retry": isAlways ? "ShouldRetry" : "OptionalShouldRetry" };
}

function contentOf({ examples = {}, schemas }: Row, family: string | undefined): object {
  if (!isForeign(family)) {
    return { schema: referenceTo("schemas", "ErrorResponse"), examples: referTo("examples", examples) };
  }
  const [first = ""] = Object.values(examples);
  const { value } = parse(readFileSync(`components/examples/${first}.yaml`, "utf8"));
  const [schema, ...others] = (schemas ?? [`${family}ErrorResponse`]).map((name) =>
    referenceTo("schemas", name),
  );
  return {
    schema: others.length === 0 ? schema : { anyOf: [schema, ...others] },
    example: foreignBodies[family](value.error.message),
  };
}

function isForeign(family: string | undefined): family is ForeignApi {
  return family !== undefined && Object.hasOwn(foreignBodies, family);
}

function referTo(folder: string, names: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(names).map(([name, file]) => [name, referenceTo(folder, file)]));
}

function referenceTo(folder: string, file: string): object {
  return { $ref: `../../components/${folder}/${file}.yaml` };
}
