import { readdir, readlink } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "./fake-upstream/fake-upstream.mjs";
import { tinyPng } from "./fake-upstream/pictures.mjs";
import { createRandom } from "./malformed/random.js";
import { startGateway, type TestGateway } from "./running-gateway.js";

const stalls = ["stall", "stall-after-headers", "stall-before-end"];
const dataUrl = `data:image/png;base64,${tinyPng.toString("base64")}`;
const models = (upstream: string) =>
  [
    ...stalls.map(
      (model) =>
        `  text-${model}: { type: embedding, targets: [{ upstream: ${upstream}, model: ${model} }] }`,
    ),
    ...stalls.map(
      (model) => `  picture-${model}: { type: image, targets: [{ upstream: ${upstream}, model: ${model} }] }`,
    ),
  ].join("\n");

let gateway: TestGateway;

describe("a caller that leaves", () => {
  let upstream: FakeUpstream;
  beforeEach(async () => {
    upstream = await startFakeUpstream();
    gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
${models("fake")}
`);
  });
  afterEach(async () => {
    await gateway.stop();
    await upstream.close();
  });

  const calls: Record<string, (signal: AbortSignal) => Promise<Response>> = {
    "embeddings before the answer": (signal) =>
      gateway.sendJson("/v1/embeddings", { model: "text-stall", input: "a" }, { signal }),
    "embeddings in the answer": (signal) =>
      gateway.sendJson("/v1/embeddings", { model: "text-stall-after-headers", input: "a" }, { signal }),
    "embeddings on the old path": (signal) =>
      gateway.sendJson("/v1/engines/text-stall/embeddings", { input: "a" }, { signal }),
    "an image": (signal) =>
      gateway.sendJson("/v1/images/generations", { model: "picture-stall", prompt: "a" }, { signal }),
    "an image in the answer": (signal) =>
      gateway.sendJson(
        "/v1/images/generations",
        { model: "picture-stall-after-headers", prompt: "a" },
        { signal },
      ),
    "an edit as a form": (signal) =>
      gateway.send("/v1/images/edits", { method: "POST", body: editForm("picture-stall"), signal }),
    "an edit as JSON": (signal) =>
      gateway.sendJson(
        "/v1/images/edits",
        { model: "picture-stall", prompt: "a", images: [{ image_url: dataUrl }] },
        { signal },
      ),
    "a stream": (signal) => readFirst(gateway.sendJson("/v1/images/generations", streamed, { signal })),
    "a stream of an edit": (signal) =>
      readFirst(
        gateway.send("/v1/images/edits", {
          method: "POST",
          body: editForm("picture-stall-before-end", "true"),
          signal,
        }),
      ),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`takes the upstream's call along: ${name}`, async () => {
      const departure = new AbortController();
      const left = call(departure.signal).then((answer) => answer.text());
      left.catch(() => undefined);
      await expect.poll(() => upstream.received.length).toBe(1);
      expect(upstream.seen().abandoned).toBe(0);

      departure.abort();

      await expect(left).rejects.toThrow();
      await expect.poll(() => upstream.seen().abandoned).toBe(1);
      await expect.poll(() => gateway.logLines.map((line) => JSON.parse(line).status)).toEqual([499]);
      await expect.poll(gateway.spooled).toEqual([]);
    });
  }
});

describe("five hundred callers that leave at any moment", () => {
  let upstream: Server;
  beforeEach(async () => {
    upstream = await startSilentUpstream();
    gateway = await startGateway(`
upstreams: { silent: { provider: openai-compatible, baseUrl: "http://127.0.0.1:${(upstream.address() as AddressInfo).port}" } }
models:
${models("silent")}
`);
  });

  test("leave no call, no connection, no file and no handle behind", async () => {
    const socketsBefore = openSockets();
    const random = createRandom();

    const outcomes = await Promise.allSettled(
      Array.from({ length: 500 }, (_, index) => departing(index % 5, AbortSignal.timeout(random.below(300)))),
    );

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toEqual([]);
    await expect.poll(() => connectionsOf(upstream), { timeout: 5000 }).toBe(0);
    await expect.poll(gateway.spooled, { timeout: 5000 }).toEqual([]);
    expect(await openFilesIn(gateway.dataDir)).toEqual([]);
    expect((await gateway.send("/healthz")).status).toBe(200);
    const errors = gateway.logLines.filter((line) => JSON.parse(line).level === "error");
    expect(errors).toEqual([]);

    // A call that nobody waits for would keep the gateway from stopping.
    await gateway.stop();
    await new Promise((resolve) => upstream.close(resolve));
    await expect.poll(openSockets, { timeout: 5000 }).toBeLessThanOrEqual(socketsBefore);
  });
});

const streamed = { model: "picture-stall-before-end", prompt: "a", stream: true, partial_images: 1 };

/** Every call gets no answer, so that whoever sends it must leave. */
async function departing(kind: number, signal: AbortSignal): Promise<string> {
  const answers = [
    () => gateway.sendJson("/v1/embeddings", { model: "text-stall", input: "a" }, { signal }),
    () => gateway.sendJson("/v1/images/generations", { model: "picture-stall", prompt: "a" }, { signal }),
    () => gateway.sendJson("/v1/images/generations", streamed, { signal }),
    () => gateway.send("/v1/images/edits", { method: "POST", body: editForm("picture-stall"), signal }),
    () =>
      gateway.send("/v1/images/edits", {
        method: "POST",
        body: editForm("picture-stall", undefined, 500_000),
        signal,
      }),
  ];
  const answer = await answers[kind]!();
  return answer.text();
}

/** It reads, begins to answer every other request as a stream, and never ends. */
async function startSilentUpstream(): Promise<Server> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    count += 1;
    if (count % 2 === 0) response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((failure, count) => (failure ? reject(failure) : resolve(count))),
  );
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name.startsWith("TCPSocket")).length;
}

async function openFilesIn(folder: string): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const descriptors = await readdir("/proc/self/fd");
  const paths = await Promise.all(
    descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")),
  );
  return paths.filter((path) => path.startsWith(folder));
}

async function readFirst(sent: Promise<Response>): Promise<Response> {
  const answer = await sent;
  expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
  return answer;
}

function editForm(model: string, stream?: string, extraBytes = 0): FormData {
  const form = new FormData();
  const fields = { model, prompt: "a", ...(stream === undefined ? {} : { stream }) };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("image", new Blob([new Uint8Array(tinyPng), new Uint8Array(extraBytes)]), "a.png");
  return form;
}
