import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AdminClient } from "../../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { errorOf, imageRequests, imagesOf } from "../image-requests.js";
import { gradient, maskOf } from "../paint-masked.js";
import { dashScopeKey, type FakeDashScope, startFakeDashScope } from "./fake-dashscope.js";

let fake: FakeDashScope;
let gateway: InProcessGateway;

beforeAll(async () => {
  fake = await startFakeDashScope();
  const upstream = (apiKey: string, more = "") =>
    `{ provider: dashscope, baseUrl: "${fake.origin}/api/v1", apiKey: ${apiKey}, allowPrivateUrls: true${more} }`;
  const target = (name: string, from: string) =>
    `{ upstream: ${from}, model: ${name}, price: { perImage: 0.04 } }`;
  const model = (name: string, ...from: string[]) =>
    `{ type: image, targets: [${from.map((one) => target(name, one)).join(", ")}] }`;
  gateway = await startGateway(`
upstreams:
  host: ${upstream(dashScopeKey)}
  spare: ${upstream(dashScopeKey)}
  wrong-key: ${upstream("wrong")}
  impatient: ${upstream(dashScopeKey, ", timeoutMs: 3000")}
  calm: ${upstream(dashScopeKey)}
models:
  qwen: ${model("qwen-image-3.0", "host")}
  plus: ${model("qwen-image-plus", "host")}
  edit: ${model("qwen-image-edit", "host")}
  wan: ${model("wan2.7-image-pro", "host")}
  wan-edit: ${model("wan2.6-image", "host")}
  task: ${model("wan2.5-t2i-preview", "host")}
  task-edit: ${model("wan2.5-i2i-preview", "host")}
  two: ${model("qwen-image-3.0", "host", "spare")}
  two-tasks: ${model("wan2.5-t2i-preview", "host", "spare")}
  impatient: ${model("wan2.5-t2i-preview", "impatient")}
  calm: ${model("wan2.5-t2i-preview", "calm")}
  wrong-key: ${model("qwen-image-3.0", "wrong-key")}
`);
});

afterAll(async () => {
  await gateway.stop();
  fake.close();
});

beforeEach(() => {
  fake.received.length = 0;
  fake.tasks.length = 0;
  fake.scripted.length = 0;
});

const { create, edit } = imageRequests(() => gateway);
const submitted = () => fake.received.filter(({ path }) => path.includes("/services/aigc/"));
const isCancel = ({ method, path }: { method: string; path: string }) =>
  method === "POST" && /^\/api\/v1\/tasks\/task-\d+\/cancel$/.test(path);
const rowOf = (response: Response) => new AdminClient(gateway.url).rowOf(response);
const scriptReply = (body: unknown, method = "POST") => fake.scripted.push({ method, reply: { body } });
const parameters = () => submitted().map(({ body }) => (body as { parameters: object }).parameters);

test("a message has the images in its reply, which are fetched without the key", async () => {
  const [image] = await imagesOf(await create({ model: "qwen", size: "1280x720", negative_prompt: "rain" }));

  expect(fake.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /api/v1/services/aigc/multimodal-generation/generation",
    expect.stringMatching(/^GET \/results\/m\d+$/),
  ]);
  expect(submitted()[0]?.body).toEqual({
    model: "qwen-image-3.0",
    input: { messages: [{ role: "user", content: [{ text: "a fox" }] }] },
    parameters: {
      size: "1280*720",
      n: 1,
      prompt_extend: false,
      negative_prompt: "rain",
      watermark: false,
    },
  });
  expect(await sharp(image).metadata()).toMatchObject({ format: "png", width: 1280, height: 720 });
});

test("a task of an older model is polled until it is done", async () => {
  fake.tasks.push({ pending: 1 });

  const images = await imagesOf(await create({ model: "task", n: 2, seed: 0, negative_prompt: "rain" }));

  expect(images).toHaveLength(2);
  expect(fake.received.slice(0, 3).map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /api/v1/services/aigc/text2image/image-synthesis",
    expect.stringMatching(/^GET \/api\/v1\/tasks\/task-\d+$/),
    expect.stringMatching(/^GET \/api\/v1\/tasks\/task-\d+$/),
  ]);
  expect(submitted()[0]?.body).toEqual({
    model: "wan2.5-t2i-preview",
    input: { prompt: "a fox", negative_prompt: "rain" },
    parameters: { n: 2, prompt_extend: false, seed: 0, watermark: false },
  });
});

test("a link is as good as base64, and other formats are converted", async () => {
  const linked = await create({ model: "qwen", response_format: "url", output_format: "webp" });

  const { data } = (await linked.json()) as { data: [{ url: string }] };
  const image = await fetch(data[0].url);
  expect([linked.status, image.status, image.headers.get("content-type")]).toEqual([200, 200, "image/webp"]);
});

test("eight images are two calls, with different seeds", async () => {
  expect(await imagesOf(await create({ model: "qwen", n: 8, seed: 5 }))).toHaveLength(8);
  expect(parameters()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ n: 6, seed: 5 }),
      expect.objectContaining({ n: 2, seed: 11 }),
    ]),
  );
});

test.each([
  ["plus", { size: "1664x928" }, { size: "1664*928", n: 1, prompt_extend: false }],
  ["plus", { size: "auto" }, { n: 1, prompt_extend: false }],
  ["wan", { size: "4096x4096", seed: 7 }, { size: "4096*4096", n: 1, seed: 7 }],
])("%s sends %j as %j", async (model, options, sent) => {
  await imagesOf(await create({ model, ...options }));

  expect(parameters()).toEqual([{ ...sent, watermark: false }]);
});

test.each([
  [{ model: "qwen", size: "256x256" }, "unsupported_value", "size"],
  [{ model: "qwen", size: "2048x2064" }, "unsupported_value", "size"],
  [{ model: "qwen", size: "4096x256" }, "unsupported_value", "size"],
  [{ model: "plus", size: "1024x1024" }, "unsupported_value", "size"],
  [{ model: "task", size: "1024x1024" }, "unsupported_value", "size"],
  [{ model: "qwen", seed: 2_147_483_648 }, "unsupported_value", "seed"],
  [{ model: "qwen", negative_prompt: "r".repeat(501) }, "string_above_max_length", "negative_prompt"],
  [{ model: "plus", prompt: "f".repeat(801) }, "string_above_max_length", "prompt"],
  [{ model: "wan", negative_prompt: "rain" }, "unsupported_parameter", "negative_prompt"],
  [{ model: "qwen", quality: "high" }, "unsupported_value", "quality"],
  [{ model: "qwen", background: "transparent" }, "unsupported_value", "background"],
  [{ model: "qwen", moderation: "low" }, "unsupported_parameter", "moderation"],
  [{ model: "edit" }, "unsupported_operation", "model"],
])("%j is refused by name, and nothing is sent", async (body, code, param) => {
  expect(await errorOf(await create(body))).toMatchObject({ status: 400, code, param });
  expect(fake.received).toEqual([]);
});

test("images to edit go before the text, and one result is asked for by its number", async () => {
  const [first, second] = [await gradient(64, 64), await gradient(32, 64)];
  const url = (image: Buffer) => `data:image/png;base64,${image.toString("base64")}`;

  await imagesOf(await edit({ model: "wan-edit", "image[]": [first, second] }));
  await imagesOf(await edit({ model: "edit", image: first }));
  await imagesOf(await edit({ model: "task-edit", image: second, size: "768x1024" }));

  expect(submitted().map(({ body }) => body)).toEqual([
    {
      model: "wan2.6-image",
      input: {
        messages: [
          { role: "user", content: [{ image: url(first) }, { image: url(second) }, { text: "a hat" }] },
        ],
      },
      parameters: { n: 1, prompt_extend: false, watermark: false },
    },
    {
      model: "qwen-image-edit",
      input: { messages: [{ role: "user", content: [{ image: url(first) }, { text: "a hat" }] }] },
      parameters: { watermark: false },
    },
    {
      model: "wan2.5-i2i-preview",
      input: { prompt: "a hat", images: [url(second)] },
      parameters: { n: 1, prompt_extend: false, size: "768*1024", watermark: false },
    },
  ]);
});

test("a mask, an edit by a model without edits and a size that only creations have are refused", async () => {
  const image = await gradient(64, 64);
  const mask = await maskOf(64, 64, () => true);

  for (const [fields, param] of [
    [{ model: "qwen", image, mask }, "mask"],
    [{ model: "plus", image }, "model"],
    [{ model: "wan", image, size: "4096x4096" }, "size"],
  ] as const)
    expect(await errorOf(await edit(fields))).toMatchObject({ status: 400, param });
  expect(fake.received).toEqual([]);
});

test.each([
  ["no choices", { output: { choices: [] } }],
  ["a choice without an image", { output: { choices: [{ message: { content: [{ text: "no" }] } }] } }],
  ["an empty link", { output: { choices: [{ message: { content: [{ image: "" }] } }] } }],
  ["nothing", {}],
])("a reply with %s is not a success", async (_name, body) => {
  scriptReply(body);

  expect(await errorOf(await create({ model: "two" }))).toMatchObject({
    status: 502,
    code: "upstream_invalid_reply",
  });
  expect(submitted()).toHaveLength(1);
});

test.each([400, 200])(
  "moderation with status %i is the caller's 400, at one target alone",
  async (status) => {
    const body = { code: "DataInspectionFailed", message: "Input may contain inappropriate content." };
    fake.scripted.push({ method: "POST", reply: { status, body } });

    expect(await errorOf(await create({ model: "two" }))).toMatchObject({
      status: 400,
      code: "moderation_blocked",
      message: "Input may contain inappropriate content.",
    });
    expect(submitted()).toHaveLength(1);
  },
);

test.each([
  ["DataInspectionFailed", 400, "moderation_blocked"],
  ["InvalidParameter", 400, "upstream_rejected"],
  ["InternalError.Timeout", 502, "upstream_error"],
  // It looks as if it could pass, but the task is over.
  ["Throttling", 502, "upstream_error"],
])("a task that failed with %s is not bought again", async (code, status, expected) => {
  fake.tasks.push({ end: "FAILED", error: { code, message: "Something is wrong." } });

  const response = await create({ model: "two-tasks" });

  expect(await errorOf(response)).toMatchObject({ status, code: expected });
  expect(submitted()).toHaveLength(1);
  expect(await rowOf(response)).toMatchObject({ images: 0, cost_usd: null });
});

test("a task that was stopped is not bought again, and one that is gone is looked for a few times", async () => {
  fake.tasks.push({ end: "CANCELED" }, { end: "UNKNOWN" });

  for (const requests of [2, 6]) {
    fake.received.length = 0;
    expect(await errorOf(await create({ model: "two-tasks" }))).toMatchObject({
      status: 502,
      code: "upstream_error",
    });
    expect(fake.received).toHaveLength(requests);
  }
});

test("fewer images than requested are a failure, unless the caller accepts them", async () => {
  const failed = { code: "DataInspectionFailed", message: "Output data may contain inappropriate content." };
  const { origin } = fake;
  await imagesOf(await create({ model: "task" }));
  const [task = ""] = fake.received.map(({ path }) => path).filter((path) => path.startsWith("/results/"));
  const results = [{ url: `${origin}${task}` }, failed];
  fake.tasks.push({ results }, { results }, { results: [failed, failed] });

  const refused = await create({ model: "task", n: 2 });
  const accepted = await create({ model: "task", n: 2 }, { headers: { "x-gateway-partial": "allow" } });
  const blocked = await create({ model: "task", n: 2 }, { headers: { "x-gateway-partial": "allow" } });

  expect(await errorOf(refused)).toMatchObject({ status: 502, code: "upstream_invalid_reply" });
  expect(await imagesOf(accepted)).toHaveLength(1);
  expect(await errorOf(blocked)).toMatchObject({ status: 400, code: "moderation_blocked" });
});

test.each(["http://127.0.0.1:9/a.png", "https://aliyuncs.com.example.com/a.png", ""])(
  "a result at %j is not fetched",
  async (url) => {
    fake.tasks.push({ results: [{ url }] });

    expect(await errorOf(await create({ model: "task" }))).toMatchObject({
      status: 502,
      code: "upstream_invalid_reply",
    });
  },
);

test("a result that has expired is not bought again", async () => {
  fake.tasks.push({ results: [{ url: `${fake.origin}/results/yesterday` }] });

  expect(await errorOf(await create({ model: "two-tasks" }))).toMatchObject({
    code: "upstream_invalid_reply",
  });
  expect(submitted()).toHaveLength(1);
});

test("a task that stalls is cancelled when its time is over", async () => {
  fake.tasks.push({ pending: Number.POSITIVE_INFINITY });
  const cancellation = fake.next(isCancel);

  expect(await errorOf(await create({ model: "impatient" }))).toMatchObject({ code: "upstream_timeout" });
  await cancellation;
});

test("a task is cancelled when its caller leaves", async () => {
  fake.tasks.push({ pending: Number.POSITIVE_INFINITY });
  const departure = new AbortController();
  const polled = fake.next(({ method }) => method === "GET");
  const cancellation = fake.next(isCancel);

  create({ model: "calm" }, { signal: departure.signal }).catch(() => undefined);
  await polled;
  departure.abort();

  await cancellation;
  expect(submitted()).toHaveLength(1);
});

test("a refused key is the gateway's own fault", async () => {
  expect(await errorOf(await create({ model: "wrong-key" }))).toMatchObject({ code: "upstream_auth_error" });
});
