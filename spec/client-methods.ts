import type { ClientMethod } from "./client-method.js";
import type { BundledDocument } from "./request-document.js";

/** A method with what only its types and its texts need. */
export interface DescribedMethod extends ClientMethod {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  /** The schemas of the body, one for each content type. */
  readonly bodies: readonly string[];
}

/** The methods of the client by name: those of all operations, except the ones in the form of another API. */
export function clientMethods(document: ClientDocument): ReadonlyMap<string, DescribedMethod> {
  const { components, paths, security, tags } = document;
  const follow = followIn(components);
  const otherApis = new Set(tags.filter((tag) => tag["x-other-api"]).map(({ name }) => name));
  const operations = Object.entries(paths).flatMap(([path, item]) => {
    const { parameters = [], ...verbs } = item as unknown as PathItem;
    return Object.entries(verbs).map(([verb, operation]) => ({
      request: `${verb.toUpperCase()} ${path}`,
      operation: { security, ...operation, parameters: [...parameters, ...(operation.parameters ?? [])] },
    }));
  });
  const own = operations.filter(
    ({ operation: { operationId, tags = [] } }) => operationId && !tags.some((tag) => otherApis.has(tag)),
  );
  return new Map(own.flatMap((given) => methodsOf(given, follow)));
}

/** The document. `x-other-api` marks a tag: its operations have the form of another API, whose clients call them. */
export interface ClientDocument extends BundledDocument {
  readonly security: Security;
  readonly tags: readonly { readonly name: string; readonly "x-other-api"?: boolean }[];
}

type PathItem = Readonly<Record<string, SpecOperation>> & {
  readonly parameters?: SpecOperation["parameters"];
};

interface SpecOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly security?: Security;
  readonly parameters?: readonly (Reference | Parameter)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Reference | Response>>;
}

/** With what it shares with others: the security of the document, and the parameters of its path. */
type Operation = SpecOperation & Required<Pick<SpecOperation, "security" | "parameters">>;

type Security = readonly Readonly<Record<string, unknown>>[];

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly explode?: boolean;
  readonly schema: Reference | Schema;
}

interface Response {
  readonly content?: Content;
}

type Content = Readonly<Record<string, MediaType>>;

interface MediaType {
  readonly schema: Reference | Schema;
  readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>;
  readonly examples?: Readonly<Record<string, Reference | Example>>;
}

interface Example {
  readonly value: Readonly<Record<string, unknown>>;
}

interface Schema {
  readonly type?: string;
  readonly const?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Reference | Schema>>;
  readonly oneOf?: readonly (Reference | Schema)[];
}

interface Reference {
  readonly $ref: string;
}

type Follow = <Found>(node: Reference | Found) => Found;

/** @returns Follows references, one after the other. */
function followIn(components: BundledDocument["components"]): Follow {
  const follow = <Found>(node: Reference | Found): Found => {
    if (typeof node !== "object" || node === null || !("$ref" in node)) return node as Found;
    const [, , kind = "", name = ""] = node.$ref.split("/");
    return follow(components[kind]?.[name] as Reference | Found);
  };
  return follow;
}

interface Given {
  readonly request: string;
  readonly operation: Operation;
}

/** An operation as one method, or as several where its response has several forms. */
function methodsOf({ request, operation }: Given, follow: Follow): (readonly [string, DescribedMethod])[] {
  const id = operation.operationId;
  const contentAt = (status: string) => follow(operation.responses[status] ?? {})?.content ?? {};
  const { "application/json": document, "text/event-stream": stream, ...others } = contentAt("200");
  const { "application/json": accepted } = contentAt("202");
  const query = parametersIn("query", operation, follow);
  const cursor = query.find((name) => name === "cursor" || name === "after");
  const shared = { ...sharedFacts({ request, operation }, follow), ...formFacts(operation, follow) };
  const methods: [string, DescribedMethod][] = [];
  const add = (name: string, facts: Pick<DescribedMethod, "returns"> & Partial<DescribedMethod>) =>
    methods.push([name, { ...shared, ...facts }]);
  if (document) add(id, { returns: "document", ...documentFacts(document, follow) });
  if (stream) {
    const facts = { returns: "events" as const, ...eventFacts(stream, follow) };
    if (document)
      add(`${id}Stream`, { ...facts, until: completedOf(facts.events), ...described(id, "stream") });
    else add(id, facts);
  }
  if (accepted)
    add(`${id}Job`, { returns: "job", ...documentFacts(accepted, follow), ...described(id, "job") });
  if (document && cursor !== undefined)
    add(id.replace(/^list/, "iterate"), {
      returns: "pages",
      ...documentFacts(document, follow),
      cursor,
      ...described(id, "pages"),
    });
  if (Object.keys(others).length > 0) {
    const facts = { type: commonType(Object.keys(others)) };
    const returns = facts.type.startsWith("text/") ? "text" : "bytes";
    const table = { accept: facts.type, ...described(id, cursor ? "pagedTable" : "table") };
    if (document) add(`${id}Table`, { returns, ...facts, ...table });
    else add(id, { returns, ...facts });
  }
  return methods;
}

type Shared = Omit<DescribedMethod, "returns">;

function sharedFacts({ request, operation }: Given, follow: Follow): Shared {
  const { operationId, summary, description, security, tags = [], requestBody, deprecated } = operation;
  const [firstParagraph = ""] = description.split("\n\n");
  const takes = [
    ...parametersIn("path", operation, follow),
    ...(requestBody ? ["body"] : []),
    ...(parametersIn("query", operation, follow).length > 0 ? ["query"] : []),
  ];
  return {
    operation: operationId,
    request,
    keys: keysOf(security),
    takes,
    ...(tags.includes("Health") ? { probe: true } : {}),
    tag: tags[0] ?? "",
    summary,
    description: firstParagraph.trim(),
    isDeprecated: deprecated === true,
    bodies: Object.values(requestBody?.content ?? {}).map(({ schema }) => nameOf(schema)),
  };
}

function nameOf(schema: Reference | Schema): string {
  if (!("$ref" in schema)) throw new Error(`The schema of a body needs a name: ${JSON.stringify(schema)}.`);
  return schema.$ref.split("/").at(-1) ?? "";
}

function parametersIn(place: Parameter["in"], operation: Operation, follow: Follow): string[] {
  const found = operation.parameters.map(follow<Parameter>).filter((parameter) => parameter.in === place);
  for (const { name, explode, schema } of found)
    if (follow(schema).type === "array" && explode !== false)
      throw new Error(
        `${operation.operationId}: '${name}' is repeated; the client sends a list with commas.`,
      );
  return found.map(({ name }) => name);
}

/** The keys in the order of the document. A session may be in place of either key, and that of an operator goes first. */
function keysOf(security: Security): ClientMethod["keys"] {
  const schemes = security.flatMap((requirement) => Object.keys(requirement));
  const keys = schemes.flatMap((scheme) => keysOfSchemes[scheme] ?? []);
  return keys.length === 0 && schemes.includes("session") ? ["adminKey", "apiKey"] : [...new Set(keys)];
}

const keysOfSchemes: Readonly<Record<string, ClientMethod["keys"]>> = {
  bearer: ["apiKey"],
  apiKey: ["apiKey"],
  adminKey: ["adminKey"],
};

/** The files have the names in the example, where `@` stands for the bytes of a file. */
function formFacts({ requestBody }: Operation, follow: Follow): Pick<ClientMethod, "files" | "json"> {
  const { "multipart/form-data": form, "application/json": json } = requestBody?.content ?? {};
  if (form === undefined) return {};
  const [example] = Object.values(form.examples ?? {}).map(follow<Example>);
  const names = Object.entries(form.encoding ?? {}).map(([field, { contentType }]) => {
    const isImage = contentType.startsWith("image/");
    return [field, isImage ? field : String(example?.value[field]).replace("@", "")];
  });
  return { files: Object.fromEntries(names), ...(json ? { json: true } : {}) };
}

function documentFacts({ schema }: MediaType, follow: Follow): Pick<ClientMethod, "object" | "has"> {
  const { required = [], properties = {} } = follow(schema) as Schema;
  const object = properties.object && (follow(properties.object) as Schema).const;
  const has = required.find((name) => name !== "object");
  if (has === undefined) throw new Error(`The document has no required property: ${JSON.stringify(schema)}.`);
  return { ...(object === undefined ? {} : { object }), has };
}

function eventFacts({ schema }: MediaType, follow: Follow): { readonly events: Record<string, string> } {
  const events = ((follow(schema) as Schema).oneOf ?? []).flatMap((event) => {
    const { properties = {}, required = [] } = follow(event) as Schema;
    const { const: type = "" } = follow(properties.type ?? {}) as Schema;
    return type === "error" ? [] : [[type, required.find((name) => name !== "type") ?? ""]];
  });
  return { events: Object.fromEntries(events) };
}

/** The event that ends the work: a stream in place of a document is not complete without it. */
function completedOf(events: Readonly<Record<string, string>>): string {
  const type = Object.keys(events).find((name) => name.endsWith(".completed"));
  if (type === undefined) throw new Error(`None of the events completes: ${Object.keys(events)}.`);
  return type;
}

/** The beginning that the content types share: of several images, `image/`. */
function commonType(types: readonly string[]): string {
  const [first = ""] = types;
  return types.length === 1 ? first : `${first.split("/")[0]}/`;
}

const variants = {
  stream: {
    summary: "as a stream",
    description:
      "yields each event as it arrives. A failure after the first event is thrown as a `GatewayRequestError`.",
  },
  job: { summary: "as a job", description: "resolves at once, with the job. `retrieveJob` has its result." },
  pages: {
    summary: "every page",
    description:
      "yields the entries of all pages. A page is fetched when the loop needs it. One that fails is thrown as a `GatewayRequestError`.",
  },
  table: { summary: "as CSV", description: "resolves to CSV." },
  pagedTable: {
    summary: "as CSV",
    description: "resolves to CSV. The header `x-next-cursor` of `response` has the cursor of the next page.",
  },
};

/** The texts of a further method of an operation. */
function described(
  id: string,
  variant: keyof typeof variants,
): Pick<DescribedMethod, "summary" | "description"> {
  const { summary, description } = variants[variant];
  return { summary: `\`${id}\` ${summary}`, description: `As \`${id}\`, but ${description}` };
}
