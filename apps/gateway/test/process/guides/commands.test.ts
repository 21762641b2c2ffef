import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseCommandLine } from "../../../src/commands/command-line.js";
import { defaultConfig } from "../../../src/config/default-config.js";
import { signatureHeaders } from "../../../src/webhooks/sign.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder, startBuiltGateway } from "../../gateway/built.js";
import { testAdminKey, testKey } from "../../gateway/test-gateway.js";
import { type Block, blocksIn } from "../../repository/blocks.js";
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
  "npm install": "package.test.ts installs the packed packages",
  "npx @model-gateway/gateway": "package.test.ts runs it; a test below runs the gateway with its arguments",
  "npx model-gateway": "package.test.ts runs it; a test below runs the gateway with its arguments",
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
  gateway = await startBuiltGateway(
    `${defaultConfig.replace("upstreams:", `upstreams:\n  openai: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" }`)}
  text-embedding-3-small: { type: embedding, targets: [{ upstream: openai, model: text-embedding-3-small }] }
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
  return { GATEWAY_KEY: testKey, GATEWAY_ADMIN_KEY: testAdminKey, KEY_ID: key.id, GATEWAY_SESSION: value };
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

const rows = blocksIn("sh").flatMap(([place, block]) =>
  commandsOf(block).map((command): [string, string] => [place, command]),
);
const isNotRun = (command: string) => Object.keys(notRun).find((start) => command.startsWith(start));
const isStart = (command: string) => /^(\w+=\S+ )*npm start\b/.test(command);
const toRun = rows.filter(([, command]) => isNotRun(command) === undefined && !isStart(command));

test.skipIf(curlIsMissing).each(toRun)("the command at %s succeeds: %s", async (_place, command) => {
  const own = command
    .replaceAll(address, gateway.url)
    .replace(/x-gateway-space: [^"]+/, `x-gateway-space: ${space}`);

  if (own.startsWith("curl -N")) expect(await firstOutput(own)).toContain("event: stream.started");
  else await run("sh", ["-c", `set -e; ${own}`], { cwd: folder, env: environment, maxBuffer: 2 ** 26 });
});

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
/** The files that command lines name. */
const startFiles: Readonly<Record<string, string>> = {
  "production.yaml": defaultConfig,
  "gateway.yaml": quickStartConfig,
  "config.yaml": "model_list: [{ model_name: m, litellm_params: { model: openai/text-embedding-3-small } }]",
  "config.json":
    '{ "providers": { "openai": { "keys": [{ "name": "k", "value": "env.K", "models": ["*"] }] } } }',
};
const starts = rows.filter(
  ([, command]) =>
    (isStart(command) && isNotRun(command) === undefined) ||
    /^npx (@model-gateway\/gateway|model-gateway)\b/.test(command),
);

test.each(starts)("the gateway runs as at %s: %s", async (_place, command) => {
  const given = command.replace(
    /^(\w+=\S+ )*(npm start( --)?|npx (@model-gateway\/gateway|model-gateway))/,
    "",
  );
  const flags = [...given.matchAll(/"([^"]*)"|\S+/g)].map(([flag, quoted]) => quoted ?? flag);
  const variables = [...command.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name = "", value = ""]) => [
    name,
    // Three dots are a placeholder for a secret.
    value === "..." ? "a-secret-of-some-length" : value,
  ]);
  const read = flags.filter((flag, index) => flag in startFiles && flags[index - 1] !== "--out");
  // The keys are for the file that the quick start shows.
  if (command.startsWith("GATEWAY_KEY=")) read.push("gateway.yaml");
  const home = new GatewayFolder();
  try {
    for (const name of read) home.write(name, startFiles[name] ?? "");
    // A command that calls a running gateway calls the one of this file.
    const keys = { GATEWAY_KEY: testKey, OPENAI_API_KEY: "sk-1", MODEL_GATEWAY_URL: gateway.url };
    const launched = home.launch({ ...keys, ...Object.fromEntries(variables) }, { flags });

    if (parseCommandLine(flags).name === "serve") expect(await launched.listening()).toMatch(/^http:/);
    else expect([await launched.exit, launched.stderr()]).toEqual([0, ""]);
  } finally {
    await home.remove();
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

test("the JavaScript of the quick start runs", async () => {
  const [[, { text }] = ["", { text: "" }]] = blocksIn("js").filter(([place]) => place.startsWith("quick"));
  writeFileSync(join(folder, "quick.mjs"), text.replaceAll(address, gateway.url));

  const { stdout } = await run(process.execPath, ["quick.mjs"], { cwd: folder, env: environment });

  expect(stdout).toBe("384\n");
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
    samplePage,
    "quick-start.md",
    "recipes.md",
    "webhook-events.md",
  ]);
});
