import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { collect } from "../../gateway/built.js";
import { builtMain } from "../../gateway/fresh-build.js";
import { type BuiltStage, buildStages, nodeUser } from "./build-stages.js";

const root = join(import.meta.dirname, "../../../../..");
/** Everything is built, packed and installed once more. */
const slowMs = 900_000;

let folder: string;
let image: BuiltStage;
beforeAll(async () => {
  builtMain();
  folder = mkdtempSync(join(tmpdir(), "image-"));
  await chmod(folder, 0o755);
  image = await buildStages(folder, root);
}, slowMs);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the image has the gateway, and the context has no history", () => {
  const source = join(folder, "build/source");

  expect(readdirSync(source)).not.toContain(".git");
  expect(readdirSync(source)).toContain("pnpm-lock.yaml");
  expect(existsSync(image.path("/app/node_modules/@model-gateway/gateway"))).toBe(true);
});

test(
  "the image starts as its entry point says, is healthy, embeds, and stops in order",
  async () => {
    const env = {
      PATH: process.env.PATH ?? "",
      ...image.env,
      DATA_DIR: image.path("/data"),
      PORT: await freePort(),
    };
    const [program = "", script = "", ...args]: string[] = JSON.parse(
      image.settings.get("ENTRYPOINT") ?? "[]",
    );
    const gateway = spawn(program, [image.path(script), ...args], {
      cwd: image.path(image.workdir),
      env: { ...env, GATEWAY_KEY: "mg_a-key-of-some-length" },
      stdio: ["ignore", "pipe", "pipe"],
      ...nodeUser(),
    });
    onTestFinished(() => end(gateway));
    const said = [collect(gateway.stdout), collect(gateway.stderr)];
    await expect.poll(() => isHealthy(env), { timeout: 120_000 }).toBe(true);

    const response = await fetch(`http://127.0.0.1:${env.PORT}/v1/embeddings`, {
      method: "POST",
      headers: { authorization: "Bearer mg_a-key-of-some-length", "content-type": "application/json" },
      body: JSON.stringify({ model: "gte-small", input: "The cat sat on the mat." }),
    });

    expect(await response.json(), said.map((read) => read()).join("")).toMatchObject({
      data: [{ embedding: { length: 384 } }],
    });
    expect(readdirSync(image.path("/data")).length).toBeGreaterThan(0);
    expect(readdirSync(image.path(image.workdir))).toEqual([]);
    await end(gateway);
    expect(gateway.exitCode).toBe(0);
  },
  slowMs,
);

/** Runs the command of HEALTHCHECK. */
async function isHealthy(env: Record<string, string>): Promise<boolean> {
  const command = /CMD (\[.*\])$/.exec(image.settings.get("HEALTHCHECK") ?? "")?.[1] ?? "[]";
  const [program = "", ...args]: string[] = JSON.parse(command);
  return promisify(execFile)(program, args, { env }).then(
    () => true,
    () => false,
  );
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? String(address.port) : "";
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGTERM");
  await closed;
}
