import type { BundledDocument } from "./request-document.js";

interface ErrorResponse {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: { readonly "application/json": Content };
}

/** OpenAI's form has named examples, and the forms of other APIs have one. */
interface Content {
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly example?: unknown;
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>;
}

const methods = ["get", "post", "patch", "delete"] as const;

/**
 * The document with an example of the 405 for each set of methods: it names those of the path, in the place of
 * `{allowed}`. The methods stand as the gateway writes them.
 */
export function nameMethods(document: BundledDocument): BundledDocument {
  const named = new Map<string, object>();
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const allowed = methods.filter((method) => method in item);
    const operations = Object.entries(item).map(([name, part]) => {
      const { responses } = part as Partial<Operation>;
      const shared = responses?.["405"]?.$ref;
      if (shared === undefined) return [name, part];
      const response = follow(document, shared) as ErrorResponse;
      const component = shared.slice(prefix.length) + allowed.map(capitalised).join("");
      named.set(component, withMethods(response, allowed, document));
      return [name, { ...(part as object), responses: { ...responses, 405: { $ref: prefix + component } } }];
    });
    return [path, Object.fromEntries(operations)];
  });
  const isShared = (name: string) => /^\w*MethodNotAllowed(Error)?$/.test(name);
  const {
    responses = {},
    examples = {},
    headers: { Allow: _shared, ...headers } = {},
    ...components
  } = document.components;
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: {
      ...components,
      headers,
      responses: { ...without(responses, isShared), ...Object.fromEntries(named) },
      examples: without(examples, isShared),
    },
  };
}

const prefix = "#/components/responses/";

function withMethods(
  { content, headers, ...response }: ErrorResponse,
  allowed: readonly string[],
  document: BundledDocument,
): object {
  const shown = allowed.map((method) => method.toUpperCase());
  const allow = shown.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)).join(", ");
  const say = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll("{allowed}", shown.join(" or ")));
  const { examples = {}, ...json } = content["application/json"];
  const described = Object.entries(examples).map(([name, { $ref }]) => [name, say(follow(document, $ref))]);
  return {
    ...response,
    headers: { ...headers, allow: { ...headerOf(document), schema: { type: "string", examples: [allow] } } },
    content: {
      "application/json": {
        ...json,
        ...(described.length === 0
          ? { example: say(json.example) }
          : { examples: Object.fromEntries(described) }),
      },
    },
  };
}

function headerOf(document: BundledDocument): object {
  return document.components.headers?.Allow as object;
}

/** @param reference Such as `#/components/examples/MethodNotAllowedError`. */
function follow({ components }: BundledDocument, reference: string): unknown {
  const [, , kind = "", name = ""] = reference.split("/");
  return components[kind]?.[name];
}

function without(
  all: Readonly<Record<string, unknown>>,
  isLeftOut: (name: string) => boolean,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !isLeftOut(name)));
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
