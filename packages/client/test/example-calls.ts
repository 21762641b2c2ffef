import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { type ClientMethod, clientMethods } from "../src/spec.js";

/** A call of a method with the examples of the spec, and the example of its response. */
export interface ExampleCall {
  readonly name: string;
  readonly method: ClientMethod;
  /** The arguments before the options. */
  readonly given: readonly unknown[];
  /** The URL of the request, from its path on. */
  readonly url: string;
  /** The text of the response. */
  readonly response: string;
  readonly contentType: string;
  /** The result: text in place of bytes, and a list in place of an iterable. */
  readonly result: unknown;
}

const specFile = createRequire(import.meta.url).resolve("@model-gateway/spec/openapi.json");
const { paths, components } = JSON.parse(await readFile(specFile, "utf8"));

/** A call of every method of the client. */
export const exampleCalls: readonly ExampleCall[] = Object.entries<ClientMethod>(clientMethods).map(
  ([name, method]) => {
    const { operation, parameters, url } = requestOf(method);
    const given = method.takes.map((argument) => {
      if (argument === "query") return parameters.query;
      return argument === "body" ? bodyOf(operation, method) : parameters.path[argument];
    });
    // The link of an image is one argument.
    const link = name === "retrieveImageFile" ? [url] : given;
    return { name, method, given: link, url, ...responseOf(operation, method) };
  },
);

/** A call as the text of an expression. */
export function asSource({ name, given }: ExampleCall): string {
  return `client.${name}(${given.map(literal).join(", ")})`;
}

function literal(value: unknown): string {
  if (value instanceof Blob) return "new Blob([])";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${literal(inner)}`);
  return `{ ${fields.join(", ")} }`;
}

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON of any depth.
type Node = any;

function follow(node: Node): Node {
  if (node?.$ref === undefined) return node;
  const [, , kind, name] = node.$ref.split("/");
  return follow(components[kind][name]);
}

function firstExample(content: Node): Node {
  return follow(Object.values(content.examples)[0]).value;
}

function requestOf({ request }: ClientMethod) {
  const [verb = "", path = ""] = request.split(" ");
  const item = paths[path];
  const operation = item[verb.toLowerCase()];
  const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(follow);
  const valuesIn = (place: string): Record<string, unknown> =>
    Object.fromEntries(
      all.filter((parameter) => parameter.in === place).map(({ name, example }) => [name, example]),
    );
  // A list begins with its first page.
  const { cursor: _cursor, after: _after, ...query } = valuesIn("query");
  const parameters = { path: valuesIn("path"), query };
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parameters.path[name])));
  const pairs = Object.entries(query).map(
    ([name, value]) =>
      `${name}=${[value]
        .flat()
        .map((part) => encodeURIComponent(String(part)))
        .join(",")}`,
  );
  return { operation, parameters, url: pairs.length === 0 ? filled : `${filled}?${pairs.join("&")}` };
}

/** `@` stands for a file in the example of a form. */
function bodyOf({ requestBody }: Node, { files }: ClientMethod): unknown {
  const { "application/json": json, "multipart/form-data": form } = requestBody.content;
  const example = firstExample(files === undefined ? json : form);
  const fields = Object.entries(example).map(([name, value]) => [
    name,
    files !== undefined && Object.hasOwn(files, name) ? new Blob([]) : value,
  ]);
  return Object.fromEntries(fields);
}

function responseOf({ responses }: Node, { returns, type, has, events = {} }: ClientMethod) {
  if (returns === "bytes") {
    const contentType = type === "image/" ? "image/png" : (type ?? "");
    return { contentType, response: "bytes", result: "bytes" };
  }
  if (returns === "events") {
    const result = Object.entries(events).map(([event, property]) => ({ type: event, [property]: "x" }));
    const response = result.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    return { contentType: "text/event-stream", response, result };
  }
  const { content } = follow(responses[returns === "job" ? "202" : "200"]);
  if (returns === "text") {
    const response = firstExample(content[type ?? ""]);
    return { contentType: type ?? "", response, result: response };
  }
  const document = firstExample(content["application/json"]);
  if (has === undefined) throw new Error("A document has a property by which it is recognized.");
  const result = returns === "pages" ? document.data : document;
  return { contentType: "application/json", response: JSON.stringify(document), result };
}
