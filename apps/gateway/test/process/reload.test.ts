import { renameSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BuiltGateway, GatewayFolder } from "../gateway/built.js";
import { testKey } from "../gateway/test-gateway.js";

/** The built gateway as a separate process, whose configuration changes while it runs. */
let folder: GatewayFolder;
let gateway: BuiltGateway;
let old: Upstream;
let fresh: Upstream;

beforeEach(async () => {
  folder = new GatewayFolder();
  [old, fresh] = await Promise.all([startUpstream(), startUpstream()]);
});
afterEach(async () => {
  await folder.remove();
  old.stop();
  fresh.stop();
});

test("after SIGHUP new requests go to the new upstream, and the one in flight finishes on the old", async () => {
  folder.configure(configFor(old.url));
  gateway = await folder.start();
  const inFlight = embed();
  await expect.poll(() => old.waiting.length).toBe(1);

  folder.configure(configFor(fresh.url));
  gateway.process.kill("SIGHUP");
  await expect.poll(gateway.stdout).toContain("The configuration was reloaded.");

  const next = embed();
  await expect.poll(() => fresh.waiting.length).toBe(1);
  fresh.replyAll();
  expect((await next).status).toBe(200);
  expect(old.waiting).toHaveLength(1);
  expect(old.sockets()).toBe(1);
  old.replyAll();
  expect((await inFlight).status).toBe(200);
  // Nothing can use it any more, so its connections are closed.
  await expect.poll(old.sockets).toBe(0);
  expect(fresh.sockets()).toBe(1);
});

test("a faulty file is refused with all its faults, and the old configuration goes on", async () => {
  folder.configure(configFor(old.url));
  gateway = await folder.start();

  folder.configure(`${configFor("nonsense")}\nwhat: 1\n`);
  gateway.process.kill("SIGHUP");
  await expect.poll(gateway.stdout).toContain("The new configuration was refused");

  expect(gateway.stdout()).toMatch(/upstreams\.one\.baseUrl: must be an http or https URL/);
  expect(gateway.stdout()).toMatch(/what: is not a known key/);
  const response = embed();
  await expect.poll(() => old.waiting.length).toBe(1);
  old.replyAll();
  expect((await response).status).toBe(200);
});

test("a replaced file is read without a signal, and settings that need a restart are logged", async () => {
  folder.configure(configFor(old.url));
  gateway = await folder.start();

  folder.write("next.yaml", `${configFor(fresh.url)}\ndataDir: ./elsewhere\n`);
  renameSync(join(folder.folder, "next.yaml"), join(folder.folder, "gateway.yaml"));

  await expect.poll(gateway.stdout).toContain("The configuration was reloaded.");
  expect(gateway.stdout()).toMatch(/"ignored":\["dataDir"\].*take effect after a restart/);
  const response = embed();
  await expect.poll(() => fresh.waiting.length).toBe(1);
  fresh.replyAll();
  expect((await response).status).toBe(200);
});

test("an upstream that has not changed keeps its connections", async () => {
  folder.configure(configFor(old.url));
  gateway = await folder.start();
  const first = embed();
  await expect.poll(() => old.waiting.length).toBe(1);
  old.replyAll();
  await first;

  folder.configure(
    `${configFor(old.url)}  two: { type: embedding, targets: [{ upstream: one, model: m }] }\n`,
  );
  gateway.process.kill("SIGHUP");
  await expect.poll(gateway.stdout).toContain("The configuration was reloaded.");
  const second = embed("two");
  await expect.poll(() => old.waiting.length).toBe(1);
  old.replyAll();

  expect((await second).status).toBe(200);
  expect(old.connections()).toBe(1);
});

function configFor(baseUrl: string): string {
  return `keys: [{ name: test, key: ${testKey} }]
upstreams: { one: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  one: { type: embedding, targets: [{ upstream: one, model: m }] }
`;
}

function embed(model = "one"): Promise<Response> {
  return gateway.sendJson("/v1/embeddings", { model, input: "hello" });
}

interface Upstream {
  readonly url: string;
  readonly waiting: ServerResponse[];
  /** Number of open connections, and of all connections so far. */
  readonly sockets: () => number;
  readonly connections: () => number;
  readonly replyAll: () => void;
  readonly stop: () => void;
}

/** An upstream that replies when `replyAll` is called. */
async function startUpstream(): Promise<Upstream> {
  const waiting: ServerResponse[] = [];
  let [sockets, connections] = [0, 0];
  // Longer than a reload takes on a busy machine.
  const server: Server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    request.resume();
    waiting.push(response);
  });
  server.on("connection", (socket) => {
    sockets += 1;
    connections += 1;
    socket.once("close", () => {
      sockets -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting,
    sockets: () => sockets,
    connections: () => connections,
    replyAll: () => {
      const vector = { object: "embedding", index: 0, embedding: [1, 0] };
      for (const response of waiting.splice(0))
        response.setHeader("content-type", "application/json").end(JSON.stringify({ data: [vector] }));
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
