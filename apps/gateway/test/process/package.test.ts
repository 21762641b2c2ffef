import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { bundledPackages } from "../../bundled-packages.mjs";
import { collect } from "../gateway/built.js";
import { builtMain } from "../gateway/fresh-build.js";
import { type NpmRegistry, startNpmRegistry } from "../servers/npm-registry.js";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../../..");
const manifest = (path: string) => JSON.parse(readFileSync(path, "utf8"));
/** Some hundred megabytes are packed and unpacked. */
const slowMs = 900_000;
const platform = `${process.platform}-${process.arch}`;

let packed: string;
let registry: NpmRegistry;
/** An empty cache of npx, with the downloads of npm's usual cache. */
let cache: string;
beforeAll(async () => {
  builtMain();
  packed = mkdtempSync(join(tmpdir(), "model-gateway-packed-"));
  cache = mkdtempSync(join(tmpdir(), "model-gateway-cache-"));
  await run(process.execPath, [join(root, "apps/gateway/pack.mjs"), packed]);
  const { stdout } = await run("npm", ["config", "get", "cache"]);
  symlinkSync(join(stdout.trim(), "_cacache"), join(cache, "_cacache"));
  registry = await startNpmRegistry(packed);
}, slowMs);
afterAll(async () => {
  await registry.close();
  for (const created of [cache, packed]) rmSync(created, { recursive: true, force: true });
});

test(
  "npx @model-gateway/gateway in an empty folder serves an embedding",
  async () => {
    const folder = createFolder();
    const gateway = await startGateway(folder, ["npx", "--yes", "@model-gateway/gateway", "--log", "text"]);

    const response = await embed(gateway);
    await gateway.stop();

    expect(response).toMatchObject({ object: "list", data: [{ embedding: { length: 384 } }] });
    expect(gateway.output()).toContain("/console/#code=mg_code_");
    const [created = ""] = readdirSync(join(cache, "_npx"));
    const installed = join(cache, "_npx", created, "node_modules");
    expect(ownPackages(installed)).toEqual([
      "console",
      "docs",
      "gateway",
      "local-embeddings",
      `onnxruntime-${platform}`,
      "sketch",
      "spec",
      "vector-check",
    ]);
    checkManifests(installed);
    // 505 MB with the libraries of all platforms, and with bundled packages beside the bundle.
    // Four of them are the compiled code of the first start.
    expect(await megabytes(installed)).toBeLessThan(260);
    expect(readdirSync(folder)).toEqual(["data"]);
  },
  slowMs,
);

test(
  "the slim package serves without local models, and says how to add them",
  async () => {
    const folder = createFolder();
    await npm(folder, "install", "--ignore-scripts", "@model-gateway/gateway-slim");
    const installed = join(folder, "node_modules");
    expect(ownPackages(installed)).toEqual(["console", "docs", "gateway-slim", "spec", "vector-check"]);
    expect(await megabytes(installed)).toBeLessThan(150);
    const command = ["npx", "--no-install", "model-gateway"];

    const slim = await startGateway(folder, command);
    const refused = await embed(slim);
    await slim.stop();

    expect(refused).toMatchObject({ error: { code: "model_unavailable" } });
    const [, add = ""] = /Local models +not installed; add them: npm install (.+)/.exec(slim.output()) ?? [];

    await npm(folder, "install", "--ignore-scripts", ...add.split(" "));
    const whole = await startGateway(folder, command);
    const response = await embed(whole);
    await whole.stop();

    expect(response).toMatchObject({ object: "list" });
    const { version } = manifest(join(root, "apps/gateway/package.json"));
    expect((await run("npx", [...command.slice(1), "--version"], { cwd: folder })).stdout.trim()).toBe(
      version,
    );
  },
  slowMs,
);

test("the packages of a platform have its library alone, with the licence", async () => {
  const runtimes = readdirSync(packed).filter((name) => name.includes("onnxruntime"));

  const listed = await Promise.all(
    runtimes.map(async (name) => (await run("tar", ["-tzf", join(packed, name)])).stdout),
  );

  expect(runtimes).toHaveLength(5);
  for (const [index, files] of listed.entries()) {
    const [, os, cpu] = /onnxruntime-(\w+)-(\w+)-/.exec(runtimes[index] ?? "") ?? [];
    const folders = [...files.matchAll(/bin\/napi-v6\/(\w+)\/(\w+)\//g)].map(([, ...place]) => place);
    expect(new Set(folders.map(String))).toEqual(new Set([`${os},${cpu}`]));
    expect(files).toContain("package/LICENSE");
  }
});

test("the licence of every bundled package is in the gateway", () => {
  const texts = readFileSync(join(root, "apps/gateway/dist/third-party-licenses.txt"), "utf8");

  for (const name of bundledPackages) expect(texts).toMatch(new RegExp(`^${name} \\d`, "m"));
});

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "model-gateway-installed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function environment(): Record<string, string | undefined> {
  return { PATH: process.env.PATH, HOME: process.env.HOME, npm_config_cache: cache, ...registry.environment };
}

function npm(folder: string, ...args: string[]) {
  const options = { cwd: folder, env: environment() };
  return run("npm", [...args, "--prefer-offline", "--no-audit", "--no-fund"], options);
}

function ownPackages(installed: string): string[] {
  return readdirSync(join(installed, "@model-gateway")).sort();
}

function checkManifests(installed: string): void {
  const { version } = manifest(join(root, "apps/gateway/package.json"));
  for (const name of ownPackages(installed)) {
    const folder = join(installed, "@model-gateway", name);
    const found = manifest(join(folder, "package.json"));
    expect(readdirSync(folder)).toContain("LICENSE");
    expect(found).toMatchObject({ version, engines: { node: ">=20.19" } });
    expect(Object.keys(found).filter((key) => /^(private|scripts|devDependencies)$/.test(key))).toEqual([]);
    expect(JSON.stringify(found)).not.toMatch(/workspace:|catalog:/);
  }
  // Weights as they are downloaded, before the build converts them, are four times as large.
  expect(readdirSync(installed)).not.toContain("@alvix");
}

/** As `du` counts them: whole blocks of the disk. */
async function megabytes(folder: string): Promise<number> {
  const { stdout } = await run("du", ["-sk", folder]);
  return Number.parseInt(stdout, 10) / 1024;
}

interface Installed {
  readonly url: string;
  readonly key: string;
  readonly output: () => string;
  stop(): Promise<void>;
}

async function startGateway(folder: string, [command = "", ...args]: readonly string[]): Promise<Installed> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...environment(), npm_config_prefer_offline: "true", PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    // A separate process group: npx does not pass a signal on to the gateway in every version.
    detached: true,
  });
  onTestFinished(() => endGroup(child));
  const said = [collect(child.stdout), collect(child.stderr)];
  const output = () => said.map((read) => read()).join("");
  await expect.poll(output, { timeout: slowMs / 2 }).toMatch(/Bearer mg_\w+/);
  return {
    url: /is listening on (\S+)/.exec(output())?.[1] ?? "",
    key: /Bearer (mg_\w+)/.exec(output())?.[1] ?? "",
    output,
    stop: () => endGroup(child),
  };
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = once(child, "close");
  process.kill(-child.pid, "SIGTERM");
  await closed;
}

async function embed({ url, key }: Installed): Promise<unknown> {
  const response = await fetch(`${url}/v1/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gte-small", input: "The cat sat on the mat." }),
  });
  return response.json();
}
