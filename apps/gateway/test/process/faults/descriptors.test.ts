import { once } from "node:events";
import { readdir, readlink } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { createNoise } from "../../fake-upstream/sample-images.mjs";
import { type BuiltGateway, startBuiltGateway } from "../../gateway/built.js";
import { sendFresh } from "../../gateway/fresh-connection.js";
import { testKey } from "../../gateway/test-gateway.js";

const descriptorsMax = 256;

describe(`a gateway with ${descriptorsMax} file descriptors`, () => {
  let upstream: FakeUpstream;
  let gateway: BuiltGateway;
  let image: Blob;

  beforeAll(async () => {
    image = new Blob([new Uint8Array(await createNoise(10_000))], { type: "image/png" });
    upstream = await startFakeUpstream();
    gateway = await startBuiltGateway(
      `
logLevel: warn
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
  text: { type: embedding, dimensions: 8, cache: false, targets: [{ upstream: fake, model: text }] }`,
      { prefix: ["sh", "-c", `ulimit -n ${descriptorsMax}; exec "$0" "$@"`] },
    );
  });
  afterAll(async () => {
    await gateway.kill();
    await upstream.close();
  });

  const edit = (images = 1) => {
    const form = new FormData();
    form.append("model", "image");
    form.append("prompt", "a fox");
    for (let index = 0; index < images; index += 1) form.append("image[]", image, "a.png");
    return outcome(gateway.send("/v1/images/edits", { method: "POST", body: form }));
  };
  const embed = (number: number) =>
    outcome(gateway.sendJson("/v1/embeddings", { model: "text", input: `text ${number}` }));
  const openUploads = async () => {
    const descriptors = await readdir(`/proc/${gateway.pid}/fd`);
    const paths = await Promise.all(
      descriptors.map((name) => readlink(`/proc/${gateway.pid}/fd/${name}`).catch(() => "")),
    );
    return paths.filter((path) => path.includes("form-spool"));
  };

  test.each([
    { name: "150 edits at once", send: () => edit() },
    { name: "150 edits of 16 images at once", send: () => edit(16) },
    { name: "150 embeddings at once", send: embed },
  ])("$name are served or refused with a 503, and afterwards everything is served", async ({ send }) => {
    const burst = await Promise.all(Array.from({ length: 150 }, (_, number) => send(number)));

    console.info(tally(burst));
    expect(burst.filter((one) => one !== "200" && one !== "503 gateway_overloaded, retry after 1 s")).toEqual(
      [],
    );
    expect(burst).toContain("200");
    await expect.poll(gateway.spooled).toEqual([]);
    await expect.poll(openUploads).toEqual([]);
    const later: string[] = [];
    for (let number = 0; number < 20; number += 1) later.push(await send(number));
    expect(later).toEqual(Array(20).fill("200"));
  });

  test("the log says so once in a while, not for every refusal", () => {
    const lines = gateway.logLines.filter((line) => line.includes("limit of open files"));

    expect(lines.length).toBeGreaterThanOrEqual(1);
    expect(lines.length).toBeLessThanOrEqual(3);
  });

  test("idle connections beyond the limit are closed, and new ones find room", async () => {
    const { hostname, port } = new URL(gateway.url);
    const sockets = Array.from({ length: 300 }, () => connect(Number(port), hostname));
    const closed = new Set<Socket>();
    for (const socket of sockets) {
      socket.on("error", () => undefined).on("close", () => closed.add(socket));
      socket.resume().write("GET /healthz HTTP/1.1\r\nhost: gateway\r\n\r\n");
    }

    await expect.poll(() => closed.size).toBeGreaterThan(100);

    await expect.poll(() => embed(1)).toBe("200");
    for (const socket of sockets) socket.destroy();
  });

  test("connections that say nothing keep no caller with a key out", async () => {
    const { hostname, port } = new URL(gateway.url);
    const sockets = Array.from({ length: 300 }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.on("error", () => undefined);
    await Promise.all(sockets.map((socket) => once(socket, "connect")));

    const embedFresh = () =>
      sendFresh(`${gateway.url}/v1/embeddings`, { key: testKey, body: { model: "text", input: "text" } })
        .then(({ status }) => status)
        .catch(String);

    // The silent ones have two seconds for a request.
    await expect.poll(embedFresh).toBe(200);
    const statuses: unknown[] = [];
    for (let number = 0; number < 10; number += 1) statuses.push(await embedFresh());
    for (const socket of sockets) socket.destroy();

    expect(statuses).toEqual(Array(10).fill(200));
  });
});

/** The status, and of an error its code and when to retry. */
async function outcome(sent: Promise<Response>): Promise<string> {
  try {
    const response = await sent;
    const { error } = (await response.json()) as { error?: { code: string } };
    if (error === undefined) return String(response.status);
    return `${response.status} ${error.code}, retry after ${response.headers.get("retry-after")} s`;
  } catch (failure) {
    return `no response: ${failure instanceof Error ? String(failure.cause ?? failure.message) : failure}`;
  }
}

function tally(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of outcomes) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}
