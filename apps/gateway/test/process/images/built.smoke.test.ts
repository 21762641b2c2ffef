import sharp from "sharp";
import { expect, test } from "vitest";
import { startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { GatewayFolder } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";

test("the built gateway fetches an image that an upstream returns as a link", async () => {
  const upstream = await startFakeUpstream({ script: { always: { images: "requested" } } });
  const home = new GatewayFolder(
    `keys: [{ name: test, key: "\${KEY}" }]
upstreams: { images: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}", allowPrivateUrls: true } }
models:
  links-only: { type: image, profile: { like: dall-e, responseFormats: [url] }, targets: [{ upstream: images, model: dall-e }] }`,
    { KEY: testKey },
  );
  try {
    const { url: address } = await home.start();

    const response = await fetch(`${address}/v1/images/generations`, {
      method: "POST",
      headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "links-only", prompt: "a hat", response_format: "b64_json" }),
    });

    const { data } = (await response.json()) as { data: [{ b64_json: string }] };
    const { format } = await sharp(Buffer.from(data[0].b64_json, "base64")).metadata();
    expect(format).toBe("png");
  } finally {
    await home.remove();
    await upstream.close();
  }
});
