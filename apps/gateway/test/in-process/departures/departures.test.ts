import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { type InProcessGateway, openTestStorage, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { rawRequest } from "../malformed/malformed-case.js";

const stalls = ["stall", "stall-after-headers", "stall-before-end"];
const dataUrl = `data:image/png;base64,${tinyPng.toString("base64")}`;
const models = (upstream: string) =>
  [
    ...stalls.map(
      (model) =>
        `  text-${model}: { type: embedding, targets: [{ upstream: ${upstream}, model: ${model} }] }`,
    ),
    ...stalls.map(
      (model) => `  image-${model}: { type: image, targets: [{ upstream: ${upstream}, model: ${model} }] }`,
    ),
  ].join("\n");

let gateway: InProcessGateway;

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
    "embeddings before the response": (signal) =>
      gateway.sendJson("/v1/embeddings", { model: "text-stall", input: "a" }, { signal }),
    "embeddings in the response": (signal) =>
      gateway.sendJson("/v1/embeddings", { model: "text-stall-after-headers", input: "a" }, { signal }),
    "embeddings on the old path": (signal) =>
      gateway.sendJson("/v1/engines/text-stall/embeddings", { input: "a" }, { signal }),
    "an image": (signal) =>
      gateway.sendJson("/v1/images/generations", { model: "image-stall", prompt: "a" }, { signal }),
    "an image in the response": (signal) =>
      gateway.sendJson(
        "/v1/images/generations",
        { model: "image-stall-after-headers", prompt: "a" },
        { signal },
      ),
    "an edit as a form": (signal) =>
      gateway.send("/v1/images/edits", { method: "POST", body: editForm("image-stall"), signal }),
    "an edit as JSON": (signal) =>
      gateway.sendJson(
        "/v1/images/edits",
        { model: "image-stall", prompt: "a", images: [{ image_url: dataUrl }] },
        { signal },
      ),
    "a stream": (signal) => readFirst(gateway.sendJson("/v1/images/generations", streamed, { signal })),
    "a stream of an edit": (signal) =>
      readFirst(
        gateway.send("/v1/images/edits", {
          method: "POST",
          body: editForm("image-stall-before-end", "true"),
          signal,
        }),
      ),
  };
  for (const [name, call] of Object.entries(calls)) {
    test(`cancels the call of its upstream: ${name}`, async () => {
      const departure = new AbortController();
      const left = call(departure.signal).then((response) => response.text());
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

  test("uses no capacity of its key's limit when it leaves while the key is looked up", async () => {
    let answerLookups = () => {};
    const held = new Promise<void>((resolve) => {
      answerLookups = resolve;
    });
    let lookups = 0;
    const slow = await startGateway(
      `upstreams: { local: { provider: local } }
models: { local-sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] } }`,
      {
        openStorage: async (config, log) => {
          const storage = await openTestStorage(config, log);
          const findByDigest = storage.keys.findByDigest.bind(storage.keys);
          storage.keys.findByDigest = async (digest) => {
            lookups += 1;
            await held;
            return findByDigest(digest);
          };
          return storage;
        },
      },
    );
    const headers = { authorization: `Bearer ${testAdminKey}` };
    const made = await slow.sendJson(
      "/admin/v1/keys",
      { name: "one at a time", limits: { max_concurrency: 1 } },
      { headers },
    );
    const { value } = (await made.json()) as { value: string };
    const draw = (signal: AbortSignal | null) =>
      slow.sendJson(
        "/v1/images/generations",
        { model: "local-sketch", prompt: "a" },
        { headers: { authorization: `Bearer ${value}` }, signal },
      );

    const leaving = new AbortController();
    const left = draw(leaving.signal).catch(() => "left");
    await expect.poll(() => lookups).toBe(1);
    leaving.abort();
    expect(await left).toBe("left");
    await expect.poll(slow.inFlight).toBe(0);
    answerLookups();

    const statuses = [(await draw(null)).status, (await draw(null)).status];
    expect(statuses).toEqual([200, 200]);
    await slow.stop();
  });

  test("cancels its requests that wait behind another on the same connection", async () => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    const headers = { "content-type": "application/json", connection: "keep-alive" };
    for (const input of ["one", "two", "three"]) {
      const body = JSON.stringify({ model: "text-stall", input });
      socket.write(rawRequest({ path: "/v1/embeddings", headers, body }));
    }
    await expect.poll(() => upstream.received.length).toBe(3);

    socket.destroy();

    await expect.poll(() => upstream.seen().abandoned).toBe(3);
    await expect.poll(gateway.inFlight).toBe(0);
    await expect.poll(() => gateway.logLines.map((line) => JSON.parse(line).status)).toEqual([499, 499, 499]);
  });
});

const streamed = { model: "image-stall-before-end", prompt: "a", stream: true, partial_images: 1 };

async function readFirst(sent: Promise<Response>): Promise<Response> {
  const response = await sent;
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  return response;
}

function editForm(model: string, stream?: string): FormData {
  const form = new FormData();
  const fields = { model, prompt: "a", ...(stream === undefined ? {} : { stream }) };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("image", new Blob([new Uint8Array(tinyPng)]), "a.png");
  return form;
}
