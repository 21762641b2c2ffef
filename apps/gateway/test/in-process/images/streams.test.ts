import { expect, test } from "vitest";
import { startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { startGateway } from "../../gateway/in-process.js";

const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, created_at: 1, ...fields })}\n\n`;
const b64_json = tinyPng.toString("base64");

test.each([
  [2, 2],
  [undefined, 0],
])("from a flood of partial images, a caller that asked for %s gets %i", async (asked, received) => {
  const partials = Array.from({ length: 500 }, (_, index) =>
    // Unrequested ones are not even parsed.
    event("image_generation.partial_image", {
      b64_json: index < received ? b64_json : "bm90IGFuIGltYWdl",
      partial_image_index: index,
    }),
  );
  const body = `${partials.join("")}${event("image_generation.completed", { b64_json })}`;
  const headers = { "content-type": "text/event-stream" };
  const upstream = await startFakeUpstream({
    script: { always: { faults: [{ kind: "reply", headers, body }] } },
  });
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] } }`);

  const response = await gateway.sendJson("/v1/images/generations", {
    model: "image",
    prompt: "a fox",
    stream: true,
    partial_images: asked,
  });
  const types = [...(await response.text()).matchAll(/^event: (.+)$/gm)].map(([, type]) => type);

  expect(types).toEqual([
    ...new Array(received).fill("image_generation.partial_image"),
    "image_generation.completed",
  ]);
  await gateway.stop();
  await upstream.close();
});
