import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createSigner, signImage } from "@model-gateway/content-credentials/test/sign-image";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testKey } from "../../gateway/test-gateway.js";

/** The upstream's next reply, and what it has received. */
let reply: { readonly status: number; readonly body: unknown };
let received: {
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly body: Buffer;
}[] = [];
let upstream: Server;
let gateway: InProcessGateway;
let signed: Buffer;

beforeAll(async () => {
  upstream = createServer(async (request: IncomingMessage, response) => {
    const { authorization, "api-key": apiKey } = request.headers;
    received.push({ path: request.url, key: authorization ?? String(apiKey), body: await buffer(request) });
    response.writeHead(reply.status, { "content-type": "application/json" });
    response.end(JSON.stringify(reply.body));
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = upstream.address() as AddressInfo;
  gateway = await startGateway(`
images: { provenanceUpstream: checker }
upstreams: { checker: { provider: openai, baseUrl: "http://127.0.0.1:${port}/v1", apiKey: upstream-key } }
models: { image: { type: image, targets: [{ upstream: checker, model: image }] } }`);
  signed = signImage(tinyPng, await createSigner(), { format: "png" });
});
afterAll(async () => {
  await gateway.stop();
  upstream.close();
});

const found = { model: "gpt-image-2", generated_at: "2026-11-01T10:20:30Z" };
const synthid = { type: "synthid", outcome: "detected", ...found };
const trusted = {
  type: "c2pa",
  outcome: "detected",
  validation_state: "trusted",
  issuer: "OpenAI",
  ...found,
};
const unknown = {
  type: "c2pa",
  outcome: "not_detected",
  validation_state: "not_present",
  issuer: null,
  model: null,
  generated_at: null,
};
const check = (...results: unknown[]) => ({
  status: 200,
  body: { object: "content_provenance_check", created_at: 1, results },
});

/** Checks the signed image with OpenAI's own client. */
async function checkSigned(url = gateway.url) {
  received = [];
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: testKey, maxRetries: 0 });
  const file = await toFile(signed, "fox.png", { type: "image/png" });
  return client.contentProvenanceChecks.create({ file });
}

test("the image goes to the upstream unchanged, with the upstream's key and not the caller's", async () => {
  reply = check(unknown, synthid);

  await checkSigned();

  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ path: "/v1/content_provenance_checks", key: "Bearer upstream-key" });
  expect(received[0]?.body.includes(signed)).toBe(true);
  expect(received[0]?.body.toString("latin1")).toContain('name="file"; filename="file.png"');
});

test("the upstream's word is for the watermark, and for credentials that it detects", async () => {
  reply = check(trusted, synthid);
  const known = await checkSigned();
  reply = check(unknown, { ...synthid, outcome: "not_detected", model: null, generated_at: null });
  const foreign = await checkSigned();

  expect(known).toMatchObject({
    results: [{ ...trusted, checked_by: "upstream", not_verified: [] }, synthid],
    not_checked: [],
  });
  expect(foreign).toMatchObject({
    results: [
      { type: "c2pa", outcome: "detected", validation_state: "valid", checked_by: "gateway" },
      { type: "synthid", outcome: "not_detected" },
    ],
    not_checked: [],
  });
});

test("signals of a later version are left out, and one that is missing is not checked", async () => {
  reply = check({ type: "stardust", outcome: "detected" });

  expect(await checkSigned()).toMatchObject({
    results: [{ type: "c2pa", checked_by: "gateway" }],
    not_checked: [{ type: "synthid", reason: "The upstream has not checked it." }],
  });
});

test.each([
  ["an error", { status: 500, body: { error: { message: "No." } } }],
  ["a refusal of the key", { status: 401, body: { error: { message: "No." } } }],
  ["another document", { status: 200, body: { object: "list" } }],
  ["an unknown state", check({ ...trusted, validation_state: "perfect", outcome: 7 })],
])("after %s the gateway's own check is there all the same", async (_name, failed) => {
  reply = failed;

  const { results } = await checkSigned();

  expect(results).toMatchObject([{ type: "c2pa", validation_state: "valid", checked_by: "gateway" }]);
});

test("an upstream that fails is in the log, and the image is not", async () => {
  gateway.logLines.length = 0;
  reply = { status: 500, body: { error: { message: "No." } } };

  expect(await checkSigned()).toMatchObject({
    not_checked: [{ type: "synthid", reason: "The upstream that checks it has failed." }],
  });
  expect(gateway.logLines.join("")).toContain("An upstream could not check the provenance of an image.");
});

test("a resource of Azure is asked on v1, with its key", async () => {
  const { port } = upstream.address() as AddressInfo;
  const azure = await startGateway(`
images: { provenanceUpstream: checker }
upstreams: { checker: { provider: azure, baseUrl: "http://127.0.0.1:${port}", apiKey: azure-key, apiVersion: 2025-04-01-preview } }
models: { image: { type: image, targets: [{ upstream: checker, model: image }] } }`);
  reply = check(unknown, synthid);

  expect(await checkSigned(azure.url)).toMatchObject({ results: [{ checked_by: "gateway" }, synthid] });

  expect(received).toMatchObject([
    { path: "/openai/v1/content_provenance_checks?api-version=preview", key: "azure-key" },
  ]);
  await azure.stop();
});
