import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import { openUpstream } from "@model-gateway/providers/registry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../../src/telemetry/log.js";
import { type Collector, startCollector } from "../../src/telemetry/otlp/test/collector.js";
import { openTracer } from "../../src/telemetry/traces/traces.js";
import { type Receiver, startReceiver } from "../../src/webhooks/test/receiver.js";
import { type InProcessGateway, startGateway } from "../gateway/in-process.js";
import { testAdminKey, testKey } from "../gateway/test-gateway.js";

/** With letters that base64 and URLs write in another way. */
const keyOf = (name: string) => `sk-${name}/Zk3+9q=7Hd2-mX8vT_0w`;
const issuedToken = "ya29.an-issued+token/of~sixty.letters-0123456789abcdefghijk";
const headerSecret = "tenant secret 4711/4712";
const admin = { headers: { authorization: `Bearer ${testAdminKey}` } };

/** Each provider's wording of a refusal. */
const shapes: Readonly<Record<string, (message: string) => unknown>> = {
  openai: (message) => ({ error: { message, type: "invalid_request_error", param: message, code: null } }),
  "openai-compatible": (message) => ({ object: "error", message, code: 400 }),
  azure: (message) => ({ error: { message, code: "BadRequest" } }),
  "azure-entra": (message) => ({ error: { message, code: "BadRequest" } }),
  gemini: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  vertex: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  bedrock: (message) => ({ message }),
  cohere: (message) => ({ id: "1", message }),
  voyage: (message) => ({ detail: message }),
  jina: (message) => ({ detail: message }),
  mistral: (message) => ({ object: "error", message, type: "invalid_request_error" }),
  ollama: (message) => ({ error: message }),
  tei: (message) => ({ error: message, error_type: "Validation" }),
  stability: (message) => ({ id: "1", name: "bad_request", errors: [message] }),
  bfl: (message) => ({ detail: [{ loc: ["body", "prompt"], msg: message, type: "value_error" }] }),
  replicate: (message) => ({ title: "Invalid", detail: message, status: 422 }),
  fal: (message) => ({ detail: [{ loc: ["body", "prompt"], msg: message, type: "value_error" }] }),
  dashscope: (message) => ({ code: "InvalidParameter", message, request_id: "1" }),
  ark: (message) => ({ error: { code: "InvalidParameter", message, param: "", type: "BadRequest" } }),
  together: (message) => ({
    id: "1",
    error: { message, type: "invalid_request_error", param: null, code: null },
  }),
  ideogram: (message) => ({ error: message }),
  recraft: (message) => ({ code: "invalid_request", message }),
  automatic1111: (message) => ({ error: "Error", detail: message, errors: message }),
};

/** The upstream's settings beside its provider and URL. */
const settings: Readonly<Record<string, string>> = {
  "azure-entra": "",
  vertex: "project: p, location: europe-west4",
  bedrock: `region: eu-west-1, accessKeyId: AKIAECHO0123456789, secretAccessKey: "${keyOf("aws")}", sessionToken: "${keyOf("bedrock")}"`,
  automatic1111: `username: operator, password: "${keyOf("automatic1111")}"`,
};
const imageModels: Readonly<Record<string, string>> = {
  stability: "sd3.5-large",
  bfl: "flux-2-pro",
  replicate: "black-forest-labs/flux-schnell",
  fal: "fal-ai/flux/dev",
  dashscope: "qwen-image-3.0",
  ark: "doubao-seedream-4-0-250828",
  together: "black-forest-labs/FLUX.1-schnell",
  ideogram: "ideogram-v3",
  recraft: "recraftv4_1",
  automatic1111: "sd_xl_base_1.0",
};
const embeddingModels: Readonly<Record<string, string>> = {
  bedrock: "amazon.titan-embed-text-v2:0",
  vertex: "text-embedding-005",
  gemini: "gemini-embedding-001",
  cohere: "embed-v4.0",
  voyage: "voyage-3.5",
  jina: "jina-embeddings-v3",
  mistral: "mistral-embed",
};
const secretHeaders = [
  "authorization",
  "api-key",
  "x-goog-api-key",
  "x-key",
  "x-amz-security-token",
  "x-tenant",
];

let echo: Server;
let origin: string;
let gateway: InProcessGateway;
let receiver: Receiver;
let collector: Collector;

/** Quotes its request, in three spellings, in the body and in headers. `/token` issues a token instead. */
async function respond(request: IncomingMessage): Promise<{ status: number; body: unknown; quoted: string }> {
  await text(request);
  const path = request.url ?? "";
  if (path.includes("token"))
    return { status: 200, body: { access_token: issuedToken, expires_in: 3600 }, quoted: "" };
  const values = secretHeaders.flatMap((name) => request.headers[name] ?? []).map(String);
  const words = values.flatMap((value) => [value, value.replace(/^(Bearer|Key|Token|Basic) /i, "")]);
  const quoted = words
    .flatMap((word) => [
      word,
      Buffer.from(word).toString("base64"),
      Buffer.from(`credentials=${word};`).toString("base64url"),
      encodeURIComponent(word),
    ])
    .join(" ");
  const name = path.split("/")[1] ?? "";
  // Long enough for the message to be cut somewhere in a secret.
  const message = `The request was refused: ${quoted} ${quoted} ${quoted} ${quoted}`;
  return { status: 400, body: shapes[name]?.(message) ?? {}, quoted };
}

beforeAll(async () => {
  echo = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const { status, body, quoted } = await respond(request);
    response.writeHead(status, {
      "content-type": "application/json",
      "x-request-id": quoted.slice(0, 500),
      "x-ratelimit-limit-requests": quoted.slice(0, 500),
      "openai-organization": quoted.slice(0, 500),
    });
    response.end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(echo, "listening");
  origin = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  receiver = await startReceiver();
  collector = await startCollector();
  const config = configuration();
  const tracer = await openTracer({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    log: createLog("silent", { write: () => undefined }, new SecretFilter()),
    secrets: new SecretFilter(Object.keys(shapes).map(keyOf)),
  });
  gateway = await startGateway(config, {
    tracer,
    openUpstream: (upstream, tools) =>
      openUpstream(upstream, {
        ...tools,
        environment: { GCE_METADATA_HOST: new URL(origin).host },
      }),
  });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
  await collector.close();
  echo.closeAllConnections();
  echo.close();
});

function configuration(): string {
  const names = Object.keys(shapes);
  const upstreams = names.map((name) => {
    const provider = name === "azure-entra" ? "azure" : name;
    const own =
      name === "azure-entra"
        ? `entra: { tenantId: t, clientId: c, clientSecret: "${keyOf("entra")}", tokenUrl: "${origin}/token" }`
        : (settings[name] ?? `apiKey: "${keyOf(name)}"`);
    return `  ${name}: { provider: ${provider}, baseUrl: "${origin}/${name}", ${own}, headers: { x-tenant: "${headerSecret}" } }`;
  });
  const models = names.map((name) => {
    const image = imageModels[name];
    const model = image ?? embeddingModels[name] ?? "echo-model";
    const width = `${image === undefined ? ", dimensions: 768" : ""}${name === "cohere" ? ", inputType: document" : ""}`;
    return `  ${name}: { type: ${image === undefined ? "embedding" : "image"}${width}, targets: [{ upstream: ${name}, model: "${model}" }] }`;
  });
  return [
    "upstreams:",
    ...upstreams,
    "models:",
    ...models,
    `webhooks: [{ url: "${receiver.url}", secret: "${receiver.secret}" }]`,
  ].join("\n");
}

/** Parts of every spelling that can only come from the secret. */
function traces(secret: string): string[] {
  const encoded = ["", "x", "xx"].map((before) =>
    Buffer.from(`${before}${secret}`).toString("base64").slice(4, -8),
  );
  return [secret, secret.slice(0, -3), encodeURIComponent(secret), ...encoded].flatMap((spelling) => [
    spelling,
    spelling.replaceAll("+", "-").replaceAll("/", "_"),
  ]);
}

const secretOf = (name: string): string =>
  name === "vertex" || name === "azure-entra" ? issuedToken : keyOf(name);

function expectNone(texts: readonly string[]): void {
  const secrets = [...Object.keys(shapes).map(secretOf), headerSecret, keyOf("aws"), keyOf("entra")];
  const whole = texts.join("\n");
  expect(secrets.flatMap(traces).filter((part) => whole.includes(part))).toEqual([]);
}

const adminPaths = ["upstreams", "models", "requests", "alerts", "configuration", "keys", "usage"];

describe("an upstream that quotes the credentials it was sent", () => {
  test.each(Object.keys(shapes))("%s: they do not reach the caller", async (name) => {
    const isImage = imageModels[name] !== undefined;
    const response = await gateway.sendJson(
      isImage ? "/v1/images/generations" : "/v1/embeddings",
      isImage ? { model: name, prompt: "a cat" } : { model: name, input: "a cat" },
    );
    const body = await response.text();

    // Ollama refuses its own failures with 400, so its words are not for the caller.
    const isQuoted = name !== "ollama";
    expect(response.status).toBe(isQuoted ? 400 : 502);
    expect(body.includes("The request was refused: ")).toBe(isQuoted);
    expect(body.includes("(redacted)")).toBe(isQuoted);
    expectNone([body, JSON.stringify([...response.headers])]);
  });

  test("nor an Ollama or Cohere client, the log, the admin API, events, webhooks and traces", async () => {
    const events = await gateway.send("/admin/v1/events?limit=3", admin);
    const ollama = await gateway.sendJson("/api/embed", { model: "openai", input: "a cat" });
    const cohere = await gateway.sendJson("/v2/embed", { model: "openai", texts: ["a cat"] });
    const probe = await gateway.sendJson("/admin/v1/probes", { model: "openai", upstream: "openai" }, admin);
    const own = await gateway.send(`/v1/models/${encodeURIComponent(keyOf("openai"))}`);
    const unknown = await gateway.sendJson("/v1/embeddings", { model: keyOf("tei"), input: "a cat" });
    const read = await Promise.all(
      [...adminPaths, "requests?format=csv"].map((path) => gateway.send(`/admin/v1/${path}`, admin)),
    );
    const csv = await gateway.send("/admin/v1/requests", {
      headers: { ...admin.headers, accept: "text/csv" },
    });

    const texts = await Promise.all(
      [events, ollama, probe, own, unknown, csv, cohere, ...read].map((one) => one.text()),
    );
    expect(JSON.parse(texts[2] ?? "")).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("(redacted)") },
    });
    expectNone([
      ...texts,
      ...gateway.logLines,
      JSON.stringify(receiver.events),
      JSON.stringify(collector.spans),
    ]);
    expect([...texts, ...gateway.logLines].join("\n")).not.toContain(testKey);
  });

  test("a reload's new key is hidden, and the old one still is", async () => {
    const [before, after] = [keyOf("openai"), "sk-after/the+reload=0123456789"];
    await gateway.reload(configuration().replace(before, after));

    const response = await gateway.sendJson("/v1/embeddings", { model: "openai", input: "a dog" });
    const body = await response.text();
    const old = await gateway.send(`/v1/models/${encodeURIComponent(before)}`);

    expect(response.status).toBe(400);
    expect(body).toContain("(redacted)");
    expect(traces(after).filter((part) => body.includes(part))).toEqual([]);
    expect(await old.text()).not.toContain(before);
  });
});
