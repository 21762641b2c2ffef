import { load } from "@model-gateway/config/test/load-text";
import { openUpstream } from "@model-gateway/providers/registry";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { describeEmbeddings } from "../embeddings-suite.js";
import { googleError } from "../gemini/fake-generate-content.js";
import { gradient, maskOf } from "../paint-masked.js";
import { base64Of, unitVector } from "../unit-vectors.js";
import { type FakeVertex, startFakeVertex } from "./fake-vertex.js";

const place = "project: a-project, location: europe-west4";
let suiteFake: FakeVertex;

describeEmbeddings({
  provider: "vertex",
  pathPrefix: "/v1",
  start: async () => {
    suiteFake = await startFakeVertex();
    return suiteFake;
  },
  apiKey: "right",
  credentials: (key) =>
    `${place}, credentialsFile: "${key === "right" ? suiteFake.keyFile : suiteFake.wrongKeyFile}"`,
  model: { name: "gemini-embedding-001", native: 3072, short: 768 },
  maxInputs: 1,
  batchRefusals: [],
  textsOf: (body) => (body as { instances: { content: string }[] }).instances.map(({ content }) => content),
  tooLong: "x".repeat(8 * 2048 + 1),
  throttled: googleError(429, {
    word: "RESOURCE_EXHAUSTED",
    message: "Quota exceeded.",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "37s" }],
  }),
  imageModel: "gemini-3-pro-image",
});

let fake: FakeVertex;
let gateway: InProcessGateway;
beforeAll(async () => {
  fake = await startFakeVertex();
  gateway = await startGateway(
    `
upstreams:
  vertex: { provider: vertex, baseUrl: "${fake.origin}/v1", ${place} }
${[0, 1, 2].map((index) => `  vertex-${index}: { provider: vertex, baseUrl: "${fake.origin}/v1", ${place} }\n`).join("")}models:
  batch: { type: embedding, dimensions: 768, targets: [{ upstream: vertex, model: text-embedding-005 }] }
${[0, 1, 2].map((index) => `  refused-${index}: { type: embedding, dimensions: 768, targets: [{ upstream: vertex-${index}, model: text-embedding-005 }] }\n`).join("")}  single: { type: embedding, dimensions: 3072, targets: [{ upstream: vertex, model: gemini-embedding-2 }] }
  draw: { type: image, targets: [{ upstream: vertex, model: gemini-3-pro-image }] }
`,
    {
      // The metadata server, as Google's own clients find it in tests.
      openUpstream: (upstream, tools) =>
        openUpstream(upstream, {
          ...tools,
          environment: { GCE_METADATA_HOST: new URL(fake.issuer.origin).host },
        }),
    },
  );
});
afterAll(async () => {
  await gateway.stop();
  fake.close();
});
beforeEach(() => {
  fake.bodies.length = 0;
});

const embed = (body: object) => gateway.sendJson("/v1/embeddings", body);
const errorOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error: object }).error,
});

test("the verb predict takes 250 texts, and its usage is the sum of all", async () => {
  const input = Array.from({ length: 300 }, (_, index) => `text number ${index}`);

  const response = await embed({ model: "batch", input, encoding_format: "base64" });

  const { data, usage } = (await response.json()) as {
    data: { embedding: string }[];
    usage: { prompt_tokens: number };
  };
  expect(data.map(({ embedding }) => embedding)).toEqual(
    input.map((text) => base64Of(unitVector(text, { width: 768, native: 768 }))),
  );
  expect(usage.prompt_tokens).toBe(900);
  const sizes = fake.bodies.map((body) => (body as { instances: object[] }).instances.length);
  expect(sizes.sort((one, other) => other - one)).toEqual([250, 50]);
});

test.each([
  [0, "2 instance(s) is allowed per prediction. Actual: 5", [2, 2, 1]],
  [
    1,
    "Unable to submit request because it included too many instances. It had a batchSize value of 5 but the supported range is from 1 (inclusive) to 4 (exclusive).",
    [3, 2],
  ],
  [
    2,
    "Unable to submit request because the input token count is 23456 but the model supports up to 20000. Reduce the input token count and try again.",
    undefined,
  ],
])("a batch is sent again in smaller ones after refusal %d: %s", async (index, message, sizes) => {
  fake.scripted.push(googleError(400, { word: "INVALID_ARGUMENT", message }));
  // Five texts of at most 2,048 tokens each, which together may have more than 20,000.
  const text = sizes === undefined ? "é".repeat(2048) : "text";

  const input = Array.from({ length: 5 }, (_, number) => `${text} ${number}`);
  const response = await embed({ model: `refused-${index}`, input });

  expect(response.status).toBe(200);
  const sent = fake.bodies.map((body) => (body as { instances: object[] }).instances.length);
  expect(sent.reduce((sum, size) => sum + size, 0)).toBe(5);
  if (sizes !== undefined) expect(sent.sort((one, other) => other - one)).toEqual(sizes);
  else expect(Math.max(...sent)).toBeLessThan(5);
});

test("the body of predict never allows a text to be cut", async () => {
  expect((await embed({ model: "batch", input: "a", input_type: "query", user: "u" })).status).toBe(200);

  expect(fake.bodies).toEqual([
    { instances: [{ content: "a", task_type: "RETRIEVAL_QUERY" }], parameters: { autoTruncate: false } },
  ]);
});

test("the newer models have the verb embedContent", async () => {
  const response = await embed({ model: "single", input: ["a", "b c"], input_type: "document" });

  const { data, usage } = (await response.json()) as {
    data: { embedding: number[] }[];
    usage: { prompt_tokens: number };
  };
  expect(data.map(({ embedding }) => embedding)).toEqual(
    ["a", "b c"].map((text) => unitVector(`RETRIEVAL_DOCUMENT${text}`, { width: 3072, native: 3072 })),
  );
  expect(usage.prompt_tokens).toBe(3);
  expect(fake.bodies).toContainEqual({
    content: { parts: [{ text: "a" }] },
    embedContentConfig: { taskType: "RETRIEVAL_DOCUMENT", autoTruncate: false },
  });
});

test("a text that is too long for embedContent is named", async () => {
  const error = await errorOf(await embed({ model: "single", input: ["a", "x".repeat(8 * 8192 + 1)] }));

  expect(error).toMatchObject({ status: 400, code: "context_length_exceeded", param: "input[1]" });
});

test("images and edits go to generateContent, and a mask is refused by name", async () => {
  const image = await gradient(8, 8);
  const edit = (mask?: Buffer) => {
    const form = new FormData();
    form.append("model", "draw");
    form.append("prompt", "a hat");
    for (const [name, content] of Object.entries({ image, mask }))
      if (content !== undefined)
        form.append(name, new Blob([new Uint8Array(content)], { type: "image/png" }), "a.png");
    return gateway.send("/v1/images/edits", { method: "POST", body: form });
  };

  const created = await gateway.sendJson("/v1/images/generations", {
    model: "draw",
    prompt: "a fox",
    size: "1536x1024",
  });
  const edited = (await (await edit()).json()) as { data: { b64_json: string }[] };
  const masked = await errorOf(await edit(await maskOf(8, 8, () => true)));

  expect(created.status).toBe(200);
  expect(edited.data[0]?.b64_json).toBe(image.toString("base64"));
  expect(masked).toMatchObject({ status: 400, param: "mask" });
  expect(fake.bodies).toHaveLength(2);
});

test("a blocked image is the caller's 400", async () => {
  const response = await gateway.sendJson("/v1/images/generations", {
    model: "draw",
    prompt: "a blocked image",
  });

  expect(await errorOf(response)).toMatchObject({ status: 400, code: "moderation_blocked" });
});

test("one token serves all requests, and is renewed once when it is refused", async () => {
  await embed({ model: "batch", input: "before" });
  const before = fake.issuer.issued();

  const statuses = await Promise.all(
    ["c", "d", "e"].map(async (input) => (await embed({ model: "batch", input })).status),
  );
  expect([statuses, fake.issuer.issued()]).toEqual([[200, 200, 200], before]);

  fake.issuer.revoke();
  expect((await embed({ model: "batch", input: "f" })).status).toBe(200);
  expect(fake.issuer.issued()).toBe(before + 1);
  expect(gateway.logLines.join("")).not.toContain("issued-token");
});

test.each([
  ["europe-west4", "https://europe-west4-aiplatform.googleapis.com/v1"],
  ["global", "https://aiplatform.googleapis.com/v1"],
])("the location %s is at %s", (location, baseUrl) => {
  const config = load(
    `
upstreams: { vertex: { provider: vertex, project: p, location: ${location} } }
models: { m: { type: embedding, targets: [{ upstream: vertex, model: text-embedding-005 }] } }
`,
    {},
  );

  expect(config.upstreams.get("vertex")).toMatchObject({ baseUrl, hasKey: true });
});

test("an authorization header beside the token is refused", () => {
  const text = `
upstreams: { vertex: { provider: vertex, ${place}, headers: { Authorization: other } } }
models: { m: { type: embedding, targets: [{ upstream: vertex, model: text-embedding-005 }] } }
`;

  expect(() => load(text, {})).toThrow("Authorization");
});
