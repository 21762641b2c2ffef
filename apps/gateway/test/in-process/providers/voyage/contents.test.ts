import { afterAll, beforeAll, expect, test } from "vitest";
import { AdminClient } from "../../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { imageNumber, imagePart } from "../contents.js";
import { describeContents } from "../contents-suite.js";
import type { StrictServer } from "../strict-server.js";
import { voyageContents } from "./content-suites.js";
import { startFakeVoyage, voyageImageTokens, voyageKey } from "./fake-voyage.js";

describeContents(voyageContents);

let fake: StrictServer;
let gateway: InProcessGateway;
beforeAll(async () => {
  fake = await startFakeVoyage();
  gateway = await startGateway(`
upstreams:
  voyage: { provider: voyage, baseUrl: "${fake.origin}/v1", apiKey: ${voyageKey} }
models:
  m:
    type: embedding
    dimensions: 1024
    inputType: document
    price: { perMillionTokens: 0.12, perMillionImageTokens: 0.336 }
    targets: [{ upstream: voyage, model: voyage-multimodal-3.5 }]
`);
});
afterAll(async () => {
  await gateway.stop();
  fake.close();
});

test("texts of a model for images go to its own path, and nothing is cut", async () => {
  const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: ["a", "b"] });

  expect(response.status).toBe(200);
  expect(fake.bodies).toEqual([
    {
      model: "voyage-multimodal-3.5",
      inputs: [{ content: [{ type: "text", text: "a" }] }, { content: [{ type: "text", text: "b" }] }],
      input_type: "document",
      truncation: false,
    },
  ]);
});

test("tokens of texts and of images have their own prices", async () => {
  const content = [{ type: "text", text: "four words of text" }, imagePart(await imageNumber(1))];

  const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: [{ content }] });

  const cost = (4 * 0.12 + voyageImageTokens * 0.336) / 1_000_000;
  expect(await new AdminClient(gateway.url).rowOf(response)).toMatchObject({
    input_tokens: 4 + voyageImageTokens,
    cost_usd: expect.closeTo(cost, 9),
  });
});
