import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createSecureContext } from "node:tls";
import type { Schemas } from "@model-gateway/domain/operations";
import { createAuthority, type KeyPair } from "@model-gateway/test-suite/certificates";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addressScope } from "../../../src/images/fetch/check-url.js";
import { createImageFetcher, type FetchImage } from "../../../src/images/fetch/fetch-image.js";
import { createSolid } from "../../fake-upstream/sample-images.mjs";
import { suiteGateway } from "../../gateway/suite.js";
import { content, expectedVector, imagePart, linkPart, textPart, tinyPng } from "./content-inputs.js";

/** Links of embedding inputs, through the whole gateway. The public web is one server on loopback. */

const host = "images.example.com";
/** On this host, an image has a second. */
const impatientHost = "impatient.example.com";
const replies: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  "/tiny.png": (response) => response.end(tinyPng),
  "/to-tiny": (response) => response.writeHead(302, { location: "/tiny.png" }).end(),
  "/svg": (response) => response.end("<svg xmlns='http://www.w3.org/2000/svg'/>"),
  "/html": (response) => response.end("<html></html>"),
  "/half": (response) => response.end(tinyPng.subarray(0, 50)),
  "/missing": (response) => response.writeHead(404).end(),
  "/compressed": (response) => response.writeHead(200, { "content-encoding": "gzip" }).end(tinyPng),
  "/endless": (response) => {
    const more = () => {
      while (response.write(endless)) if (response.destroyed) return;
    };
    response.on("drain", more);
    more();
  },
  "/loop": (response) => response.writeHead(302, { location: "/loop" }).end(),
  "/to-private": (response) => response.writeHead(302, { location: "https://10.0.0.1/a.png" }).end(),
  "/to-metadata": (response) =>
    response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end(),
  "/to-inside": (response) => response.writeHead(302, { location: "https://inside.example.com/" }).end(),
  "/to-loopback": (response) => response.writeHead(307, { location: "https://[::1]/a.png" }).end(),
  "/to-http": (response) => response.writeHead(301, { location: "http://images.example.com/tiny.png" }).end(),
  "/to-file": (response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
};
const endless = Buffer.alloc(64 * 1024, tinyPng);
let web: Server;
let slow: ServerResponse[] = [];
let requests: string[] = [];
const fetchers: { any?: FetchImage; impatient?: FetchImage } = {};

beforeAll(async () => {
  const authority = await createAuthority();
  const certificates: Readonly<Record<string, KeyPair>> = {
    [host]: await authority.issue({ hostname: host }),
    [impatientHost]: await authority.issue({ hostname: impatientHost }),
  };
  web = createServer({
    SNICallback: (name, callback) => callback(null, createSecureContext(certificates[name] ?? {})),
  });
  web.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "";
    requests.push(path);
    const reply = replies[path];
    if (reply === undefined) slow.push(response);
    else reply(response, request);
  });
  await once(web.listen(0, "127.0.0.1"), "listening");
  const bomb = await createSolid({ size: "9000x9000" });
  replies["/bomb"] = (response) => response.end(bomb);
  const publicWeb = {
    lookup: async (name: string) => (name === "inside.example.com" ? ["192.168.0.1"] : ["127.0.0.1"]),
    addressScope: (address: string) => (address === "127.0.0.1" ? "public" : addressScope(address)),
    ca: authority.ca,
  } as const;
  fetchers.any = createImageFetcher({ ...publicWeb, timeoutMs: 120_000 });
  fetchers.impatient = createImageFetcher({ ...publicWeb, timeoutMs: 2000 });
});
afterAll(() => {
  web.closeAllConnections();
  web.close();
});

const fetchImage: FetchImage = (url, options) => {
  const fetcher = url.includes(impatientHost) ? fetchers.impatient : fetchers.any;
  if (fetcher === undefined) throw new Error("The web has not started.");
  return fetcher(url, options);
};
const context = suiteGateway(
  ({ baseUrl }) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  images: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: m, inputImages: true }] }
  small:
    type: embedding
    dimensions: 8
    targets: [{ upstream: fake, model: m, inputImages: { maxImageBytes: 200000 } }]
`,
  { fetchImage },
);
beforeEach(() => {
  context.upstream.received.length = 0;
  slow = [];
  requests = [];
});

const linkTo = (path: string, name = host) => {
  const { port } = web.address() as AddressInfo;
  return linkPart(`https://${name}:${port}${path}`);
};
const embed = async (input: readonly unknown[], { model = "images", signal }: EmbedOptions = {}) => {
  const response = await context.gateway.sendJson(
    "/v1/embeddings",
    { model, input },
    { ...(signal && { signal }) },
  );
  const body = (await response.json()) as Schemas["CreateEmbeddingResponse"] & Schemas["ErrorResponse"];
  return {
    status: response.status,
    error: body.error,
    vectors: body.data?.map(({ embedding }) => embedding),
  };
};
interface EmbedOptions {
  readonly model?: string;
  readonly signal?: AbortSignal;
}

test("an image behind a link and a redirect has the vector of its bytes", async () => {
  const { vectors } = await embed(["a", content(textPart("b"), linkTo("/to-tiny"))]);

  expect(vectors).toEqual(
    ["a", content(textPart("b"), imagePart(tinyPng))].map((one) => expectedVector(one)),
  );
});

describe("a link is refused with its part, and nothing is bought:", () => {
  test.each([
    ["/svg", "unsupported_file_mimetype"],
    ["/html", "unsupported_file_mimetype"],
    ["/half", "invalid_image_file"],
    ["/bomb", "invalid_image_file"],
    ["/missing", "invalid_image_url"],
    ["/compressed", "invalid_image_url"],
    ["/loop", "invalid_image_url"],
    ["/to-private", "invalid_image_url"],
    ["/to-metadata", "invalid_image_url"],
    ["/to-inside", "invalid_image_url"],
    ["/to-loopback", "invalid_image_url"],
    ["/to-http", "invalid_image_url"],
    ["/to-file", "invalid_image_url"],
  ])("%s", async (path, code) => {
    const { status, error } = await embed(["a", content(textPart("b"), linkTo(path))]);

    const param = "input[1].content[1].image_url.url";
    expect([status, error]).toEqual([400, expect.objectContaining({ param, code })]);
    expect(context.upstream.received).toEqual([]);
  });

  test("/endless, once it has more bytes than the model takes", async () => {
    const { status, error } = await embed([content(linkTo("/endless"))], { model: "small" });

    expect([status, error]).toEqual([400, expect.objectContaining({ code: "invalid_image_url" })]);
    expect(error.message).toContain("The image is larger than 200000 bytes.");
  });
});

describe("100 links to a slow host", () => {
  const links = (name: string) =>
    Array.from({ length: 100 }, (_, index) => content(linkTo(`/slow/${index}`, name)));

  test("are fetched eight at a time, while other requests are served", async () => {
    const departure = new AbortController();
    const slowest = embed(links(host), { signal: departure.signal }).catch((failure: unknown) => failure);
    await expect.poll(() => slow.length, { timeout: 90_000 }).toBe(8);

    const neighbours = await Promise.all([
      embed(["a text"]),
      embed([content(imagePart(tinyPng))]),
      embed([content(linkTo("/tiny.png"))]),
    ]);

    expect(neighbours.map(({ vectors }) => vectors)).toEqual(
      ["a text", content(imagePart(tinyPng)), content(imagePart(tinyPng))].map((one) => [
        expectedVector(one),
      ]),
    );
    expect(slow).toHaveLength(8);
    departure.abort();
    await slowest;
    // The gateway closes its connections, and asks for no other image.
    await expect.poll(() => slow.every(({ destroyed }) => destroyed), { timeout: 90_000 }).toBe(true);
    expect(slow).toHaveLength(8);
  });

  test("are a 400 once the first has taken its time, and the others are given up", async () => {
    const { status, error } = await embed(links(impatientHost));

    expect([status, error.code]).toEqual([400, "invalid_image_url"]);
    expect(error.message).toMatch(
      /^Invalid 'input\[\d+\]\.content\[0\]\.image_url\.url': The image did not arrive/,
    );
    await expect.poll(() => slow.every(({ destroyed }) => destroyed), { timeout: 90_000 }).toBe(true);
    expect(requests.length).toBeLessThanOrEqual(8);
    expect(context.upstream.received).toEqual([]);
  });
});
