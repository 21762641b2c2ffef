import type { Schemas } from "@model-gateway/domain/operations";
import type { Exchange, RemoteCaller } from "../remote/remote-gateway.js";

/** The outcome of one request that a program would send. The names are those of the JSON. */
export interface Check {
  readonly request: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Embeds as a program does, and reads the vectors as it does. */
export async function checkEmbedding(
  caller: RemoteCaller,
  {
    request = "POST /v1/embeddings",
    headers = {},
    body,
  }: {
    readonly request?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: Schemas["CreateEmbeddingRequest"];
  },
): Promise<Check> {
  return check(request, await post(caller, "/v1/embeddings", { headers, body }), (document) => {
    const { data = [] } = document as Partial<Schemas["CreateEmbeddingResponse"]>;
    const widths = new Set(data.map(({ embedding }) => widthOf(embedding)));
    const [width] = widths;
    if (widths.size !== 1 || !width) return undefined;
    return `${data.length} ${data.length === 1 ? "vector" : "vectors"} of ${width} numbers`;
  });
}

export async function checkImage(caller: RemoteCaller, body: Schemas["CreateImageRequest"]): Promise<Check> {
  const exchange = await post(caller, "/v1/images/generations", { headers: {}, body });
  return check("POST /v1/images/generations", exchange, (document) => {
    const { data = [] } = document as Partial<Schemas["ImagesResponse"]>;
    const bytes = Buffer.from(data?.[0]?.b64_json ?? "", "base64").length;
    return bytes === 0 ? undefined : `an image of ${bytes} bytes`;
  });
}

export async function checkModels(caller: RemoteCaller): Promise<Check> {
  const exchange = await caller.exchange("/v1/models", { method: "GET" });
  return check("GET /v1/models", exchange, (document) => {
    const { data } = document as Partial<Schemas["ModelList"]>;
    return Array.isArray(data) ? `${data.length} models` : undefined;
  });
}

function post(
  caller: RemoteCaller,
  path: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: object },
): Promise<Exchange> {
  return caller.exchange(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** @param describe Undefined for a document that the program could not use. */
function check(
  request: string,
  { status, text }: Exchange,
  describe: (document: object) => string | undefined,
): Check {
  const document = parse(text);
  if (document === undefined)
    return { request, ok: false, detail: `The response has status ${status} and is not JSON.` };
  if (status !== 200) {
    const { error } = document as Partial<Schemas["ErrorResponse"]>;
    return { request, ok: false, detail: error?.message ?? `The response has status ${status}.` };
  }
  const detail = describe(document);
  return { request, ok: detail !== undefined, detail: detail ?? "The response lacks the expected data." };
}

function parse(text: string): object | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === "object" && document !== null ? document : undefined;
  } catch {
    return undefined;
  }
}

const floatBytes = 4;

/** The length of a vector, as numbers or as the base64 of 32-bit floats. */
function widthOf(embedding: unknown): number {
  if (Array.isArray(embedding)) return embedding.length;
  return typeof embedding === "string" ? Buffer.from(embedding, "base64").length / floatBytes : 0;
}
