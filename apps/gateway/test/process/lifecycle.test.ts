import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { collect, type LaunchedGateway, launchGateway } from "../gateway/built.js";
import { curlIsMissing } from "./curl.js";

/**
 * The built gateway as a separate process, from its start to its end. Longer than most files, because only these tests
 * need the functions that write to it byte by byte.
 */
const key = "lifecycle-key-0123456789";
const local = "upstreams: { local: { provider: local } }";
const sketch = (id: string) =>
  `  ${id}: { type: image, targets: [{ upstream: local, model: local-sketch }] }`;
const config = (...models: string[]) =>
  `keys: [{ name: test, key: "\${KEY}" }]\n${local}\nmodels:\n${models.map(sketch).join("\n")}\n`;

let folder: string;
let started: LaunchedGateway[];
let cleanUps: (() => Promise<unknown>)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gateway-lifecycle-"));
  started = [];
  cleanUps = [];
});
afterEach(async () => {
  for (const gateway of started) gateway.process.kill("SIGKILL");
  await Promise.all([...started.map((gateway) => gateway.exit), ...cleanUps.map((cleanUp) => cleanUp())]);
  await rm(folder, { recursive: true, force: true });
});

describe("starting", () => {
  test.skipIf(curlIsMissing)(
    "without a configuration it prints a curl command that works unchanged",
    async () => {
      const gateway = start({ PORT: "0" });
      await gateway.listening();

      const command = /^ {2}curl [\s\S]*?'\{.*\}'$/m.exec(gateway.stdout())?.[0] ?? "";
      const { stdout } = await promisify(execFile)("sh", ["-c", command]);

      expect(JSON.parse(stdout)).toMatchObject({ object: "list", data: [{ embedding: { length: 384 } }] });
    },
  );

  test("it calls nothing that Node warns of", async () => {
    const gateway = start({ PORT: "0", GATEWAY_KEY: key, NODE_OPTIONS: "--pending-deprecation" });
    const url = await gateway.listening();

    const { status } = await fetch(`${url}/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    });

    gateway.process.kill("SIGTERM");
    await gateway.exit;
    expect(status).toBe(200);
    expect(gateway.stderr()).not.toContain("DeprecationWarning");
  });

  test.skipIf(curlIsMissing)(
    "without a configuration an exported GATEWAY_KEY is the callers' key",
    async () => {
      const keys = { GATEWAY_KEY: key, GATEWAY_ADMIN_KEY: `${key}-admin` };
      const gateway = start({ PORT: "0", ...keys });
      const url = await gateway.listening();

      const command = /^ {2}curl [\s\S]*?'\{.*\}'$/m.exec(gateway.stdout())?.[0] ?? "";
      const { stdout } = await promisify(execFile)("sh", ["-c", command], {
        env: { ...process.env, ...keys },
      });

      expect(command).toContain('"Authorization: Bearer $GATEWAY_KEY"');
      expect(JSON.parse(stdout)).toMatchObject({ object: "list", data: [{ embedding: { length: 384 } }] });
      const headers = { authorization: `Bearer ${keys.GATEWAY_ADMIN_KEY}` };
      const listed = await fetch(`${url}/admin/v1/keys`, { headers });
      expect(await listed.json()).toMatchObject({ data: [{ name: "environment", source: "file" }] });
      expect(gateway.stdout()).not.toContain(key);
    },
  );

  test("HOST, PORT, DATA_DIR and LOG_LEVEL override the file", async () => {
    const port = await freePort();
    file("gateway.yaml", `host: 127.0.0.1\nport: 1\ndataDir: ./wrong\nlogLevel: info\n${config("one")}`);

    const gateway = start({
      HOST: "0.0.0.0",
      PORT: String(port),
      DATA_DIR: join(folder, "right"),
      LOG_LEVEL: "silent",
    });

    expect(await gateway.listening()).toBe(`http://0.0.0.0:${port}`);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect(readdirSync(folder).sort()).toEqual(["gateway.yaml", "right"]);
    expect(gateway.stdout()).not.toMatch(/^\{/m);
  });

  test("--host and --port override the environment", async () => {
    const port = await freePort();
    file("gateway.yaml", config("one"));

    const gateway = start({ HOST: "127.0.0.1", PORT: "1" }, ["--host", "0.0.0.0", "--port", String(port)]);

    expect(await gateway.listening()).toBe(`http://0.0.0.0:${port}`);
  });

  test("--config overrides GATEWAY_CONFIG, which overrides ./gateway.yaml", async () => {
    file("gateway.yaml", config("by-default"));
    file("by-variable.yaml", config("by-variable"));
    file("by-flag.yaml", config("by-flag"));
    const variable = { GATEWAY_CONFIG: join(folder, "by-variable.yaml") };

    const gateways = [
      start({ DATA_DIR: "one" }),
      start({ ...variable, DATA_DIR: "two" }),
      start({ ...variable, DATA_DIR: "three" }, ["--config", "by-flag.yaml"]),
    ];

    const served = gateways.map(async (gateway) => modelIds(await gateway.listening()));
    expect(await Promise.all(served)).toEqual([["by-default"], ["by-variable"], ["by-flag"]]);
  });

  test("every fault of the file is printed at once, with its line, and nothing listens", async () => {
    const port = await freePort();
    file(
      "gateway.yaml",
      [
        "keys:",
        "  - { name: test, key: '${NO_SUCH_VARIABLE}' }",
        "surprise: 1",
        "upstreams:",
        "  openai: { provider: openai, timeoutMs: -5 }",
        "models:",
        "  one:",
        "    type: video",
        "    targets: [{ upstream: openai, model: one }]",
        "  two:",
        "    type: embedding",
        "    targets: [{ upstream: nowhere, model: two }]",
      ].join("\n"),
    );

    const gateway = start({ PORT: String(port) });

    expect(await gateway.exit).toBe(1);
    const said = gateway.stderr();
    expect(said).toMatch(/gateway\.yaml:2:\d+ .*NO_SUCH_VARIABLE/);
    expect(said).toMatch(/gateway\.yaml:3:\d+ +surprise: /);
    expect(said).toMatch(/gateway\.yaml:5:\d+ +upstreams\.openai\.timeoutMs: /);
    expect(said).toMatch(/gateway\.yaml:8:\d+ +models\.one\.type: /);
    expect(said).toMatch(/gateway\.yaml:12:\d+ +models\.two\.targets\[0\]\.upstream: /);
    expect(said).not.toMatch(/^\s+at /m);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });

  test("a missing file is a fault", async () => {
    const gateway = start({}, ["--config", "nowhere.yaml"]);

    expect(await gateway.exit).toBe(1);
    expect(gateway.stderr()).toContain("nowhere.yaml");
  });

  test("the first connection that is accepted is the gateway's, and gets a response", async () => {
    const port = await freePort();
    file("gateway.yaml", config("one"));

    start({ PORT: String(port) });
    // Without a pause: a port that is open only for a moment must not be missed.
    const url = `http://127.0.0.1:${port}`;
    while (!(await canConnect(url)));

    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test("a port in use is reported in one line", async () => {
    const taken = createTcpServer();
    cleanUps.push(async () => taken.close());
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    file("gateway.yaml", config("one"));

    const { port } = taken.address() as AddressInfo;

    const gateway = start({ PORT: String(port) });

    expect(await gateway.exit).toBe(1);
    expect(gateway.stderr()).toBe(
      `Port ${port} is in use. Stop the program that listens there, or choose another port, such as --port ${port + 1} or PORT=${port + 1}. ` +
        `(listen EADDRINUSE: address already in use 127.0.0.1:${port})\n`,
    );
  });

  test("a data folder that another gateway uses is reported in one line", async () => {
    file("gateway.yaml", config("one"));
    const first = start({});
    const url = await first.listening();

    const second = start({});

    expect(await second.exit).toBe(1);
    const dataDir = join(folder, "data");
    expect(second.stderr()).toBe(
      `A gateway runs already with the data folder ${dataDir}: ${url}, process ${first.process.pid}. Stop it, or choose another folder with DATA_DIR or dataDir in the configuration.\n`,
    );
  });

  test("a data folder that cannot be is reported in one line", async () => {
    file("gateway.yaml", config("one"));
    const dataDir = join(folder, "gateway.yaml", "data");

    const gateway = start({ DATA_DIR: dataDir });

    expect(await gateway.exit).toBe(1);
    expect(gateway.stderr()).toMatch(
      /^The data folder \S+ cannot be used: a part of its path is a file\. Remove that file, or choose another folder with DATA_DIR or dataDir in the configuration\. \(ENOTDIR: [^\n]*\)\n$/,
    );
  });

  test("another secret than the keys were created with is reported in one line", async () => {
    file("gateway.yaml", config("one"));
    const first = start({ GATEWAY_KEY_SECRET: "the-first-secret-of-this-gateway-0" });
    await first.listening();
    first.process.kill("SIGTERM");
    await first.exit;

    const second = start({ GATEWAY_KEY_SECRET: "another-secret-of-this-gateway-00" });

    expect(await second.exit).toBe(1);
    expect(second.stderr()).toMatch(/^The keys in the database were created with another secret\. .*\n$/);
  });

  test("files that a crash left in the spool folder are removed", async () => {
    file("gateway.yaml", `limits: { uploadsBytesMax: 1 }\n${config("one")}`);
    const crashed = start({});
    const upload = await open(await crashed.listening());
    const root = join(folder, "data/form-spool");
    const spool = join(root, String(crashed.process.pid));
    const head = `--b\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n`;
    upload.write(
      request("POST", "/v1/images/edits", {
        "content-type": "multipart/form-data; boundary=b",
        "content-length": "900000",
      }),
    );
    upload.write(`${head}${"x".repeat(200_000)}`);
    await expect.poll(() => readdirSync(spool)).toHaveLength(1);
    crashed.process.kill("SIGKILL");
    await crashed.exit;
    expect(readdirSync(spool)).toHaveLength(1);

    const next = start({});
    await next.listening();

    expect(readdirSync(root)).toEqual([String(next.process.pid)]);
    expect(readdirSync(join(root, String(next.process.pid)))).toEqual([]);
  });
});

describe("stopping", () => {
  test("after SIGTERM a request in flight finishes, no connection is accepted, and the exit code is 0", async () => {
    const { gateway, url, upstream } = await startWithSlowUpstream("limits: { stopMs: 600000 }");
    const connection = await open(url);
    const received = collect(connection);
    connection.write(embeddingRequest());
    await expect.poll(() => upstream.waiting()).toBe(1);

    gateway.process.kill("SIGTERM");
    await expect.poll(() => canConnect(url)).toBe(false);
    connection.write(request("GET", "/readyz", {}));
    upstream.reply();

    // Well before `stopMs`, or the test times out.
    expect(await gateway.exit).toBe(0);
    expect(received()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*"object":"list"/);
    // The connection may end with the first response. If it does not, the second response says that the gateway stops.
    expect(received()).not.toContain('"status":"ready"');
  });

  test("a connection that is kept alive after its response does not delay the exit", async () => {
    const { gateway, url, upstream } = await startWithSlowUpstream("limits: { stopMs: 600000 }");
    const connection = await open(url);
    const received = collect(connection);
    connection.write(embeddingRequest());
    await expect.poll(() => upstream.waiting()).toBe(1);

    gateway.process.kill("SIGTERM");
    await expect.poll(() => canConnect(url)).toBe(false);
    upstream.reply();

    // Well before `stopMs`, or the test times out.
    expect(await gateway.exit).toBe(0);
    expect(received()).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test("idle connections, and those without a request, are closed at once", async () => {
    const { gateway, url } = await startWithSlowUpstream("limits: { stopMs: 600000 }");
    const idle = await open(url);
    const received = collect(idle);
    idle.write(request("GET", "/healthz", {}));
    await expect.poll(received).toMatch(/"ok"/);
    await open(url);

    gateway.process.kill("SIGTERM");

    expect(await gateway.exit).toBe(0);
  });

  test("a request that outlives limits.stopMs is cut, and the exit code is 0 all the same", async () => {
    const { gateway, url, upstream } = await startWithSlowUpstream("limits: { stopMs: 200 }");
    const connection = await open(url);
    const received = collect(connection);
    const closed = once(connection, "close");
    connection.write(embeddingRequest());
    await expect.poll(() => upstream.waiting()).toBe(1);

    gateway.process.kill("SIGTERM");

    await closed;
    expect(await gateway.exit).toBe(0);
    expect(received()).toBe("");
    await expect.poll(() => upstream.waiting()).toBe(0);
  });

  test("SIGINT stops as SIGTERM does, and the last lines of the log are written", async () => {
    const { gateway, url } = await startWithSlowUpstream("limits: { stopMs: 600000 }");
    await fetch(`${url}/v1/models`, {
      headers: {
        authorization: `Bearer ${key}`,
        "x-client-request-id": "the-last-one",
        connection: "close",
      },
    });

    gateway.process.kill("SIGINT");

    expect(await gateway.exit).toBe(0);
    expect(gateway.stdout()).toContain("the-last-one");
    const said = gateway.logLines.map((line) => JSON.parse(line)).slice(-2);
    expect(said).toMatchObject([
      { signal: "SIGINT", requestsInFlight: 0, stopMs: 600_000 },
      { msg: "The gateway has stopped." },
    ]);
  });
});

function start(
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): LaunchedGateway {
  const gateway = launchGateway({ folder, environment: { KEY: key, ...environment }, flags });
  started.push(gateway);
  return gateway;
}

/** A gateway in front of an upstream that replies when `reply` is called. */
async function startWithSlowUpstream(more: string) {
  const upstream = await startFakeUpstream({ script: { always: { isHeld: true } } });
  cleanUps.push(upstream.close);
  file(
    "gateway.yaml",
    `keys: [{ name: test, key: "\${KEY}" }]
upstreams: { slow: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { slow: { type: embedding, targets: [{ upstream: slow, model: slow }] } }
${more}`,
  );
  const gateway = start({});
  return {
    gateway,
    url: await gateway.listening(),
    upstream: { waiting: () => upstream.seen().inFlight, reply: () => upstream.follow({}) },
  };
}

function file(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function request(method: string, path: string, headers: Readonly<Record<string, string>>): string {
  const all = Object.entries({ host: "gateway", authorization: `Bearer ${key}`, ...headers });
  return `${method} ${path} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}

function embeddingRequest(): string {
  const body = JSON.stringify({ model: "slow", input: "a" });
  return `${request("POST", "/v1/embeddings", { "content-type": "application/json", "content-length": String(body.length) })}${body}`;
}

async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  cleanUps.push(async () => socket.destroy());
  await once(socket, "connect");
  return socket;
}

function canConnect(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function modelIds(url: string): Promise<string[]> {
  const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}
