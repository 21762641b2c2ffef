/** The part of the document that requests are validated against. */
export interface RequestDocument {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, never>> };
}

type PathItem = Readonly<Record<string, unknown>>;

/** The bundled document: every reference points into the document itself. */
export interface BundledDocument {
  /** Requests that the gateway sends. */
  readonly webhooks?: unknown;
  readonly tags?: unknown;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * The part of the document that describes requests, with every reference resolved, and without texts that only people
 * read. Responses, examples and samples are nine tenths of the document, which no start of the gateway then reads.
 */
export function requestDocument(document: BundledDocument): RequestDocument {
  const { webhooks: _webhooks, tags: _tags, ...served } = document;
  const resolve = createResolver(document.components);
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [path, resolve(withoutResponses(item)) as PathItem]),
  );
  return withoutTexts({ ...served, paths, components: { schemas: {} } }) as RequestDocument;
}

function withoutResponses(item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item).map(([name, part]) =>
      isObject(part) && "responses" in part ? [name, { ...part, responses: {} }] : [name, part],
    ),
  );
}

const texts: ReadonlySet<string> = new Set([
  "summary",
  "description",
  "example",
  "examples",
  "x-codeSamples",
]);

/** @param isNamed Whether the keys of the node are names that the document chooses, such as those of properties. */
function withoutTexts(node: unknown, isNamed = false): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutTexts(item));
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(isNamed ? node : withoutDefaulted(node))
      .filter(([key]) => isNamed || !texts.has(key))
      .map(([key, inner]) => [key, withoutTexts(inner, !isNamed && key === "properties")]),
  );
}

/**
 * A schema without the requirement of the properties in `x-operator-default`. Clients must send them, so that their types
 * are those of the official clients; the gateway has a default of its operator, or refuses the request itself.
 */
function withoutDefaulted({ "x-operator-default": defaulted, ...schema }: Record<string, unknown>): object {
  const { required } = schema;
  if (!Array.isArray(defaulted) || !Array.isArray(required)) return schema;
  return { ...schema, required: required.filter((name) => !defaulted.includes(name)) };
}

/** The fields beside `$ref` that do not matter for validation. */
interface Reference {
  readonly $ref?: unknown;
  readonly description?: unknown;
  readonly summary?: unknown;
}

/** Replaces references by their components. */
export function createResolver(components: BundledDocument["components"]): (node: unknown) => unknown {
  const started = new Set<string>();
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (!isObject(node)) return node;
    if (typeof node.$ref === "string") return resolveReference(node.$ref, node);
    return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, resolve(inner)]));
  };
  const resolveReference = (
    reference: string,
    { $ref, description, summary, ...beside }: object & Reference,
  ): unknown => {
    if (Object.keys(beside).length > 0)
      throw new Error(`The spec has ${Object.keys(beside)} beside ${reference}, where it would be ignored.`);
    if (started.has(reference))
      throw new Error(`The spec refers to ${reference} from within that component.`);
    const [, kind = "", name = ""] = /^#\/components\/(\w+)\/([^/]+)$/.exec(reference) ?? [];
    const component = components[kind]?.[name];
    if (component === undefined) throw new Error(`The spec refers to ${reference}, which does not exist.`);
    started.add(reference);
    const resolved = resolve(component);
    started.delete(reference);
    return resolved;
  };
  return resolve;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
