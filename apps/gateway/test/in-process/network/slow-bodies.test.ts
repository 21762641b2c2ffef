import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AdminClient } from "../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testKey } from "../../gateway/test-gateway.js";

/** Bodies that hardly arrive: each holds a place, memory or a file that others need. */
let clock: ManualClock;
let gateway: InProcessGateway;
let sockets: Socket[];

beforeEach(async () => {
  clock = new ManualClock();
  sockets = [];
  gateway = await startGateway(
    `
upstreams: { none: { provider: openai-compatible, baseUrl: "http://127.0.0.1:9/v1" } }
models:
  text: { type: embedding, dimensions: 2, targets: [{ upstream: none, model: text }] }
  image: { type: image, targets: [{ upstream: none, model: image }] }
`,
    { transferClock: clock },
  );
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway.stop();
});

interface Begun {
  readonly socket: Socket;
  /** All that the gateway has sent. */
  readonly received: () => string;
}

/** Sends the start of a request whose body is longer. */
function begin(path: string, type: string, start: string): Begun {
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
  sockets.push(socket);
  let received = "";
  socket
    .setEncoding("latin1")
    .on("error", () => undefined)
    .on("data", (text: string) => {
      received += text;
    });
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${testKey}\r\ncontent-type: ${type}\r\ncontent-length: 1000000\r\n\r\n${start}`,
  );
  return { socket, received: () => received };
}

const part = (name: string, filename: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n{`;
const beginUpload = () => begin("/v1/files", "multipart/form-data; boundary=b", part("file", "input.jsonl"));

function upload(key = testKey): Promise<Response> {
  const body = new FormData();
  body.append("purpose", "batch");
  body.append("file", new Blob(["{}\n"]), "input.jsonl");
  return gateway.send("/v1/files", { method: "POST", body, headers: { authorization: `Bearer ${key}` } });
}

const drafts = () => readdirSync(join(gateway.dataDir, "files")).filter((name) => name.endsWith(".part"));

test("a key's uploads take half of the places, and leave others theirs", async () => {
  const { value: other } = await new AdminClient(gateway.url).createKey({ name: "other" });
  const slow = Array.from({ length: 16 }, beginUpload);
  await expect
    .poll(() => [drafts().length, slow.filter(({ received }) => received() !== "").length])
    .toEqual([8, 8]);

  const refused = await upload();
  const served = await upload(other);

  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toMatchObject({
    error: {
      code: "gateway_overloaded",
      message:
        "The gateway receives 8 files at the moment, 8 of them from this key. It receives up to 16 files at once, of which a key may have as many as it leaves free. Retry in a moment.",
    },
  });
  expect(served.status).toBe(200);
});

test("uploads at a byte in ten seconds end within a minute, and their places are free", async () => {
  const slow = Array.from({ length: 8 }, beginUpload);
  await expect.poll(() => drafts().length).toBe(8);
  const startedAt = clock.now();
  const isOver = () => slow.every(({ received }) => received() !== "");

  while (!isOver()) {
    for (const { socket } of slow) socket.write("a");
    const next = clock.now() + 10_000;
    await clock.runUntil(() => clock.now() >= next || isOver());
    // The clock is faster than the sockets: what has been sent until now arrives before this response.
    await gateway.send("/healthz");
  }
  const tookMs = clock.now() - startedAt;
  const next = await upload();

  expect(tookMs).toBeLessThanOrEqual(60_000);
  for (const { received } of slow) {
    expect(received()).toContain("HTTP/1.1 408");
    expect(received()).toContain(
      "The request body arrives at less than 1000 bytes a second, averaged over 30 seconds. Look for a slow line or a proxy in between, and send the request again.",
    );
  }
  expect(next.status).toBe(200);
  expect(drafts()).toEqual([]);
});

test.each([
  ["JSON", () => begin("/v1/embeddings", "application/json", '{"model":"text","input":"')],
  [
    "large JSON",
    () => begin("/v1/embeddings", "application/json", `{"model":"text","input":"${"a".repeat(100_000)}`),
  ],
  [
    "an image edit",
    () => begin("/v1/images/edits", "multipart/form-data; boundary=b", part("image", "a.png")),
  ],
])("a body of %s that stops arriving gets the same 408", async (_name, send) => {
  const { socket, received } = send();
  await once(socket, "connect");

  await clock.runUntil(() => received() !== "");

  expect(received()).toContain("HTTP/1.1 408");
  expect(received()).toContain('"code": "request_timeout"');
});
