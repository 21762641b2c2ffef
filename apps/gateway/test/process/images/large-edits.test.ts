import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { createNoise } from "../../fake-upstream/sample-images.mjs";
import { startBuiltGateway } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";

const memoryMax = 400 * 1024 * 1024;

test("eight concurrent edits of 50 MB stay within the memory for uploads, and their files are removed", async () => {
  const image = await createNoise(10_000_000);
  const upstream = await startFakeUpstream();
  const gateway = await startBuiltGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: m }] } }`);
  const edit = async () => {
    const form = new FormData();
    form.append("model", "m");
    form.append("prompt", "a fox");
    for (let index = 0; index < 5; index += 1)
      form.append("image[]", new Blob([new Uint8Array(image)], { type: "image/png" }), "a.png");
    const response = await fetch(`${gateway.url}/v1/images/edits`, {
      method: "POST",
      headers: { "api-key": testKey },
      body: form,
    });
    return response.status;
  };

  const statuses = await Promise.all(Array.from({ length: 8 }, edit));

  expect(statuses).toEqual(Array(8).fill(200));
  expect(upstream.seen().bodyBytes).toBeGreaterThan(8 * 5 * image.length);
  await expect.poll(gateway.spooled, { timeout: 90_000 }).toEqual([]);
  const peak = peakBytes(gateway.pid);
  console.log(
    `Peak memory with 8 edits of ${Math.round((5 * image.length) / 1e6)} MB at once: ${Math.round(peak / 2 ** 20)} MiB`,
  );
  expect(peak).toBeLessThan(memoryMax);
  await gateway.kill();
  await upstream.close();
});

/** The peak memory of a process, or 0 on a system that does not report it. */
function peakBytes(pid: number): number {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return 0;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(path, "utf8"))?.[1] ?? 0) * 1024;
}
