import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { imageNumber, imagePart } from "../contents.js";
import { describeContents } from "../contents-suite.js";
import type { StrictServer } from "../strict-server.js";
import { geminiContents } from "./content-suites.js";
import { geminiKey, googleImageTokens, startFakeGemini } from "./fake-gemini.js";

describeContents(geminiContents);

let fake: StrictServer;
let gateway: InProcessGateway;
beforeAll(async () => {
  fake = await startFakeGemini();
  gateway = await startGateway(`
upstreams: { gemini: { provider: gemini, baseUrl: "${fake.origin}/v1beta", apiKey: ${geminiKey} } }
models: { m: { type: embedding, dimensions: 3072, targets: [{ upstream: gemini, model: gemini-embedding-2 }] } }
`);
});
afterAll(async () => {
  await gateway.stop();
  fake.close();
});

test.each([
  ["fits", 8 * (8192 - googleImageTokens), 200],
  ["has a token too many", 8 * (8192 - googleImageTokens) + 1, 400],
])("an input that %s beside its image is counted before it is sent", async (_name, letters, status) => {
  fake.bodies.length = 0;
  const content = [{ type: "text", text: "x".repeat(letters) }, imagePart(await imageNumber(1))];

  const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: ["a", { content }] });

  expect(response.status).toBe(status);
  const counted = fake.bodies.filter((body) => "contents" in (body as object));
  expect(counted).toHaveLength(1);
  if (status === 400)
    expect(await response.json()).toMatchObject({
      error: { code: "context_length_exceeded", param: "input[1]" },
    });
});
