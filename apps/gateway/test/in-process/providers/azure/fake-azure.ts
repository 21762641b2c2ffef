import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { z } from "zod";
import { readRequest } from "../../../fake-upstream/read-request.mjs";
import type { ReceivedRequest } from "../../../fake-upstream/script.js";
import { paintMasked } from "../paint-masked.js";
import type { FakeReply, StrictServer } from "../strict-server.js";
import { type Issue, startTokenIssuer, type TokenIssuer } from "../token-issuer.js";
import { base64Of, countWords, unitVector } from "../unit-vectors.js";

export const azureKey = "azure-secret";
const native = 1536;
/** A word counts as a token. */
const contextTokens = 8191;

/** A resource with the deployments `embed` and `paint`. */
export interface FakeAzure extends StrictServer {
  readonly entra: TokenIssuer;
  /** The paths of all authorised requests, with their query. */
  readonly paths: string[];
  readonly forms: ReceivedRequest["parts"][];
}

const embeddingBody = z.strictObject({
  model: z.string().optional(),
  input: z.union([z.string().min(1), z.array(z.union([z.string().min(1), z.array(z.int())])).min(1)]),
  encoding_format: z.enum(["float", "base64"]).optional(),
  dimensions: z.int().positive().max(native).optional(),
  user: z.string().optional(),
});
const imageFields = {
  model: z.string().optional(),
  prompt: z.string().min(1),
  size: z.enum(["auto", "1024x1024", "1536x1024", "1024x1536"]).optional(),
  quality: z.enum(["auto", "low", "medium", "high"]).optional(),
  background: z.enum(["auto", "transparent", "opaque"]).optional(),
  output_format: z.enum(["png", "jpeg"]).optional(),
  user: z.string().optional(),
  safety_identifier: z.string().optional(),
};
const imageBody = z.strictObject({
  ...imageFields,
  n: z.int().min(1).max(10).optional(),
  moderation: z.enum(["auto", "low"]).optional(),
});
const editBody = z.strictObject({ ...imageFields, n: z.string().optional() });
type Path = "embeddings" | "images/generations" | "images/edits";

export async function startFakeAzure(): Promise<FakeAzure> {
  const fake = {
    bodies: [] as unknown[],
    scripted: [] as FakeReply[],
    paths: [] as string[],
    forms: [] as ReceivedRequest["parts"][],
    entra: await startTokenIssuer(issueToken),
  };
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) =>
    readRequest(request, async (got) => {
      send(response, fake.scripted.shift() ?? (await answer(got, fake)));
    }),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    ...fake,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      fake.entra.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Tokens for an app registration, and for the managed identity of an App Service. */
const issueToken: Issue = ({ method, path, headers, text }) => {
  const resource = "https://cognitiveservices.azure.com";
  if (method === "GET") {
    const query = `api-version=2019-08-01&resource=${encodeURIComponent(resource)}`;
    if (path !== `/msi/token?${query}` || headers["x-identity-header"] !== "machine-secret") return undefined;
    return { expires_on: String(Math.floor(Date.now() / 1000) + 3600), resource };
  }
  const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
  const expected = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: "an-app",
    client_secret: "app-secret",
    scope: `${resource}/.default`,
  });
  return isForm && path === "/a-tenant/oauth2/v2.0/token" && text === expected.toString()
    ? { expires_in: 3599 }
    : undefined;
};

async function answer(
  got: ReceivedRequest,
  fake: Pick<FakeAzure, "entra" | "paths" | "forms" | "bodies">,
): Promise<FakeReply> {
  const { headers } = got;
  if (headers["api-key"] !== azureKey && !fake.entra.isValid(String(headers.authorization)))
    return refused(401, "401", "Access denied due to invalid subscription key or wrong API endpoint.");
  fake.paths.push(got.path);
  const route = routeOf(got.path, String(got.body.model));
  if (route === undefined) return refused(404, "404", "Resource not found");
  const { path, deployment } = route;
  if (deployment !== "embed" && deployment !== "paint")
    return refused(404, "DeploymentNotFound", "The API deployment for this resource does not exist.");
  if ((deployment === "embed") !== (path === "embeddings"))
    return refused(400, "OperationNotSupported", "The operation does not work with the specified model.");
  const schema = { embeddings: embeddingBody, "images/generations": imageBody, "images/edits": editBody }[
    path
  ];
  const parsed = schema.safeParse(got.body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refused(400, "invalid_request", issue?.message ?? "", String(issue?.path.join(".")));
  }
  fake.bodies.push(parsed.data);
  fake.forms.push(got.parts);
  if (path === "embeddings") return embed(embeddingBody.parse(got.body));
  if (String(got.body.prompt).includes("forbidden")) return filtered;
  return paintImages(path, got);
}

/** The classic path needs a date; v1 takes none, and has images only in its preview. */
function routeOf(url: string, model: string): { path: Path; deployment: string } | undefined {
  const classic =
    /^\/openai\/deployments\/([^/]+)\/(embeddings|images\/generations|images\/edits)\?api-version=(\d{4}-\d\d-\d\d(?:-preview)?)$/.exec(
      url,
    );
  if (classic !== null) {
    const isOld = classic[2] !== "embeddings" && classic[3] !== "2025-04-01-preview";
    return isOld ? undefined : { path: classic[2] as Path, deployment: classic[1] ?? "" };
  }
  if (/^\/openai\/v1\/embeddings(\?api-version=(v1|preview))?$/.test(url))
    return { path: "embeddings", deployment: model };
  return url === "/openai/v1/images/generations?api-version=preview"
    ? { path: "images/generations", deployment: model }
    : undefined;
}

function embed({ input, dimensions, encoding_format }: z.output<typeof embeddingBody>): FakeReply {
  const texts = (typeof input === "string" ? [input] : input).map(String);
  if (texts.length > 2048) return refused(400, "invalid_request", "array length must be 2048 or less");
  const long = texts.findIndex((text) => countWords([text]) > contextTokens);
  if (long !== -1)
    return refused(400, null, `Invalid 'input[${long}]': maximum context length is ${contextTokens} tokens.`);
  const tokens = countWords(texts);
  return {
    body: {
      object: "list",
      model: "text-embedding-3-small",
      usage: { prompt_tokens: tokens, total_tokens: tokens },
      data: texts.map((text, index) => {
        const vector = unitVector(text, { width: dimensions ?? native, native });
        return {
          object: "embedding",
          index,
          embedding: encoding_format === "base64" ? base64Of(vector) : vector,
        };
      }),
    },
  };
}

async function paintImages(path: Path, got: ReceivedRequest): Promise<FakeReply> {
  const { n = 1, size = "1024x1024", output_format = "png" } = got.body;
  const [width = 8, height = 8] = String(size)
    .split("x")
    .map((side) => Number(side) / 64 || 16);
  const image =
    path === "images/edits"
      ? await paintTransparent(got)
      : sharp({ create: { width, height, channels: 3, background: "teal" } });
  const b64_json = (await image.toFormat(output_format as "png").toBuffer()).toString("base64");
  const content_filter_results = { hate: { filtered: false, severity: "safe" } };
  return {
    body: {
      created: 1_763_000_000,
      data: Array.from({ length: Number(n) }, () => ({ b64_json, content_filter_results })),
      usage: {
        input_tokens: 10,
        input_tokens_details: { text_tokens: 10, image_tokens: 0 },
        output_tokens: 100,
        total_tokens: 110,
      },
    },
  };
}

/** Paints the mask's transparent pixels. The mask must have an alpha channel. */
async function paintTransparent({ parts }: ReceivedRequest) {
  const content = (name: string) => parts.find((part) => part.name === name)?.content ?? Buffer.alloc(0);
  const selected = await sharp(content("mask")).extractChannel("alpha").negate().png().toBuffer();
  return paintMasked(content("image"), selected);
}

/** https://learn.microsoft.com/en-us/azure/ai-foundry/openai/concepts/content-filter */
const filtered: FakeReply = {
  status: 400,
  body: {
    error: {
      code: "contentFilter",
      message: "Your task failed as a result of our safety system.",
      param: null,
      type: "invalid_request_error",
      inner_error: {
        code: "ResponsibleAIPolicyViolation",
        content_filter_results: { violence: { filtered: true, severity: "high" } },
      },
    },
  },
};

function refused(
  status: number,
  code: string | null,
  message: string,
  param: string | null = null,
): FakeReply {
  return { status, body: { error: { code, message, param, type: "invalid_request_error" } } };
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: FakeReply): void {
  response.writeHead(status, { "content-type": "application/json", "apim-request-id": "1", ...headers });
  response.end(JSON.stringify(body));
}
