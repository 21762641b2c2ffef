import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { suiteGateway } from "../../gateway/suite.js";
import { testKey } from "../../gateway/test-gateway.js";

const suite = suiteGateway(
  ({ baseUrl }) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
defaults: { createImage: painter, createImageEdit: editor }
models:
  painter: { type: image, targets: [{ upstream: fake, model: painter }] }
  editor: { type: image, targets: [{ upstream: fake, model: editor }] }
`,
);
const images = [{ image_url: `data:image/png;base64,${tinyPng.toString("base64")}` }];
const photo = () => new File([new Uint8Array(tinyPng)], "photo.png", { type: "image/png" });

describe.each(["/v1", "/openai/v1"])("below %s", (root) => {
  test.each([
    ["images/generations", { prompt: "a fox" }, "painter"],
    ["images/edits", { prompt: "a fox", images }, "editor"],
  ])("%s takes null for the default model", async (path, body, served) => {
    const response = await suite.gateway.sendJson(`${root}/${path}`, { ...body, model: null });

    expect(response.status, await response.clone().text()).toBe(200);
    expect(suite.upstream.received.at(-1)?.body.model).toBe(served);
  });

  test("a form takes the text null, for the model and for its options", async () => {
    const form = new FormData();
    for (const name of ["model", "n", "size", "stream", "user"]) form.append(name, "null");
    form.append("prompt", "null");
    form.append("image", photo());

    const response = await suite.gateway.send(`${root}/images/edits`, { method: "POST", body: form });

    expect(response.status, await response.clone().text()).toBe(200);
    expect(suite.upstream.received.at(-1)?.body).toEqual({ model: "editor", prompt: "null" });
  });
});

describe("the OpenAI SDK", () => {
  let client: OpenAI;
  beforeAll(() => {
    client = new OpenAI({ baseURL: `${suite.gateway.url}/v1`, apiKey: testKey, maxRetries: 0 });
  });

  test("null creates an image with the default model", async () => {
    const { data } = await client.images.generate({ model: null, prompt: "a fox" });

    expect(data).toHaveLength(1);
    expect(suite.upstream.received.at(-1)?.body.model).toBe("painter");
  });

  test("'null', which it asks for in a form, edits one with the default model", async () => {
    const { data } = await client.images.edit({ model: "null", prompt: "a fox", image: photo() });

    expect(data).toHaveLength(1);
    expect(suite.upstream.received.at(-1)?.body.model).toBe("editor");
  });
});
