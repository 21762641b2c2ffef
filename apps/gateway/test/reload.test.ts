import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

/** The built gateway as a process of its own, whose configuration changes while it runs. */
let folder: string;
let gateway: { readonly process: ChildProcess; readonly output: () => string };
let old: Upstream;
let fresh: Upstream;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gateway-reload-"));
  [old, fresh] = await Promise.all([startUpstream(), startUpstream()]);
});
afterEach(async () => {
  gateway.process.kill("SIGKILL");
  await once(gateway.process, "close").catch(() => undefined);
  old.stop();
  fresh.stop();
  await rm(folder, { recursive: true, force: true });
});

test("after SIGHUP new requests go to the new upstream, and the one under way finishes on the old", async () => {
  write(configFor(old.url));
  const url = await start();
  const underWay = embed(url);
  await expect.poll(() => old.waiting.length).toBe(1);

  write(configFor(fresh.url));
  gateway.process.kill("SIGHUP");
  await expect.poll(gateway.output, patience).toContain("The configuration was read again.");

  const next = embed(url);
  await expect.poll(() => fresh.waiting.length).toBe(1);
  fresh.answerAll();
  expect((await next).status).toBe(200);
  expect(old.waiting).toHaveLength(1);
  expect(old.sockets()).toBe(1);
  old.answerAll();
  expect((await underWay).status).toBe(200);
  // Nothing is left that could use it, so that its connections are closed.
  await expect.poll(old.sockets, patience).toBe(0);
  expect(fresh.sockets()).toBe(1);
});

test("a faulty file is refused with all its faults, and the old configuration goes on", async () => {
  write(configFor(old.url));
  const url = await start();

  write(`${configFor("nonsense")}\nwhat: 1\n`);
  gateway.process.kill("SIGHUP");
  await expect.poll(gateway.output, patience).toContain("The new configuration was refused");

  expect(gateway.output()).toMatch(/upstreams\.one\.baseUrl: must be an http or https URL/);
  expect(gateway.output()).toMatch(/what: is not a known key/);
  const answer = embed(url);
  await expect.poll(() => old.waiting.length).toBe(1);
  old.answerAll();
  expect((await answer).status).toBe(200);
});

test("a file that is replaced is read without being asked, and what takes a restart is said", async () => {
  write(configFor(old.url));
  const url = await start();

  writeFileSync(join(folder, "next.yaml"), `${configFor(fresh.url)}\ndataDir: ./elsewhere\n`);
  renameSync(join(folder, "next.yaml"), join(folder, "gateway.yaml"));

  await expect.poll(gateway.output, patience).toContain("The configuration was read again.");
  expect(gateway.output()).toMatch(/"ignored":\["dataDir"\].*takes a restart/);
  const answer = embed(url);
  await expect.poll(() => fresh.waiting.length).toBe(1);
  fresh.answerAll();
  expect((await answer).status).toBe(200);
});

test("an upstream that has not changed keeps its connections", async () => {
  write(configFor(old.url));
  const url = await start();
  const first = embed(url);
  await expect.poll(() => old.waiting.length).toBe(1);
  old.answerAll();
  await first;

  write(`${configFor(old.url)}  two: { type: embedding, targets: [{ upstream: one, model: m }] }\n`);
  gateway.process.kill("SIGHUP");
  await expect.poll(gateway.output, patience).toContain("The configuration was read again.");
  const second = embed(url, "two");
  await expect.poll(() => old.waiting.length).toBe(1);
  old.answerAll();

  expect((await second).status).toBe(200);
  expect(old.connections()).toBe(1);
});

const patience = { timeout: 10_000, interval: 20 };
const key = "reload-key-0123456789";

function configFor(baseUrl: string): string {
  return `keys: [{ name: test, key: "\${KEY}" }]
upstreams: { one: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  one: { type: embedding, targets: [{ upstream: one, model: m }] }
`;
}

function write(config: string): void {
  writeFileSync(join(folder, "gateway.yaml"), config);
}

async function start(): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../dist/main.js")], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: "0", KEY: key },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  gateway = { process: child, output: () => output };
  const address = () => /^Model Gateway is listening on (\S+)$/m.exec(output)?.[1];
  await expect.poll(address, { ...patience, timeout: 15_000 }).toMatch(/^http/);
  return address() ?? "";
}

function embed(url: string, model = "one"): Promise<Response> {
  return fetch(`${url}/v1/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, input: "hello" }),
  });
}

interface Upstream {
  readonly url: string;
  readonly waiting: ServerResponse[];
  /** How many connections are open, and how many there ever were. */
  readonly sockets: () => number;
  readonly connections: () => number;
  readonly answerAll: () => void;
  readonly stop: () => void;
}

/** An upstream that answers when it is told to. */
async function startUpstream(): Promise<Upstream> {
  const waiting: ServerResponse[] = [];
  let [sockets, connections] = [0, 0];
  const server: Server = createServer((request, response) => {
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
    answerAll: () => {
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
