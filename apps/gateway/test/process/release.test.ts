import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { bundledPackages } from "../../bundled-packages.mjs";
import { collect } from "../gateway/built.js";
import { builtMain } from "../gateway/fresh-build.js";
import { type NpmRegistry, startNpmRegistry } from "../servers/npm-registry.js";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../../..");
const manifest = (path: string) => JSON.parse(readFileSync(path, "utf8"));
/** Some hundred megabytes are packed, published and installed. */
const slowMs = 900_000;
const platform = `${process.platform}-${process.arch}`;
const repository = { GITHUB_SERVER_URL: "https://host.example", GITHUB_REPOSITORY: "owner/name" };

const program = `
import { createClient, unwrap } from "@model-gateway/client";

const client = createClient({ baseUrl: process.env.GATEWAY_URL, apiKey: process.env.GATEWAY_KEY });
const input = ["The cat sat on the mat.", "A fox."];
const { data } = unwrap(await client.createEmbedding({ model: "gte-small", input }));
console.log(JSON.stringify(data.map(({ embedding }) => embedding.length)));
`;

/** Has the packages in `packed`. */
let folder: string;
/** An empty cache of npm. */
let cache: string;
let registry: NpmRegistry;
let environment: Record<string, string>;
let published: readonly Published[];

/** The commands of the release workflow, up to the packages in a registry. */
beforeAll(async () => {
  builtMain();
  folder = mkdtempSync(join(tmpdir(), "model-gateway-release-"));
  cache = join(folder, "cache");
  registry = await startNpmRegistry();
  const { stdout } = await run("npm", ["config", "get", "registry"]);
  environment = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    npm_config_cache: cache,
    // As npm is configured on this machine, also where that is done by a variable.
    npm_config_registry: stdout.trim(),
    ...registry.environment,
  };
  const { jobs } = parse(readFileSync(join(root, ".github/workflows/release.yml"), "utf8"));
  const steps: { readonly run?: string }[] = jobs.packages.steps;
  const commands = steps.flatMap(({ run = "" }) => /node apps.+pack\.mjs.+|for package in.+/.exec(run) ?? []);
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    // Only a workflow can prove where a package comes from.
    const own = command.replace("node apps", `node ${root}/apps`).replace("--provenance ", "");
    await run("bash", ["-e", "-c", own], {
      cwd: folder,
      env: { ...environment, ...repository },
      maxBuffer: 2 ** 26,
    });
  }
  published = await Promise.all(readdirSync(join(folder, "packed")).map(readPublished));
}, slowMs);
afterAll(async () => {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

test("each package has the version, the licence and the repository of the release, and the files that it names", () => {
  const { version } = manifest(join(root, "apps/gateway/package.json"));
  expect(Object.fromEntries(published.map(({ name, folders }) => [name, folders]))).toEqual({
    client: ["dist"],
    console: ["dist"],
    docs: ["dist"],
    gateway: ["dist", "generated"],
    "gateway-slim": ["dist", "generated"],
    "local-embeddings": ["dist", "weights"],
    sketch: ["dist"],
    spec: ["generated"],
    "vector-check": ["dist", "wasm"],
    ...Object.fromEntries(
      published.flatMap(({ name }) => {
        if (name.startsWith("onnxruntime-")) return [[name, ["bin", "dist"]]];
        return name.startsWith("sqlite-") ? [[name, ["dist", "prebuilds"]]] : [];
      }),
    ),
  });
  for (const { name, files, found, tags } of published) {
    expect(tags, name).toEqual({ latest: version });
    expect(found, name).toMatchObject({
      version,
      license: expect.stringMatching(/^(Apache-2\.0|MIT)$/),
      engines: { node: "^20.19.0 || >=22.12.0" },
      publishConfig: { access: "public" },
      repository: { type: "git", url: "git+https://host.example/owner/name.git" },
    });
    expect(Object.keys(found).filter((key) => /^(private|scripts|devDependencies)$/.test(key))).toEqual([]);
    expect(JSON.stringify(found)).not.toMatch(/workspace:|catalog:/);
    expect(files).toContain("LICENSE");
    expect(
      targetsOf(found).filter((file) => !files.includes(file)),
      name,
    ).toEqual([]);
    expect(
      linksOf(found.readme).filter((file) => !files.includes(file)),
      name,
    ).toEqual([]);
    expect(
      files.filter((file) => /\.test\.|\.(map|tsbuildinfo|cache)$|(^|\/)\.|node_modules/.test(file)),
    ).toEqual([]);
  }
});

test(
  "npx @model-gateway/gateway in an empty folder serves embeddings to the published client",
  async () => {
    const home = createFolder();
    const command = ["npx", "--yes", "@model-gateway/gateway", "--log", "text"];
    const gateway = await startGateway(home, command);
    const project = createFolder();
    await npm(project, "install", "--ignore-scripts", "@model-gateway/client");
    writeFileSync(join(project, "embed.mjs"), program);

    const { stdout } = await run(process.execPath, ["embed.mjs"], {
      cwd: project,
      env: { GATEWAY_URL: gateway.url, GATEWAY_KEY: gateway.key },
    });
    const decoded = await embed(gateway, [791, 8415, 7731]);
    await gateway.stop();

    expect(stdout).toBe("[384,384]\n");
    expect(decoded).toMatchObject({ object: "list", data: [{ embedding: { length: 384 } }] });
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
      `sqlite-${platform}`,
      "vector-check",
    ]);
    // Weights as they are downloaded, before the build converts them, are four times as large.
    expect(readdirSync(installed)).not.toContain("@alvix");
    // 505 MB with the libraries of all platforms, and with bundled packages beside the bundle.
    // Four of them are the compiled code of the first start.
    expect(await megabytes(installed)).toBeLessThan(180);
    expect(readdirSync(home)).toEqual(["data"]);
  },
  slowMs,
);

test(
  "the slim package serves without local models, and says how to add them",
  async () => {
    const folder = createFolder();
    await npm(folder, "install", "--ignore-scripts", "@model-gateway/gateway-slim");
    const installed = join(folder, "node_modules");
    expect(ownPackages(installed)).toEqual([
      "console",
      "docs",
      "gateway-slim",
      "spec",
      `sqlite-${platform}`,
      "vector-check",
    ]);
    expect(await megabytes(installed)).toBeLessThan(60);
    const command = ["npx", "--no-install", "model-gateway"];

    const slim = await startGateway(folder, command, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
    const refused = await embed(slim);
    const page = await fetch(`${slim.url}/docs/guides/deploy/`, {
      headers: { "accept-encoding": "identity" },
    });
    await slim.stop();

    expect(refused).toMatchObject({ error: { code: "model_unavailable" } });
    expect(await page.text()).toContain("<title>Deploy");
    expect(slim.output()).toContain("Traces are recorded");
    expect(slim.output()).toContain("Metrics are exported");
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

test.each([
  { library: "onnxruntime", count: 5, places: /bin\/napi-v6\/(\w+)\/(\w+)\// },
  { library: "sqlite", count: 6, places: /prebuilds\/(\w+)-(\w+)\// },
])("the packages of a platform have its $library alone", ({ library, count, places }) => {
  const packages = published.filter(({ name }) => name.startsWith(`${library}-`));

  expect(packages).toHaveLength(count);
  for (const { name, files, found } of packages) {
    const folders = files.flatMap((file) => places.exec(file)?.slice(1).join("-") ?? []);
    expect(new Set(folders)).toEqual(new Set([`${found.os}-${found.cpu}`]));
    expect(name).toBe(`${library}-${found.os}-${found.cpu}`);
  }
});

test("the licence of every bundled package is in the gateway", () => {
  const texts = readFileSync(join(root, "apps/gateway/dist/third-party-licenses.txt"), "utf8");

  for (const name of bundledPackages) expect(texts).toMatch(new RegExp(`^${name} \\d`, "m"));
});

interface Published {
  /** Without the scope. */
  readonly name: string;
  /** The paths in the tarball. */
  readonly files: readonly string[];
  /** The folders at its top. */
  readonly folders: readonly string[];
  /** The manifest as the registry has it, with the README. */
  readonly found: Readonly<Record<string, unknown>> & { readonly readme: string };
  readonly tags: unknown;
}

async function readPublished(tarball: string): Promise<Published> {
  const { stdout } = await run("tar", ["-tzf", join(folder, "packed", tarball)]);
  const files = stdout
    .trim()
    .split("\n")
    .map((path) => path.replace("package/", ""));
  const [, name = "", version = ""] = /^model-gateway-(.+)-(\d.*)\.tgz$/.exec(tarball) ?? [];
  const response = await fetch(`${registry.url}@model-gateway%2f${name}`);
  const { versions, readme, "dist-tags": tags } = (await response.json()) as Document;
  const folders = new Set(files.flatMap((file) => (file.includes("/") ? [file.replace(/\/.*/, "")] : [])));
  return { name, files, folders: [...folders].sort(), found: { ...versions[version], readme }, tags };
}

/** https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
interface Document {
  readonly versions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly readme: string;
  readonly "dist-tags": unknown;
}

/** The files that a manifest points to, without patterns. */
function targetsOf({ exports, main, types, bin }: Readonly<Record<string, unknown>>): string[] {
  return leavesOf([exports, main, types, bin])
    .filter((path) => !path.includes("*"))
    .map((path) => path.replace(/^\.\//, ""));
}

function leavesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

/** The files beside a README that it links to. */
function linksOf(readme: string): string[] {
  return [...readme.matchAll(/\]\(\.\/([^)#]+)\)/g)].map(([, file = ""]) => file);
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "model-gateway-installed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function npm(folder: string, ...args: string[]) {
  return run("npm", [...args, "--prefer-offline", "--no-audit", "--no-fund"], {
    cwd: folder,
    env: environment,
  });
}

function ownPackages(installed: string): string[] {
  return readdirSync(join(installed, "@model-gateway")).sort();
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

async function startGateway(
  folder: string,
  [command = "", ...args]: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Installed> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...environment, PORT: "0", ...variables },
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

async function embed(
  { url, key }: Installed,
  input: string | readonly number[] = "The cat sat on the mat.",
): Promise<unknown> {
  const response = await fetch(`${url}/v1/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gte-small", input }),
  });
  return response.json();
}
