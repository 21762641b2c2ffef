import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../gateway/admin-client.js";
import { collect, GatewayFolder } from "../gateway/built.js";
import { builtMain } from "../gateway/fresh-build.js";

const secret = "sk-pasted-into-init-0123456789";
let folder: GatewayFolder;
let upstream: FakeUpstream;
beforeEach(async () => {
  folder = new GatewayFolder();
  upstream = await startFakeUpstream({ script: { always: { width: 32 }, listed: ["tiny-embed"] } });
});
afterEach(async () => {
  await folder.remove();
  await upstream.close();
});

/** Runs `init` on a terminal, as a person who answers each question when it appears. */
async function converse(answers: readonly (readonly [string, string])[]): Promise<string> {
  const command = [process.execPath, builtMain(), "init", "--no-detect"].join(" ");
  // From bsdutils, which every Debian has. It gives the command a terminal.
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: folder.folder,
    env: { PATH: process.env.PATH, HOME: folder.folder, TERM: "xterm", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const output = collect(child.stdout);
  for (const [question, answer] of answers) {
    await vi.waitUntil(() => output().includes(question), { timeout: 120_000 });
    child.stdin.write(`${answer}\r`);
  }
  await once(child, "close");
  return output();
}

test("a key that is pasted is not shown, is stored, and serves after a start without any variable", async () => {
  const output = await converse([
    ["Providers to add", "openai-compatible"],
    ["http://127.0.0.1:1234/v1]", upstream.baseUrl],
    ["paste the key", secret],
    ["its embedding models", "tiny-embed"],
    ["its image models", ""],
  ]);
  const gateway = await folder.start();
  // The output is a pipe, so the start has created no key.
  const { value: key } = await new AdminClient(gateway.url).createKey({ name: "first" });
  const response = await gateway.sendJson(
    "/v1/embeddings",
    { model: "tiny-embed", input: "a" },
    { headers: { authorization: `Bearer ${key}` } },
  );

  expect(output).toContain("Kept as OPENAI_COMPATIBLE_API_KEY.");
  expect(output).toContain("openai-compatible: it works");
  const stored = join(gateway.dataDir, "secrets/OPENAI_COMPATIBLE_API_KEY");
  expect(readFileSync(stored, "utf8")).toBe(`${secret}\n`);
  expect(statSync(stored).mode & 0o777).toBe(0o600);
  const file = readFileSync(join(folder.folder, "gateway.yaml"), "utf8");
  expect(file).toContain("apiKey: ${OPENAI_COMPATIBLE_API_KEY}");
  expect(response.status).toBe(200);
  expect(upstream.received.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);
  for (const text of [output, file, folder.output]) expect(text).not.toContain(secret);
});
