import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { collect } from "../gateway/built.js";
import { builtMain } from "../gateway/fresh-build.js";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../../..");
const manifest = (path: string) => JSON.parse(readFileSync(path, "utf8"));
/** Some hundred megabytes are packed and unpacked. */
const slowMs = 900_000;

/** An empty folder in which npm alone has installed the packed packages. */
let folder: string;
let packed: string;
beforeAll(async () => {
  builtMain();
  folder = mkdtempSync(join(tmpdir(), "model-gateway-installed-"));
  packed = mkdtempSync(join(tmpdir(), "model-gateway-packed-"));
  await run(process.execPath, [join(root, "apps/gateway/pack.mjs"), packed], { cwd: folder });
  const tarballs = readdirSync(packed).map((name) => join(packed, name));
  await npm("install", "--ignore-scripts", ...tarballs);
}, slowMs);
afterAll(() => {
  for (const created of [folder, packed]) rmSync(created, { recursive: true, force: true });
});

test("every package is installed with its licence, and without repository-only files", () => {
  const installed = join(folder, "node_modules/@model-gateway");
  const names = readdirSync(installed);
  const { version } = manifest(join(root, "apps/gateway/package.json"));

  expect(names.sort()).toEqual([
    "client",
    "console",
    "docs",
    "gateway",
    "local-embeddings",
    "sketch",
    "spec",
    "vector-check",
  ]);
  for (const name of names) {
    const found = manifest(join(installed, name, "package.json"));
    expect(readdirSync(join(installed, name))).toContain("LICENSE");
    expect(found).toMatchObject({ license: "Apache-2.0", version, engines: { node: ">=20.19" } });
    expect(Object.keys(found)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(private|devDependencies|optionalDependencies)$/)]),
    );
    expect(JSON.stringify(found)).not.toMatch(/workspace:|catalog:/);
  }
  // Weights as they are downloaded, before the build converts them, are four times as large.
  expect(readdirSync(join(folder, "node_modules"))).not.toContain("@alvix");
});

test(
  "npx model-gateway serves an embedding, and without the local models it names the package to install",
  async () => {
    const whole = await startInstalled();
    const response = await embed(whole);
    await whole.stop();

    expect(response).toMatchObject({ object: "list", data: [{ embedding: { length: 384 } }] });

    await npm("uninstall", "@model-gateway/local-embeddings", "@model-gateway/sketch");
    expect(readdirSync(join(folder, "node_modules"))).not.toContain("onnxruntime-node");
    const small = await startInstalled();
    const refused = await embed(small);
    await small.stop();

    expect(refused).toMatchObject({ error: { code: "model_unavailable" } });
    expect(small.output()).toContain("Install @model-gateway/local-embeddings and @model-gateway/sketch");
  },
  slowMs,
);

test("the command prints its version and its help", async () => {
  const { stdout } = await npx("--version");

  expect(stdout.trim()).toBe(manifest(join(root, "apps/gateway/package.json")).version);
  expect((await npx("--help")).stdout).toMatch(/^Usage: model-gateway /);
});

function npm(...args: string[]) {
  return run("npm", [...args, "--prefer-offline", "--no-audit", "--no-fund"], { cwd: folder });
}

function npx(...args: string[]) {
  return run("npx", ["--no-install", "model-gateway", ...args], { cwd: folder });
}

interface Installed {
  readonly url: string;
  readonly key: string;
  readonly output: () => string;
  stop(): Promise<void>;
}

async function startInstalled(): Promise<Installed> {
  const child = spawn("npx", ["--no-install", "model-gateway"], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    // A separate process group: npx does not pass a signal on to the gateway in every version.
    detached: true,
  });
  onTestFinished(() => endGroup(child));
  const said = [collect(child.stdout), collect(child.stderr)];
  const output = () => said.map((read) => read()).join("");
  await expect.poll(output, { timeout: 120_000 }).toMatch(/Bearer mg_\w+/);
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
