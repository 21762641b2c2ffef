import { createRandom, type Random } from "@model-gateway/test-suite/random";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { startUpstreamProcess, type UpstreamProcess } from "../../fake-upstream/upstream-process.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, startBuiltGateway } from "../../gateway/built.js";
import { errorsIn } from "../../gateway/log-errors.js";
import { rawRequest } from "../../in-process/malformed/malformed-case.js";
import { asked, boundary, encode, file } from "../../in-process/malformed/write-form.js";
import { leave } from "./leaving-caller.js";

const uploads = 10_000;
const callers = 100;

let upstream: UpstreamProcess;
let gateway: BuiltGateway;

beforeAll(async () => {
  upstream = await startUpstreamProcess();
  // So little memory that many uploads go to disk, or end there.
  gateway = await startBuiltGateway(`
logLevel: error
limits: { uploadsBytesMax: 2097152 }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] } }`);
});
afterAll(async () => {
  await gateway.kill();
  await upstream.kill();
});

test("ten thousand aborted uploads leave nothing in memory and nothing on disk", async () => {
  const random = createRandom();
  const port = Number(new URL(gateway.url).port);
  let left = uploads;
  const abortAll = async () => {
    while (left > 0) {
      left -= 1;
      await leave(port, chooseUpload(random));
    }
  };

  await Promise.all(Array.from({ length: callers }, abortAll));

  await expect.poll(gateway.spooled, { timeout: 60_000 }).toEqual([]);
  await expect.poll(uploadMemory, { timeout: 60_000 }).toBe("0");
  expect(errorsIn(gateway)).toEqual([]);
  const response = await gateway.send("/v1/images/edits", {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: new Uint8Array(encode([...asked, file("image", tinyPng)])),
  });
  expect(response.status).toBe(200);
}, 600_000);

function chooseUpload(random: Random) {
  const request = random.pick(requests);
  return {
    request,
    moment: "sending" as const,
    bytes: random.below(request.length),
    afterMs: random.below(5),
    isRude: random.below(2) === 0,
  };
}

const requests = [1000, 20_000, 100_000, 400_000].map((bytes) => {
  const image = Buffer.concat([tinyPng, Buffer.alloc(bytes)]);
  return rawRequest({
    path: "/v1/images/edits",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: encode([...asked, file("image[]", image), file("image[]", image)]),
  });
});

async function uploadMemory(): Promise<string | undefined> {
  const metrics = await (await new AdminClient(gateway.url).send("/metrics")).text();
  return /^gateway_upload_memory_bytes (\d+)$/m.exec(metrics)?.[1];
}
