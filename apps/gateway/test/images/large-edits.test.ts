import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, test } from "vitest";
import { startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { testKey } from "../running-gateway.js";
import { startWatchedGateway } from "../watched-gateway.js";

const memoryMax = 300 * 1024 * 1024;

test("eight edits of 50 MB at once stay on disk, not in memory, and leave nothing behind", async () => {
  const side = 1826;
  const pixels = randomBytes(side * side * 3);
  const image = await sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const upstream = await startFakeUpstream();
  const gateway = await startWatchedGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: m }] } }`);
  const edit = async () => {
    const form = new FormData();
    form.append("model", "m");
    form.append("prompt", "a fox");
    for (let index = 0; index < 5; index += 1)
      form.append("image[]", new Blob([new Uint8Array(image)], { type: "image/png" }), "a.png");
    const answer = await fetch(`${gateway.url}/v1/images/edits`, {
      method: "POST",
      headers: { "api-key": testKey },
      body: form,
    });
    return answer.status;
  };

  const statuses = await Promise.all(Array.from({ length: 8 }, edit));

  expect(statuses).toEqual(Array(8).fill(200));
  expect(upstream.seen().bodyBytes).toBeGreaterThan(8 * 5 * image.length);
  await expect.poll(gateway.spooled).toEqual([]);
  const peak = peakBytes(gateway.pid);
  console.log(
    `Peak memory with 8 edits of ${Math.round((5 * image.length) / 1e6)} MB at once: ${Math.round(peak / 2 ** 20)} MiB`,
  );
  expect(peak).toBeLessThan(memoryMax);
  await gateway.remove();
  await upstream.close();
}, 120_000);

/** The most memory a process has had, where the system tells. */
function peakBytes(pid: number): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(path, "utf8"))?.[1] ?? 0) * 1024;
}
