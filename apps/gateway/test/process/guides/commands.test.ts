import { execFile, spawn } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { parseCommandLine } from "@model-gateway/cli/command-line";
import { defaultConfig } from "@model-gateway/config/default-config";
import pg from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signatureHeaders } from "../../../src/webhooks/sign.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder, startBuiltGateway } from "../../gateway/built.js";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";
import { type Block, blocksIn } from "../../repository/blocks.js";
import { qdrantKey, startFakeQdrant } from "../../servers/fake-qdrant.js";
import { type PgvectorDatabase, startPgvector } from "../../servers/pgvector.js";
import { curlIsMissing } from "../curl.js";
import { python, whyPythonCannotRun } from "../python.js";

const address = "http://127.0.0.1:8080";
const run = promisify(execFile);
const root = join(import.meta.dirname, "../../../../..");

/** Commands that no test can run here, by how they begin, and where they are tested instead. */
const notRun: Readonly<Record<string, string>> = {
  "npm test": "it would run this test",
  "npm run": "a script of package.json, see below; CI runs them",
  "npx vitest":
    "it would run tests in a test; guides.test.ts in test/repository/deploy checks the files that it names",
  "node search.mjs": "search-images.test.ts runs it, with a model that knows colours",
  "npm install": "release.test.ts installs the published packages",
  "npx @model-gateway/gateway": "release.test.ts runs it; a test below runs the gateway with its arguments",
  "mkdir -p /opt": "it needs root",
  systemctl: "there is no systemd in a container; containers.test.ts checks the unit",
  journalctl: "as systemctl",
  docker: "there is no container engine; containers.test.ts checks its input",
  kubectl: "there is no cluster; kubernetes.test.ts and guides.test.ts check its input",
  helm: "there is no cluster; chart.test.ts in test/repository/deploy/helm renders the chart",
  aws: "there is no account; the test beside this one parses its file",
  "cd apps/gateway": "a part of the commands after it",
  "sh create-secrets.sh": "containers.test.ts runs it",
  DATABASE_URL_FILE: "it names a file of a container; secret-files.test.ts reads one",
  "curl http://127.0.0.1:8080/admin/v1/space-revisions":
    "it needs a drifted target; drift.test.ts accepts one",
  export: "the tests set the variable to a key that is valid",
};

let gateway: BuiltGateway;
let upstream: FakeUpstream;
let folder: string;
let environment: Record<string, string | undefined>;
let space: string;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  const server = `{ provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }`;
  const upstreams = `upstreams:\n  openai: ${server}\n  azure: ${server}`;
  const [small, same] = ["openai", "azure"].map(
    (name) => `{ upstream: ${name}, model: text-embedding-3-small }`,
  );
  gateway = await startBuiltGateway(
    `${defaultConfig.replace("upstreams:", upstreams)}
  text-embedding-3-small: { type: embedding, targets: [${small}, ${same}] }
  pictures: { type: embedding, targets: [{ upstream: openai, model: pictures, inputImages: true }] }
`,
  );
  folder = mkdtempSync(join(tmpdir(), "guides-"));
  symlinkSync(join(root, "apps/gateway/node_modules"), join(folder, "node_modules"));
  // Without it, curl exits with 0 after an error response.
  writeFileSync(join(folder, ".curlrc"), "silent\nshow-error\nfail-with-body\n");
  const create = { width: 64, height: 64, channels: 4 as const, background: "#ff8800ff" };
  await sharp({ create }).png().toFile(join(folder, "fox.png"));
  const hole = { ...create, background: "#00000000" };
  await sharp({ create: hole }).png().toFile(join(folder, "mask.png"));
  environment = { PATH: process.env.PATH, HOME: folder, ...(await secrets()) };
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

async function secrets(): Promise<Record<string, string>> {
  const key = await new AdminClient(gateway.url).createKey({ name: "guides" });
  const headers = { authorization: `Bearer ${testAdminKey}` };
  const created = await gateway.send("/admin/v1/sessions", { method: "POST", headers });
  const { value } = (await created.json()) as { value: string };
  const body = { model: "text-embedding-3-small", input: "a" };
  space = (await gateway.sendJson("/v1/embeddings", body)).headers.get("x-gateway-space") ?? "";
  const image = { model: "local-sketch", prompt: "a fox" };
  const job = await gateway.sendJson("/v1/images/generations", image, {
    headers: { prefer: "respond-async" },
  });
  const { id } = (await job.json()) as { id: string };
  return {
    GATEWAY_KEY: testKey,
    GATEWAY_ADMIN_KEY: testAdminKey,
    KEY_ID: key.id,
    GATEWAY_SESSION: value,
    JOB_ID: id,
  };
}

/** The commands of a block: a line each, or several that a backslash or an open quote joins. */
function commandsOf({ text }: Block): string[] {
  const commands: string[] = [];
  let open = "";
  for (const line of text.trimEnd().split("\n")) {
    open = open === "" ? line : `${open}\n${line}`;
    const isQuoted = (open.match(/'/g)?.length ?? 0) % 2 === 1;
    if (open.endsWith("\\") || isQuoted) continue;
    commands.push(open.replace(/ +# .*$/, ""));
    open = "";
  }
  return commands;
}

/** Pages whose commands build on each other. */
const sequencePages = ["moving-an-index.md"];
const rows = blocksIn("sh").flatMap(([place, block]) =>
  commandsOf(block).map((command): [string, string] => [place, command]),
);
const isNotRun = (command: string) => Object.keys(notRun).find((start) => command.startsWith(start));
const isStart = (command: string) => /^(\w+=\S+ )*npm start\b/.test(command);
const toRun = distinct(rows.filter(([, command]) => isNotRun(command) === undefined && !isStart(command)));

test.skipIf(curlIsMissing).each(toRun)("the command at %s succeeds: %s", async (_place, command) => {
  const own = command
    .replaceAll(address, gateway.url)
    .replace(/x-gateway-space: [^"]+/, `x-gateway-space: ${space}`);

  if (own.startsWith("curl -N")) expect(await firstOutput(own)).toContain("event: stream.started");
  else await run("sh", ["-c", `set -e; ${own}`], { cwd: folder, env: environment, maxBuffer: 2 ** 26 });
});

/** Pages repeat commands, and each is run once. Some pages have commands that build on each other: those are kept. */
function distinct(rows: readonly [place: string, command: string][]): [place: string, command: string][] {
  const seen = new Set<string>();
  return rows.filter(([place, command]) => {
    const own = command.replace(/npm start( --)?|npx @model-gateway\/gateway/, "model-gateway");
    const key = `${sequencePages.find((page) => place.startsWith(`${page}:`)) ?? ""} ${own}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Of a command that would go on for ever. */
async function firstOutput(command: string): Promise<string> {
  const child = spawn("sh", ["-c", `exec ${command}`], { cwd: folder, env: environment });
  const [chunk] = await once(child.stdout, "data");
  child.kill();
  await once(child, "close");
  return String(chunk);
}

const [, { text: quickStartConfig } = { text: "" }] =
  blocksIn("yaml").find(([place]) => place.startsWith("quick-start")) ?? [];
const texts = Array.from({ length: 30 }, (_, id) => `The house with the number ${id} has ${id % 7} windows.`);
const catalogue = readFileSync(join(root, "packages/catalogue/src/catalogue.json"));
const signer = generateKeyPairSync("ed25519");
/** The files that command lines name. */
const startFiles: Readonly<Record<string, string>> = {
  "production.yaml": defaultConfig,
  "gateway.yaml": quickStartConfig,
  "config.yaml": "model_list: [{ model_name: m, litellm_params: { model: openai/text-embedding-3-small } }]",
  "config.json":
    '{ "providers": { "openai": { "keys": [{ "name": "k", "value": "env.K", "models": ["*"] }] } } }',
  "input.jsonl": texts
    .map((input, id) => {
      const line = { custom_id: `line-${id}`, method: "POST", url: "/v1/embeddings" };
      return `${JSON.stringify({ ...line, body: { model: "gte-small", input } })}\n`;
    })
    .join(""),
  "catalogue.json": catalogue.toString("utf8"),
  "catalogue-key.pub.pem": signer.publicKey.export({ type: "spki", format: "pem" }).toString(),
  // Beside the catalogue: no command line names it.
  "catalogue.json.sig": sign(null, catalogue, signer.privateKey).toString("base64"),
  "texts.jsonl": texts.map((text, id) => `${JSON.stringify({ id, text })}\n`).join(""),
};
/** They run in one folder, in their order. */
const sequences = new Map(sequencePages.map((page) => [page, new GatewayFolder()]));
const starts = distinct(
  rows.filter(
    ([, command]) =>
      (isStart(command) && isNotRun(command) === undefined) || /^npx @model-gateway\/gateway\b/.test(command),
  ),
);

let pgvector: PgvectorDatabase;
let qdrant: Awaited<ReturnType<typeof startFakeQdrant>>;
/** The indexes that the guide moves. */
beforeAll(async () => {
  pgvector = await startPgvector();
  qdrant = await startFakeQdrant();
  const client = new pg.Client({ connectionString: pgvector.url });
  await client.connect();
  await client.query("CREATE EXTENSION vector");
  await client.query("CREATE TABLE passages (id int PRIMARY KEY, body text, embedding vector(2))");
  const row = "INSERT INTO passages VALUES ($1, $2, $3)";
  for (const [id, text] of texts.entries()) await client.query(row, [id, text, `[${id},1]`]);
  await client.end();
  const call = (path: string, body: object) =>
    fetch(`${qdrant.url}${path}`, {
      method: "PUT",
      headers: { "api-key": qdrantKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await call("/collections/passages", { vectors: { size: 2, distance: "Cosine" } });
  const points = texts.map((text, id) => ({ id, vector: [id, 1], payload: { text } }));
  await call("/collections/passages/points?wait=true", { points });
});
afterAll(async () => {
  qdrant.close();
  await pgvector.close();
  for (const folder of sequences.values()) await folder.remove();
});

test.each(starts)("the gateway runs as at %s: %s", async (place, command) => {
  const given = command.replace(/^(\w+=\S+ )*(npm start( --)?|npx @model-gateway\/gateway)/, "");
  const flags = [...given.matchAll(/"([^"]*)"|\S+/g)].map(([flag, quoted]) => quoted ?? flag);
  const variables = [...command.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name = "", value = ""]) => [
    name,
    // Three dots are a placeholder for a secret.
    value === "..." ? "a-secret-of-some-length" : value,
  ]);
  const read = flags.filter((flag, index) => flag in startFiles && flags[index - 1] !== "--out");
  if (read.includes("catalogue.json")) read.push("catalogue.json.sig");
  // The keys are for the file that the quick start shows.
  if (command.startsWith("GATEWAY_KEY=")) read.push("gateway.yaml");
  const sequence = sequences.get(place.split(":")[0] ?? "");
  const home = sequence ?? new GatewayFolder();
  try {
    for (const name of read) home.write(name, startFiles[name] ?? "");
    // A command that calls a running gateway or an index calls the one of this file.
    const keys = {
      GATEWAY_KEY: testKey,
      OPENAI_API_KEY: "sk-1",
      MODEL_GATEWAY_URL: gateway.url,
      PGVECTOR_URL: pgvector.url,
      QDRANT_URL: qdrant.url,
      QDRANT_API_KEY: qdrantKey,
    };
    const launched = home.launch({ ...keys, ...Object.fromEntries(variables) }, { flags });

    if (parseCommandLine(flags).name === "serve") expect(await launched.listening()).toMatch(/^http:/);
    else expect([await launched.exit, launched.stderr()]).toEqual([0, ""]);
  } finally {
    if (sequence === undefined) await home.remove();
  }
});

test("the scripts that pages name are in package.json, and nothing is left out without use", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const named = rows.flatMap(([, command]) => /^npm run (\w+)/.exec(command)?.[1] ?? []);
  const used = new Set(rows.map(([, command]) => isNotRun(command)));

  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  expect(Object.keys(notRun).filter((start) => !used.has(start))).toEqual([]);
});

/** `samples.test.ts` proves that the blocks of this page are samples, and runs those. */
const samplePage = "clients.md";

test.each([
  ["quick", /^384\n$/],
  ["embeddings", /embedding: \[(\s*\d+,?){48}\s*\]/],
])("the JavaScript of the guide %s runs", async (page, printed) => {
  const [[, { text }] = ["", { text: "" }]] = blocksIn("js").filter(([place]) => place.startsWith(page));
  writeFileSync(join(folder, `${page}.mjs`), text.replaceAll(address, gateway.url));

  const { stdout } = await run(process.execPath, [`${page}.mjs`], { cwd: folder, env: environment });

  expect(stdout).toMatch(printed);
});

test("the JavaScript of the guide to batches runs", async () => {
  const [[, { text }] = ["", { text: "" }]] = blocksIn("js").filter(([place]) => place.startsWith("batches"));
  const lines = ["row-1", "row-2"].map((custom_id) => ({
    custom_id,
    method: "POST",
    url: "/v1/embeddings",
    body: { model: "gte-small", input: custom_id },
  }));
  writeFileSync(join(folder, "requests.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  writeFileSync(join(folder, "batch.mjs"), text.replaceAll(address, gateway.url));

  const { stdout } = await run(process.execPath, ["batch.mjs"], { cwd: folder, env: environment });

  expect(stdout).toBe("row-1 384\nrow-2 384\n");
});

test("the Python of the quick start runs", async (context) => {
  const [[, { text }] = ["", { text: "" }]] = blocksIn("python").filter(([place]) =>
    place.startsWith("quick"),
  );
  const cannotRun = whyPythonCannotRun(text);
  context.skip(cannotRun !== undefined, cannotRun);
  writeFileSync(join(folder, "quick.py"), text.replaceAll(address, gateway.url));

  const { stdout } = await run(python ?? "", ["quick.py"], { cwd: folder, env: environment });

  expect(stdout).toBe("384\n");
});

test("the Python of the recipes runs", async (context) => {
  const [[, { text }] = ["", { text: "" }]] = blocksIn("python").filter(([place]) =>
    place.startsWith("recipes"),
  );
  const cannotRun = whyPythonCannotRun(text);
  context.skip(cannotRun !== undefined, cannotRun);
  writeFileSync(join(folder, "recipe.py"), text.replaceAll(address, gateway.url));

  const { stdout } = await run(python ?? "", ["recipe.py"], { cwd: folder, env: environment });

  expect(stdout).toBe("384 384\n");
});

test("the function that checks webhooks accepts a signature of the gateway, and no other", async () => {
  const [[, { text }] = ["", { text: "" }]] = blocksIn("js").filter(([place]) => place.startsWith("webhook"));
  const file = join(folder, "webhook.mjs");
  writeFileSync(file, `${text}\nexport { isFromGateway };\n`);
  const { isFromGateway } = await import(pathToFileURL(file).href);
  const secret = Buffer.alloc(32, 7);
  const message = { id: "msg_1", at: Date.now(), body: '{"type":"target.state_changed"}' };
  const headers = signatureHeaders(message, secret);

  expect(isFromGateway(headers, message.body, secret.toString("base64"))).toBe(true);
  expect(isFromGateway(headers, `${message.body} `, secret.toString("base64"))).toBe(false);
  expect(isFromGateway(headers, message.body, Buffer.alloc(32, 8).toString("base64"))).toBe(false);
});

test("every program in JavaScript and Python is run by a test", () => {
  const places = [...blocksIn("js"), ...blocksIn("python")].map(([, { page }]) => page);

  expect([...new Set(places)].sort()).toEqual([
    "batches.md",
    samplePage,
    "embeddings-through-the-gateway.md",
    "images-and-texts.md",
    "quick-start.md",
    "recipes.md",
    "webhook-events.md",
  ]);
});
