import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";

const main = new URL("../../dist/main.js", import.meta.url).pathname;
const memoryMax = 300 * 1024 * 1024;

test("eight edits of 50 MB at once stay on disk, not in memory, and leave nothing behind", async () => {
  const side = 1826;
  const pixels = randomBytes(side * side * 3);
  const picture = await sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const upstream = await startFakeUpstream();
  const folder = mkdtempSync(join(tmpdir(), "gateway-large-"));
  writeFileSync(
    join(folder, "gateway.yaml"),
    `keys: [{ name: t, key: large-edits-key }]
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: m }] } }`,
  );
  const gateway = spawn(process.execPath, [main], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: "0" },
  });
  const url = await new Promise<string>((resolve) => {
    gateway.stdout.on("data", (text) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(String(text))?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  const edit = async () => {
    const form = new FormData();
    form.append("model", "m");
    form.append("prompt", "a fox");
    for (let index = 0; index < 5; index += 1)
      form.append("image[]", new Blob([new Uint8Array(picture)], { type: "image/png" }), "a.png");
    const answer = await fetch(`${url}/v1/images/edits`, {
      method: "POST",
      headers: { "api-key": "large-edits-key" },
      body: form,
    });
    return answer.status;
  };

  const statuses = await Promise.all(Array.from({ length: 8 }, edit));

  expect(statuses).toEqual(Array(8).fill(200));
  expect(upstream.seen().bodyBytes).toBeGreaterThan(8 * 5 * picture.length);
  const spool = join(folder, "data/form-spool", String(gateway.pid));
  await expect.poll(() => readdirSync(spool)).toEqual([]);
  const peak = peakBytes(gateway.pid ?? 0);
  console.log(
    `Peak memory with 8 edits of ${Math.round((5 * picture.length) / 1e6)} MB at once: ${Math.round(peak / 2 ** 20)} MiB`,
  );
  expect(peak).toBeLessThan(memoryMax);
  gateway.kill("SIGKILL");
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

/** The most memory a process has had, where the system tells. */
function peakBytes(pid: number): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(path, "utf8"))?.[1] ?? 0) * 1024;
}
