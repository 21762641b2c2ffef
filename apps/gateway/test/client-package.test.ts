import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createPackedProject, type PackedProject } from "../../../packages/client/test/packed-project.js";
import { typeCheck } from "../../../packages/client/test/type-check.js";

const key = "client-package-test-key";
const adminKey = "client-package-admin-key";
const config = `
keys:
  - { name: test, key: "\${GATEWAY_KEY}" }
upstreams:
  local: { provider: local }
models:
  gte-small:
    type: embedding
    dimensions: 384
    targets: [{ upstream: local, model: gte-small }]
  local-sketch:
    type: image
    targets: [{ upstream: local, model: local-sketch }]
`;

let folder: string;
let url: string;
let gateway: ChildProcess | undefined;
let project: PackedProject | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "model-gateway-live-"));
  gateway = await startGateway();
  url = await readAddress(gateway);
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), {
    timeout: 60_000,
    interval: 100,
  });
  project = await createPackedProject();
}, 180_000);

afterAll(async () => {
  await project?.remove();
  if (gateway) await stop(gateway);
  await rm(folder, { recursive: true, force: true });
});

test("a program with the packed client uses every operation of a running gateway", async () => {
  if (!project) throw new Error("There is no project.");
  await project.configure("every-operation.ts");
  const errors = await typeCheck(project.folder);

  const report = JSON.parse(
    await project.run("every-operation.js", {
      GATEWAY_URL: url,
      GATEWAY_KEY: key,
      GATEWAY_ADMIN_KEY: adminKey,
    }),
  );

  expect(errors).toEqual([]);
  expect(report).toEqual({
    health: "ok",
    ready: true,
    models: ["gte-small", "local-sketch"],
    model: "gte-small",
    widths: [384, 384],
    requestId: expect.stringMatching(/^req_[0-9a-f]{32}$/),
    legacyWidths: [384],
    imageHead: [0x89, 0x50, 0x4e, 0x47],
    images: [1, 1, 1],
    drawnEvents: expect.arrayContaining(["image_generation.completed"]),
    editedEvents: expect.arrayContaining(["image_edit.completed"]),
    missing: { status: 404, code: "model_not_found" },
    thrown: { name: "GatewayRequestError", code: "model_not_found" },
    stranger: 401,
    keys: {
      value: "mg_",
      listed: ["consumer"],
      changed: null,
      retrieved: "active",
      revoked: "revoked",
    },
    usage: ["list", "model"],
    requests: ["list", "id"],
    adminModels: ["gte-small", "local-sketch"],
    upstreams: ["local"],
    metrics: "string",
    refusedAdmin: 401,
  });
}, 120_000);

async function startGateway(): Promise<ChildProcess> {
  const configFile = join(folder, "gateway.yaml");
  await writeFile(configFile, config);
  const environment = {
    PORT: "0",
    HOST: "127.0.0.1",
    GATEWAY_CONFIG: configFile,
    GATEWAY_KEY: key,
    GATEWAY_ADMIN_KEY: adminKey,
  };
  return spawn(process.execPath, [join(import.meta.dirname, "../dist/main.js")], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function stop(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = once(process, "exit");
  process.kill("SIGTERM");
  const patience = setTimeout(() => process.kill("SIGKILL"), 5000);
  await ended;
  clearTimeout(patience);
}

/** The first line that names an address. The rest is read too, or the gateway would stop at a full pipe. */
async function readAddress(process: ChildProcess): Promise<string> {
  if (!process.stdout) throw new Error("The gateway was started without a pipe.");
  const lines = createInterface({ input: process.stdout });
  return new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (address) resolve(address);
    });
    lines.once("close", () => reject(new Error("The gateway ended before it listened.")));
    process.once("error", reject);
  });
}
